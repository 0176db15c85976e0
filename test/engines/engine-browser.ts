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

/** The middle of an element in the viewport, after it is scrolled into view. Runs in the page. */
export function middleOf(selector: string): { x: number; y: number } {
  const chat = document.querySelector('rolezero-chat')?.shadowRoot;
  const element = document.querySelector(selector) ?? chat?.querySelector(selector) ?? null;
  if (element === null) throw new Error(`Nothing matches ${selector}.`);
  element.scrollIntoView({ block: 'center', inline: 'center' });
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}
