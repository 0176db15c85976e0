import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import { fileContent, files, finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel, openPart } from './demo/visitor.js';

useDemo();

const write = (path: string) => ['Editor.write', { path, content: `Content of ${path}\n` }] as const;
const END = ['end', {}] as const;

const question = () => page.locator('dialog.confirm[open]');
const sessionNames = () => page.locator('[data-session] .name').allTextContents();
const deleteButton = (title: string) => page.getByRole('button', { name: `Delete ${title}`, exact: true });
const focused = (place: Locator) =>
  expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true);

/** Creates sessions whose only work is one file for each path. */
async function begin(requests: readonly string[], paths: readonly string[] = []): Promise<void> {
  server.script([reply(commands(...paths.map(write), END))], 'repeat');
  await page.goto(url);
  await connectModel(page, server.url);
  for (const request of requests) {
    await page.getByRole('button', { name: 'New session' }).click();
    await ask(page, request);
    await finished();
  }
}

describe('a deletion', () => {
  it('of everything leaves nothing in the browser, and an export of all sessions brings them back', async () => {
    await begin(['One', 'Two'], ['/a.txt']);
    await page.evaluate(() => localStorage.setItem('rolezero-demo:preferences', '{"theme":"dark"}'));
    await page.getByRole('button', { name: 'Settings' }).click();
    const section = page.getByRole('region', { name: 'Storage' });
    await section.getByText('2 sessions').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    const saving = page.waitForEvent('download');
    await section.getByRole('button', { name: 'Export all sessions' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/^RoleZero \d{4}-\d\d-\d\d\.zip$/);
    const archive = {
      name: 'all.zip',
      mimeType: 'application/zip',
      buffer: await readFile(await saved.path()),
    };
    await section.getByRole('button', { name: 'Delete everything' }).click();
    await page.getByRole('alertdialog', { name: 'Delete everything?' }).waitFor();
    await question().getByRole('button', { name: 'Cancel' }).click();
    expect(await sessionNames()).toEqual(['Two', 'One']);
    await section.getByRole('button', { name: 'Delete everything' }).click();
    const loaded = page.waitForEvent('load');
    await question().getByRole('button', { name: 'Delete everything' }).click();
    await loaded;
    await page.locator('[data-tour]').first().waitFor();
    expect(await sessionNames()).toEqual([]);
    const stored = await page.evaluate(() => Object.keys(localStorage));
    expect(stored.filter((key) => !key.endsWith(':tour-speed'))).toEqual([]); // The test sets the speed.

    await page.getByLabel('Import sessions').setInputFiles(archive);
    await expect.poll(async () => (await sessionNames()).toSorted()).toEqual(['One', 'Two']);
    await page.locator('[data-session]', { hasText: 'Two' }).click();
    await page.locator('[data-entry="finished"]').waitFor();
    expect(await fileContent('/a.txt')).toBe('Content of /a.txt\n');
  });

  it('of a session says what is lost, begins at the safe button, and leaves the focus beside it', async () => {
    await begin(['One', 'Two', 'Three']);
    await expect.poll(sessionNames).toEqual(['Three', 'Two', 'One']);
    await deleteButton('Two').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: 'Delete this session?' }).waitFor();
    expect(await question().locator('#confirm-text').innerText()).toMatch(
      /^Two\s+Its conversation, files, memories and notes are deleted/,
    );
    await focused(question().getByRole('button', { name: 'Cancel' }));
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found.push(...(await seriousIssues(page)));
    }
    expect(found).toEqual([]);
    await page.keyboard.press('Enter'); // Cancel.
    await question().waitFor({ state: 'detached' });
    await focused(deleteButton('Two'));
    await page.keyboard.press('Enter');
    await question().waitFor();
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    expect(await sessionNames()).toEqual(['Three', 'Two', 'One']);

    await page.keyboard.press('Enter');
    await question().getByRole('button', { name: 'Delete session' }).press('Enter');
    await expect.poll(sessionNames).toEqual(['Three', 'One']);
    await focused(deleteButton('One'));
    await expect.poll(() => page.locator('[aria-live="polite"].sr').textContent()).toBe('Deleted.');
    await page.reload();
    await expect.poll(sessionNames).toEqual(['Three', 'One']);
  });

  it(
    'of the open session, at a double click, asks once and shows the start page',
    { tags: 'nightly' },
    async () => {
      await begin(['Open']);
      await deleteButton('Open').dblclick();
      await question().getByRole('button', { name: 'Delete session' }).click();
      await page.locator('.welcome').waitFor();
      await expect.poll(sessionNames).toEqual([]);
      expect(await question().count()).toBe(0);
    },
  );

  it(
    'of a session that another tab has open is refused, and changes neither session',
    { tags: 'nightly' },
    async () => {
      await begin(['Mine', 'Shared']);
      const other = await page.context().newPage();
      await other.goto(url);
      await other.locator('[data-session]', { hasText: 'Mine' }).click();
      await other.locator('[data-entry="finished"]').waitFor();
      await deleteButton('Mine').click();
      await question().getByRole('button', { name: 'Delete session' }).click();
      await page.locator('.notice', { hasText: 'Close it there, then delete it.' }).waitFor();
      expect(await page.locator('[data-entry="busy"]').count()).toBe(0);
      expect(await page.getByLabel('Your request').count()).toBe(1);
      expect(await sessionNames()).toEqual(['Shared', 'Mine']);
    },
  );

  it('of a file is undone with one click; a double click deletes one file only', async () => {
    await begin(['Files'], ['/a.txt', '/b.txt']);
    await openPart(page, 'files');
    await page.locator('[data-file="/a.txt"]').click();
    await page.locator('.viewer .path', { hasText: '/a.txt' }).waitFor();
    await page.getByRole('button', { name: 'Delete this file' }).dblclick();
    await page.locator('.deleted-file', { hasText: 'Deleted: /a.txt' }).waitFor();
    const undo = page.locator('.deleted-file').getByRole('button', { name: 'Undo' });
    await focused(undo);
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.locator('[data-file]').count()).toBe(1);
    await undo.press('Enter');
    await focused(page.locator('[data-file="/a.txt"]'));
    expect(await files()).toEqual(['/a.txt', '/b.txt']);
    expect(await page.locator('.deleted-file').count()).toBe(0);
    expect(await fileContent('/a.txt')).toBe('Content of /a.txt\n');
  });
});
