import { now, sleep } from '../natives.js';
import { Refusal } from '../port.js';
import { collapse, quote } from '../view/quote.js';

const LONGEST = 30_000;

/** Until a text is seen on the page, or is seen no longer. `read` gives the page's words. */
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
