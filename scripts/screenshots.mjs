// `npm run screenshots -- DIRECTORY`: takes screenshots of the main states of the demo, for a review before a
// release: light, dark and on a phone in English, light and on a phone in Chinese. Chinese needs a font with its
// characters (Debian: fonts-noto-cjk or fonts-wqy-zenhei). `npm run screenshots -- --readme` writes only the picture of
// the README, docs/images/demo.webp.
import { createServer } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { chromiumPath, launchArguments } from './chromium.mjs';

const isReadme = process.argv[2] === '--readme';
const into = resolve(isReadme ? 'docs/images' : (process.argv[2] ?? 'reports/screenshots'));
const configFile = fileURLToPath(new URL('../demo/vite.config.ts', import.meta.url));
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SMALLEST = { width: 320, height: 568 };
/** In ms, the time limit for a step of a tour. */
const PATIENCE = 90_000;

await mkdir(into, { recursive: true });
await build({ configFile, logLevel: 'error' });
const server = await preview({ configFile, preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' });
const url = `http://127.0.0.1:${server.httpServer.address().port}/`;
const model = await startModel();
const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...launchArguments] });
/** The page in one language, and that language. */
let page;
let language;

try {
  if (isReadme) await readmePicture();
  else for (language of ['en', 'zh']) await walk();
  console.log(`The screenshots are in ${into}.`);
} finally {
  await browser.close();
  await server.close();
  model.close();
}

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

async function walk() {
  const locale = { en: 'en-GB', zh: 'zh-CN' }[language];
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', locale });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(playToursFast);
  page = await context.newPage();
  await page.goto(url);
  await page.locator('[data-tour]').first().waitFor();
  await picture('welcome');
  await startTour('build-a-game');
  await page.locator('.question .option').last().waitFor();
  await picture('question');
  await page.locator('.question .option').last().click();
  await finished(1);
  await page.locator('.plan summary').click();
  await picture('plan');
  await page.locator('.plan summary').click();
  for (const tab of ['files', 'preview']) await picture(tab, tab);
  await page.locator('.widths button').nth(1).click();
  await picture('preview-tablet-width', 'preview');
  await page.locator('.widths button').last().click();
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
  await startTour('remember');
  await finished(3);
  await picture('memory', 'memory');
  await page.locator('[data-memory] .row button').first().click();
  await page.locator('.memories textarea').waitFor();
  await picture('memory-edit', 'memory');
  await startTour('work-as-a-team');
  await page.locator('[data-command="Editor.replace_text"]').waitFor();
  await page.locator('.status.ready').waitFor();
  await openTab('team');
  await page.locator('.messages summary').nth(1).click();
  await picture('team', 'team');
  await page.locator('button.model').click();
  await page.locator('.ways li').first().waitFor();
  await picture('models');
  await page.locator('[data-card="key"]').click();
  await page.locator('.server-form').waitFor();
  await picture('models-key');
  await page.locator('[data-card="server"]').click();
  await page.locator('[data-start]').first().waitFor();
  await picture('models-server');
  await page.locator('[data-other-address] summary').click();
  await page.locator('[name="baseURL"]').fill(model.url);
  await page.locator('[name="baseURL"]').press('Enter');
  await page.locator('button.model.connected').waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('.palette-list li').first().waitFor();
  await picture('palette');
  await page.keyboard.press('Escape');
  await page.locator('.foot .row button').first().click();
  await page.locator('[type="number"]').first().fill('20000');
  await page.keyboard.press('Tab');
  await picture('settings');
  await page.keyboard.press('Escape');
  await page.locator('button.new').click();
  await page
    .locator('.composer textarea')
    .fill(`A request with a title that is much too long for any list, ${'and longer '.repeat(4)}`);
  await page.keyboard.press('Control+Enter');
  await page.locator('[data-entry="paused"]').waitFor();
  await picture('failed');
  for (const tab of ['files', 'preview', 'terminal', 'memory', 'team', 'timeline'])
    await picture(`empty-${tab}`, tab, true);
  await page.setViewportSize(PHONE);
  await page.locator('.panes button').last().click();
  await shot('sessions-phone');
  await page.setViewportSize(SMALLEST);
  await shot('sessions-smallest');
  await page.locator('.panes button').first().click();
  await shot('failed-smallest');
  await page.setViewportSize({ width: 900, height: 700 });
  await shot('failed-tablet');
  await context.close();
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
  if (['memory', 'team', 'timeline'].includes(tab)) await page.locator('#tab-more').click();
  await page.locator(`#tab-${tab}`).click();
}

/**
 * Takes one state in all variants. `tab`: with this part of the workbench, which a phone shows alone. `once`: only
 * wide and light.
 */
async function picture(name, tab, once = false) {
  if (tab !== undefined) await openTab(tab);
  if (tab === 'files' && !once) await page.locator('.cm-content').waitFor();
  await shot(`${name}-light`);
  if (once) return;
  if (language === 'en') {
    await page.emulateMedia({ colorScheme: 'dark' });
    await shot(`${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await page.setViewportSize(PHONE);
  const pane = tab === undefined ? 0 : 1;
  const dialog = (await page.locator('dialog[open]').count()) > 0;
  if (!dialog) await page.locator('.panes button').nth(pane).click();
  await shot(`${name}-phone`);
  if (!dialog) await page.locator('.panes button').first().click();
  await page.setViewportSize(WIDE);
}

async function shot(name) {
  // The editor applies its measurements in the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: join(into, `${language}-${name}.png`), animations: 'disabled' });
}

/** A model server that replies twice, with token usage, and then breaks off in the middle of a word. */
async function startModel() {
  const replies = ['Response Category: TASK', 'English'];
  const calls = { en: 0, zh: 0 };
  const http = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (request.method === 'GET') return response.end(JSON.stringify({ data: [{ id: 'a-model' }] }));
    if (request.method !== 'POST') return response.end();
    const send = (data) => response.write(`data: ${JSON.stringify(data)}\n\n`);
    const reply = replies[calls[language]++];
    response.setHeader('content-type', 'text/event-stream');
    send({
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: reply ?? 'I begin' }, finish_reason: null }],
    });
    if (reply === undefined) return setTimeout(() => response.destroy(), 50);
    send({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    send({ choices: [], usage: { prompt_tokens: 5_800, completion_tokens: 12 } });
    return response.end('data: [DONE]\n\n');
  });
  await new Promise((listening) => http.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${http.address().port}/v1`,
    close: () => http.closeAllConnections() ?? http.close(),
  };
}
