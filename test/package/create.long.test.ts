import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { commands } from '../../src/testing/scripted-model.js';
import type { FaultServer } from '../fault-server/fault-server.js';
import { refusal, reply } from '../fault-server/replies.js';
import { launch } from './browser.js';
import { openBuilt, startModel, textOf } from './built-app.js';
import { root } from './paths.js';
import { node, npm } from './run.js';
import { firstOf } from '../size.js';

const packed = inject('packed');
const apps = join(packed.scratch, 'created');
const KEY = 'sk-1234567890abcdef';
/** A key with a mistake, which the service refuses. */
const WRONG_KEY = 'sk-0987654321fedcba';
const ASK = commands(['RoleZero.ask_human', { question: 'Which colors?' }]);
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

/** Creates an application with the packed program, installs the packed library in it, and builds it, which type-checks. Returns its folder. */
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
  return folder;
}

/** Address of the model in a built application, so that one build serves all cases. */
const PLACEHOLDER = 'http://127.0.0.1:1/created/v1';
/** Folder of the built files in an application. */
const OUTPUT: Readonly<Record<string, string>> = { next: 'out' };
const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split('.').map(Number);
/** Astro does not start in an older Node. */
const hasAstro = nodeMajor > 22 || (nodeMajor === 22 && nodeMinor >= 12);

const CHOICES: readonly (readonly [template: string, model: string])[] = [
  ['react', 'hosted'],
  ['vanilla', 'ollama'],
  ['vue', 'ollama'],
  ['svelte', 'hosted'],
  ['next', 'hosted'],
  ...(hasAstro ? [['astro', 'hosted'] as const] : []),
];

describe.each(firstOf(CHOICES))('an application of npm create rolezero: %s, %s', (template, kind) => {
  let folder: string;
  beforeAll(async () => {
    folder = await built(template, kind, ['--base-url', PLACEHOLDER]);
  });

  /** Opens the application with a model of its own. Answers its questions for keys and colors with these texts. */
  async function open(server: FaultServer, answers: string[]): ReturnType<typeof openBuilt> {
    const place = mkdtempSync(join(packed.scratch, 'created-case-'));
    copyReplacing(join(folder, OUTPUT[template] ?? 'dist'), place, PLACEHOLDER, server.url);
    return openBuilt(browser, place, (opening) => {
      opening.on('dialog', (dialog) => {
        const answer = answers.shift();
        return void (answer === undefined ? dialog.dismiss() : dialog.accept(answer));
      });
    });
  }

  test('runs a request, and shows its page and its files after a reload', async () => {
    const server = await startModel();
    server.script(REPLIES.map((text) => reply(text)));
    const { page, uncaught } = await open(server, kind === 'hosted' ? [KEY] : []);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => textOf(page)).toContain('Open 2048.html to play.');
    await expect.poll(() => page.locator('#files').innerText()).toContain('/2048.html');
    await page.locator('#page iframe').waitFor();
    expect((await page.getByRole('alert').allInnerTexts()).join('')).toBe('');
    expect(new Set(server.requests.map(({ headers }) => headers['authorization']))).toEqual(
      new Set([kind === 'hosted' ? `Bearer ${KEY}` : undefined]),
    );
    await page.reload();
    await expect.poll(() => page.locator('#files').innerText()).toContain('/2048.html');
    await page.locator('#page iframe').waitFor();
    expect([server.requests.length, uncaught]).toEqual([REPLIES.length, []]);
  });

  test('shows an open question after a reload, and continues with the answer', async () => {
    const server = await startModel();
    server.script([ASK, ...REPLIES].map((text) => reply(text)));
    const { page, uncaught } = await open(server, kind === 'hosted' ? [KEY, 'Green.'] : ['Green.']);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Which colors?').first().waitFor();
    await page.reload();
    await page.getByText('Which colors?').first().waitFor();
    await page.getByRole('button', { name: /^(Answer|Which colors\?)$/ }).click();
    await expect.poll(() => textOf(page)).toContain('Open 2048.html to play.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Green.');
    expect([await page.getByText('Which colors?').count(), uncaught]).toEqual([0, []]);
  });

  test.runIf(kind === 'hosted')(
    'asks for another key when the service refuses it, and continues',
    async () => {
      const server = await startModel();
      server.script([refusal(401, 'Incorrect API key provided.'), ...REPLIES.map((text) => reply(text))]);
      const { page, uncaught } = await open(server, [WRONG_KEY, KEY]);
      await page.getByRole('button', { name: 'Send' }).click();
      await expect.poll(() => textOf(page)).toContain('Open 2048.html to play.');
      expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual(
        [WRONG_KEY, KEY, KEY].map((key) => `Bearer ${key}`),
      );
      expect([(await page.getByRole('alert').allInnerTexts()).join(''), uncaught]).toEqual(['', []]);
    },
  );
});

/** Copies the files of a built application with another address of the model. @throws Error when they do not contain it. */
function copyReplacing(from: string, to: string, placeholder: string, value: string): void {
  cpSync(from, to, { recursive: true });
  let count = 0;
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(to, name), 'utf8');
    if (!text.includes(placeholder)) continue;
    writeFileSync(join(to, name), text.replaceAll(placeholder, value));
    count += 1;
  }
  if (count === 0) throw new Error(`No script in ${from} contains ${placeholder}.`);
}

test('an application with a model on the GPU builds', async () => {
  expect(existsSync(join(await built('vanilla', 'webgpu'), 'dist/index.html'))).toBe(true);
});
