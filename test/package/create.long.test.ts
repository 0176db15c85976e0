import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { commands } from '../../src/testing/commands.js';
import { reply } from '../fault-server/replies.js';
import { launch } from './browser.js';
import { openBuilt, startModel, textOf } from './built-app.js';
import { root } from './paths.js';
import { node, npm } from './run.js';

const packed = inject('packed');
const apps = join(packed.scratch, 'created');
const KEY = 'sk-1234567890abcdef';
const REPLIES = [
  commands(['Editor.write', { path: '/2048.html', content: '<h1>2048</h1>' }]),
  commands(['RoleZero.reply_to_human', { content: 'Open 2048.html to play.' }], ['end', {}]),
];

let browser: Browser;
let program: string;
beforeAll(async () => {
  browser = await launch();
  mkdirSync(apps, { recursive: true });
  const list = await npm(['pack', '--json', '--pack-destination', packed.scratch], join(root, 'create'));
  const [pack] = JSON.parse(list) as [{ filename: string }];
  const home = join(packed.scratch, 'create-program');
  mkdirSync(home);
  await npm(['install', '--prefix', home, join(packed.scratch, pack.filename)], home);
  program = join(home, 'node_modules/create-rolezero/index.mjs');
});
afterAll(() => browser?.close());

/** Creates an application with the packed program, installs the packed library in it, and builds it, which type-checks. */
async function built(template: string, model: string, args: readonly string[] = []): Promise<string> {
  const folder = join(apps, `${template}-${model}`);
  await node(
    [
      program,
      folder,
      '--template',
      template,
      '--model',
      model,
      '--rolezero',
      packed.tarball,
      ...args,
      '--yes',
    ],
    apps,
  );
  await npm(['install', '--prefer-offline'], folder);
  await npm(['run', 'build'], folder);
  return join(folder, 'dist');
}

describe.each([
  ['vanilla', 'ollama'],
  ['react', 'hosted'],
  ['vue', 'ollama'],
  ['svelte', 'hosted'],
])('an application of npm create rolezero: %s, %s', (template, kind) => {
  test('runs a request, and shows its files after a reload', async () => {
    const model = await startModel();
    model.script(REPLIES.map((text) => reply(text)));
    const folder = await built(template, kind, ['--base-url', model.url]);
    const { page, uncaught } = await openBuilt(browser, folder, (opening) => {
      opening.on('dialog', (dialog) => void dialog.accept(KEY)); // the question for the key
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => textOf(page)).toContain('Open 2048.html to play.');
    await expect.poll(() => page.locator('#files').innerText()).toContain('/2048.html');
    expect(await page.getByRole('alert').allInnerTexts()).toEqual(template === 'vanilla' ? [''] : []);
    expect(new Set(model.requests.map(({ headers }) => headers['authorization']))).toEqual(
      new Set([kind === 'hosted' ? `Bearer ${KEY}` : undefined]),
    );
    await page.reload();
    await expect.poll(() => page.locator('#files').innerText()).toContain('/2048.html');
    expect([model.requests.length, uncaught]).toEqual([REPLIES.length, []]);
  });
});

test('an application with a model on the GPU builds', async () => {
  expect(await built('vanilla', 'webgpu')).toContain('dist');
});
