import { spawn, type ChildProcess } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromiumPath, launchArguments } from '../../scripts/chromium.mjs';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { servePage } from './chromium.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, mainJobReply } from './main-job.js';

let profile: string;
let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;
let running: ChildProcess | null = null;

beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), 'rolezero-torn-log-'));
  site = await servePage('torn-log');
  server = await startFaultServer();
  server.script([mainJobReply], 'repeat');
});

afterAll(async () => {
  kill();
  await wait(500); // what it was writing is in the way of removing the profile
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  await server?.close();
  await site?.close();
});

/** A Chromium of its own process group over the profile of this test, with our page open. */
async function start(): Promise<Page> {
  const path = chromiumPath();
  if (path === undefined) throw new Error('there is no Chromium');
  await rm(join(profile, 'DevToolsActivePort'), { force: true });
  const args = [
    ...launchArguments,
    '--headless=new',
    `--user-data-dir=${profile}`,
    '--remote-debugging-port=0',
  ];
  running = spawn(path, [...args, 'about:blank'], { detached: true, stdio: 'ignore' });
  const port = await expect
    .poll(() => readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => ''), { timeout: 30_000 })
    .toMatch(/\d+/)
    .then(() => readFile(join(profile, 'DevToolsActivePort'), 'utf8'));
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port.split('\n')[0]}`);
  const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage();
  await page.goto(site.url);
  await page.waitForFunction(() => typeof window.tornLog === 'object');
  return page;
}

/** All its processes at once, as a crash or the end of memory would. */
function kill(): void {
  if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL');
  running = null;
}

/** The header of a record without its payload, as Chromium leaves it behind when it dies while writing. */
async function tear(): Promise<void> {
  const folder = join(profile, 'Default', 'IndexedDB');
  const own = (await readdir(folder)).find((name) => name.endsWith('.indexeddb.leveldb'));
  if (own === undefined) throw new Error('there is no LevelDB of this origin');
  const logs = (await readdir(join(folder, own))).filter((name) => name.endsWith('.log'));
  const dated = await Promise.all(
    logs.map(async (name) => ({ name, time: (await stat(join(folder, own, name))).mtimeMs })),
  );
  const newest = dated.sort((one, other) => other.time - one.time)[0];
  if (newest === undefined) throw new Error('there is no log');
  await appendFile(join(folder, own, newest.name), Uint8Array.of(0x12, 0x34, 0x56, 0x78, 0x40, 0x00, 0x01));
}

const open = (page: Page) => page.evaluate((url) => window.tornLog.open(url), server.url);

it('a session is whole after Chromium has thrown its databases away because of a torn log', async () => {
  const first = await start();
  expect(await open(first)).toMatchObject({ messages: [], warnings: [], unguarded: 0 });
  expect(await first.evaluate((request) => window.tornLog.work(request), MAIN_JOB_REQUEST)).toBe('done');
  await first.evaluate(() => window.tornLog.write('/first.txt'));
  kill();
  await tear();

  const second = await start(); // everything is still there, but what is written now stands behind the tear
  const { messages, unguarded } = await open(second);
  expect(messages.length).toBeGreaterThan(8);
  expect(unguarded).toBe(1);
  await second.evaluate(() => window.tornLog.write('/second.txt'));
  kill();

  const third = await start();
  const found = await open(third);
  expect(found.unguarded).toBe(0); // the browser has thrown away all databases of the page
  expect(found.warnings).toEqual(['storage-restored']);
  expect(found.messages).toEqual(messages);
  expect(found.files).toEqual({
    ...MAIN_JOB_FILES,
    '/first.txt': '/first.txt',
    '/second.txt': '/second.txt',
  });
});
