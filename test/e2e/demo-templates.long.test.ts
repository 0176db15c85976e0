/** @module-tag nightly */
import { describe, expect, it } from 'vitest';
import { TEMPLATE_NAMES } from '../../demo/templates/names.js';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import { fileContent, finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { connectModel, openPart, previewOf } from './demo/visitor.js';

useDemo();

describe('the templates', () => {
  it('have pictures, and each opens with its page, without an error of the page', async () => {
    await page.goto(url);
    const pictures = page.locator('.gallery img');
    await pictures.last().scrollIntoViewIfNeeded();
    await expect
      .poll(() => pictures.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth)))
      .toEqual(TEMPLATE_NAMES.map(() => 320));
    expect(await seriousIssues(page)).toEqual([]);
    for (const name of TEMPLATE_NAMES) {
      await page.getByRole('button', { name: 'New session' }).click();
      await page.locator(`[data-template="${name}"]`).click();
      await page.locator('#tab-preview[aria-selected="true"]').waitFor();
      await page.locator('.status.ready').waitFor();
      await previewOf(page).locator('body > *').first().waitFor();
      await page.waitForTimeout(2_500); // Errors of the page are read every two seconds.
      expect([name, await page.locator('.page-errors').allTextContents()]).toEqual([name, []]);
    }
    expect(await page.locator('[data-session]').count()).toBe(TEMPLATE_NAMES.length);
  });

  it('work offline, and can be changed with a model', async () => {
    const edit = [
      'Editor.replace_text',
      { path: '/index.html', old: '--accent: #0f766e', new: '--accent: #b02a2a' },
    ] as const;
    server.script([reply(commands(edit, ['end', {}]))], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.context().setOffline(true);
    await page.locator('[data-template="tip-calculator"]').click();
    await previewOf(page).getByText('30.98').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Use other colors' }).click();
    await finished();
    await openPart(page, 'preview');
    await expect
      .poll(() =>
        previewOf(page)
          .locator('button')
          .first()
          .evaluate((button) => getComputedStyle(button).color),
      )
      .toBe('rgb(176, 42, 42)');
    expect(await fileContent('/index.html')).toContain('#b02a2a');
    expect(await page.getByText('Say what to change, or try one of these').count()).toBe(0);
  });
});
