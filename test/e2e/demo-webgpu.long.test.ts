import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webgpuArguments } from '../../scripts/chromium.mjs';
import { largeGpu } from '../../scripts/large-gpu.mjs';
import { startModelServer, type ModelServer } from '../tiny-model/server.js';
import { startChromium } from './chromium.js';
import { seriousIssues } from './demo/serious-issues.js';
import { serveDemo } from './demo/served-demo.js';
import { startVisit, type Visit } from './demo/visit.js';
import { confirmDeletion } from './demo/visitor.js';

/** The model that the test downloads: its files are those of the tiny model. */
const MODEL = 'Llama-3.2-1B-Instruct-q4f32_1-MLC';

let demo: Awaited<ReturnType<typeof serveDemo>>;
let browser: Browser;
let files: ModelServer;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  demo = await serveDemo();
  files = await startModelServer();
  browser = await startChromium({ more: webgpuArguments });
  visit = await startVisit(browser);
  ({ page } = visit);
  await visit.context.addInitScript(largeGpu);
});
afterAll(async () => {
  await visit?.end();
  await browser?.close();
  await files?.close();
  await demo?.close();
});

it('the cards offer models for this GPU; one is downloaded at the click, loaded once, listed, and deleted', async () => {
  /** Resolves when the test has seen the download; a file waits for it. */
  let seen = (): void => {};
  const looked = new Promise<void>((resolve) => (seen = resolve));
  let isReachable = false;
  await visit.context.route('https://huggingface.co/**', async (route) => {
    if (!isReachable) return route.abort();
    const name = route.request().url().split('/resolve/main/')[1] ?? '';
    if (name.endsWith('.bin')) await looked;
    const response = await fetch(`${files.origin}/gpu/model/resolve/main/${name}`);
    await route.fulfill({
      status: response.status,
      body: Buffer.from(await response.arrayBuffer()),
      headers: { 'access-control-allow-origin': '*' },
    });
  });
  await visit.context.route('https://raw.githubusercontent.com/**', async (route) => {
    const response = await fetch(`${files.origin}/gpu/library.wasm`);
    await route.fulfill({
      body: Buffer.from(await response.arrayBuffer()),
      headers: { 'access-control-allow-origin': '*', 'content-type': 'application/wasm' },
    });
  });

  await page.goto(demo.url);
  await page.locator('button.model').click();
  const way = page.locator(`[data-model="${MODEL}"]`);
  await way.waitFor();
  const offered = await page.locator('[data-way="web-llm"] strong').allTextContents();
  expect(offered.map((text) => text.replace(/\s+/g, ' ').trim()).toSorted()).toEqual([
    'Llama 3.2 1B',
    'Qwen2.5 1.5B Recommended',
    'Qwen3 1.7B',
    'Qwen3 4B',
    'Qwen3 8B',
  ]);
  expect(await way.textContent()).toMatch(/GPU · fast · for single small edits · needs 1\.1 GB/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousIssues(page)).toEqual([]);
  }

  await page.setViewportSize({ width: 844, height: 390 });
  await way.getByRole('button', { name: 'Download' }).click();
  await way.locator('.notice', { hasText: 'The download failed.' }).waitFor();
  expect(await inView('.ways .notice strong')).toBe(true); // The page behind the dialog is no place for it.
  isReachable = true;
  await way.getByRole('button', { name: 'Download' }).click();
  const progress = way.getByRole('group', { name: 'Download of the model' });
  await progress.waitFor();
  expect(await page.locator('.title .status').textContent()).toContain('Downloading');
  await page.keyboard.press('Escape');
  await page.locator('button.model').evaluate((button) => (button as HTMLElement).click()); // It is under "Sessions".
  await expect.poll(() => inView('.download button')).toBe(true);
  expect(await seriousIssues(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  seen();
  const connected = page.locator('button.model.connected[data-link="ok"]', { hasText: 'Llama 3.2 1B' });
  await connected.waitFor({ timeout: 180_000 });

  await page.locator('button.model').click();
  await way.getByText('Downloaded').waitFor();
  const stored = page.locator(`[data-stored="${MODEL}"]`);
  expect(await stored.textContent()).toMatch(/[\d.]+ MB/);
  await stored.getByRole('button', { name: 'Delete Llama 3.2 1B' }).click();
  await confirmDeletion(page, 'Delete model');
  await stored.waitFor({ state: 'detached' });
  await way.getByRole('button', { name: 'Download' }).waitFor();

  await page.evaluate(() =>
    localStorage.setItem('rolezero-demo:preferences', JSON.stringify({ language: 'zh' })),
  );
  await page.reload();
  await page.locator('button.model').click();
  await way.waitFor();
  expect(await way.textContent()).toContain('下载');
  expect(await seriousIssues(page)).toEqual([]); // In the dark theme.
});

/** Returns whether an element is whole in the view. */
function inView(selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}
