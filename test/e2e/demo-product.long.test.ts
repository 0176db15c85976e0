import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { json, refusal, reply } from '../fault-server/replies.js';
import { finished, model, page, question, REQUEST, server, url, useDemo } from './demo/tip-calculator.js';
import { seriousIssues } from './demo/serious-issues.js';
import { ask, connectModel, fillServer } from './demo/visitor.js';

useDemo();

const check = () => page.locator('[data-check]');
const list = json(200, { data: [{ id: 'test-model' }, { id: 'other-model' }] });

/** A server that answers every request in one way. Returns its address. */
async function serve(
  answer: (server: Server) => void,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const other = createServer();
  answer(other);
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  } finally {
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  }
}

describe('the test of a connection', () => {
  async function test(baseURL: string, key = ''): Promise<string | null> {
    await page.locator('button.model').click();
    await fillServer(page, baseURL);
    await page.getByLabel('API key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Test connection' }).click();
    await check().waitFor();
    return check().getAttribute('data-check');
  }

  it('lists the models; the chosen one is connected with a green light', async () => {
    server.script([list], 'repeat');
    await page.goto(url);
    expect(await test(server.url, 'good-key')).toBe('ok');
    expect(server.requests.at(-1)?.headers['authorization']).toBe('Bearer good-key');
    await page.locator('select[name="model"]').selectOption('other-model');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const button = page.locator('button.model.connected[data-link="ok"]', { hasText: 'other-model' });
    await button.waitFor();
  });

  it('tells a wrong key from a wrong path, from CORS, and from a port where nothing listens', async () => {
    server.script([refusal(401, 'Wrong.')], 'repeat');
    await page.goto(url);
    expect(await test(server.url, 'wrong-key')).toBe('key');
    await page.keyboard.press('Escape');

    server.script([({ path }) => (path.startsWith('/v1/') ? list : refusal(404, 'No such path.'))], 'repeat');
    expect(await test(server.origin)).toBe('path');
    await page.getByRole('button', { name: `Use ${server.url}` }).click();
    await page.locator('[data-check="ok"]').waitFor();
    await page.keyboard.press('Escape');

    let gone = '';
    await serve(
      (other) => other.on('request', (_request, response) => response.end('{}')),
      async (origin) => {
        expect(await test(`${origin}/v1`)).toBe('cors');
        expect(await check().textContent()).toContain(new URL(url).origin);
        gone = origin;
      },
    );
    await page.keyboard.press('Escape');
    expect(await test(`${gone}/v1`)).toBe('silent');
    expect(await page.locator('button.model.connected').count()).toBe(0);
  });

  it('rejects a placeholder instead of a key, before any request', { tags: 'nightly' }, async () => {
    await page.goto(url);
    await page.locator('button.model').click();
    await page.locator('[data-card="key"]').click();
    const key = page.getByLabel('API key', { exact: true });
    await key.fill('sk-...');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    expect(await key.evaluate((field: HTMLInputElement) => field.validationMessage)).toMatch(/placeholder/);
    await key.fill('');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    expect(await key.evaluate((field: HTMLInputElement) => field.validationMessage)).toMatch(/needs a key/);
  });
});

describe('an error of a run', () => {
  it('has a button that opens the models; with the right key the run continues, and the light is green', async () => {
    server.script([refusal(401, 'Incorrect API key provided.')], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url, { key: 'wrong-key' });
    await ask(page, REQUEST);
    await page.getByRole('button', { name: 'Model settings' }).click();
    await page.locator('button.model[data-link="failed"]').waitFor();
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    server.script([model], 'repeat');
    await connectModel(page, server.url, { key: 'right-key' });
    await page.getByRole('button', { name: 'Continue' }).click();
    await question().waitFor();
    await page.locator('button.model[data-link="ok"]').waitFor();
  });
});

describe('the list of commands', () => {
  const field = () => page.getByRole('combobox', { name: 'Search commands and sessions' });
  async function run(words: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await field().waitFor();
    await page.keyboard.type(words);
    await page.locator('[role="option"][aria-selected="true"]').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('dialog[open].palette').waitFor({ state: 'detached' });
  }

  it('does everything by keyboard: a request, tabs, undo, rename, theme, language, another session', async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await question().getByRole('button', { name: '20' }).click();
    await finished();
    await run('show terminal');
    await page.locator('#tab-terminal[aria-selected="true"]').waitFor();
    await run('open page');
    await page.locator('#tab-preview[aria-selected="true"]').waitFor();
    await run('undo');
    await page.getByText('Undone: /tip/index.html').waitFor();
    await run('rename');
    await page.locator('.rename input:focus').waitFor();
    await page.keyboard.type('Tip jar');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tip jar' }).waitFor();
    await run('dark');
    await page.locator(':root[data-theme="dark"]').waitFor();
    await run('new session');
    await page.getByRole('heading', { name: 'New session' }).waitFor();
    await run('tip jar');
    await finished();
    await run('settings');
    await page.getByLabel('Appearance').waitFor();
    await page.keyboard.press('Escape');
    await run('中文');
    await page.getByRole('button', { name: '设置' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
  });

  it(
    'moves with the arrow keys, returns the focus, and has no serious axe issues',
    { tags: 'nightly' },
    async () => {
      await page.goto(url);
      await page.getByLabel('Your request').focus();
      await page.keyboard.press('Control+k');
      await field().waitFor();
      const active = () => field().getAttribute('aria-activedescendant');
      expect(await active()).toBe('palette-0');
      await page.keyboard.press('ArrowDown');
      await expect.poll(active).toBe('palette-1');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await expect.poll(active).not.toBe('palette-1');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousIssues(page)).toEqual([]);
      }
      await page.keyboard.type('no command has this name');
      await page.getByText('No command matches.').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('[name="request"]:focus').waitFor();
    },
  );
});

describe('the list of sessions', () => {
  it('is searched by titles and first requests, and keeps the title that the user gives', async () => {
    const long = `Write a page, ${'and another one, '.repeat(5)} with a pelican`;
    server.script([reply(commands(['end', {}]))], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, long);
    await finished();
    await page.getByRole('button', { name: 'New session' }).click();
    await ask(page, 'Something else');
    await finished();
    const titles = () => page.locator('[data-session] .name').allTextContents();
    const search = page.getByRole('searchbox', { name: 'Search sessions' });
    await search.fill('pelican'); // Far behind the beginning that is the title.
    await expect.poll(async () => (await titles()).join()).toMatch(/^Write a page/);
    await page.getByRole('button', { name: /^Rename Write a page/ }).click();
    await page.locator('.rename input').fill('Birds');
    await page.locator('.rename input').press('Enter');
    await expect.poll(titles).toEqual(['Birds']);
    await page.reload();
    await search.waitFor();
    await expect.poll(async () => (await titles()).toSorted()).toEqual(['Birds', 'Something else']);
    await search.fill('no such');
    await page.getByText('No session matches.').waitFor();
    await search.fill('bir');
    await page.getByRole('button', { name: 'Rename Birds' }).click();
    await page.locator('.rename input').fill('never stored');
    await page.locator('.rename input').press('Escape');
    await expect.poll(titles).toEqual(['Birds']);
  });
});

describe('a page as one file', () => {
  it('opens from the disk and works without any request; what it does not include is listed', async () => {
    const files: Record<string, string> = {
      '/shop/index.html':
        '<!doctype html><title>Tea: a shop</title><link rel="stylesheet" href="style.css"><img src="logo.svg" alt="Logo"><output></output><a href="about.html">About</a><script type="module" src="main.js"></script>',
      '/shop/style.css': 'output { color: rgb(1, 2, 3) }',
      '/shop/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>',
      '/shop/about.html': '<p>About</p>',
      '/shop/main.js':
        "import { price } from './price.js'; document.querySelector('output').textContent = price;",
      '/shop/price.js': "export const price = '4.50';",
    };
    const writes = Object.entries(files).map(
      ([path, content]) => ['Editor.write', { path, content }] as const,
    );
    server.script([reply(commands(...writes, ['end', {}]))], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await finished();
    const downloading = page.waitForEvent('download');
    await page.locator('[data-share]').click();
    await page.locator('[data-way="file"]').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Tea a shop.html');
    expect(await page.locator('[data-entry="shared"] li').allTextContents()).toEqual([
      '/shop/about.html: another page, which the page links to',
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'shared-page-'));
    try {
      const path = join(folder, 'page.html');
      await download.saveAs(path);
      expect(readFileSync(path, 'utf8')).not.toContain('workspace.invalid/shop/style.css');
      const shared = await page.context().newPage();
      const requested: string[] = [];
      shared.on('request', (request) => requested.push(request.url()));
      await shared.goto(pathToFileURL(path).href);
      await shared.getByText('4.50').waitFor();
      const output = shared.locator('output');
      expect(await output.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)');
      expect(await shared.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(20);
      expect(requested.filter((address) => !/^(file|data):/.test(address))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
