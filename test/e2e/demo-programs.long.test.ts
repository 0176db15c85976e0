import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seriousIssues } from './demo/serious-issues.js';
import { useServedDemo, visitAlone } from './demo/served-demo.js';
import type { Visit } from './demo/visit.js';
import { openPart, previewOf } from './demo/visitor.js';

const demo = useServedDemo();
let visit: Visit;
let page: Page;

beforeEach(async () => {
  visit = await visitAlone(demo);
  ({ page } = visit);
});
afterEach(() => visit.end());

async function playTour(): Promise<void> {
  await page.locator('[data-tour="analyze-a-table"]').click();
  await page.locator('[data-entry="finished"]').waitFor();
  await page.locator('.status.ready').waitFor();
}
const command = () => page.getByLabel('Command', { exact: true });
const outputs = () => page.locator('.shell .user pre');

async function type(line: string): Promise<void> {
  await command().fill(line);
  await command().press('Enter');
}
async function newFile(path: string, content: string): Promise<void> {
  await openPart(page, 'files');
  await page.getByLabel('Path of the new file').fill(path);
  await page.getByLabel('Path of the new file').press('Enter');
  await page.locator('.viewer .path', { hasText: path }).waitFor();
  await page.locator('.cm-content').click();
  await page.keyboard.insertText(content);
}
const runButton = () => page.getByRole('button', { name: 'Run this file' });

describe('programs in the demo', () => {
  it('analyze a table, offline too: a test finds a mistake, and the plot is shown', async () => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload(); // The service worker serves the workers of this visit.
    await visit.context.setOffline(true);
    await playTour();
    expect(await page.locator('.command.failed').allTextContents()).toEqual([]);
    await openPart(page, 'preview');
    await expect
      .poll(() =>
        previewOf(page, 'agent')
          .locator('img')
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(100);
    await openPart(page, 'terminal');
    await page.locator('.shell .ansi-red', { hasText: '✖ every row has an amount' }).first().waitFor();
    await page.locator('.shell .ansi-green', { hasText: '✔ every row has an amount' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await seriousIssues(page)).toEqual([]);
    }
  });

  it('run with a button: JavaScript, TypeScript, tests, and Python, with what was just typed', async () => {
    await playTour();
    await openPart(page, 'files');
    await page.locator('[data-file="/table.test.js"]').click();
    await runButton().click();
    await outputs().locator('.ansi-green', { hasText: '✔ every row has an amount' }).waitFor();
    await newFile('/hello.ts', 'const who: string = "types"; console.log(`Hello, ${who}`);');
    await runButton().click();
    await outputs().getByText('Hello, types').waitFor();
    await newFile('/sum.py', 'print("sum", sum(range(5)))');
    await runButton().click();
    await outputs().getByText('sum 10').waitFor({ timeout: 120_000 });
    await openPart(page, 'files');
    await page.locator('[data-file="/sales.csv"]').click();
    await page.locator('.viewer .path', { hasText: '/sales.csv' }).waitFor();
    expect(await runButton().count()).toBe(0);
  });

  it(
    'have colors and a history of command lines that a reload does not lose',
    { tags: 'nightly' },
    async () => {
      await playTour();
      await openPart(page, 'terminal');
      await type(String.raw`printf '\e[31mred\e[0m and \e[1m bold\e[0m\n'`);
      await expect.poll(() => outputs().first().textContent()).toBe('red and  bold');
      const colorOf = (text: string) =>
        outputs()
          .locator('span', { hasText: text })
          .evaluate((part) => getComputedStyle(part).color);
      expect(await colorOf('red')).not.toBe(
        await outputs()
          .first()
          .evaluate((part) => getComputedStyle(part).color),
      );
      await type('echo two');
      await expect.poll(() => outputs().nth(1).textContent()).toBe('two');
      await page.reload();
      await openPart(page, 'terminal');
      await command().press('ArrowUp');
      await expect.poll(() => command().inputValue()).toBe('echo two');
      await command().press('ArrowUp');
      expect(await command().inputValue()).toContain('printf');
      await command().press('ArrowDown');
      await command().press('ArrowDown');
      expect(await command().inputValue()).toBe('');
    },
  );
});
