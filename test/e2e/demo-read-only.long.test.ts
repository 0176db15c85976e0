import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { seriousIssues } from './demo/serious-issues.js';
import { finished, page, question, REQUEST, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, confirmDeletion, connectModel, openPart } from './demo/visitor.js';

useDemo();

const READ_ONLY = 'Read-only: another tab has this session.';

/** Opens a finished session, and shows it read-only in another tab. */
async function viewer(): Promise<Page> {
  await page.goto(url);
  await connectModel(page, server.url);
  await ask(page, REQUEST);
  await question().getByRole('button', { name: '20' }).click();
  await finished();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('[data-entry="busy"]').waitFor();
  expect(await other.getByRole('button', { name: 'Export this session' }).isDisabled()).toBe(true);
  await other.getByRole('button', { name: 'Show read-only' }).click();
  await other.locator('[data-entry="finished"]').waitFor();
  return other;
}

/** Controls of the shown parts of the page that would change the session. */
async function writers(tab: Page, part: string): Promise<string[]> {
  await openPart(tab, part);
  await tab.locator(`#tab-${part}[aria-selected="true"]`).waitFor();
  const names = [
    ...['Undo', 'Delete this file', 'New file', 'Run', 'Edit', 'Pin', 'Forget'],
    ...['Archive older memories', 'Add note'],
  ];
  const counts = await Promise.all(
    names.map(async (name) => {
      const found = tab.locator('button, summary').filter({ hasText: new RegExp(`^\\s*${name}(:|\\s*$)`) });
      return (await found.count()) > 0 ? [name] : [];
    }),
  );
  return counts.flat();
}

async function drop(tab: Page): Promise<void> {
  await tab.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Dropped'], 'dropped.txt'));
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  });
}

it('offers nothing in a read-only tab that would change the session, and says why', async () => {
  const other = await viewer();
  for (const part of ['files', 'terminal', 'memory', 'timeline'])
    expect([part, await writers(other, part)]).toEqual([part, []]);
  for (const part of ['files', 'terminal', 'memory']) {
    await openPart(other, part);
    await other.locator('.work [data-read-only]', { hasText: READ_ONLY }).waitFor();
    expect(await seriousIssues(other)).toEqual([]);
  }
  await openPart(other, 'files');
  await other.locator('.cm-line', { hasText: 'Tip' }).first().click();
  await other.keyboard.type('typed');
  expect(await other.locator('.cm-content[aria-readonly="true"]').textContent()).not.toContain('typed');
  await drop(other);
  await other.locator('.notice.error', { hasText: READ_ONLY }).waitFor();
  await page.close();
  await other.getByLabel('Your request').waitFor(); // It can be changed now.
  expect(await writers(other, 'files')).toEqual(['Undo', 'Delete this file', 'New file']);
  await other.locator('.cm-line', { hasText: 'Tip' }).first().click();
  await other.keyboard.type('typed');
  await other.locator('.cm-line', { hasText: 'typed' }).waitFor();
});

it(
  'stays in a read-only session that cannot be deleted, and when another model is connected',
  { tags: 'nightly' },
  async () => {
    const other = await viewer();
    await other.locator('li:has([data-session]) button[title^="Delete"]').click();
    await confirmDeletion(other, 'Delete session');
    await other.locator('.notice', { hasText: 'Close it there, then delete it.' }).waitFor();
    await other.locator('[data-entry="viewing"]').waitFor();
    await connectModel(other, `${server.url}/other`);
    await other.locator('.status.ready').waitFor();
    await other.locator('[data-entry="viewing"]').waitFor();
    expect(await other.locator('[data-entry="busy"]').count()).toBe(0);
  },
);
