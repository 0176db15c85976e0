import { describe, RoleZeroError } from '../../../core/error.js';
import type { FrameAction, PageView } from '../frame-protocol.js';
import type { ViewResult } from '../protocol.js';
import { collapse, quote } from '../driver/view/quote.js';
import { Refused } from './connection.js';
import type { TabDriver } from './tab-driver.js';
import type { Tab } from './tab.js';

/** Maximum number of stored changes between views, which are later combined into one report. */
const MAX_VIEW_CHANGES = 20;

const MAX_TEXT_WAIT_MS = 30_000;
const CHECK_PAUSE_MS = 100;

/** Views of the pages of one browser, and the changes between them. */
export class BrowserViews {
  #serial = 0;
  /** Changes of each recent view relative to the preceding one. Views of a new document have no entry. */
  #changes: { serial: number; document: string; text: string }[] = [];
  /** Document of the newest view. */
  #document = '';

  /** Returns whether the newest view shows this document. */
  isOf(document: string): boolean {
    return this.#document === document;
  }

  /**
   * Reads the page. `document` identifies the document that it shows, `since` the view from which changes are reported.
   *
   * @throws RoleZeroError or Refused if the page cannot be read.
   */
  async read(
    driver: TabDriver,
    action: FrameAction,
    { document, since, limit }: { document: string; since: number; limit: number },
  ): Promise<PageView> {
    if (action.do === 'look') {
      const seen = await driver.ask({ kind: 'view', page: action.page, limit });
      return { ...this.#numbered(document, seen), changes: null };
    }
    const changed = this.isOf(document) ? await driver.ask({ kind: 'view', changes: true, limit }) : null;
    const whole = changed === null || changed.changes ? await driver.ask({ kind: 'view', limit }) : changed;
    const numbered = this.#numbered(document, whole);
    if (changed?.changes === true) {
      const change = { serial: numbered.serial, document, text: changed.text };
      this.#changes = [...this.#changes, change].slice(-MAX_VIEW_CHANGES);
    }
    return { ...numbered, changes: this.#changesSince(since, numbered.serial, document, whole.text.length) };
  }

  #numbered(document: string, { text, page, pages, scroll }: ViewResult): Omit<PageView, 'changes'> {
    this.#serial += 1;
    this.#document = document;
    return { serial: this.#serial, text, page, pages, scrollTop: scroll.top };
  }

  /** Returns all changes since the view `since`. Returns null if a change is missing or if the text is not shorter than the view. */
  #changesSince(since: number, now: number, document: string, whole: number): string | null {
    const newer = this.#changes.filter((change) => change.serial > since && change.document === document);
    const complete = newer.length === now - since && since > 0;
    const text = newer.map((change) => change.text).join('\n');
    return complete && text.length < whole ? text : null;
  }
}

/** Describes why a page cannot be read. Rethrows any other error. */
export function unreadableNotice(error: unknown): string {
  if (!(error instanceof Refused) && !(error instanceof RoleZeroError)) throw error;
  return `The page cannot be seen: ${describe(error)}`;
}

/**
 * Waits until a text appears on the page of a tab or disappears. The comparison happens here, because a page can replace every function of
 * its own realm and would learn the text.
 *
 * @throws Refused `timeout` after `within` milliseconds, 30,000 at most.
 */
export async function waitForText(
  tab: Tab,
  { text, gone, within }: Pick<Extract<FrameAction, { do: 'wait' }>, 'text' | 'gone' | 'within'>,
): Promise<void> {
  const wanted = collapse(text).toLowerCase();
  const end = performance.now() + Math.min(Math.max(within, 0), MAX_TEXT_WAIT_MS);
  for (;;) {
    const isThere = collapse(await tab.driver.words())
      .toLowerCase()
      .includes(wanted);
    if (isThere !== gone) return;
    if (performance.now() >= end)
      throw new Refused(
        'timeout',
        `${quote(text)} ${gone ? 'was still there' : 'did not appear'} after ${within} ms.`,
      );
    await new Promise((resolve) => setTimeout(resolve, CHECK_PAUSE_MS));
  }
}
