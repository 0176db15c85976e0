import { cp, open as openFile, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { servePage } from './chromium.js';
import { BACKENDS, KillableBrowser } from './killable-browser.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, mainJobReply } from './main-job.js';

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

async function start(browser: KillableBrowser): Promise<Page> {
  return visit(await (await browser.start()).newPage());
}

async function visit(page: Page): Promise<Page> {
  await page.goto(site.url);
  await page.waitForFunction(() => typeof window.tornLog === 'object');
  return page;
}

const open = (page: Page) => page.evaluate((url) => window.tornLog.open(url), server.url);

async function filesOf(folder: string, named: RegExp): Promise<string[]> {
  const found = await readdir(folder, { recursive: true });
  return found.filter((name) => named.test(name)).map((name) => join(folder, name));
}

/** Flips bits in the middle of a file. */
async function rot(path: string): Promise<void> {
  const file = await openFile(path, 'r+');
  const { size } = await file.stat();
  await file.write(new Uint8Array(64).fill(0xa5), 0, 64, Math.floor(size / 2));
  await file.close();
}

async function cutOff(path: string): Promise<void> {
  await truncate(path, Math.floor((await stat(path)).size / 2));
}

const databases = (profile: string): string => join(profile, 'Default', 'IndexedDB');

const DAMAGES: Record<string, Record<string, (profile: string) => Promise<void>>> = {
  LevelDB: {
    'flipped bits in the log': async (profile) => {
      for (const path of await filesOf(databases(profile), /leveldb\/\d+\.log$/)) await rot(path);
    },
    'a truncated log': async (profile) => {
      for (const path of await filesOf(databases(profile), /leveldb\/\d+\.log$/)) await cutOff(path);
    },
    'flipped bits in the manifest': async (profile) => {
      for (const path of await filesOf(databases(profile), /MANIFEST-\d+$/)) await rot(path);
    },
    'deleted databases': (profile) => rm(databases(profile), { recursive: true }),
  },
  SQLite: {
    'flipped bits in its files': async (profile) => {
      for (const path of await filesOf(databases(profile), /\/[A-Z0-9]+(-wal)?$/)) await rot(path);
    },
    'truncated last write': async (profile) => {
      for (const path of await filesOf(databases(profile), /-wal$/)) await cutOff(path);
    },
    'deleted databases': (profile) => rm(databases(profile), { recursive: true }),
  },
};

describe.each(BACKENDS)('damaged databases in $backend', ({ backend, more }) => {
  let whole: KillableBrowser;
  let messages: unknown;

  beforeAll(async () => {
    whole = await KillableBrowser.make(undefined, more);
    const page = await start(whole);
    await open(page);
    expect(await page.evaluate((request) => window.tornLog.work(request), MAIN_JOB_REQUEST)).toBe('done');
    ({ messages } = await open(await visit(page)));
    await whole.kill();
  });
  afterAll(() => whole?.remove());

  it.each(Object.entries(DAMAGES[backend] ?? {}))(
    '%s: the session is complete, and its page is notified',
    async (_what, damage) => {
      const browser = await KillableBrowser.make(undefined, more);
      await rm(browser.profile, { recursive: true });
      await cp(whole.profile, browser.profile, {
        recursive: true,
        filter: (path) => !/\/Singleton\w+$/.test(path), // Links that identify the process using a profile.
      });
      await damage(browser.profile);
      try {
        const found = await open(await start(browser));
        expect(found).toMatchObject({ messages, files: MAIN_JOB_FILES, warnings: ['storage-restored'] });
      } finally {
        await browser.remove();
      }
    },
  );
});
