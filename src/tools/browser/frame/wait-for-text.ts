import { collapse, quote } from '../driver/view/quote.js';
import type { FrameAction } from '../frame-protocol.js';
import { Refused } from './connection.js';
import type { Tab } from './tab.js';

const MAX_WAIT = 30_000;
const CHECK_PAUSE_MS = 100;

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
  const end = performance.now() + Math.min(Math.max(within, 0), MAX_WAIT);
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
