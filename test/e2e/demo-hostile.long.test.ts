import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFaultServer } from '../fault-server/fault-server.js';
import { drop, reply, streaming, text } from '../fault-server/replies.js';
import { longSession } from '../bench/long-session.js';
import { commands } from '../../src/testing/index.js';
import { useServedDemo } from './demo/served-demo.js';
import { startVisit, type Visit } from './demo/visit.js';
import { ask, connectModel, openPart } from './demo/visitor.js';

const demo = useServedDemo();
let visit: Visit;
let page: Page;

beforeEach(async () => {
  visit = await startVisit(demo.browser, { reducedMotion: 'reduce' });
  ({ page } = visit);
  await page.goto(demo.url);
});
afterEach(() => visit.end());

const notice = () => page.locator('.notice.error');
const ready = () => page.locator('.status.ready').waitFor();
/** Approves each question until the run ends. */
async function approveAll(): Promise<void> {
  const question = page.locator('form.question');
  const end = page.locator('[data-entry="finished"]');
  await question.or(end).first().waitFor();
  while (!(await end.isVisible())) {
    const id = await question.getAttribute('data-question');
    await question.getByRole('button', { name: 'Approve' }).click();
    // The answered question is shown until the worker has taken the answer.
    await page.locator(`form[data-question="${id}"]`).waitFor({ state: 'detached' });
    await question.or(end).first().waitFor();
  }
}
const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

/** Drops files on the page with the browser's events. */
async function dropFiles(files: readonly { name: string; bytes: number[] | number }[]): Promise<void> {
  await page.evaluate((given) => {
    const data = new DataTransfer();
    for (const { name, bytes } of given)
      data.items.add(
        new File([typeof bytes === 'number' ? new Uint8Array(bytes) : new Uint8Array(bytes)], name),
      );
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
      );
  }, files);
}

async function importText(content: string, name = 'session.json'): Promise<void> {
  await page
    .locator('.file input')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
}

describe('a hostile user', () => {
  it('clicks twice, faster than sessions open: one session is open and works', async () => {
    await page.locator('[data-tour="remember"]').dblclick();
    await page.locator('[data-entry="finished"]').nth(2).waitFor();
    await ready();
    expect(await notice().count()).toBe(0);
    expect(await page.locator('[data-session]').count()).toBe(1);
    for (let i = 0; i < 4; i++) {
      await page.locator('button.new').click();
      await page.locator('[data-session]').last().click();
    }
    await page.locator('[data-entry="finished"]').nth(2).waitFor();
    await ready();
    await openPart(page, 'timeline');
    await page.getByRole('button', { name: 'Fork from here' }).dblclick();
    await page.getByRole('heading', { name: 'Fork of Remember' }).waitFor();
    await ready();
    expect(await page.locator('[data-session]').count()).toBe(2);
    await page.locator('[data-entry="finished"]').nth(2).waitFor(); // The newest step has all files.
    expect(await notice().count()).toBe(0);
  });

  it('imports invalid sessions: each is rejected with a message and leaves nothing behind', async () => {
    const record = { table: 'files', key: '/a', value: 7 };
    const session = { format: 'rolezero-session', version: 1, name: 'x', createdAt: 1, records: [] };
    for (const content of [
      '',
      'not JSON',
      'null',
      '[]',
      '{"name":"x"}',
      JSON.stringify({ ...session, version: 99 }),
      JSON.stringify({ ...session, records: 'many' }),
      JSON.stringify({ ...session, records: [record, null] }),
      '{"name":"x","__proto__":{"format":"rolezero-session"}}',
      '['.repeat(100_000),
    ]) {
      await page.locator('button.new').click();
      await notice().waitFor({ state: 'detached' });
      await importText(content);
      await notice().waitFor();
      expect(await notice().textContent(), content.slice(0, 60)).not.toContain('internal');
    }
    expect(await page.locator('[data-session]').count()).toBe(0);
  });

  it(
    'gives sessions long, right-to-left and emoji names on the smallest screen: no name overflows',
    { tags: 'nightly' },
    async () => {
      const names = [
        'x'.repeat(170),
        'مرحبا بالعالم '.repeat(8),
        '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(9),
        '<img src=x onerror=alert(1)>',
        '../../etc',
      ];
      const document = await longSession('one', 4, 120);
      for (const name of names) {
        await importText(JSON.stringify({ ...document, name: `${name} · 2026-01-01 00:00:00` }));
        await page.locator('[data-entry="request"]').waitFor();
        await page.locator('.title .status', { hasText: 'Opening' }).waitFor({ state: 'detached' });
      }
      await expect.poll(() => page.locator('[data-session]').count()).toBe(names.length);
      for (const width of [1440, 720, 320]) {
        await page.setViewportSize({ width, height: 560 });
        for (const pane of ['Chat', 'Workspace', 'Sessions']) {
          const button = page.locator('.panes').getByRole('button', { name: pane });
          if (await button.isVisible()) await button.click();
          expect(await isWider(), `${width}, ${pane}`).toBe(false);
        }
        const cut = await page
          .locator('.sessions .name')
          .evaluateAll(
            (all) => all.filter((name) => getComputedStyle(name).textOverflow !== 'ellipsis').length,
          );
        expect(cut).toBe(0);
        const talk = page.locator('.panes').getByRole('button', { name: 'Chat' });
        if (await talk.isVisible()) await talk.click();
        // Every control that a user needs is completely visible.
        for (const place of ['.composer [part="send"]', '.title .status']) {
          await expect
            .poll(
              async () => {
                const { x, width: wide } = (await page.locator(place).boundingBox()) ?? { x: -1, width: 0 };
                return x >= 0 && x + wide <= width;
              },
              { message: `${place} at ${width}` },
            )
            .toBe(true);
        }
      }
    },
  );

  it(
    'drops odd files: they become files of the session, none is opened in the wrong viewer, and a fork has the same bytes',
    { tags: 'nightly' },
    async () => {
      await dropFiles([{ name: 'a.txt', bytes: [97] }]);
      await notice().getByText('Start or open a session first').waitFor();
      await page.locator('[data-tour="find-and-fix"]').click();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      const bytes = Array.from({ length: 256 }, (_, byte) => byte);
      await dropFiles([
        { name: 'all bytes.bin', bytes },
        { name: 'leer.txt', bytes: [] },
        { name: '文件 🙂.md', bytes: [35, 32, 104] },
      ]);
      await page.locator('[data-file="/all bytes.bin"]').click();
      await page.locator('.cm-line', { hasText: 'This file is not text.' }).waitFor();
      await page.locator('[data-file="/文件 🙂.md"]').click();
      await page.locator('.cm-line', { hasText: '# h' }).waitFor();
      await dropFiles([{ name: 'large.bin', bytes: 9 * 1024 * 1024 }]);
      await notice().getByText('bytes in one file').waitFor();
      // Dropped files are untrusted, so that the agent also asks before it changes the other files.
      await approveAll();
      await ready();
      await openPart(page, 'timeline');
      await page.getByRole('slider').fill('4');
      await page.locator('.trace', { hasText: 'Step 5 of 7' }).waitFor();
      await page.getByRole('button', { name: 'Fork from here' }).click();
      await page.getByRole('heading', { name: 'Fork of Find and fix a bug' }).waitFor();
      await page.locator('[data-entry="paused"]').waitFor();
      await openPart(page, 'files');
      await page.locator('[data-file="/all bytes.bin"]').click();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save this file to disk' }).click();
      const chunks: Buffer[] = [];
      for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
      expect([...Buffer.concat(chunks)]).toEqual(bytes);
    },
  );

  it('pastes a megabyte, opens the session in a second tab, and loses the server in the middle of an answer', async () => {
    const server = await startFaultServer();
    try {
      const cut = [streaming, text('I am about to say'), drop];
      // The reply breaks off at every retry.
      server.script([cut], 'repeat');
      await connectModel(page, server.url);
      const much = 'word '.repeat(200_000);
      await page.getByLabel('Your request').fill(much);
      expect(await isWider()).toBe(false);
      await page.getByLabel('Your request').fill('');
      await ask(page, 'Say it');
      await page.locator('[data-entry="paused"]').waitFor();
      await notice().first().waitFor();
      const second = await visit.context.newPage();
      await second.goto(page.url());
      await second.locator('[data-entry="busy"]').waitFor();
      await second.close();
      server.script([
        reply(commands(['RoleZero.reply_to_human', { content: 'Here it is.' }], ['end', {}])),
        reply('All is said.'),
      ]);
      await page.locator('button.continue').click();
      await page.locator('.reply', { hasText: 'Here it is.' }).waitFor();
      await page.locator('[data-entry="finished"]').waitFor();
      await ready();
    } finally {
      await server.close();
    }
  });
});
