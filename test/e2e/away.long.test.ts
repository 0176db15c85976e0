import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { hold, type Reply } from '../fault-server/replies.js';
import { servePage, startChromium } from './chromium.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, mainJobReply } from './main-job.js';

let browser: Browser;
let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('away');
  browser = await startChromium({ backForwardCache: true });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
afterEach(() => server.close());

/** The same reply, but the server pauses in its middle until it is released. */
function held([streaming, first, ...rest]: Reply): Reply {
  return [streaming, first, hold, ...rest].filter((step) => step !== undefined);
}

/** The model of the main job. It pauses in the middle of the replies that are held. */
async function serveMainJob(isHeld: (call: number) => boolean): Promise<void> {
  server = await startFaultServer();
  let calls = 0;
  server.script(
    [(request) => (isHeld(++calls) ? held(mainJobReply(request)) : mainJobReply(request))],
    'repeat',
  );
}

/** Another page opens and closes the session, so it is not busy. */
async function openElsewhere(context: BrowserContext): Promise<void> {
  const other = await context.newPage();
  await other.goto(site.url);
  await other.evaluate((url) => stage.open(url, 'function'), server.url);
  await other.evaluate(() => stage.close());
  await other.close();
}

async function comeBack(page: Page): Promise<void> {
  await page.goBack({ waitUntil: 'commit' }); // A restored page loads nothing.
  await expect.poll(() => page.evaluate(() => stage.restored)).toBe(true);
}

describe('a second page', () => {
  it('follows the first page, and continues the run when that one navigates away', async () => {
    await serveMainJob((call) => call === 4);
    const context = await browser.newContext();
    const [first, second] = [await context.newPage(), await context.newPage()];
    for (const page of [first, second]) {
      await page.goto(site.url);
      await page.evaluate((url) => stage.open(url, 'function', true), server.url);
    }
    expect(await second.evaluate(() => stage.viewing())).toBe(true);
    await first.evaluate((request) => stage.start(request), MAIN_JOB_REQUEST);
    await expect.poll(() => server.requests.length).toBe(4); // in the middle of a thought
    await expect.poll(() => second.evaluate(() => stage.events)).toContain('command-end');

    await first.goto(`${site.url}elsewhere.html`);
    await expect.poll(() => second.evaluate(() => stage.events)).toContain('session-held');
    await second.evaluate(() => stage.start(null));
    await expect.poll(() => second.evaluate(() => stage.result), { timeout: 20_000 }).toBe('done');

    await comeBack(first); // Now it is the viewer.
    const log = MAIN_JOB_FILES['/site/log.txt'];
    await expect.poll(() => first.evaluate(() => stage.read('/site/log.txt').catch(() => ''))).toBe(log);
    expect(await first.evaluate(() => stage.viewing())).toBe(true);
    await context.close();
  });
});

describe('a user who reloads repeatedly', () => {
  it('is not treated as a crash, however long the model thinks', async () => {
    await serveMainJob((call) => call >= 3 && call < 8);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(site.url);
    await page.evaluate((url) => stage.open(url, 'function'), server.url);
    await page.evaluate((request) => stage.start(request), MAIN_JOB_REQUEST);
    for (let reloads = 0; reloads < 5; reloads++) {
      await expect.poll(() => server.requests.length).toBe(3 + reloads);
      await page.reload();
      await page.evaluate((url) => stage.open(url, 'function'), server.url);
      await page.evaluate(() => stage.start(null));
    }
    await expect.poll(() => page.evaluate(() => stage.result), { timeout: 20_000 }).toBe('done');
    await context.close();
  });
});

describe('a page in the back/forward cache', () => {
  it('releases its session at once, and continues the run when it is restored', async () => {
    await serveMainJob((call) => call === 3);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(site.url);
    await page.evaluate((url) => stage.open(url, 'function'), server.url);
    await page.evaluate((request) => stage.start(request), MAIN_JOB_REQUEST);
    await expect.poll(() => server.requests.length).toBe(3); // It is thinking.

    await page.goto(`${site.url}elsewhere.html`);
    await expect.poll(() => server.requests[2]?.state).toBe('closed'); // No reply is paid for that no page reads.
    await openElsewhere(context);

    await comeBack(page);
    await expect.poll(() => page.evaluate(() => stage.result), { timeout: 20_000 }).toBe('done');
    expect(await page.evaluate(() => stage.read('/site/log.txt'))).toBe(MAIN_JOB_FILES['/site/log.txt']);
    await context.close();
  });

  it('releases its session when the application passed the worker, which keeps running, and reopens it later', async () => {
    server = await startFaultServer();
    server.script([mainJobReply], 'repeat');
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(site.url);
    await page.evaluate((url) => stage.open(url, 'worker'), server.url);
    await page.evaluate((request) => stage.start(request), MAIN_JOB_REQUEST);
    await expect.poll(() => page.evaluate(() => stage.result), { timeout: 20_000 }).toBe('done');

    await page.goto(`${site.url}elsewhere.html`);
    await openElsewhere(context);

    await comeBack(page);
    await expect
      .poll(() => page.evaluate(() => stage.read('/site/log.txt').catch(() => 'not yet')))
      .toBe(MAIN_JOB_FILES['/site/log.txt']);
    await context.close();
  });
});
