import type { BrowserContext, Page } from 'playwright';
import type { KillableBrowser } from '../../e2e/killable-browser.js';
import type { Visit } from '../../e2e/reference/main.js';
import { ReportedEffects, type Outside } from './reported-effects.js';
import type { KillableRun } from './run-kills.js';

/** The page that continues the reference run in Chromium, controlled from outside. It outlives its browser. */
export class ReferencePage implements KillableRun {
  #context: BrowserContext | null = null;
  #page: Page | null = null;
  readonly #effects = new ReportedEffects();

  constructor(
    private readonly url: string,
    private readonly chromium: KillableBrowser,
    /** Receives the reports of the run as they arrive. */
    private readonly hear: (news: string) => void = () => {},
  ) {}

  /** Starts the browser and opens the page. */
  async start(): Promise<void> {
    this.#context = await this.chromium.start();
    await this.open();
  }

  /** Resets the recorded effects. */
  begin(): void {
    this.#effects.reset();
  }

  visit(session: string, at: readonly string[], terminate: boolean): Promise<Visit> {
    return this.page.evaluate(
      ({ session, at, terminate }) => window.reference.visit(session, at, terminate),
      { session, at: [...at], terminate },
    );
  }

  look(): Promise<string> {
    return this.page.evaluate(() => window.reference.look());
  }

  remove(session: string): Promise<void> {
    return this.page.evaluate((name) => window.reference.remove(name), session);
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  async crash(): Promise<void> {
    const crashed = this.page;
    const gone = new Promise<void>((resolve) => crashed.once('crash', () => resolve()));
    crashed.goto('chrome://crash').catch(() => {}); // No page is left to reply to.
    await gone;
    await this.open();
    await crashed.close().catch(() => {});
  }

  /** Resolves once the browser has exited and all its reports were received. */
  async gone(): Promise<void> {
    const browser = this.#context?.browser();
    if (browser?.isConnected() !== true) return;
    await new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
  }

  outside(): Outside {
    return this.#effects.outside();
  }

  async killBrowser(): Promise<void> {
    await this.chromium.kill();
    await this.start();
  }

  async end(): Promise<void> {
    await this.chromium.remove();
  }

  private get page(): Page {
    if (this.#page === null) throw new Error('there is no page');
    return this.#page;
  }

  private async open(): Promise<void> {
    if (this.#context === null) throw new Error('there is no browser');
    this.#page = await this.#context.newPage();
    await this.#page.exposeFunction('reported', (what: string, key: string) => this.#effects.add(what, key));
    await this.#page.exposeFunction('heard', this.hear);
    await this.#page.goto(this.url);
    await this.ready();
  }

  private async ready(): Promise<void> {
    await this.page.waitForFunction(() => typeof window.reference === 'object');
  }
}

/** Lists where the final state differs from the expected one. */
export function difference(expected: string, found: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 140);
  return `…${around(expected)}… became …${around(found)}…`;
}
