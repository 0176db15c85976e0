import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MORE } from '../../demo/state/more-tabs.js';
import { startFaultServer } from '../fault-server/fault-server.js';
import { hold, reply, streaming } from '../fault-server/replies.js';
import { longSession } from '../bench/long-session.js';
import { seriousIssues } from './demo/serious-issues.js';
import { useServedDemo } from './demo/served-demo.js';
import { startVisit, type Visit } from './demo/visit.js';
import { ask, confirmDeletion, connectModel, openPart } from './demo/visitor.js';

const demo = useServedDemo();
let visit: Visit;
let page: Page;

beforeEach(async () => {
  visit = await startVisit(demo.browser, { reducedMotion: 'reduce' });
  ({ page } = visit);
  await page.goto(demo.url);
});
afterEach(() => visit.end());

const failedCommands = () => page.locator('.command.failed').allTextContents();
const ready = () => page.locator('.status.ready').waitFor();

/** Scrubs to a step, counted from 1, of this number of steps. */
async function scrub(step: number, steps: number): Promise<void> {
  await openPart(page, 'timeline');
  await page
    .locator('.bars span')
    .nth(steps - 1)
    .waitFor();
  await page.getByRole('slider').fill(String(step - 1));
  await page.locator('.trace', { hasText: `Step ${step} of ${steps}` }).waitFor();
}

describe('the history', () => {
  it('a long conversation shows its end first, and loads older parts from the keyboard without moving the view', async () => {
    const name = 'A long talk · 2026-01-01 00:00:00';
    const document = await longSession(name, 260, 120);
    const file = {
      name: 'long.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(document)),
    };
    await page.locator('.file input').setInputFiles(file);
    const said = page.locator('main [data-entry="reply"]');
    await page.getByText('Number 129:').waitFor();
    await page.locator('.title .status', { hasText: 'Opening' }).waitFor({ state: 'detached' });
    const shown = await said.count();
    expect(shown).toBeGreaterThan(20);
    expect(shown).toBeLessThan(60); // of 129

    const older = page.locator('main [data-older]');
    await older.focus();
    const first = await said.first().textContent();
    const place = () =>
      said.filter({ hasText: first ?? '' }).evaluate((element) => element.getBoundingClientRect().top);
    const before = await place();
    await page.keyboard.press('Enter');
    await expect.poll(() => said.count()).toBeGreaterThan(shown);
    expect(Math.abs((await place()) - before)).toBeLessThan(60); // The button above it has moved up.
    await page
      .locator('[aria-live="polite"]', { hasText: /earlier entries are shown above/ })
      .waitFor({ state: 'attached' });
    await expect.poll(() => older.evaluate((button) => button.matches(':focus'))).toBe(true);
    await expect
      .poll(async () => {
        if ((await older.count()) > 0) await page.keyboard.press('Enter');
        return older.count();
      })
      .toBe(0);
    await page.locator('.log:focus').waitFor();
    const numbers = (await said.allTextContents()).flatMap((text) => /Number (\d+):/.exec(text)?.[1] ?? []);
    expect(numbers).toEqual(Array.from({ length: 129 }, (_, number) => String(number + 1)));
    await page.getByText('Talk at length.').first().waitFor();
    await openPart(page, 'timeline');
    await expect.poll(() => page.locator('.bars span').count()).toBe(130);
  });

  it('a team: the timeline shows the files after a step and its changes, and a fork from there has exactly these', async () => {
    await page.locator('[data-tour="work-as-a-team"]').click();
    await page.locator('[data-command="Editor.replace_text"]').waitFor();
    await ready();
    await openPart(page, 'timeline');
    const bars = page.locator('.bars span');
    await bars.nth(9).waitFor(); // They appear as they are read.
    const steps = await bars.count();
    const traces: string[] = [];
    for (let step = 1; step <= steps; step++) {
      await scrub(step, steps);
      traces.push((await page.locator('.trace').textContent()) ?? '');
    }
    const wrote = traces.findIndex((text) => /Alex[^]*Wrote/.test(text)) + 1;
    const repaired = traces.findIndex((text) => text.includes('Edited')) + 1;
    await scrub(repaired, steps);
    const past = page.locator('[data-past="/index.html"]');
    await past.getByText('written').waitFor();
    await page.locator('.viewer .cm-changedLine', { hasText: 'class="hours"' }).waitFor();
    await scrub(wrote, steps);
    await page.locator('.viewer .cm-line', { hasText: '<!doctype html>' }).waitFor();
    // The complete file is new. The viewer may still show the later version, which also has this line.
    await expect.poll(() => page.locator('.viewer .cm-changedLine').count()).toBe(0);
    const isLonger = () => document.documentElement.scrollHeight > innerHeight;
    expect(await page.evaluate(isLonger)).toBe(false); // Parts scroll, the page never does.

    await page.getByRole('button', { name: 'Fork from here' }).click();
    await page.getByRole('heading', { name: 'Fork of Work as a team' }).waitFor();
    await page.locator('[data-entry="paused"]').waitFor();
    expect(await failedCommands()).toEqual([]);
    await openPart(page, 'terminal');
    await page
      .getByLabel('Command', { exact: true })
      .fill('grep -c "p class" /index.html; grep -c Sourdough /index.html');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.shell .user pre').allTextContents()).toEqual(['0\n1']);
    await openPart(page, 'timeline');
    await expect.poll(() => page.locator('.bars span').count()).toBe(wrote);
    await openPart(page, 'team');
    await page.locator('.messages summary', { hasText: 'Mike → Alex' }).waitFor();
  });

  it(
    'a fork has the user’s files and does not ask again for permissions already granted',
    { tags: 'nightly' },
    async () => {
      await page.locator('[data-tour="find-and-fix"]').click();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.locator('[data-entry="finished"]').waitFor();
      await ready();
      await scrub(6, 7);
      await page.locator('.viewer .cm-changedLine', { hasText: 'return' }).waitFor();
      await page.getByRole('button', { name: 'Fork from here' }).click();
      await page.getByRole('heading', { name: 'Fork of Find and fix a bug' }).waitFor();
      await page.locator('[data-entry="paused"]').waitFor();
      expect(await failedCommands()).toEqual([]);
      await openPart(page, 'files');
      await page.locator('[data-file="/shop/cart.js"]').click();
      await page.locator('.cm-line', { hasText: 'return Math.round(' }).waitFor();
      await openPart(page, 'timeline');
      await expect.poll(() => page.locator('.bars span').count()).toBe(6);
    },
  );

  it(
    'older memories are archived to a file, and removed only after the user confirms that it is saved',
    { tags: 'nightly' },
    async () => {
      await page.locator('[data-tour="remember"]').click();
      await page.locator('[data-entry="finished"]').nth(2).waitFor();
      await ready();
      await openPart(page, 'memory');
      const memories = page.locator('[data-memory]');
      await memories.nth(1).waitFor();
      const ids = () => memories.evaluateAll((all) => all.map((one) => one.getAttribute('data-memory')));
      const before = await ids();
      const archive = async () => {
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Archive older memories' }).click();
        return JSON.parse(readFileSync(await (await download).path(), 'utf8')) as {
          format: string;
          items: { id: string }[];
        };
      };
      const refused = await archive();
      await confirmDeletion(page, 'Cancel');
      expect(refused.format).toBe('rolezero-memory');
      expect(refused.items).toHaveLength(Math.ceil(before.length / 2));
      expect(await ids()).toEqual(before);
      const saved = await archive();
      await confirmDeletion(page, 'Saved: delete them here');
      expect(saved).toEqual({ ...refused, items: saved.items });
      const gone = new Set(saved.items.map(({ id }) => id));
      await expect.poll(ids).toEqual(before.filter((id) => !gone.has(id ?? '')));
    },
  );

  it('every part is reachable by keyboard alone, without motion, and has no serious axe issues in either language', async () => {
    await page.locator('[data-tour="work-as-a-team"]').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-command="Editor.replace_text"]').waitFor();
    await ready();
    const parts = ['preview', 'files', 'terminal', ...MORE];
    const found: string[] = [];
    for (const language of ['en', 'zh']) {
      await page.locator('.foot .row button').first().focus();
      await page.keyboard.press('Enter');
      await page.locator('dialog[open] select').nth(1).selectOption(language);
      await page.waitForFunction((wanted) => document.documentElement.lang.startsWith(wanted), language);
      found.push(...(await seriousIssues(page)).map((issue) => `${language}, settings: ${issue}`));
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
      await page.locator('.plan summary').focus();
      if (language === 'en') await page.keyboard.press('Enter');
      await page.locator('.plan[open] summary:focus').waitFor();
      await page.locator('#tab-preview').focus();
      await page.keyboard.press('Home');
      for (const part of parts) {
        if (part === 'memory') {
          await page.locator('#tab-more[aria-selected="true"]:focus').waitFor();
          await page.keyboard.press('Tab');
          await page.keyboard.press('Home');
        }
        await page.locator(`#tab-${part}[aria-selected="true"]:focus`).waitFor();
        if (part === 'files') await page.locator('.cm-content').waitFor();
        if (part === 'timeline') await page.locator('.past').waitFor();
        if (language === 'en') {
          await page.keyboard.press('Tab');
          await page.locator('[role="tabpanel"]:focus-within').first().waitFor();
        } else found.push(...(await seriousIssues(page)).map((issue) => `${language}, ${part}: ${issue}`));
        await page.locator(`#tab-${part}`).focus();
        if (part !== parts.at(-1)) await page.keyboard.press('ArrowRight');
      }
    }
    expect(found).toEqual([]);
    const moving = await page.evaluate(
      () =>
        document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().duration) > 1).length,
    );
    expect(moving).toBe(0);
  });

  it('a completed step without a thought and without commands says so', { tags: 'nightly' }, async () => {
    const server = await startFaultServer();
    try {
      server.script([reply('```json\n[]\n```'), [streaming, hold]]);
      await connectModel(page, server.url);
      await ask(page, 'Do nothing');
      const step = page.locator('[data-entry="step"]');
      await step.getByText('contained no commands').waitFor();
      expect(await step.count()).toBe(1);
      expect(await page.locator('[data-entry]').last().getAttribute('data-entry')).toBe('step');
      await page.keyboard.press('Escape');
      await page.locator('[data-entry="paused"]').waitFor();
    } finally {
      await server.close();
    }
  });
});
