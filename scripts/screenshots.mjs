// `npm run screenshots -- DIRECTORY`: the main states of the demo as pictures, light, dark and on a phone, to look at before a release.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { chromiumPath, launchArguments } from './chromium.mjs';

const into = resolve(process.argv[2] ?? 'reports/screenshots');
const configFile = fileURLToPath(new URL('../demo/vite.config.ts', import.meta.url));
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Milliseconds a step of a tour may take. */
const PATIENCE = 90_000;

await mkdir(into, { recursive: true });
await build({ configFile, logLevel: 'error' });
const server = await preview({ configFile, preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' });
const url = `http://127.0.0.1:${server.httpServer.address().port}/`;
const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...launchArguments] });
const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' });
context.setDefaultTimeout(PATIENCE);
const page = await context.newPage();

try {
  await page.goto(url);
  await picture('welcome');
  await startTour('build-a-game');
  await page.getByRole('button', { name: 'Forest' }).waitFor();
  await picture('question');
  await page.getByRole('button', { name: 'Forest' }).click();
  await finished(1);
  for (const tab of ['plan', 'files', 'preview']) await picture(tab, tab);
  await startTour('find-and-fix');
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await picture('approval');
  await page.getByRole('button', { name: 'Allow' }).click();
  await finished(1);
  await picture('terminal', 'terminal');
  await page.locator('#tab-timeline').click();
  await page.getByRole('slider').fill('5');
  await page.locator('.viewer .cm-changedLine').first().waitFor();
  await picture('timeline', 'timeline');
  await startTour('remember');
  await finished(3);
  await picture('memory', 'memory');
  await startTour('work-as-a-team');
  await page.locator('[data-command="Editor.replace_text"]').waitFor();
  await page.locator('.status.ready').waitFor();
  await picture('team', 'team');
  await page.locator('button.model').click();
  await page.locator('.reasons, .ways li').first().waitFor();
  await picture('models');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Settings' }).click();
  await picture('settings');
  await page.getByLabel('Language').selectOption('zh');
  await page.keyboard.press('Escape');
  await picture('chinese', 'timeline');
  console.log(`The pictures are in ${into}.`);
} finally {
  await browser.close();
  await server.close();
}

async function startTour(name) {
  await page.getByRole('button', { name: 'New session' }).click();
  await page.locator(`[data-tour="${name}"]`).click();
}

async function finished(count) {
  await page
    .locator('[data-entry="finished"]')
    .nth(count - 1)
    .waitFor();
  await page.locator('.status.ready').waitFor();
}

/** One state in all three forms. `tab`: with this part of the workbench, which a phone shows alone. */
async function picture(name, tab) {
  if (tab !== undefined) await page.locator(`#tab-${tab}`).click();
  if (tab === 'files') await page.locator('.cm-content').waitFor();
  await shot(`${name}-light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot(`${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  const pane = tab === undefined ? 0 : 1;
  const dialog = (await page.locator('dialog[open]').count()) > 0;
  if (!dialog) await page.locator('.panes button').nth(pane).click();
  await shot(`${name}-phone`);
  if (!dialog) await page.locator('.panes button').first().click();
  await page.setViewportSize(WIDE);
}

function shot(name) {
  return page.screenshot({ path: join(into, `${name}.png`), animations: 'disabled' });
}
