/** @module-tag nightly */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { reply } from '../fault-server/replies.js';
import { finished, page, server, url, useDemo } from './demo/tip-calculator.js';
import { ask, connectModel } from './demo/visitor.js';

useDemo();

const COUNT = 24;
const nameOf = (number: number) => `Session ${number} · 2026-01-01 10:00:00.000`;
const session = (number: number) => page.locator(`[data-session="${nameOf(number)}"]`);
const opened = (number: number) => page.locator(`[data-session="${nameOf(number)}"][aria-current="true"]`);
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-session'));

/** Imports sessions, the last of which is open. */
beforeEach(async () => {
  server.script([reply(commands(['end', {}]))], 'repeat');
  await page.goto(url);
  await connectModel(page, server.url);
  await ask(page, 'First');
  await finished();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export this session' }).click();
  const exported = JSON.parse(readFileSync(await (await downloading).path(), 'utf8')) as object;
  for (let number = 1; number <= COUNT; number++) {
    const buffer = Buffer.from(JSON.stringify({ ...exported, name: nameOf(number) }));
    const file = { name: 'session.json', mimeType: 'application/json', buffer };
    await page.getByLabel('Import sessions').setInputFiles(file);
    await opened(number).waitFor();
    await page.locator('.status.ready').waitFor();
  }
  await page.setViewportSize({ width: 1440, height: 600 });
});

describe('a long list of sessions', () => {
  it('shows the open one after a reload', async () => {
    await session(1).click();
    await opened(1).waitFor(); // The session before is closed first, and is ready until then.
    await page.locator('.status.ready').waitFor();
    await page.reload();
    await expect
      .poll(() =>
        session(1).evaluate((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          const list = row.closest('ul')?.getBoundingClientRect();
          return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1;
        }),
      )
      .toBe(true);
  });

  it('has its rows in reach of arrow keys, Home and End', async () => {
    await session(COUNT).focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(nameOf(COUNT - 1));
    await page.keyboard.press('End');
    const last = await page.locator('[data-session]').last().getAttribute('data-session');
    expect(await focused()).toBe(last);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(last);
    await page.keyboard.press('Home');
    expect(await focused()).toBe(nameOf(COUNT));
  });

  it('leaves the focus on a session when another one moves to the top', async () => {
    await session(5).click();
    await opened(5).waitFor(); // The session before is closed first, and is ready until then.
    await page.locator('.status.ready').waitFor();
    await session(9).focus();
    await page.locator('rolezero-chat textarea').evaluate((field: HTMLTextAreaElement) => {
      field.value = 'More';
      field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
      field.form?.requestSubmit();
    });
    await expect
      .poll(() => page.locator('[data-session]').first().getAttribute('data-session'))
      .toBe(nameOf(5));
    expect(await focused()).toBe(nameOf(9));
  });
});
