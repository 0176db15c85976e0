import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { hold } from '../fault-server/replies.js';
import { servePage, startChromium } from './chromium.js';

let browser: Browser;
let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('away');
  browser = await startChromium();
  server = await startFaultServer();
  server.script([[hold]], 'repeat');
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await server?.close();
});

/** Clears what the user clears with "site data". */
async function clear(page: Page, storageTypes: string): Promise<void> {
  const { origin } = new URL(site.url);
  const client = await page.context().newCDPSession(page);
  await client.send('Storage.clearDataForOrigin', { origin, storageTypes });
}

describe.each(['all', 'indexeddb,file_systems'])('a user who clears %s of the site', (types) => {
  it.each([false, true])(
    'learns it at once while a session is open, running: %s',
    async (isRunning) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(site.url);
      await page.evaluate((url) => stage.open(url, 'function'), server.url);
      expect((await page.evaluate(() => stage.write('/a.txt'))).outcome).toBe('done');
      if (isRunning) {
        await page.evaluate((request) => stage.start(request), 'Write a page');
        await expect.poll(() => page.evaluate(() => stage.events)).toContain('call-start');
      }
      await clear(page, types);
      const state = () => page.evaluate(() => [[...new Set(stage.warnings)], stage.result]);
      const cleared = [['storage-lost'], isRunning ? 'storage-lost' : null];
      await expect.poll(state, { timeout: 1_000 }).toEqual(cleared);
      for (let count = 0; count < 3; count++) {
        const { outcome, ms } = await page.evaluate(() => stage.write('/b.txt'));
        expect(outcome).toBe('storage-lost');
        expect(ms).toBeLessThan(1_000);
      }
      await page.evaluate((url) => stage.open(url, 'function'), server.url); // while the lost one is not closed
      expect((await page.evaluate(() => stage.write('/c.txt'))).outcome).toBe('done');
      await context.close();
    },
    60_000,
  );
});
