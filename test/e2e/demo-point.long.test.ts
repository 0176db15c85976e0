import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import { finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel, previewOf } from './demo/visitor.js';

useDemo();

const REQUEST = 'Make it larger';
const point = () => page.locator('[data-point]');
const chip = () => page.locator('.pointed');
const lastRequest = () => page.locator('[data-entry="request"]').last().textContent();

async function openTemplate(): Promise<void> {
  server.script([reply(commands(['end', {}]))], 'repeat');
  await page.goto(url);
  await connectModel(page, server.url);
  await page.locator('[data-template="tip-calculator"]').click();
  await previewOf(page).getByText('30.98').waitFor();
}

describe('pointing at an element', () => {
  it('names it in the next request: selector, text, file and line; the page does not react', async () => {
    await openTemplate();
    await point().click();
    await page.locator('.point-hint').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await previewOf(page).locator('rolezero-glass').waitFor();
    const target = await previewOf(page).getByRole('button', { name: '20 %' }).boundingBox();
    await page.mouse.click((target?.x ?? 0) + 8, (target?.y ?? 0) + 8);
    await chip().waitFor();
    expect(await previewOf(page).getByText('30.98').count()).toBe(1); // Still with 10 %.
    await previewOf(page).locator('rolezero-glass').waitFor({ state: 'detached' });
    await chip().getByRole('button', { name: 'Forget the element' }).click();
    await chip().waitFor({ state: 'detached' });

    await point().click();
    await previewOf(page).locator('rolezero-glass').waitFor();
    const heading = await previewOf(page).locator('h1').boundingBox();
    await page.mouse.click((heading?.x ?? 0) + 8, (heading?.y ?? 0) + 8);
    expect(await chip().textContent()).toMatch(/h1\s+\/index\.html:\d+/);
    expect(await seriousIssues(page)).toEqual([]);
    await ask(page, REQUEST);
    await finished();
    expect(await lastRequest()).toMatch(
      /Make it larger\n\nThis is about the element `body > main > h1` with the text "Tip calculator" of \/index\.html \(\/index\.html, line \d+\)\./,
    );
    expect(await chip().count()).toBe(0);
  });

  it('works by keyboard: arrow keys, Enter, and Escape without an element', async () => {
    await openTemplate();
    await point().focus();
    await page.keyboard.press('Enter');
    await previewOf(page).locator('rolezero-glass:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-point][aria-pressed="false"]').waitFor();
    expect(await chip().count()).toBe(0);
    await page.locator('rolezero-chat:focus').waitFor();
    await point().focus();
    await page.keyboard.press('Enter');
    await previewOf(page).locator('rolezero-glass:focus').waitFor();
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await chip().getByText('label', { exact: true }).waitFor();
    await page.locator('rolezero-chat:focus').waitFor();
  });
});
