import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { servePage } from './chromium.js';
import { KillableBrowser, LEVELDB } from './killable-browser.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, mainJobReply } from './main-job.js';
import { tearLogs } from './tear-log.js';

let browser: KillableBrowser;
let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('torn-log');
  server = await startFaultServer();
  server.script([mainJobReply], 'repeat');
});
afterAll(async () => {
  await server?.close();
  await site?.close();
});
beforeEach(async () => {
  browser = await KillableBrowser.make(undefined, LEVELDB);
});
afterEach(() => browser?.remove());

async function visit(page: Page): Promise<Page> {
  await page.goto(site.url);
  await page.waitForFunction(() => typeof window.tornLog === 'object');
  return page;
}

const start = async (): Promise<Page> => visit(await (await browser.start()).newPage());
const open = (page: Page, session?: string) =>
  page.evaluate(([url, name]) => window.tornLog.open(url, name), [server.url, session] as const);
const write = (page: Page, path: string) => page.evaluate((path) => window.tornLog.write(path), path);
const isRepaired = (page: Page) =>
  expect.poll(() => page.evaluate(() => window.tornLog.repaired.length)).toBe(3);

it('a truncated log loses nothing: it is repaired at the first start, before the second one reads it', async () => {
  const first = await start();
  expect(await open(first)).toMatchObject({ messages: [], warnings: [], unguarded: 0 });
  await write(first, '/first.txt');
  await browser.kill();
  await tearLogs(browser.profile);

  const second = await start();
  expect((await open(second)).unguarded).toBe(1);
  await isRepaired(second);
  await write(second, '/second.txt');
  await browser.kill();

  const third = await start();
  expect(await open(third)).toEqual({
    messages: [],
    files: { '/first.txt': '/first.txt', '/second.txt': '/second.txt' },
    warnings: [], // Nothing had to be restored.
    unguarded: 2,
  });
});

it('a session is complete after Chromium discarded its databases because of a truncated log', async () => {
  const first = await start();
  await open(first);
  expect(await first.evaluate((request) => window.tornLog.work(request), MAIN_JOB_REQUEST)).toBe('done');
  await write(first, '/first.txt');
  await browser.kill();
  await tearLogs(browser.profile);

  const second = await start(); // Everything still exists, but new data is written after the truncated record.
  await second.evaluate(() => window.tornLog.doNotRepair());
  const { messages, unguarded } = await open(second);
  expect(messages.length).toBeGreaterThan(8);
  expect(unguarded).toBe(1);
  await write(second, '/second.txt');
  expect(await second.evaluate(() => window.tornLog.repaired)).toEqual([]);
  await browser.kill();

  const third = await start();
  const found = await open(third);
  expect(found.unguarded).toBe(0); // The browser discarded all databases of the page.
  expect(found.warnings).toEqual(['storage-restored']);
  expect(found.messages).toEqual(messages);
  expect(found.files).toEqual({
    ...MAIN_JOB_FILES,
    '/first.txt': '/first.txt',
    '/second.txt': '/second.txt',
  });
});

it('a page repairs once for all its sessions, leaves nothing behind, and a reloaded page does not repair again', async () => {
  const page = await start();
  for (const session of ['one', 'other']) await open(page, session);
  await isRepaired(page);
  expect(await page.evaluate(() => window.tornLog.databases())).toEqual(['rolezero', 'unguarded']);

  await page.reload();
  await page.waitForFunction(() => typeof window.tornLog === 'object');
  for (const session of ['one', 'other']) await open(page, session);
  expect(await page.evaluate(() => window.tornLog.repaired)).toEqual([]);

  const another = await visit(await page.context().newPage());
  await open(another, 'a third one');
  await isRepaired(another);
});

it('a truncated log loses nothing even where a power cut also took the replica', async () => {
  const first = await start();
  await open(first);
  await write(first, '/first.txt');
  await browser.kill();
  await tearLogs(browser.profile);
  await rm(join(browser.profile, 'Default', 'File System'), { recursive: true }); // It had not been synced yet.

  const second = await start();
  await open(second);
  await isRepaired(second);
  await write(second, '/second.txt');
  await browser.kill();

  expect(await open(await start())).toEqual({
    messages: [],
    files: { '/first.txt': '/first.txt', '/second.txt': '/second.txt' },
    warnings: [],
    unguarded: 2,
  });
});
