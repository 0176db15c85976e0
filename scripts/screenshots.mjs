// `npm run screenshots -- DIRECTORY`: takes screenshots of the states of the demo, for a review before a release:
// in light and dark, on a phone (upright and on its side) and on a tablet, in English and Chinese. Chinese needs a font with its characters
// (Debian: fonts-noto-cjk or fonts-wqy-zenhei). `npm run screenshots -- --readme` writes only the picture of
// the README, docs/images/demo.webp.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { chromiumPath, launchArguments, webgpuArguments } from './chromium.mjs';
import { largeGpu } from './large-gpu.mjs';
import { startModel } from './screenshot-model.mjs';

const isReadme = process.argv[2] === '--readme';
const into = resolve(isReadme ? 'docs/images' : (process.argv[2] ?? 'reports/screenshots'));
const configFile = fileURLToPath(new URL('../demo/vite.config.ts', import.meta.url));
/** `LANGUAGES=en SCENES=run,errors npm run screenshots` takes only these. */
const languages = (process.env['LANGUAGES'] ?? 'en,zh').split(',');
const chosen = process.env['SCENES']?.split(',');
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const LANDSCAPE = { width: 844, height: 390 };
const TABLET = { width: 820, height: 1180 };
/** The model of the scene `gpu`, and how much of it there is. */
const GPU_MODEL = 'Llama-3.2-1B-Instruct-q4f32_1-MLC';
const PART_BYTES = 4_000_000;
const PARTS = 220;
const OPEN = { 'access-control-allow-origin': '*' };
/** In ms, the time limit for a step of a tour. */
const PATIENCE = 30_000;

await mkdir(into, { recursive: true });
await build({ configFile, logLevel: 'error' });
const server = await preview({ configFile, preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' });
const url = `http://127.0.0.1:${server.httpServer.address().port}/`;
const model = await startModel();
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: [...launchArguments, ...webgpuArguments],
});
/** The page in one language, and that language. */
let page;
let language;

/** The game of the first tour in its preview, beside the conversation. */
async function readmePicture() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB' });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(playToursFast);
  page = await context.newPage();
  await page.goto(url);
  await startTour('build-a-game');
  await page.locator('.question .option').last().click();
  await finished(1);
  await page.locator('#tab-preview').click();
  await page.locator('.player button[aria-label^="Playback speed"]').click(); // back to the usual one
  await page.waitForTimeout(1000); // The game draws its first frame.
  const png = (await page.screenshot()).toString('base64');
  const webp = await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, png);
  await writeFile(join(into, 'demo.webp'), Uint8Array.from(webp));
}

/** Every scene is a visit of its own, so that one that fails does not end the others. */
async function walk() {
  for (const [name, scene] of Object.entries(SCENES)) {
    if (chosen?.includes(name) === false) continue;
    const locale = { en: 'en-GB', zh: 'zh-CN' }[language];
    const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', locale });
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript(playToursFast);
    page = await context.newPage();
    model.mode = 'work';
    try {
      await page.goto(url);
      await page.locator('[data-tour]').first().waitFor();
      await scene();
    } catch (error) {
      process.exitCode = 1;
      console.error(`${language}, ${name}: ${error}`);
      await shot('broken');
    }
    await context.close();
  }
}

/** The states to look at, by scene. */
const SCENES = {
  start: async () => {
    await picture('start');
    await page.locator('.foot .row button').first().click();
    await page.locator('dialog .settings').waitFor();
    await picture('settings');
  },
  game: async () => {
    await startTour('build-a-game');
    await page.locator('.question .option').last().waitFor();
    await picture('question');
    await page.locator('.question .option').last().click();
    await finished(1);
    await picture('tour-end');
    await page.locator('.plan summary').click();
    await picture('plan');
    await page.locator('.plan summary').click();
    await picture('files', 'files');
    await openTab('preview');
    await page.locator('.widths button').first().click();
    await picture('preview-phone-width', 'preview');
  },
  fix: async () => {
    await startTour('find-and-fix');
    await page.locator('.question .options button').first().waitFor();
    await picture('approval');
    await page.locator('.question .options button').first().click();
    await finished(1);
    await picture('terminal', 'terminal');
    await openTab('timeline');
    await page.getByRole('slider').fill('5');
    await page.locator('.viewer .cm-changedLine').first().waitFor();
    await picture('timeline', 'timeline');
  },
  remember: async () => {
    await startTour('remember');
    await finished(3);
    await picture('memory', 'memory');
    await page.locator('[data-memory] .row button').first().click();
    await page.locator('.memories textarea').waitFor();
    await picture('memory-edit', 'memory');
  },
  team: async () => {
    await startTour('work-as-a-team');
    await page.locator('[data-command="Editor.replace_text"]').waitFor();
    await page.locator('.status.ready').waitFor();
    await openTab('team');
    await page.locator('.messages summary').nth(1).click();
    await picture('team', 'team');
  },
  models: async () => {
    await page.locator('.composer textarea').fill('A tip calculator');
    await page.locator('.composer textarea').press('Enter');
    await page.locator('dialog .ways li').first().waitFor();
    await picture('models-here');
    await page.locator('[data-card="server"]').click();
    await page.locator('[data-start]').first().waitFor();
    await picture('models-server');
    await page.locator('[data-card="key"]').click();
    await page.locator('.server-form').waitFor();
    await picture('models-key');
    await fillServer(model.url);
    await page.locator('[value="test"]').click();
    await page.locator('[data-check="ok"]').waitFor();
    await bottom();
    await picture('test-ok');
    for (const mode of ['key', 'private']) {
      model.mode = mode;
      await page.locator('[value="test"]').click();
      await page.locator('[role="alert"][data-check]').waitFor();
      await bottom();
      await picture(`test-${mode}`);
    }
    await fillServer('http://127.0.0.1:9/v1');
    await page.locator('[value="test"]').click();
    await page.locator('[data-check="silent"]').waitFor();
    await bottom();
    await picture('test-silent');
  },
  gpu: async () => {
    await page.context().addInitScript(largeGpu);
    await page.context().route('https://huggingface.co/**', answerWithParts);
    const library = await readFile(new URL('../test/tiny-model/library.wasm', import.meta.url));
    await page
      .context()
      .route('https://raw.githubusercontent.com/**', (route) =>
        route.fulfill({ body: library, headers: { ...OPEN, 'content-type': 'application/wasm' } }),
      );
    await page.reload();
    await page.locator('button.model').click();
    await page.locator(`[data-model="${GPU_MODEL}"]`).waitFor();
    await picture('gpu-models');
    await page.locator(`[data-model="${GPU_MODEL}"] button`).click();
    await page.locator('[data-download] small', { hasText: 'MB/s' }).waitFor();
    await picture('gpu-download');
    await page.keyboard.press('Escape');
    await picture('gpu-download-behind');
    await page.locator('button.model').click();
    await page.locator('[data-download] button').click();
    await page.locator(`[data-model="${GPU_MODEL}"][data-stored]`).waitFor();
    await page.evaluate(storeModel);
    await page.keyboard.press('Escape');
    await page.locator('button.model').click();
    await page.locator('[data-stored]').nth(1).waitFor();
    await picture('gpu-stored');
    await page.context().unroute('https://huggingface.co/**');
    await page.context().route('https://huggingface.co/**', (route) => route.abort());
    await page.locator(`[data-model="${GPU_MODEL}"] button.framed`).click();
    await page.locator('.ways .notice').waitFor();
    await picture('gpu-failed');
  },
  run: async () => {
    await connect();
    model.mode = 'hold';
    await ask();
    await page.locator('.writing').waitFor();
    await page.waitForTimeout(500); // The editor shows what has been written.
    await picture('running');
    await picture('running-files', 'files');
    await page.keyboard.press('Escape');
    await page.locator('[data-entry="paused"]').waitFor();
    await picture('stopped');
    model.mode = 'work';
    await page.locator('button.continue').click();
    await finished(1);
    await openTab('preview');
    await page.waitForTimeout(500); // The page is loaded.
    await picture('finished');
    await picture('finished-preview', 'preview');
    for (const tab of ['files', 'terminal']) await picture(`finished-${tab}`, tab);
    await openTab('notes');
    await picture('notes-off', 'notes');
    await page.locator('.part.notes button').click();
    await page.locator('.add-note summary').click();
    await page.locator('.add-note textarea').fill('Prices are in euros.');
    await page.locator('.add-note form button').click();
    await page.locator('[data-note]').waitFor();
    await picture('notes', 'notes');
    await page.locator('.result [data-share]').click();
    await page.locator('[data-way="file"]').click();
    await page.locator('[data-entry="shared"]').waitFor();
    await picture('shared');
    await page.keyboard.press('Escape');
    await page.locator('[data-undo]').last().click();
    await page.locator('.aside.undo').waitFor();
    await picture('undone');
    await openTab('timeline');
    await page.getByRole('slider').fill('1');
    await page.locator('[data-fork]').click();
    await page.locator('[data-entry="paused"]').waitFor();
    await picture('fork');
    await page.keyboard.press('Control+k');
    await page.locator('.palette-list li').first().waitFor();
    await picture('palette');
    await page.keyboard.press('Escape');
    await page.locator('.search-sessions').fill({ en: 'tip', zh: '小费' }[language]);
    await picture('sessions', 'sessions');
    await page.locator('li:hover .remove, .remove').first().click();
    await page.locator('.rename input').waitFor();
    await picture('rename', 'sessions');
    await page.keyboard.press('Escape');
    await page.locator('li:hover .remove, .remove').last().click();
    await page.locator('dialog.confirm[open]').waitFor();
    await picture('delete-session');
  },
  tabs: async () => {
    await connect();
    await ask();
    await finished(1);
    const first = page;
    page = await page.context().newPage();
    await page.goto(first.url());
    await page.locator('[data-entry="busy"]').waitFor();
    await picture('busy');
    await page.locator('[data-entry="busy"] button').last().click();
    await page.locator('[data-entry="viewing"]').waitFor();
    await picture('read-only');
  },
  errors: async () => {
    await connect();
    for (const mode of ['key', 'limit', 'break']) {
      model.mode = mode;
      await page.locator('button.new').click();
      await ask();
      await page.locator('.notice.error').waitFor();
      await page.locator('[data-entry="paused"]').waitFor();
      await picture(`error-${mode}`);
    }
    await page.locator('.panes').waitFor({ state: 'attached' });
    for (const tab of ['files', 'preview', 'terminal', 'memory', 'team', 'timeline'])
      await picture(`empty-${tab}`, tab);
  },
  silent: async () => {
    await connect();
    await page.route(`${model.url}/**`, (route) => route.abort());
    await ask();
    await page.locator('.notice.error').waitFor();
    await picture('error-silent');
  },
  full: async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin, quotaSize: 1 });
    await connect();
    await ask();
    await page.locator('.notice.error').waitFor();
    await picture('error-full');
  },
};

async function connect() {
  await page.locator('button.model').click();
  await page.locator('[data-card="key"]').click();
  await fillServer(model.url);
  await page.locator('.advanced summary').click();
  await page.locator('[name="contextWindow"]').fill('32000');
  await page.locator('[value="test"]').click();
  await page.locator('[data-check="ok"]').waitFor();
  await page.locator('.server-form [value="connect"]').click();
  await page.locator('button.model.connected').waitFor();
}

async function fillServer(address) {
  await page.locator('select[name="server"]').selectOption('');
  await page.locator('[name="baseURL"]').fill(address);
}

async function ask(text = { en: 'Build a tip calculator', zh: '做一个小费计算器' }[language]) {
  await page.locator('.composer textarea').fill(text);
  await page.locator('.composer textarea').press('Control+Enter');
}

/** Scrolls the dialog to its end. */
async function bottom() {
  await page.locator('dialog[open] .inside').evaluate((content) => content.scrollTo(0, content.scrollHeight));
}

/** Answers requests for a model: the list of its parts, and then one part after the other, slowly. */
async function answerWithParts(route) {
  const name = route.request().url().split('/').at(-1);
  if (name.endsWith('.bin')) {
    await new Promise((done) => setTimeout(done, 400));
    return route.fulfill({ body: Buffer.alloc(PART_BYTES), headers: OPEN }).catch(() => {}); // Cancelled.
  }
  const records = Array.from({ length: PARTS }, (_, part) => ({
    dataPath: `params_shard_${part}.bin`,
    format: 'raw-shard',
    nbytes: PART_BYTES,
    records: [],
  }));
  const tokens = { type: 'WordLevel', vocab: { a: 0 }, unk_token: 'a' };
  const json = {
    'mlc-chat-config.json': { tokenizer_files: ['tokenizer.json'], context_window_size: 4096 },
    'tokenizer.json': { version: '1.0', added_tokens: [], model: tokens },
    'tensor-cache.json': { metadata: {}, records },
  }[name];
  return route.fulfill({ json: json ?? {}, headers: OPEN });
}

/** Stores a complete model as web-llm does. Runs in the page. */
async function storeModel() {
  const folder = 'https://huggingface.co/mlc-ai/Qwen3-1.7B-q4f32_1-MLC/resolve/main/';
  const cache = await caches.open('webllm/model');
  const records = [{ dataPath: 'params_shard_0.bin', nbytes: 1_140_000_000 }];
  await cache.put(`${folder}tensor-cache.json`, new Response(JSON.stringify({ records })));
  await cache.put(`${folder}params_shard_0.bin`, new Response(''));
}

/** Runs in every frame; sandboxed ones have no storage. */
function playToursFast() {
  if (window.top === window) localStorage.setItem('rolezero-demo:tour-speed', '50');
}

async function startTour(name) {
  await page.locator('button.new').click();
  await page.locator(`[data-tour="${name}"]`).click();
}

async function finished(count) {
  await page
    .locator('[data-entry="finished"]')
    .nth(count - 1)
    .waitFor();
  await page.locator('.status.ready').waitFor();
}

async function openTab(tab) {
  await page.evaluate(() => document.querySelector('[data-workbench="show"]')?.click()); // if it is closed
  if (['memory', 'notes', 'team', 'timeline'].includes(tab)) await page.locator('#tab-more').click();
  await page.locator(`#tab-${tab}`).click();
}

/**
 * Takes one state in all sizes, in light and dark. `part`: a part of the workbench, or the sessions, which a narrow
 * screen shows alone.
 */
async function picture(name, part) {
  if (part !== undefined && part !== 'sessions') await openTab(part);
  if (part === 'files' && (await page.locator('[data-file]').count()) > 0)
    await page.locator('.cm-content').waitFor();
  await inBoth(name);
  const dialog = (await page.locator('dialog[open]').count()) > 0;
  const pane = part === undefined ? 0 : part === 'sessions' ? 2 : 1;
  for (const [variant, size] of Object.entries({ phone: PHONE, landscape: LANDSCAPE, tablet: TABLET })) {
    await page.setViewportSize(size);
    const button = page.locator('.panes button').nth(pane);
    if (!dialog && (await button.isVisible())) await button.click();
    await inBoth(`${name}-${variant}`);
  }
  if (!dialog) await page.locator('.panes button').first().click();
  await page.setViewportSize(WIDE);
}

async function inBoth(name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await shot(`${name}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function shot(name) {
  // The editor applies its measurements in the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: join(into, `${language}-${name}.png`), animations: 'disabled' });
}

try {
  if (isReadme) await readmePicture();
  else for (language of languages) await walk();
  console.log(`The screenshots are in ${into}.`);
} finally {
  await browser.close();
  await server.close();
  model.close();
}
