import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright';
import { build, preview } from 'vite';
import { longSession } from '../../test/bench/long-session.js';
import { sample, type Sample } from './samples.js';

const path = (place: string): string => fileURLToPath(new URL(`../../${place}`, import.meta.url));
const configFile = path('demo/vite.config.ts');
const outDir = path('node_modules/.cache/bench-demo');
const LONG = 'A long talk · 2026-01-01 00:00:00';
/** Messages in the window of the demo; the others are memories. */
const WINDOW = 120;

/** Load times of the demo for returning visitors, in ms from the start of the navigation. */
export interface DemoTimes {
  /** Until a request can be typed. */
  interactive: Sample;
  /** Until the end of the conversation of a long session is on screen. */
  longSession: Sample;
  /** Messages of that session. */
  messages: number;
}

/** Builds and serves the demo once for all launches. */
let built: Promise<unknown> | null = null;

export async function measureDemo(
  context: BrowserContext,
  { rounds, messages }: { rounds: number; messages: number },
): Promise<DemoTimes> {
  await (built ??= build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } }));
  const server = await preview({
    configFile,
    logLevel: 'error',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the page server has no port');
  const url = `http://127.0.0.1:${address.port}/`;
  try {
    await bringIn(context, url, messages);
    const starts: number[] = [];
    const sessions: number[] = [];
    for (let round = 0; round < rounds; round++) {
      starts.push(await paintedAfter(context, url, '.composer textarea'));
      const long = `${url}#${encodeURIComponent(LONG)}`;
      sessions.push(await paintedAfter(context, long, '[data-entry="reply"]'));
    }
    return { interactive: sample(starts), longSession: sample(sessions), messages };
  } finally {
    await server.close();
  }
}

/** The first visit, which also creates the long session. */
async function bringIn(context: BrowserContext, url: string, messages: number): Promise<void> {
  const document = JSON.stringify(await longSession(LONG, messages, WINDOW));
  const page = await visit(context, url);
  const file = { name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(document) };
  await page.locator('.file input').setInputFiles(file);
  await page.locator('main [data-entry="reply"]').first().waitFor();
  await page.locator('.status.ready').waitFor();
  await page.close();
}

/** Milliseconds until the first matching element exists and its frame was rendered. */
async function paintedAfter(context: BrowserContext, url: string, selector: string): Promise<number> {
  const page = await context.newPage();
  page.setDefaultTimeout(600_000);
  await page.addInitScript((wanted) => {
    const look = (): void => {
      const chat = document.querySelector('rolezero-chat')?.shadowRoot;
      const found = document.querySelector(wanted) ?? chat?.querySelector(wanted) ?? null;
      if (found === null) requestAnimationFrame(look);
      // The next task follows the frame.
      else setTimeout(() => Object.assign(globalThis, { paintedAt: performance.now() }));
    };
    requestAnimationFrame(look);
  }, selector);
  await page.goto(url);
  await page.waitForFunction(() => 'paintedAt' in globalThis);
  const time = await page.evaluate(() => (globalThis as unknown as { paintedAt: number }).paintedAt);
  await page.close();
  return time;
}

async function visit(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(600_000);
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(url);
  return page;
}
