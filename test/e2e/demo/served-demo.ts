import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright';
import { preview } from 'vite';
import { afterAll, beforeAll, inject } from 'vitest';
import { startChromium } from '../chromium.js';
import { startVisit, type Visit } from './visit.js';

const configFile = fileURLToPath(new URL('../../../demo/vite.config.ts', import.meta.url));

/** Serves the demo as it is built for its visitors, on a port of its own. */
export async function serveDemo(): Promise<{ url: string; close(): Promise<void> }> {
  const server = await preview({
    configFile,
    logLevel: 'error',
    build: { outDir: inject('demoFolder') },
    preview: { port: 0, host: '127.0.0.1' },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the page server has no port');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}

/** The served demo, and a Chromium, while the tests of a file run. */
interface ServedDemo {
  url: string;
  browser: Browser;
}

/** Serves the demo and starts a Chromium for the tests of the calling file. The fields are set before the first test. */
export function useServedDemo(): Readonly<ServedDemo> {
  const served = {} as ServedDemo;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const demo = await serveDemo();
    ({ url: served.url, close } = demo);
    served.browser = await startChromium();
  });
  afterAll(async () => {
    await served.browser.close();
    await close();
  });
  return served;
}

/** Opens the demo without motion. Its page may reach its own origin only. */
export async function visitAlone({ url, browser }: Readonly<ServedDemo>): Promise<Visit> {
  const isForeign = ({ origin }: URL) => origin !== new URL(url).origin;
  const visit = await startVisit(browser, { reducedMotion: 'reduce', isForeign });
  await visit.page.goto(url);
  return visit;
}
