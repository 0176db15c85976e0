import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { done, finish, hold, reply, streaming, text } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import { editorText, finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel, openPart } from './demo/visitor.js';

useDemo();

const END = reply(commands(['RoleZero.reply_to_human', { content: 'Written.' }], ['end', {}]));
const write = (path: string, content: string) => ['Editor.write', { path, content }] as const;
const lines = (count: number) => Array.from({ length: count }, (_, index) => `<p>Line ${index + 1}</p>\n`);

const fileTabs = () => page.locator('[data-file-tab]');
const fileTab = (path: string) => page.locator(`[data-file-tab="${path}"]`);
const shownTab = (path: string) => page.locator(`[data-file-tab="${path}"][aria-current="true"]`);
/** The names of the tabs; `*` marks an unseen change. */
const names = async () =>
  (await fileTabs().allTextContents()).map((name) => name.replace(/\s*\(changed\)/, '*').trim());

async function begin(): Promise<void> {
  await page.goto(url);
  await connectModel(page, server.url);
  await ask(page, 'Write it');
}

async function runCommand(command: string): Promise<void> {
  await openPart(page, 'terminal');
  await page.getByLabel('Command', { exact: true }).fill(command);
  await page.keyboard.press('Enter');
  await page.locator('.shell .user', { hasText: command }).waitFor();
}

describe('the files of the demo', () => {
  it('are attached to the first request when they are pasted into its field or dropped on it', async () => {
    server.script([END], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url);
    await page.getByLabel('Your request').evaluate((field) => {
      const dataOf = (name: string): DataTransfer => {
        const data = new DataTransfer();
        data.items.add(new File([`Content of ${name}`], name, { type: 'text/plain' }));
        return data;
      };
      const options = { bubbles: true, composed: true, cancelable: true };
      field.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: dataOf('a.txt') }));
      field.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: dataOf('b.txt') }));
    });
    await page.getByRole('button', { name: 'Remove b.txt' }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await ask(page, 'Read both');
    await finished();
    await openPart(page, 'files');
    for (const name of ['a.txt', 'b.txt']) await page.locator(`[data-file="/uploads/${name}"]`).waitFor();
    const prompts = server.requests.map(({ body }) => JSON.stringify(body)).join('\n');
    expect(prompts).toContain('/uploads/a.txt (text/plain, 16 bytes)');
    expect(await page.getByRole('button', { name: 'Remove b.txt' }).count()).toBe(0);
  });

  it('appear in the editor while the model writes them, and stay where they are when they are stored', async () => {
    const content = lines(80).join('');
    const whole = commands(write('/index.html', content));
    const half = whole.indexOf('Line 41');
    const rest = whole.indexOf('Line 80');
    server.script([
      [
        streaming,
        text(whole.slice(0, half)),
        hold,
        text(whole.slice(half, rest)),
        hold,
        text(whole.slice(rest)),
        finish(),
        done,
      ],
      END,
    ]);
    await begin();
    await page.locator('#tab-files[aria-selected="true"]').waitFor();
    await page.locator('.cm-line', { hasText: 'Line 40' }).waitFor(); // The end is in view.
    await shownTab('/index.html').waitFor();
    expect(await page.locator('[data-file]').count()).toBe(0); // Nothing is stored yet.
    expect(await page.getByRole('button', { name: 'Close /index.html' }).count()).toBe(0);
    await page.locator('.cm-content').click();
    await page.keyboard.type('typed');
    server.release();
    await page.locator('.cm-line', { hasText: 'Line 79' }).waitFor();
    await page.locator('.cm-scroller').evaluate((element) => (element.scrollTop = 0)); // The user reads the begin.
    const first = page.locator('.cm-line', { hasText: /^<p>Line 1<\/p>$/ });
    await first.waitFor();
    await openPart(page, 'files'); // From now on the workbench does not follow.
    server.release();
    await finished();
    await page.locator('[data-file="/index.html"]').waitFor();
    await first.waitFor();
    expect(await editorText()).not.toContain('typed');
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+End');
    await page.locator('.cm-line', { hasText: 'Line 80' }).waitFor();
  });

  it(
    'appear in the editor although the model falls silent right after their first lines',
    { tags: 'nightly' },
    async () => {
      const whole = commands(write('/index.html', lines(5).join('')));
      const end = whole.indexOf('Line 5');
      server.script([[streaming, text(whole.slice(0, 20)), text(whole.slice(20, end)), hold]]);
      await begin();
      await page.locator('.cm-line', { hasText: 'Line 4' }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.locator('[data-entry="paused"]').waitFor();
      await page.locator('.viewer').waitFor({ state: 'detached' });
      server.release();
    },
  );

  it(
    'disappear from the editor when the model is stopped before it has written them',
    { tags: 'nightly' },
    async () => {
      const whole = commands(write('/index.html', lines(5).join('')));
      server.script([[streaming, text(whole.slice(0, whole.indexOf('Line 5'))), hold]]);
      await begin();
      await page.locator('.cm-line', { hasText: 'Line 4' }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.locator('[data-entry="paused"]').waitFor();
      await page.locator('.viewer').waitFor({ state: 'detached' });
      server.release();
    },
  );

  it('have tabs, which mark unseen changes and close by button, middle click and keyboard', async () => {
    const paths = ['/a/index.html', '/b/index.html', '/style.css'];
    server.script([reply(commands(...paths.map((path) => write(path, `${path}\n`)))), END]);
    await begin();
    await finished();
    await openPart(page, 'files');
    await shownTab('/style.css').waitFor();
    expect(await names()).toEqual(['a/index.html', 'b/index.html', 'style.css']);
    await runCommand('echo more >> /a/index.html');
    await openPart(page, 'files');
    await expect.poll(names).toEqual(['a/index.html*', 'b/index.html', 'style.css']);
    await fileTab('/style.css').focus();
    await page.keyboard.press('Shift+Tab'); // The row has one tab stop.
    await page.keyboard.press('Tab');
    await page.locator('[data-file-tab="/style.css"]:focus').waitFor();
    await page.keyboard.press('Home');
    await page.locator('[data-file-tab="/a/index.html"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.cm-line', { hasText: 'more' }).waitFor();
    expect(await names()).toEqual(['a/index.html', 'b/index.html', 'style.css']);
    expect(await seriousIssues(page)).toEqual([]);

    await page.keyboard.press('Delete');
    await page.locator('[data-file-tab="/b/index.html"][aria-current="true"]:focus').waitFor();
    expect(await names()).toEqual(['index.html', 'style.css']);
    await fileTab('/style.css').click({ button: 'middle' });
    await expect.poll(names).toEqual(['index.html']);
    await page.getByRole('button', { name: 'Close /b/index.html' }).click();
    await page.locator('.viewer').waitFor({ state: 'detached' });
    expect(await page.locator('[data-file]').count()).toBe(3); // Only the tabs are closed.
    await page.locator('[data-file="/style.css"]').click();
    await shownTab('/style.css').waitFor();
    await runCommand('rm /style.css');
    await openPart(page, 'files');
    await page.locator('.viewer').waitFor({ state: 'detached' });
  });

  it(
    'have tabs that scroll: the shown one is in view, also on a phone, and the page is not wider',
    { tags: 'nightly' },
    async () => {
      const paths = Array.from({ length: 20 }, (_, index) => `/a-rather-long-file-name-${index + 1}.txt`);
      server.script([reply(commands(...paths.map((path) => write(path, `${path}\n`)))), END]);
      await begin();
      await finished();
      await openPart(page, 'files');
      await expect.poll(() => fileTabs().count()).toBe(12);
      const last = paths.at(-1) ?? '';
      await shownTab(last).waitFor();
      const inView = (path: string) =>
        fileTab(path).evaluate((tab) => {
          const [inner, outer] = [tab, tab.closest('.file-tabs')].map((each) =>
            each?.getBoundingClientRect(),
          );
          return (
            inner !== undefined &&
            outer !== undefined &&
            inner.left >= outer.left - 1 &&
            inner.right <= outer.right + 1
          );
        });
      await expect.poll(() => inView(last)).toBe(true);
      await page.setViewportSize({ width: 390, height: 844 });
      const tenth = paths[9] ?? '';
      await page.locator(`[data-file="${tenth}"]`).click();
      await shownTab(tenth).waitFor();
      await expect.poll(() => inView(tenth)).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
      expect(await seriousIssues(page)).toEqual([]);
    },
  );
});
