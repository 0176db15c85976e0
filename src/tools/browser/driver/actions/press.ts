import { Refusal } from '../port.js';
import { sleep } from '../natives.js';
import { quote } from '../view/quote.js';
import { moveFocus } from './focus.js';
import type { Hands } from './hands.js';
import { combination, LONGEST_HOLD } from './keys.js';

const REPEAT = 100;

/** Presses key combinations one after the other: `Control+a Delete`. `holdFor`: milliseconds to hold and repeat the last key. */
export async function press(
  hands: Hands,
  element: Element | null,
  text: string,
  holdFor = 0,
): Promise<string> {
  const combinations = (text === ' ' ? ['Space'] : text.trim().split(/\s+/)).map((part) => {
    const keys = combination(part, hands.isMac);
    if (!keys)
      throw new Refusal(
        'unfit',
        `There is no key ${quote(part)}. Keys are written like Enter, ArrowDown, a, Control+a.`,
      );
    return keys;
  });
  if (element instanceof HTMLElement) moveFocus(element);
  try {
    for (const [index, keys] of combinations.entries()) {
      for (const key of keys) hands.keyboard.down(key);
      const last = keys.at(-1);
      if (index === combinations.length - 1 && last && holdFor > 0)
        for (let held = 0; held < Math.min(holdFor, LONGEST_HOLD); held += REPEAT) {
          await sleep(REPEAT);
          hands.keyboard.down(last);
        }
      for (const key of keys.reverse()) hands.keyboard.up(key);
    }
  } finally {
    hands.keyboard.release();
  }
  return `Pressed ${text.trim() || 'Space'}.`;
}
