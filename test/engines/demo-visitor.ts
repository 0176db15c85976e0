import { setTimeout as wait } from 'node:timers/promises';
import { MORE } from '../../demo/state/more-tabs.js';
import type { Tab } from './engine-browser.js';

/** Number of tries of `waitFor`, ten per second. Enough to replace a worker that hangs, which Firefox's do at times: see `docs/browsers.md`. */
const TRIES = 1_200;

/** Waits until elements match: `count` of them, and one with this text if one is given. */
export async function waitFor(
  tab: Tab,
  selector: string,
  { text = '', count = 1 }: { text?: string; count?: number } = {},
): Promise<void> {
  for (let tries = 0; ; tries++) {
    // Fails while the page is being replaced by another.
    const found = await tab.evaluate(textsOf, selector).catch(() => []);
    if (found.length >= count && (text === '' || found.some((each) => each.includes(text)))) return;
    if (tries === TRIES) throw new Error(`no ${selector} ${text}: ${JSON.stringify(found).slice(0, 2000)}`);
    await wait(100);
  }
}

/** Texts of all elements that match, with spaces joined. */
export function texts(tab: Tab, selector: string): Promise<string[]> {
  return tab.evaluate(textsOf, selector);
}

/** Clicks the element with a text. */
export async function clickText(tab: Tab, selector: string, text: string): Promise<void> {
  await waitFor(tab, selector, { text });
  await tab.evaluate(
    ([selector, text]) => {
      const chats = [...document.querySelectorAll('rolezero-chat')].map(({ shadowRoot }) => shadowRoot);
      const all = (wanted: string) =>
        [document, ...chats].flatMap((root) => [...(root?.querySelectorAll(wanted) ?? [])]);
      for (const marked of all('[data-clicked]')) marked.removeAttribute('data-clicked');
      const wanted = all(selector).find((each) => each.textContent.includes(text));
      wanted?.setAttribute('data-clicked', '');
    },
    [selector, text] as const,
  );
  await tab.click('[data-clicked]');
}

/** Replaces the text of a field. */
async function fill(tab: Tab, selector: string, text: string): Promise<void> {
  await tab.click(selector);
  await tab.evaluate((name) => {
    const field = document.querySelector(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
  }, selector);
  await tab.type(text);
}

/** Opens a part of the workbench, or the plan above the conversation. */
export async function openPart(tab: Tab, name: string): Promise<void> {
  if (name === 'plan') {
    await waitFor(tab, '.plan');
    if ((await texts(tab, '.plan[open]')).length === 0) await tab.click('.plan summary');
    return waitFor(tab, '.plan[open]');
  }
  if (MORE.some((part) => part === name)) {
    await tab.click('#tab-more');
    await waitFor(tab, `#tab-${name}`);
  }
  await tab.click(`#tab-${name}`);
  await waitFor(tab, `#tab-${name}[aria-selected="true"]`);
}

/** Starts a tour and plays it at the highest speed. */
export async function startTour(tab: Tab, name: string): Promise<void> {
  await waitFor(tab, 'button.new');
  await tab.click('button.new');
  await waitFor(tab, `[data-tour="${name}"]`);
  await tab.click(`[data-tour="${name}"]`);
  const speed = '.player button[aria-label^="Playback speed"]';
  await waitFor(tab, speed);
  // The browser keeps the speed for the next tour.
  while (!(await texts(tab, speed)).includes('4×')) await tab.click(speed);
}

/** Waits until this many runs of the session have ended, and none runs. */
export async function finished(tab: Tab, count = 1): Promise<void> {
  await waitFor(tab, '[data-entry="finished"]', { count });
  await waitFor(tab, '.status.ready');
}

/** Connects the page to a model server. */
export async function connectModel(tab: Tab, baseURL: string): Promise<void> {
  await waitFor(tab, 'button.model');
  await tab.click('button.model');
  await waitFor(tab, '[data-card="server"]');
  await tab.click('[data-card="server"]');
  await waitFor(tab, '[data-other-address]');
  await unfold(tab, '[data-other-address]'); // it is open when another server was connected before
  await fill(tab, '[name="baseURL"]', baseURL);
  await unfold(tab, '.advanced');
  await fill(tab, '[name="contextWindow"]', '32000');
  await tab.click('.server-form button[type="submit"]');
  await waitFor(tab, 'button.model.connected');
}

function unfold(tab: Tab, selector: string): Promise<void> {
  return tab.evaluate((selected) => {
    const details = document.querySelector<HTMLDetailsElement>(selected);
    if (details !== null) details.open = true;
  }, selector);
}

export async function ask(tab: Tab, request: string): Promise<void> {
  await tab.evaluate((text) => {
    const chat = document.querySelector('rolezero-chat');
    if (chat === null) return;
    chat.draft = { text, files: [] };
    chat.renderRoot.querySelector<HTMLFormElement>('.composer')?.requestSubmit();
  }, request);
}

/** Runs in the page. */
function textsOf(selector: string): string[] {
  const chats = [...document.querySelectorAll('rolezero-chat')].map(({ shadowRoot }) => shadowRoot);
  return [document, ...chats]
    .flatMap((root) => [...(root?.querySelectorAll(selector) ?? [])])
    .map((each) => each.textContent.replace(/\s+/g, ' ').trim());
}
