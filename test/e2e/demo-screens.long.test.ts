import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/testing/index.js';
import { json, refusal, reply } from '../fault-server/replies.js';
import { seriousIssues } from './demo/serious-issues.js';
import {
  finished,
  model,
  page,
  pauseAt,
  question,
  REQUEST,
  server,
  url,
  useDemo,
} from './demo/tip-calculator.js';
import { ask, connectModel, fillServer, openPart, previewShows } from './demo/visitor.js';
import { firstOf } from '../size.js';

useDemo();

const PHONE = { width: 390, height: 844 };
const LANDSCAPE = { width: 844, height: 390 };
const TABLET = { width: 820, height: 1180 };
/** Each language in one color scheme: a language changes no color, and a scheme no text. */
const LOOKS = [
  ['en', 'light'],
  ['zh', 'dark'],
] as const;
const CARDS = ['here', 'server', 'key'];

/** Opens the page in one language. */
async function open(language: 'en' | 'zh'): Promise<void> {
  await page.addInitScript((chosen) => {
    if (window.top === window && localStorage.getItem('rolezero-demo:preferences') === null)
      localStorage.setItem('rolezero-demo:preferences', JSON.stringify({ language: chosen }));
  }, language);
  await page.goto(url);
  await page.waitForFunction((wanted) => document.documentElement.lang.startsWith(wanted), language);
}

/** Looks at the dialog with each group of models. */
async function lookAtModels(look: (where: string) => Promise<unknown>): Promise<void> {
  await page.locator('button.model').click();
  for (const card of CARDS) {
    await openCard(card);
    await look(card);
  }
}

async function openCard(card: string): Promise<void> {
  await page.locator(`[data-card="${card}"]`).click();
  await page.locator(`[data-card="${card}"][aria-pressed="true"]`).waitFor();
  if (card === 'server') await page.locator('#model-card [data-start]').first().waitFor();
}

/** Names of visible controls that are too small for a finger. */
function smallControls(): Promise<string[]> {
  return page
    .locator('button, select, summary, a[href], input:not([type="checkbox"], [type="range"], [type="file"])')
    .evaluateAll((controls) =>
      controls.flatMap((control) => {
        const { width, height } = control.getBoundingClientRect();
        const isShown = control.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1;
        const isOther = control.matches('p a, .skip'); // Links in text, and one for keyboards.
        if (!isShown || isOther || (width >= 39.5 && height >= 39.5)) return [];
        return [`${control.outerHTML.slice(0, 90)}: ${Math.round(width)} × ${Math.round(height)}`];
      }),
    );
}

/** Bars, fields and cards of the page that overlap each other, or that are not whole in the view. */
function misplacedParts(): Promise<string[]> {
  return page
    .locator('header.title, .plan, .composer, .tabs, .panes, .question, dialog[open], .log')
    .evaluateAll((parts) => {
      const isShown = (part: Element) => part.checkVisibility({ visibilityProperty: true });
      const modal = parts.find((part) => part.matches('dialog'));
      const shown = (modal === undefined ? parts : [modal]).filter(isShown);
      const nameOf = (part: Element) => part.className || part.tagName.toLowerCase();
      const textOf = ({ left, top, right, bottom }: DOMRect) =>
        [left, top, right, bottom].map(Math.round).join(', ');
      return shown.flatMap((part, index) => {
        const box = part.getBoundingClientRect();
        const isOutside =
          box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
        const overlapped = shown.slice(index + 1).filter((other) => {
          if (part.matches('.log, .question') && other.matches('.log, .question')) return false; // The log has the question.
          const { left, top, right, bottom } = other.getBoundingClientRect();
          const isBeside = left >= box.right - 0.5 || right <= box.left + 0.5;
          return !isBeside && top < box.bottom - 0.5 && bottom > box.top + 0.5;
        });
        return [
          ...(isOutside ? [`${nameOf(part)} is outside of the view: ${textOf(box)}`] : []),
          ...overlapped.map((other) => `${nameOf(part)} overlaps ${nameOf(other)}`),
        ];
      });
    });
}

/** Sentences of the application itself in Latin letters, of at least three words. */
function latinSentences(): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const chat = document.querySelector('rolezero-chat')?.shadowRoot;
    const textsIn = (root: Node): Node[] => {
      const texts: Node[] = [];
      const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) texts.push(node);
      return texts;
    };
    for (const node of [document.body, ...(chat ? [chat] : [])].flatMap(textsIn)) {
      const { parentElement: parent, textContent: text } = node;
      if (parent === null || !parent.checkVisibility({ visibilityProperty: true })) continue;
      if (
        parent.closest(
          'code, pre, kbd, option, .request, .reply, .thought, .about, .name, details:not([open])',
        )
      )
        continue;
      if (/[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text ?? '')) found.push(text?.trim() ?? '');
    }
    return found;
  });
}

describe('the screens of the demo', () => {
  it.each(firstOf(LOOKS))(
    'have no serious axe issues in the dialogs: %s, %s',
    async (language, colorScheme) => {
      await open(language);
      const found: string[] = [];
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const look = async (where: string) =>
        found.push(...(await seriousIssues(page)).map((issue) => `${where}: ${issue}`));
      await look('start');
      await lookAtModels(look);
      server.script([json(200, { data: [{ id: 'a' }, { id: 'b' }] })], 'repeat');
      await fillAny();
      await page.locator('[value="test"]').click();
      await page.locator('[data-check="ok"]').waitFor();
      await look('test');
      server.script([refusal(401, 'Wrong.')], 'repeat');
      await page.locator('[value="test"]').click();
      await page.locator('[data-check="key"]').waitFor();
      await look('failed test');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.locator('.palette-list li').first().waitFor();
      await look('palette');
      await page.keyboard.press('Escape');
      await page.locator('.foot .row button').first().click();
      await page.locator('dialog[open] select').first().waitFor();
      await look('settings');
      await page.keyboard.press('Escape');
      expect(found).toEqual([]);
    },
  );

  it.each(firstOf(LOOKS))(
    'have no serious axe issues while a run asks, ends and fails: %s, %s',
    async (language, colorScheme) => {
      await page.goto(url);
      await connectModel(page, server.url); // Finds its fields by their English names.
      await page.evaluate(
        (chosen) => localStorage.setItem('rolezero-demo:preferences', JSON.stringify({ language: chosen })),
        language,
      );
      await page.reload();
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const found: string[] = [];
      const look = async (where: string) =>
        found.push(...(await seriousIssues(page)).map((issue) => `${where}: ${issue}`));
      await request(REQUEST);
      await question().waitFor();
      await look('question');
      await question().getByRole('button', { name: '20' }).click();
      await finished();
      await look('finished');
      await page.locator('[data-share]').click();
      await page.locator('[data-way="file"]').click();
      await page.locator('[data-entry="shared"]').waitFor();
      await look('shared');
      await page.locator('dialog .away').click();
      server.script([refusal(401, 'Incorrect API key provided.')], 'repeat');
      await request('Again');
      await page.locator('.notice.error').waitFor();
      await look('error');
      expect(found).toEqual([]);
    },
  );

  it('are in Chinese throughout, also errors, whose exact text is folded', async () => {
    await open('zh');
    const found: string[] = [];
    const look = async (where: string) =>
      found.push(...(await latinSentences()).map((text) => `${where}: ${text}`));
    await look('start');
    await lookAtModels(look);
    server.script([json(200, { data: [{ id: 'a-model' }] })], 'repeat');
    await fillAny();
    await page.locator('[value="connect"]').click();
    await page.locator('button.model.connected').waitFor();
    server.script([refusal(429, 'Slow down, please.')], 'repeat');
    await request('做一个时钟');
    await page.locator('.notice.error').waitFor();
    await look('error');
    for (const part of ['preview', 'files', 'terminal', 'memory', 'notes', 'team', 'timeline']) {
      await openPart(page, part);
      await look(part);
    }
    await page.keyboard.press('Control+k');
    await page.locator('.palette-list li').first().waitFor();
    await look('palette');
    expect(found).toEqual([]);
  });

  it('have controls of at least 40 pixels on a phone', async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await page.setViewportSize(PHONE);
    const found: string[] = [];
    const look = async (where: string) =>
      found.push(...(await smallControls()).map((control) => `${where}: ${control}`));
    await look('start');
    await ask(page, REQUEST);
    await question().waitFor();
    await look('question');
    await question().getByRole('button', { name: '20' }).click();
    await finished();
    await page.locator('.panes button').first().click();
    await page.locator('[data-entry="result"]').waitFor();
    await look('finished');
    await page.locator('.panes button').nth(1).click();
    for (const part of ['preview', 'files', 'terminal', 'memory', 'notes', 'team', 'timeline']) {
      await openPart(page, part);
      await look(part);
    }
    await page.locator('.panes button').nth(2).click();
    await page.locator('[data-session]').first().waitFor();
    await look('sessions');
    await lookAtModels(look);
    expect(found).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  });

  it.each(
    firstOf([
      ['a phone on its side', 'en', LANDSCAPE],
      ['a tablet', 'zh', TABLET],
    ] as const),
  )('fit into the view of %s, without serious axe issues: %s', async (_, language, size) => {
    await open('en');
    await connectModel(page, server.url); // Finds its fields by their English names.
    await page.evaluate(
      (chosen) => localStorage.setItem('rolezero-demo:preferences', JSON.stringify({ language: chosen })),
      language,
    );
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: language === 'zh' ? 'dark' : 'light', reducedMotion: 'reduce' });
    await page.reload();
    const found: string[] = [];
    const look = async (where: string) => {
      const wrong = [...(await misplacedParts()), ...(await seriousIssues(page))];
      found.push(...wrong.map((issue) => `${where}: ${issue}`));
    };
    await page.locator('.welcome').waitFor();
    await look('start');
    await request(REQUEST);
    await question().waitFor();
    await expect.poll(misplacedParts).toEqual([]); // The log scrolls to the question.
    await look('question');
    await question().getByRole('button', { name: '20' }).click();
    await finished();
    await look('finished');
    for (const part of ['preview', 'files', 'terminal', 'notes']) {
      if (size === TABLET) await page.locator('.panes button').nth(1).click();
      await openPart(page, part);
      await look(part);
    }
    await page.locator('.panes button').last().click();
    await page.locator('[data-session]').first().waitFor();
    await look('sessions');
    await lookAtModels(look);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.locator('.palette-list li').first().waitFor();
    await look('palette');
    expect(found).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
  });

  it('keep their parts in place while a run starts, thinks, asks and ends', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(url);
    await connectModel(page, server.url);
    const places: number[][] = [];
    const note = async () =>
      places.push(
        await page
          .locator('header.title, .tabs:not(.second), .composer')
          .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().bottom))),
      );
    pauseAt(1);
    await ask(
      page,
      'Build a tip calculator with a name that is much too long for the line at the top of the page',
    );
    await page.locator('.live').waitFor();
    await note();
    pauseAt(null);
    server.release();
    await question().waitFor();
    await note();
    await question().getByRole('button', { name: '20' }).click();
    await finished();
    await page.locator('.status.ready').waitFor();
    await note();
    expect(places).toEqual([places[0], places[0], places[0]]);
  });

  it('keep the top of the dialog for models in place when another group is chosen', async () => {
    await page.goto(url);
    await page.locator('button.model').click();
    const tops: (number | undefined)[] = [];
    for (const card of CARDS) {
      await openCard(card);
      tops.push((await page.locator('dialog[open]').boundingBox())?.y);
    }
    expect(new Set(tops).size).toBe(1);
  });
});

describe('what is reported to the user', () => {
  it('counts down after a rate limit, and then continues', async () => {
    await page.clock.install();
    await page.goto(url);
    await connectModel(page, server.url);
    server.script([refusal(429, 'Rate limit reached.')], 'repeat');
    await ask(page, REQUEST);
    const waiting = page.getByRole('button', { name: /^Try again in \d+ s$/ });
    await waiting.waitFor();
    expect(await waiting.isDisabled()).toBe(true);
    const seconds = async () => Number(/\d+/.exec((await waiting.textContent()) ?? '')?.[0]);
    const first = await seconds();
    expect(first).toBeLessThanOrEqual(30);
    await page.clock.runFor(10_000);
    await expect.poll(seconds).toBeLessThanOrEqual(first - 10);
    expect(await page.getByRole('alert').textContent()).toContain('Too many requests.');
    expect(await page.getByRole('button', { name: 'Model settings' }).count()).toBe(0); // They are right.
    server.script([model], 'repeat');
    await page.clock.runFor(25_000);
    await page.getByRole('button', { name: 'Continue' }).click();
    await question().waitFor();
  });

  it('says from which step a session was forked, until it continues', { tags: 'nightly' }, async () => {
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await question().getByRole('button', { name: '20' }).click();
    await finished();
    await openPart(page, 'timeline');
    await page.getByRole('slider').fill('1');
    await page.locator('[data-fork]').click();
    const card = page.locator('[data-entry="paused"]', { hasText: 'Forked from step 2.' });
    await card.getByText('Continue, or ask for something else.').waitFor();
    expect(await card.textContent()).not.toMatch(/Stopped|interrupted/);
    await page.reload();
    await card.waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await question().waitFor();
    await page.reload();
    await question().waitFor();
    expect(await page.getByText('Forked from step').count()).toBe(0);
  });

  it(
    'names a model that the server does not list, and uses it only when the user insists',
    { tags: 'nightly' },
    async () => {
      server.script([json(200, { data: [{ id: 'one' }, { id: 'two' }] })], 'repeat');
      await page.goto(url);
      await page.locator('button.model').click();
      await fillServer(page, server.url);
      await page.getByLabel('Model', { exact: true }).fill('three');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const unlisted = page.locator('[data-check="unlisted"]');
      await unlisted.getByText('does not list “three”').waitFor();
      expect(await page.locator('select[name="model"] option').allTextContents()).toHaveLength(2);
      expect(await page.locator('button.model.connected').count()).toBe(0);
      await unlisted.getByRole('button', { name: 'Use three anyway' }).click();
      await page.locator('button.model.connected', { hasText: 'three' }).waitFor();
    },
  );

  it('shows a session of another tab as such, without a field for requests', async () => {
    server.script([reply(commands(['end', {}]))], 'repeat');
    await page.goto(url);
    await connectModel(page, server.url);
    await ask(page, REQUEST);
    await finished();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator('[data-entry="busy"]').waitFor();
    expect(await other.locator('.status').textContent()).toContain('In another tab');
    expect(await other.locator('.status.ready').count()).toBe(0);
    expect(await other.getByLabel('Your request').count()).toBe(0);
  });
});

describe('a first visit', () => {
  /** Moves the focus with the Tab key until it is on an element. */
  async function tabTo(selector: string): Promise<void> {
    for (let presses = 0; presses < 80; presses++) {
      const isThere = await page.evaluate((wanted) => {
        const { activeElement } = document;
        return (activeElement?.shadowRoot?.activeElement ?? activeElement)?.matches(wanted) === true;
      }, selector);
      if (isThere) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not reach ${selector}.`);
  }

  it('leads to the shown page by keyboard alone, in four actions, and to a zip with exactly its files', async () => {
    const files = { '/index.html': '<!doctype html><p>Made</p>', '/style.css': 'p { color: red }' };
    const writes = Object.entries(files).map(
      ([path, content]) => ['Editor.write', { path, content }] as const,
    );
    await page.goto(url);
    await tabTo('.composer textarea');
    await page.keyboard.type(REQUEST);
    await page.keyboard.press('Enter'); // 1
    await page.locator('dialog[open] [data-card]').first().waitFor();
    await tabTo('[data-card="server"]');
    await page.keyboard.press('Enter'); // 2
    await page.locator('[data-other-address]').waitFor();
    await tabTo('[data-other-address] > summary');
    await page.keyboard.press('Enter'); // 3
    await tabTo('[name="baseURL"]');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(server.url);
    server.script(
      [
        ({ method }) =>
          method === 'GET' ? json(200, { data: [{ id: 'one' }] }) : reply(commands(...writes, ['end', {}])),
      ],
      'repeat',
    );
    await page.keyboard.press('Enter'); // 4
    await finished();
    await page.locator('#tab-preview[aria-selected="true"]').waitFor();
    await previewShows(page, 'Made');
    await tabTo('[data-share]');
    await page.keyboard.press('Enter');
    await page.locator('[data-way="zip"]').waitFor();
    await tabTo('[data-way="zip"]');
    const downloading = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const zip = unzipSync(readFileSync(await (await downloading).path()));
    const unpacked = Object.entries(zip).map(([path, bytes]) => [
      `/${path}`,
      new TextDecoder().decode(bytes),
    ]);
    expect(Object.fromEntries(unpacked)).toEqual(files);
  });
});

async function request(text: string): Promise<void> {
  await page.locator('.composer textarea').fill(text);
  await page.locator('.composer textarea').press('Enter');
}

/** Names this test's server in the open dialog, in any language. */
async function fillAny(): Promise<void> {
  await page.locator('select[name="server"]').selectOption('');
  await page.locator('[name="baseURL"]').fill(server.url);
}
