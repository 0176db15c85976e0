import type { Download, Locator } from 'playwright';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel, fillServer, openPart } from './demo/visitor.js';

useDemo();

const dialog = () => page.locator('dialog.sheet[open]');

/** The names of the downloads that a double click begins. A click on `last`, which saves a style sheet, comes after it. */
async function downloadsOf(button: Locator, last: Locator, lastName = 'style.css'): Promise<string[]> {
  const names: string[] = [];
  const listen = (download: Download): void => void names.push(download.suggestedFilename());
  page.on('download', listen);
  await button.dblclick();
  await expect.poll(() => names.length).toBeGreaterThan(0);
  await last.click();
  await expect.poll(() => names.at(-1)).toBe(lastName);
  page.off('download', listen);
  return names.slice(0, -1);
}

describe('a double click', () => {
  it('opens a dialog, and does not close it', async () => {
    await page.goto(url);
    for (const button of ['.palette-key', '.foot .row button', 'button.model']) {
      await page.locator(button).dblclick({ delay: 100 });
      await dialog().locator('.inside > *').first().waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
    }
    await page.locator('.foot .row button').click();
    await dialog().locator('.inside > *').first().waitFor();
    await page.mouse.click(5, 5); // Beside the dialog.
    await dialog().waitFor({ state: 'detached' });
  });

  it('does not start what the first click has put under the pointer', { tags: 'nightly' }, async () => {
    await page.goto(url);
    await page.locator('[data-tour="build-a-game"]').dblclick();
    await page.getByRole('button', { name: 'Forest' }).click();
    await finished();
    await page.getByRole('button', { name: 'Do it with your own model' }).dblclick({ delay: 100 });
    await page.getByLabel('Your request').fill('Next'); // A tour has no field.
    expect(await page.locator('[data-session]').count()).toBe(1);
  });

  it('downloads once', async () => {
    const writes = ['/index.html', '/style.css'].map(
      (path) => ['Editor.write', { path, content: 'p { color: red }' }] as const,
    );
    server.script([reply(commands(...writes, ['end', {}]))], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, 'Write a page');
    await finished();
    await page.locator('[data-result="/style.css"]').click();
    await page.locator('.viewer .path', { hasText: '/style.css' }).waitFor();
    const last = page.getByRole('button', { name: 'Save this file to disk' });
    for (const [button, name] of [
      [page.getByRole('button', { name: 'Export this session' }), 'Write a page.json'],
    ] as const)
      expect(await downloadsOf(button, last)).toEqual([name]);
    await page.locator('[data-share]').dblclick();
    for (const [way, name] of [
      ['session', 'Write a page.json'],
      ['zip', 'Write a page.zip'],
    ] as const)
      expect(
        await downloadsOf(
          page.locator(`[data-way="${way}"]`),
          page.locator('[data-way="file"]'),
          'Write a page.html',
        ),
      ).toEqual([name]);
  });
});

it('adds a note once when its button is clicked twice', async () => {
  server.script([reply(commands(['end', {}]))], 'repeat');
  await page.goto(url);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Agents may take notes').check();
  await page.locator('dialog .away').click();
  await connectModel(page, server.url);
  await ask(page, 'Begin');
  await finished();
  await openPart(page, 'notes');
  await page.locator('.add-note summary').click();
  for (const text of ['First', 'Second']) {
    await page.locator('.add-note textarea').fill(text);
    await page.locator('.add-note button').dblclick();
    await page.locator('[data-note]', { hasText: text }).first().waitFor();
  }
  expect(await page.locator('[data-note] .content').allTextContents()).toEqual(['Second', 'First']);
});

it('completes the address of a server that has no scheme', { tags: 'nightly' }, async () => {
  await page.goto(url);
  await page.locator('button.model').click();
  await fillServer(page, new URL(server.url).host);
  expect(await page.getByLabel('Base URL').inputValue()).toBe(new URL(server.url).origin);
});
