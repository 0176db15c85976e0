import { later } from '../natives.js';

/** Maximum number of tries, and ms between them. */
const MOST_TRIES = 40;
const PAUSE = 50;

/**
 * Scrolls the page when it has loaded, as browsers do after a reload. Scripts may still add the content that makes the page tall enough, so
 * this is repeated for a short time, until the position is reached or the user uses the page.
 */
export function restoreScroll(top: number): void {
  let isUsed = false;
  for (const type of ['wheel', 'pointerdown', 'keydown'])
    addEventListener(type, () => (isUsed = true), { capture: true, once: true, passive: true });
  const restore = (tries: number): void => {
    if (isUsed) return;
    scrollTo({ top, behavior: 'instant' });
    if (scrollY < top - 1 && tries > 1) later(() => restore(tries - 1), PAUSE);
  };
  addEventListener('DOMContentLoaded', () => restore(1), { once: true });
  addEventListener('load', () => restore(MOST_TRIES), { once: true });
}
