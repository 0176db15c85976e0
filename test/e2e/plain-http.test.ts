import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/scripted-model.js';
import { startFaultServer, type FaultServer, type SeenRequest } from '../fault-server/fault-server.js';
import { hold, reply, type Reply } from '../fault-server/replies.js';
import { servePage, startChromium } from './chromium.js';

/** A host name that browsers do not trust without https, as with the address of a machine on the local network. */
const HOST = 'lan.test';

const STEPS = [
  commands(['Editor.write', { path: '/index.html', content: '<title>Shop</title><h1>Bread</h1>' }]),
  commands(['Terminal.run_command', { cmd: 'grep -c Bread /index.html > /count.txt; cat /count.txt' }]),
  commands(['Browser.goto', { url: '/index.html' }], ['Browser.view', {}]),
  commands(['end', {}]),
];

/** The model's reply follows from the conversation alone, so a resumed run gets the same replies. */
function model({ body }: SeenRequest): Reply {
  const { messages } = body as { messages: { role: string; content: string }[] };
  const last = messages.at(-1)?.content ?? '';
  if (last.includes('Sum up in')) return reply('Made a shop.');
  const taken = messages.filter(({ role, content }) => role === 'assistant' && STEPS.includes(content));
  return reply(STEPS[taken.length] ?? 'Nothing is left to do.');
}

let browser: Browser;
let context: BrowserContext;
let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('plain-http', [HOST]);
  server = await startFaultServer();
  browser = await startChromium({ more: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`] });
  context = await browser.newContext();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await site?.close();
});

/** Opens a tab on the plain `http://` address. */
async function openTab(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.url.replace('127.0.0.1', HOST));
  await page.waitForFunction(() => typeof window.plainHttp === 'object');
  return page;
}

describe('on a plain http:// address', () => {
  it('runs a session, resumes it after a reload, and warns once about what is missing', async () => {
    const page = await openTab();
    expect(await page.evaluate(() => window.plainHttp.features())).toEqual({
      isSecureContext: false,
      randomUUID: false,
      subtle: false,
      locks: false,
      storage: false,
      serviceWorker: false,
    });

    // Classification, language and the first step; the second step hangs until the page is reloaded.
    server.script([model, model, model, [hold]]);
    await page.evaluate((url) => window.plainHttp.open(url), server.url);
    await page.evaluate(() => window.plainHttp.begin('Build a shop'));
    expect(await page.evaluate(() => window.plainHttp.warnings())).toEqual([
      {
        code: 'insecure-context',
        message: `This page is not a secure context (${new URL(page.url()).origin}), so the browser offers no Web Locks, no origin private file system, no WebCrypto, no WebGPU. If two tabs open session 'plain-http', the newer one takes it over, and the older one can no longer write (session-fenced). The session has no replica to restore lost data from. Models on WebGPU and keyVault() do not work. Serve the page from https:// or http://localhost.`,
        detail: {
          session: 'plain-http',
          origin: new URL(page.url()).origin,
          missing: ['Web Locks', 'origin private file system', 'WebCrypto', 'WebGPU'],
        },
      },
    ]);

    await page.reload();
    await page.waitForFunction(() => typeof window.plainHttp === 'object');
    server.script([model], 'repeat');
    expect(await page.evaluate((url) => window.plainHttp.open(url), server.url)).toEqual({
      resumable: true,
      viewing: false,
    });
    const { status, error, outputs } = await page.evaluate(() => window.plainHttp.resume());
    expect([status, error]).toEqual(['done', null]);
    expect(outputs.join('\n')).toContain('Bread'); // the Browser tool showed the page
    expect(await page.evaluate(() => window.plainHttp.read('/count.txt'))).toBe('1\n');
    expect(await page.evaluate(() => window.plainHttp.storeKey())).toEqual({
      code: 'storage-unavailable',
      message: expect.stringContaining('secure context') as string,
    });
    await page.close();
  });

  it('keeps a viewer read-only, and lets only the newest writer write', async () => {
    const first = await openTab();
    await first.evaluate((url) => window.plainHttp.open(url), server.url);
    const viewer = await openTab();
    const opened = await viewer.evaluate((url) => window.plainHttp.open(url, { view: true }), server.url);
    expect(opened.viewing).toBe(true);
    expect(await viewer.evaluate(() => window.plainHttp.write('/note.txt', 'viewer'))).toBe('session-busy');
    expect(await first.evaluate(() => window.plainHttp.write('/note.txt', 'first'))).toBe('written');

    const second = await openTab();
    await second.evaluate((url) => window.plainHttp.open(url), server.url);
    expect(await second.evaluate(() => window.plainHttp.write('/note.txt', 'second'))).toBe('written');
    expect(await first.evaluate(() => window.plainHttp.write('/note.txt', 'late'))).toBe('session-fenced');
    expect(await first.evaluate(() => window.plainHttp.write('/note.txt', 'later'))).toBe('session-fenced');
    expect(await second.evaluate(() => window.plainHttp.read('/note.txt'))).toBe('second');
    const codes = await first.evaluate(() => window.plainHttp.warnings().map(({ code }) => code));
    expect(codes).toEqual(['insecure-context', 'session-fenced']);
  });
});
