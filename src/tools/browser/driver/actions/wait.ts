import { now, sleep } from '../natives.js';
import { Refusal } from '../port.js';
import { collapse, quote } from '../view/quote.js';

const LONGEST = 30_000;

/**
 * Waits until a text appears on the page or disappears. `read` returns the page's text.
 *
 * @throws Refusal `timeout` after `within` milliseconds, 30,000 at most.
 */
export async function waitForText(
  read: () => Promise<string>,
  text: string,
  gone: boolean,
  within: number,
): Promise<string> {
  const wanted = collapse(text).toLowerCase();
  const end = now() + Math.min(Math.max(within, 0), LONGEST);
  for (;;) {
    const isThere = collapse(await read())
      .toLowerCase()
      .includes(wanted);
    if (isThere !== gone) return `${quote(text)} is ${gone ? 'gone' : 'there'}.`;
    if (now() >= end)
      throw new Refusal(
        'timeout',
        `${quote(text)} ${gone ? 'was still there' : 'did not appear'} after ${within} ms.`,
      );
    await sleep(100);
  }
}
