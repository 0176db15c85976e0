import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { editorText, finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel, openPart } from './demo/visitor.js';

useDemo();

const END = reply(commands(['RoleZero.reply_to_human', { content: 'Written.' }], ['end', {}]));
const edit = (old: string, text: string) =>
  reply(commands(['Editor.replace_text', { path: '/notes.txt', old, new: text }]));
const text = async () => {
  await openPart(page, 'files');
  return editorText();
};

/** The agent writes a file and changes a line, which the user then changes, too. */
async function changedByBoth(): Promise<void> {
  server.script([
    reply(commands(['Editor.write', { path: '/notes.txt', content: 'first\nsecond\n' }])),
    edit('second', 'changed'),
    END,
  ]);
  await page.goto(url);
  await connectModel(page, server.url);
  await ask(page, 'Write it');
  await finished();
  await openPart(page, 'files');
  await page.locator('[data-file="/notes.txt"]').click();
  await page.locator('.cm-line', { hasText: 'changed' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' by me');
  await expect.poll(text).toContain('changed by me');
}

describe('undo of a step in the demo', () => {
  it('asks what to do where the user has changed the same line, and keeps that version', async () => {
    await changedByBoth();
    await page.locator('[data-undo]').last().click();
    const keep = page.getByRole('button', { name: 'Keep my version' });
    await keep.waitFor();
    expect(await page.locator('rolezero-chat').getByText('You have changed this since then').count()).toBe(1);
    await keep.click();
    await keep.waitFor({ state: 'detached' });
    expect(await text()).toContain('changed by me');
  });

  it('discards the changes of the user where they choose that; redo repeats the step', async () => {
    await changedByBoth();
    await page.locator('[data-undo]').last().click();
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await expect.poll(text).toMatch(/^first\nsecond/);
    await page.locator('[data-redo]').last().click();
    await expect.poll(text).toMatch(/^first\nchanged/);
  });
});
