import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import {
  fileContent,
  finished,
  model,
  page,
  paused,
  pauseAt,
  question,
  REQUEST,
  server,
  url,
  useDemo,
} from './demo/tip-calculator.js';
import { ask, confirmDeletion, connectModel, openPart, previewShows } from './demo/visitor.js';

useDemo();

const tab = (name: string) => page.locator(`#tab-${name}[aria-selected="true"]`);
const field = () => page.getByLabel('Your request');

async function begin(): Promise<void> {
  await page.goto(url);
  await connectModel(page, server.url);
  await field().fill(REQUEST);
  await field().press('Enter');
}

/** Opens the session of the page read-only in another tab. */
async function viewer(): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Show read-only' }).click();
  await other.locator('[data-entry="viewing"]').waitFor();
  return other;
}

describe('the demo while the agent works', () => {
  it('sends with Enter, and breaks the line with Shift and Enter', async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await field().fill('Build');
    await field().press('Shift+Enter');
    await field().pressSequentially('a tip calculator');
    expect(await field().inputValue()).toBe('Build\na tip calculator');
    await field().press('Enter');
    await page.locator('[data-entry="request"]').waitFor();
    expect(await field().inputValue()).toBe('');
  });

  it(
    'shows the workbench with the first work, or when the user opens it, and remembers that for each session',
    { tags: 'nightly' },
    async () => {
      const show = page.getByRole('button', { name: 'Show workspace' });
      const hide = page.getByRole('button', { name: 'Hide workspace' });
      const widths = () =>
        page.evaluate(() => {
          const talk = document.querySelector('.talk')?.getBoundingClientRect().right ?? 0;
          const isShown = document.querySelector('.work')?.checkVisibility({ visibilityProperty: true });
          return [Math.round(talk), isShown];
        });
      const alone = [1440, false];
      server.script([reply('Hello.')], 'repeat');
      await page.goto(url);
      await connectModel(page, server.url);
      expect([await widths(), await show.count()]).toEqual([alone, 0]);
      await ask(page, 'Hi');
      await page.getByText('Hello.').waitFor();
      await page.locator('.status.ready').waitFor();
      expect(await widths()).toEqual(alone);
      expect(await seriousIssues(page)).toEqual([]);
      await page.reload();
      await show.focus();
      expect(await widths()).toEqual(alone);
      await page.keyboard.press('Enter');
      await hide.waitFor();
      await page.locator('#tab-files').waitFor();
      expect((await widths())[0]).toBeLessThan(1000);
      expect(await hide.evaluate((button) => button === document.activeElement)).toBe(true);
      await page.reload();
      await page.locator('#tab-terminal').click();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('hide workspace');
      await page.keyboard.press('Enter');
      await expect.poll(widths).toEqual(alone);
      await page.locator('rolezero-chat:focus').waitFor(); // The focus was in the workbench.

      // The first work opens it in another session, while the user types.
      pauseAt(2);
      server.script([model], 'repeat');
      await page.getByRole('button', { name: 'New session' }).click();
      await ask(page, REQUEST);
      await page.locator('[data-entry="request"]').waitFor();
      await field().fill('And then');
      await page.locator('#tab-files').waitFor();
      await field().pressSequentially(' more');
      expect(await field().inputValue()).toBe('And then more');
      await page.locator('[data-session]', { hasText: 'Hi' }).click();
      await page.getByText('Hello.').waitFor();
      expect(await widths()).toEqual(alone);
      await page.locator('[data-session]', { hasText: REQUEST }).click();
      await page.locator('#tab-files').waitFor();
    },
  );

  it('moves the workbench, unless the user wants less motion', { tags: 'nightly' }, async () => {
    await page.addInitScript(() => {
      const start = document.startViewTransition.bind(document);
      let count = 0;
      document.startViewTransition = (paint) => {
        document.documentElement.dataset['transitions'] = String(++count);
        return start(paint);
      };
    });
    const transitions = () => page.evaluate(() => document.documentElement.dataset['transitions'] ?? '0');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(url);
    await page.locator('[data-template="quiz"]').click();
    await page.locator('#tab-preview[aria-selected="true"]').waitFor();
    expect(await transitions()).toBe('0');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.getByRole('button', { name: 'Hide workspace' }).click();
    await page.locator('#tab-preview').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Show workspace' }).click();
    await page.locator('#tab-preview').waitFor();
    expect(await transitions()).toBe('2');
  });

  it('keeps the text in the field for each session through a reload, until it is sent or its session is deleted', async () => {
    server.script([reply(commands(['end', {}]))], 'repeat');
    const holds = (text: string) => expect.poll(() => field().inputValue()).toBe(text);
    const show = (name: string) => page.locator('[data-session]', { hasText: name }).click();
    await page.goto(url);
    await connectModel(page, server.url);
    await field().fill('Sent');
    await page.reload();
    await holds('Sent');
    await field().press('Enter');
    await finished();
    await page.reload();
    await finished();
    await holds('');
    await field().fill('For the session');
    await page.getByRole('button', { name: 'New session' }).click();
    await holds('');
    await field().fill('For a new one');
    await show('Sent');
    await holds('For the session');
    await page.reload();
    await holds('For the session');
    await page.getByRole('button', { name: 'Delete Sent' }).click();
    await confirmDeletion(page, 'Delete session');
    await page.locator('[data-session]', { hasText: 'Sent' }).waitFor({ state: 'detached' });
    await holds('For a new one');
    await page.reload();
    await holds('For a new one');
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('For the session');
  });

  it(
    'sends a request that is entered while its session is being opened to this session',
    { tags: 'nightly' },
    async () => {
      server.script([reply(commands(['end', {}]))], 'repeat');
      await page.goto(url);
      await connectModel(page, server.url);
      await field().fill('First');
      await field().press('Enter');
      await finished();
      await page.addInitScript(() => {
        if (window.top !== window) return;
        const timer = setInterval(() => {
          const chat = document.querySelector('rolezero-chat')?.shadowRoot?.querySelector('textarea');
          if (!chat) return;
          clearInterval(timer);
          chat.value = 'At once';
          chat.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
        }, 1);
      });
      await page.reload();
      await page.locator('[data-entry="finished"]').nth(1).waitFor();
      expect(await page.locator('[data-session] .name').allTextContents()).toEqual(['First']);
      expect(await page.locator('.request-text').allTextContents()).toEqual(['First', 'At once']);
    },
  );

  it('does at a double click what it does at one', { tags: 'nightly' }, async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await page.getByRole('button', { name: 'Memory game' }).dblclick();
    await question().getByRole('button', { name: '20' }).dblclick();
    await finished();
    await page.locator('[data-undo]').last().dblclick();
    await page.locator('.aside.undo').waitFor();
    expect(await page.locator('.notice.error').count()).toBe(0);
    expect(await page.locator('[data-session]').count()).toBe(1);
  });

  it('shows steps in words, and JSON only where it is opened', async () => {
    await begin();
    await question().waitFor();
    const rows = page.locator('.command summary');
    await rows.filter({ hasText: 'Planned Write the page' }).first().waitFor();
    await rows.filter({ hasText: 'Wrote /tip/index.html +3' }).waitFor();
    expect(await page.locator('rolezero-chat .log').innerText()).not.toContain('command_name');
    const written = page.locator('.command', { hasText: 'Wrote' });
    expect(await written.innerText()).not.toContain('Editor.write');
    await rows.filter({ hasText: 'Wrote' }).click();
    expect(await written.innerText()).toContain('Editor.write');
  });

  it('shows the plan above the conversation as one line, which opens as a checklist', async () => {
    await begin();
    await question().waitFor();
    const line = page.locator('.plan summary');
    const words = (text: string | null) => text?.replace(/\s+/g, ' ').trim();
    expect(words(await line.textContent())).toBe('Plan: 1 of 2 · In progress: Set the tip');
    const tasks = page.getByRole('list', { name: 'Plan' }).getByRole('listitem');
    expect(await tasks.count()).toBe(0); // Folded.
    await line.focus();
    await page.keyboard.press('Enter');
    await tasks.nth(1).waitFor();
    expect((await tasks.allTextContents()).map(words)).toEqual([
      '1. Write the page Done',
      '2. Set the tip In progress · after 1',
    ]);
    const issues = async (variant: string) =>
      (await seriousIssues(page)).map((issue) => `${variant}: ${issue}`);
    const found = await issues('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    found.push(...(await issues('dark')));
    await page.setViewportSize({ width: 390, height: 844 });
    await tasks.nth(1).waitFor();
    found.push(...(await issues('phone')));
    expect(found).toEqual([]);
    await question().getByRole('button', { name: '20' }).click();
    await finished();
    await expect.poll(async () => words(await line.textContent())).toBe('Plan: 2 of 2 · All tasks are done');
  });

  it(
    'follows the work from the files to the page, unless the user looks at another part',
    { tags: 'nightly' },
    async () => {
      await begin();
      await question().waitFor();
      await tab('files').waitFor(); // It wrote the page before it asked.
      await question().getByRole('button', { name: '20' }).click();
      await finished();
      await tab('preview').waitFor();
      await previewShows(page, 'Tip: 20 %');
      await page.getByRole('button', { name: 'New session' }).click();
      await field().fill(REQUEST);
      await field().press('Enter');
      await question().waitFor();
      await openPart(page, 'memory');
      await question().getByRole('button', { name: '15' }).click();
      await finished();
      await tab('memory').waitFor();
    },
  );

  it(
    'shows the files in the preview as they are, after undo and after an edit',
    { tags: 'nightly' },
    async () => {
      await begin();
      await question().waitFor();
      await question().getByRole('button', { name: '20' }).click();
      await finished();
      await previewShows(page, 'Tip: 20 %');
      await page.locator('[data-undo]').last().click(); // The step that changed the tip.
      await previewShows(page, 'Tip: 10 %');
      await openPart(page, 'files');
      await page.locator('[data-file="/tip/index.html"]').click();
      await page.locator('.cm-line', { hasText: '<title>' }).click();
      await page.keyboard.press('End');
      await page.keyboard.type('<p>Typed</p>');
      await openPart(page, 'preview');
      await previewShows(page, 'Typed');
    },
  );

  it('shows a session of another tab read-only, or continues it here', async () => {
    await begin();
    await question().waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator('[data-entry="busy"]').waitFor();
    expect(await other.locator('[data-session]').count()).toBe(1);
    await other.getByRole('button', { name: 'Show read-only' }).click();
    await other.locator('[data-entry="viewing"]').waitFor();
    await other.getByRole('group', { name: 'How large a tip?' }).waitFor();
    await other.getByRole('button', { name: 'Continue here' }).click();
    await other.getByLabel('Your request').waitFor();
    await page.locator('[data-entry="busy"]').waitFor();
    await other.getByRole('group', { name: 'How large a tip?' }).getByRole('button', { name: '15' }).click();
    await other.locator('[data-entry="finished"]').waitFor();
  });

  it('continues a run whose question was answered in a read-only tab after the run had ended', async () => {
    await begin();
    await question().waitFor();
    await page.reload();
    await question().waitFor();
    const other = await viewer();
    const asked = other.getByRole('group', { name: 'How large a tip?' });
    await asked.getByRole('button', { name: '20' }).click();
    await question().waitFor({ state: 'detached' });
    await asked.waitFor({ state: 'detached' });
    await paused().getByRole('button', { name: 'Continue' }).click();
    await finished();
    await other.locator('[data-entry="finished"]').waitFor();
    expect(await other.locator('.notice.error, [data-entry="busy"]').count()).toBe(0);
    await other.locator('[data-entry="viewing"]').waitFor();
  });

  it(
    'stops a run in a read-only tab, which offers to continue only when the other tab is closed',
    { tags: 'nightly' },
    async () => {
      pauseAt(3);
      await begin();
      await question().getByRole('button', { name: '20' }).click();
      await page.locator('rolezero-chat .live').waitFor();
      const other = await viewer();
      await other.locator('[data-entry="viewing"]').getByRole('button', { name: 'Stop' }).click();
      await paused().getByRole('button', { name: 'Continue' }).waitFor();
      await other.locator('.status.ready').waitFor();
      expect(await other.locator('[data-entry="paused"]').count()).toBe(0); // It could not continue.
      await page.close();
      pauseAt(null);
      await other.locator('[data-entry="paused"]').getByRole('button', { name: 'Continue' }).click();
      await other.locator('[data-entry="finished"]').waitFor();
      await other.locator('.reply', { hasText: 'The calculator is ready, with 20 %.' }).waitFor();
    },
  );
});

describe('a changed request in the demo', () => {
  it('takes files and conversation back, and the version before returns with both', async () => {
    const write = (content: string) =>
      reply(
        commands(
          ['Editor.write', { path: '/note.html', content: `<p>${content}</p>` }],
          ['RoleZero.reply_to_human', { content: `Wrote ${content}.` }],
          ['end', {}],
        ),
      );
    const idle = () => page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    const wrote = (content: string) => page.getByText(`Wrote ${content}.`);
    server.script([write('one'), write('two'), write('three')]);
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, 'Write one');
    await wrote('one').first().waitFor();
    await finished();
    await ask(page, 'Write two');
    await wrote('two').first().waitFor();
    await idle();
    const request = page.locator('rolezero-chat .asked').nth(1);
    await request.hover();
    await request.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Edit' }).fill('Write three');
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await wrote('three').first().waitFor();
    await idle();
    expect(await fileContent('/note.html')).toBe('<p>three</p>');
    expect(await wrote('two').count()).toBe(0);
    await openPart(page, 'preview');
    await previewShows(page, 'three');
    await page.getByRole('button', { name: '1 file changed' }).last().click();
    await page.locator('rolezero-chat [part="diff"]').waitFor();
    await page.getByRole('button', { name: 'Version before' }).click();
    await wrote('two').first().waitFor();
    await previewShows(page, 'two');
    await page.locator('rolezero-chat [part="diff"]').waitFor({ state: 'detached' });
    expect(await page.getByText('Unknown file change').count()).toBe(0);
    await expect.poll(() => fileContent('/note.html')).toBe('<p>two</p>');
    expect(await seriousIssues(page)).toEqual([]);
    await page.reload();
    await wrote('two').first().waitFor();
    expect(await page.locator('rolezero-chat [part="version"]').innerText()).toBe('1/2');
  });
});
