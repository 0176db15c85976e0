/** @module-tag nightly */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { startFaultServer, type FaultServer, type SeenRequest } from '../fault-server/fault-server.js';
import { reply, type Reply } from '../fault-server/replies.js';
import { startChromium } from './chromium.js';
import { ask, connectModel, openPart } from './demo/visitor.js';

const project = fileURLToPath(new URL('../../', import.meta.url));
const REQUEST = 'Write a note';
const WORK = commands(
  ['Editor.write', { path: '/note.txt', content: 'Noted.\n' }],
  ['RoleZero.reply_to_human', { content: 'The note is written.' }],
  ['end', {}],
);

/** A local model whose replies follow from the conversation. */
function model({ body }: SeenRequest): Reply {
  const { messages } = body as { messages: { content: string }[] };
  const last = messages.at(-1)?.content ?? '';
  if (last.includes('what kind of request')) return reply('Thought: work.\n', 'Response Category: TASK');
  if (last.includes('Sum up in')) return reply('Wrote /note.txt.');
  return reply(WORK);
}

let folder: string;
let server: ChildProcess | undefined;
let localModel: FaultServer;
let browser: Browser;
let address: string;
let printed = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rolezero-newcomer-'));
  // What a clone would contain if everything here were committed.
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  });
  for (const file of listed.stdout.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(project, file), join(folder, file), { force: true });
  }
  localModel = await startFaultServer();
  localModel.script([model], 'repeat');
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  await localModel.close();
  stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Ends `npm start` with all its processes. */
function stop(): void {
  if (server?.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
  server = undefined;
  printed = '';
}

describe('the first steps of a new developer', () => {
  it('npm ci installs a fresh clone', () => {
    const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stderr).not.toContain('EBADENGINE');
  });

  it('the install has at most 600 MB', () => {
    const bytes = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(600_000_000); // a tenth of it are the engines that run programs
  });

  it('npm start shows the demo', async () => {
    stop(); // Left by an earlier run.
    // A separate process group, so that the shell started by npm can be ended. No window opens on the machine of the
    // test.
    server = spawn('npm', ['start'], {
      cwd: folder,
      detached: true,
      env: { ...process.env, BROWSER: 'none', NO_COLOR: '1' },
    });
    server.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
    server.stderr?.on('data', (text: Buffer) => (printed += text.toString()));
    const link = /http:\/\/localhost:\d+\//;
    await expect.poll(() => printed).toMatch(link);
    address = link.exec(printed)?.[0] ?? '';
    expect(await (await fetch(address)).text()).toContain('<title>');
  });

  it('a tour runs to its end, a model on this machine works, and both sessions exist after the page is reopened', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const finished = () => page.locator('[data-entry="finished"]').waitFor();

    await page.goto(address);
    await page.locator('[data-tour="build-a-game"]').click();
    await page.getByRole('button', { name: 'Forest' }).click();
    await finished();
    expect(await page.locator('.command.failed').allTextContents()).toEqual([]);
    expect(printed, 'Vite has found a package during the run').not.toContain('reloading');

    await page.getByRole('button', { name: 'New session' }).click();
    await connectModel(page, localModel.url);
    await ask(page, REQUEST);
    await page.getByText('The note is written.').first().waitFor();
    await finished();

    await page.reload();
    await page.getByText('The note is written.').first().waitFor();
    await finished();
    await openPart(page, 'files');
    await page.locator('[data-file="/note.txt"]').waitFor();
    await expect.poll(() => page.locator('[data-session]').count()).toBe(2);
  });
});
