import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { seriousIssues } from './demo/serious-issues.js';
import { useServedDemo, visitAlone } from './demo/served-demo.js';
import type { Visit } from './demo/visit.js';
import { confirmDeletion, openPart } from './demo/visitor.js';
import { firstOf } from '../size.js';

/** Compressed bytes of scripts that are loaded before anything is shown, and of scripts and styles together. */
const MOST_SCRIPTS = 120_000;
const MOST_AT_FIRST = 131_000;

const demo = useServedDemo();
let visit: Visit;
let page: Page;

beforeEach(async () => {
  visit = await visitAlone(demo);
  ({ page } = visit);
});
afterEach(() => visit.end());

const open = (tab: string) => openPart(page, tab);
const finished = async (count = 1) => {
  await page
    .locator('[data-entry="finished"]')
    .nth(count - 1)
    .waitFor({ state: 'attached' });
  await page.waitForFunction(() => document.querySelector('.status.ready') !== null);
};
const failedCommands = () => page.locator('.command.failed').allTextContents();

async function startTour(name: string): Promise<void> {
  await page.getByRole('button', { name: 'New session' }).click();
  await page.locator(`[data-tour="${name}"]`).click();
}

describe('the demo as an application', () => {
  it('loads little before it can be used', () => {
    const index = readFileSync(join(inject('demoFolder'), 'index.html'), 'utf8');
    const files = [...index.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(files.length).toBeGreaterThan(1);
    const sizeOf = (paths: readonly string[]): number =>
      paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(inject('demoFolder'), path))).length, 0);
    expect(sizeOf(files.filter((path) => path.endsWith('.js')))).toBeLessThan(MOST_SCRIPTS);
    expect(sizeOf(files)).toBeLessThan(MOST_AT_FIRST);
  });

  it('can be installed', async () => {
    const manifest = (await (await fetch(new URL('manifest.webmanifest', demo.url))).json()) as {
      display: string;
      icons: { src: string }[];
    };
    expect(manifest.display).toBe('standalone');
    expect(manifest.icons.filter(({ src }) => !existsSync(join(inject('demoFolder'), src)))).toEqual([]);
  });

  it('find-and-fix: asks for approval, shows shell, undo and pages; the user has a shell, an editor and undo', async () => {
    await startTour('find-and-fix');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(await page.getByRole('group', { name: 'What it would do' }).textContent()).toBe(
      'cmd: cd /shop && grep -n "percent\\|DISCOUNT" *.js',
    );
    await page.getByRole('button', { name: 'Approve' }).click();
    await finished();
    expect(await failedCommands()).toEqual([]);
    await open('terminal');
    expect(await page.locator('.shell .agent').textContent()).toContain('grep -n "percent');
    expect(await page.locator('.shell .agent pre').textContent()).toContain('6:const DISCOUNT');
    await open('preview');
    const agents = page
      .frameLocator('iframe[data-stage="agent"]')
      .frameLocator('iframe')
      .frameLocator('iframe');
    expect(await agents.locator('#total').textContent()).toBe('54.00 €');

    await open('terminal');
    await page
      .getByLabel('Command', { exact: true })
      .fill('cd /shop && echo "// checked" >> cart.js && tail -n 1 cart.js');
    await page.keyboard.press('Enter');
    await page.locator('.shell .user pre', { hasText: '// checked' }).waitFor();
    await open('files');
    await page.locator('[data-file="/shop/cart.js"]').click();
    await page.locator('.cm-line', { hasText: '// checked' }).waitFor();
    await page.locator('.cm-line', { hasText: '// checked' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' twice');
    await open('terminal');
    await page.getByLabel('Command', { exact: true }).fill('tail -n 1 cart.js');
    await page.keyboard.press('Enter');
    await page.locator('.shell .user pre', { hasText: '// checked twice' }).waitFor();

    await open('timeline');
    await page.getByRole('slider').fill('5');
    await page.locator('.trace', { hasText: 'Step 6 of 7' }).waitFor();
    expect(await page.locator('.step.selected').textContent()).toContain('rounded to whole cents');
    await page.locator('.trace').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.aside.undo', { hasText: 'Undone: /shop/cart.js' }).waitFor();
    await open('files');
    await page.locator('.cm-line', { hasText: 'return cents - percent;' }).waitFor();
    await page.locator('.cm-line', { hasText: '// checked twice' }).waitFor(); // The user's own line remains.
  });

  it(
    'remember: three requests; memories are recalled, searched, changed, pinned and forgotten',
    { tags: 'nightly' },
    async () => {
      await startTour('remember');
      await finished(3);
      expect(await failedCommands()).toEqual([]);
      await expect.poll(() => page.getByText(/Recalled \d+ memor/).count()).toBeGreaterThan(0);
      await open('memory');
      await page.getByLabel('Search memories').fill('colors of the tea shop');
      await page.locator('[data-memory]', { hasText: 'The menu is written.' }).waitFor({ state: 'detached' }); // Not searched for.
      const said = page.locator('[data-memory]', { hasText: 'Remember this: my tea shop is called Kumo' });
      const id = await said.getAttribute('data-memory');
      const memory = page.locator(`[data-memory="${id}"]`);
      await memory.getByRole('button', { name: 'Pin' }).click();
      await memory.getByText('Pinned').waitFor();
      await memory.getByRole('button', { name: 'Edit' }).click();
      await memory
        .getByLabel('Text of the memory')
        .fill('The tea shop is called Kumo; its colors are plum and cream.');
      await memory.getByRole('button', { name: 'Save' }).click();
      await memory.getByText('plum and cream').waitFor();
      await memory.getByRole('button', { name: 'Forget' }).click();
      await confirmDeletion(page, 'Forget');
      await memory.waitFor({ state: 'detached' });
    },
  );

  it('survive-a-reload: is reloaded in the middle of a thought and does nothing twice; it can be forked from a step', async () => {
    const loadedAnew = page.waitForEvent('load');
    await startTour('survive-a-reload');
    await loadedAnew;
    await finished();
    await open('plan');
    await expect.poll(() => page.locator('[data-task].done').count()).toBe(5);
    await expect.poll(() => page.locator('[data-command="Editor.write"]').count()).toBe(5);
    await open('timeline');
    await page.locator('.bars span').nth(6).waitFor();
    await expect.poll(() => page.locator('.bars span').count()).toBe(7);

    await page.getByRole('slider').fill('2');
    await page.getByRole('button', { name: 'Fork from here' }).click();
    await page.getByRole('heading', { name: 'Fork of Survive a reload' }).waitFor();
    await page.locator('[data-entry="paused"]').waitFor();
    await open('files');
    await page.locator('[data-file="/guide/2.md"]').waitFor();
    await expect.poll(() => page.locator('[data-file]').count()).toBe(2);
    await open('plan');
    await expect.poll(() => page.locator('[data-task].done').count()).toBe(2);
  });

  it(
    'work-as-a-team: three roles in one conversation, each message with its recipients; exported, it can be restored',
    { tags: 'nightly' },
    async () => {
      await startTour('work-as-a-team');
      await page.locator('[data-command="Editor.replace_text"]').waitFor();
      await page.waitForFunction(() => document.querySelector('.status.ready') !== null);
      expect(await failedCommands()).toEqual([]);
      await open('team');
      await page.locator('[data-role]').nth(2).waitFor();
      await page.locator('.messages > li').nth(5).waitFor();
      const messages = await page.locator('.messages > li summary').allTextContents();
      expect(messages.map((text) => text.replace(/\s+/g, ' ').trim()).join('\n')).toMatch(
        /You → .*Mike[^]*Mike → Alex[^]*Mike → Rita/,
      );
      const order = await page
        .locator('[data-entry="step"]')
        .evaluateAll((steps) => steps.map((step) => step.getAttribute('aria-label')?.split(':')[0]));
      await page.reload();
      await page.waitForFunction(() => document.querySelector('.status.ready') !== null);
      expect(
        await page
          .locator('[data-entry="step"]')
          .evaluateAll((steps) => steps.map((step) => step.getAttribute('aria-label')?.split(':')[0])),
      ).toEqual(order);

      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export this session' }).click();
      const path = await (await download).path();
      const before = await page.locator('[data-session]').count();
      await page.locator('.file input').setInputFiles(path);
      await page.locator('[data-session]').nth(before).waitFor();
      await page.locator(`[data-session][aria-current="true"]:not([data-session^="tour"])`).waitFor();
      await page.locator('[data-entry="request"]').waitFor();
      await open('team');
      await page.locator('[data-role]').nth(2).waitFor();
    },
  );

  it('works offline after a visit: it loads, sessions open, a tour runs, pages are shown', async () => {
    await startTour('build-a-game');
    await page.getByRole('button', { name: 'Forest' }).click();
    await finished();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await visit.context.setOffline(true);
    await page.goto(demo.url);
    await page.locator('[data-session]', { hasText: 'Build a game' }).click();
    await finished();
    await startTour('build-a-game');
    await page.getByRole('button', { name: 'Forest' }).click();
    await finished();
    expect(await failedCommands()).toEqual([]);
    await open('files');
    await page.locator('[data-file="/index.html"]').click();
    await page.getByRole('button', { name: 'Open in the preview' }).click();
    const board = page
      .frameLocator('iframe[data-stage="user"]')
      .frameLocator('iframe')
      .frameLocator('iframe')
      .getByRole('img', { name: 'Game board' });
    const begin = await board.getAttribute('aria-label');
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight']) await board.press(key);
    expect(await board.getAttribute('aria-label')).not.toBe(begin);
  });

  it('switches to Chinese and remembers the choice', async () => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Language').selectOption('zh');
    await page.locator('dialog .away').click();
    await page.reload();
    await page.getByRole('button', { name: '设置' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
  });

  it('moves from tab to tab with arrow keys', { tags: 'nightly' }, async () => {
    await startTour('remember');
    await page.locator('#tab-preview').click();
    await page.keyboard.press('ArrowRight');
    await page.locator('#tab-files[aria-selected="true"]:focus').waitFor();
    await page.keyboard.press('End');
    await page.locator('#tab-more[aria-selected="true"]:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.locator('#tab-memory[aria-selected="true"]:focus').waitFor();
    await page.keyboard.press('End');
    await page.locator('#tab-inspector[aria-selected="true"]:focus').waitFor();
    await page.locator('#tab-files').click();
    await page.locator('#tab-more').click();
    await page.locator('#tab-inspector[aria-selected="true"]').waitFor(); // "More" shows its last part again.
    await page.locator('#tab-preview').click();
    await page.locator('#tab-preview').evaluate(() => {
      // Both keys are pressed before the page renders the result of the first.
      for (let pressed = 0; pressed < 2; pressed++)
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }),
        );
    });
    await page.locator('#tab-terminal[aria-selected="true"]:focus').waitFor();
  });

  it.each(firstOf(['en', 'zh'] as const))(
    'has no serious axe issues: every part, light and dark, wide and on a phone: %s',
    async (language) => {
      await page.evaluate(
        (chosen) => localStorage.setItem('rolezero-demo:preferences', JSON.stringify({ language: chosen })),
        language,
      );
      await page.reload();
      await page.locator('[data-tour="find-and-fix"]').click();
      await page.locator('.question .options button').first().click();
      await finished();
      await open('files');
      await page.locator('[data-file="/shop/cart.js"]').click();
      const found: string[] = [];
      const look = async (where: string, only?: string) =>
        found.push(...(await seriousIssues(page, only)).map((issue) => `${where}: ${issue}`));
      const settings = page.locator('.foot .row button').first();
      const [first, second] = language === 'en' ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
      for (const colorScheme of [first, second]) {
        const only = colorScheme === first ? undefined : 'color-contrast'; // The theme changes only colors.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const tab of [
          'preview',
          'files',
          'terminal',
          'memory',
          'notes',
          'team',
          'timeline',
          'inspector',
        ]) {
          await open(tab);
          if (tab === 'files') await page.locator('.cm-content').waitFor();
          await look(`${colorScheme}, ${tab}`, only);
        }
        await settings.click();
        await look(`${colorScheme}, settings`, only);
        await page.locator('dialog .away').click();
      }
      await page.locator('button.model').click();
      await page.locator('.reasons, .ways li').first().waitFor();
      await look('models');
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 390, height: 844 });
      for (const pane of await page.locator('.panes button').all()) {
        await pane.click();
        await look(`phone, ${await pane.textContent()}`);
      }
      expect(found).toEqual([]);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(wider).toBe(false);
    },
  );
});
