/** The browser engines of the tests. */
export type Engine = 'chromium' | 'firefox' | 'webkit';

/** A browser that a test starts, drives and kills. Its profile outlives it. */
export interface EngineBrowser {
  readonly engine: Engine;
  /** Such as `Firefox 153.7.0`; empty before the first start. */
  readonly version: string;
  /** Its process group, while it runs. */
  readonly group: number | null;
  start(): Promise<void>;
  /** Opens a page in a tab of its own and waits until it is loaded. */
  open(url: string): Promise<Tab>;
  /** Kills all its processes at once, as a crash or an out-of-memory kill would. */
  kill(): Promise<void>;
  /** Stops it and removes its profile. */
  remove(): Promise<void>;
}

/** A browser that can also be started as a user does: with a page, without a driver. WebKitGTK stores nothing with one. */
export interface StandaloneBrowser extends Pick<EngineBrowser, 'kill' | 'remove'> {
  startAt(url: string): Promise<void>;
}

/** One page of a browser. */
export interface Tab {
  /** Opens another page and waits until it is loaded. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /**
   * Calls a function in the page. It may use only its argument and the globals of the page. Argument and result are
   * JSON; a missing result is null.
   *
   * @throws Error with the message of what the function threw, or when the page or the browser is gone.
   */
  evaluate<Given, Result>(inPage: (given: Given) => Result, given?: Given): Promise<Awaited<Result>>;
  /** Clicks the middle of the first element that matches, as a user would. */
  click(selector: string): Promise<void>;
  /** Types into the focused field. */
  type(text: string): Promise<void>;
  /** A PNG of the visible part. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** The source of a call that yields `{ value }` with JSON, or `{ error }`. */
export function callSource(inPage: (given: never) => unknown, given: unknown): string {
  return `Promise.resolve(${JSON.stringify(given) ?? 'undefined'}).then(${inPage.toString()}).then(
    (value) => JSON.stringify({ value: value ?? null }),
    (error) => JSON.stringify({ error: String(error?.message ?? error) }),
  )`;
}

/** The result of a call made of `callSource`. @throws Error when it failed in the page. */
export function callResult(text: string): unknown {
  const { value, error } = JSON.parse(text) as { value?: unknown; error?: string };
  if (error !== undefined) throw new Error(error);
  return value;
}

/** Number of frames in which an element must not move before it is clicked. */
const FRAMES_AT_REST = 3;

/** Number of clicks of `clickAtRest` before it fails. */
const CLICKS = 5;

/**
 * Clicks an element when it has come to rest. Content that arrives at this moment can still move it away from the
 * pointer, and a view transition of the page can cover it: then it is clicked again, where it is now.
 *
 * @throws Error when nothing matches, or no click reached the element.
 */
export async function clickAtRest(
  tab: Pick<Tab, 'evaluate'>,
  selector: string,
  click: (middle: { x: number; y: number }) => Promise<unknown>,
): Promise<void> {
  let because = '';
  for (let clicks = 0; clicks < CLICKS; clicks++) {
    try {
      await click(await tab.evaluate(middleAtRest, { selector, frames: FRAMES_AT_REST }));
    } catch (error) {
      because = String(error);
      if (!because.includes('element not interactable')) throw error;
      continue; // WebKit: a view transition covers it
    }
    // A page that a click has replaced cannot tell.
    const isMissed = await tab
      .evaluate(() => Reflect.get(globalThis, 'clickIsMissed') === true)
      .catch(() => false);
    if (!isMissed) return;
  }
  throw new Error(`No click on ${selector} reached it. ${because}`);
}

/**
 * The middle of an element in the viewport, once it has been scrolled into view and does not move. The page notes
 * whether the next click misses the element. Runs in the page.
 */
async function middleAtRest({ selector, frames }: { selector: string; frames: number }) {
  const chat = document.querySelector('rolezero-chat')?.shadowRoot;
  const element = document.querySelector(selector) ?? chat?.querySelector(selector) ?? null;
  if (element === null) throw new Error(`Nothing matches ${selector}.`);
  element.scrollIntoView({ block: 'center', inline: 'center' });
  const placeOf = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  };
  let place = placeOf();
  const isCovered = (): boolean =>
    CSS.supports('selector(:active-view-transition)') &&
    document.querySelector(':active-view-transition') !== null;
  for (let rested = 0; rested < frames;) {
    await new Promise(requestAnimationFrame);
    const next = placeOf();
    rested = next.x === place.x && next.y === place.y && !isCovered() ? rested + 1 : 0;
    place = next;
  }
  Reflect.set(globalThis, 'clickIsMissed', false);
  const note = (click: Event) =>
    Reflect.set(globalThis, 'clickIsMissed', !click.composedPath().includes(element));
  addEventListener('click', note, { capture: true, once: true });
  return place;
}
