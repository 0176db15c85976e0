import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import { finished, page, question, REQUEST, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel, openPart, previewOf, previewShows } from './demo/visitor.js';

useDemo();

const LINES = Array.from({ length: 200 }, (_, line) => `<p>Line ${line}</p>`).join('');
const END = reply(commands(['RoleZero.reply_to_human', { content: 'Written.' }], ['end', {}]));
const write = (path: string, content: string) => reply(commands(['Editor.write', { path, content }]));

const width = async () => (await page.locator('iframe[data-stage="user"]').boundingBox())?.width ?? 0;
const scrollTop = () =>
  previewOf(page)
    .locator('html')
    .evaluate(() => scrollY)
    .catch(() => -1); // The frame is being replaced.

describe('a session of the demo that is opened again', () => {
  it('shows its page after a reload, with the tab, the width and the place that the user has left', async () => {
    server.script([write('/index.html', `<title>Long</title>${LINES}`), write('/other.html', 'Other'), END]);
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, 'Write it');
    await finished();
    await previewShows(page, 'Line 199');
    await page.getByLabel('Address').fill('/other.html');
    await page.keyboard.press('Enter');
    await previewShows(page, 'Other');
    await page.getByLabel('Address').fill('/index.html');
    await page.keyboard.press('Enter');
    await previewShows(page, 'Line 199');
    await page.getByRole('button', { name: 'Phone, 390 pixels' }).click();
    await previewOf(page)
      .locator('html')
      .evaluate(() => window.scrollTo(0, 1_200));
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('rolezero-demo:session-views')))
      .toContain('"scrollTop":1200');
    await page.reload();
    await previewShows(page, 'Line 199');
    expect(await page.locator('#tab-preview').getAttribute('aria-selected')).toBe('true');
    await expect.poll(width).toBe(390);
    await expect.poll(scrollTop).toBe(1_200);

    await openPart(page, 'terminal');
    await page.reload();
    await page.locator('#tab-terminal[aria-selected="true"]').waitFor();
    await openPart(page, 'preview');
    await previewShows(page, 'Line 199');
  });

  it('shows its page at the end of a run in which the page was reloaded', { tags: 'nightly' }, async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await question().waitFor();
    await expect.poll(() => page.title()).toBe(`● Your turn · ${REQUEST} · RoleZero`);
    expect(await page.locator('.sessions .day').allTextContents()).toEqual(['today']);
    await page.reload();
    await question().getByRole('button', { name: '15' }).click();
    await finished();
    await page.locator('#tab-preview[aria-selected="true"]').waitFor();
    await expect.poll(() => previewOf(page).locator('p').textContent()).toBe('Tip: 15 %');
    expect(await page.title()).toBe(`${REQUEST} · RoleZero`);
  });
});

describe('the demo on a phone', () => {
  it('says that the page is ready, and opens it; the label of a missing model opens the models', async () => {
    server.script([write('/index.html', '<title>Small</title><p>Hello</p>'), END]);
    await page.goto(url);
    await page.locator('button.status', { hasText: 'No model connected' }).click();
    await page.locator('dialog[open] [data-card]').first().waitFor();
    await page.keyboard.press('Escape');
    await connectModel(page, server.url);
    await page.setViewportSize({ width: 390, height: 844 });
    await ask(page, 'Write it');
    await page.getByText('The page is ready.').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.locator('.page-ready').getByRole('button', { name: 'Open page' }).click();
    await previewShows(page, 'Hello');
    expect(await page.locator('.page-ready').count()).toBe(0);
    expect(await page.locator('#tab-preview').getAttribute('aria-selected')).toBe('true');
  });
});
