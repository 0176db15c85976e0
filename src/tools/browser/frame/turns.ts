import type { FrameAction } from '../frame-protocol.js';

/**
 * A window has one focus and one place in front, and the browsers of several roles share it. So each role has tabs of its own, and what acts
 * in a page is done by one role at a time, in the order it was asked for; pages that are opened, looked at or waited for need no turn.
 */
export class Turns<Browser> {
  #last: Promise<unknown> = Promise.resolve();
  #holder: Browser | null = null;
  readonly #before = new Set<Browser>();

  /** Does it when it is the browser's turn. `wasTaken`: another one has acted since this one did. */
  take<Value>(
    browser: Browser,
    action: FrameAction,
    act: (wasTaken: boolean) => Promise<Value>,
  ): Promise<Value> {
    if (!needsFocus(action)) return act(false);
    const turn = this.#last.then(() => {
      const wasTaken = this.#holder !== null && this.#holder !== browser && this.#before.has(browser);
      this.#holder = browser;
      this.#before.add(browser);
      return act(wasTaken);
    });
    this.#last = turn.catch(() => undefined); // whoever asked hears of its failure
    return turn;
  }
}

function needsFocus(action: FrameAction): boolean {
  return action.do === 'upload' || (action.do === 'act' && action.request.kind !== 'wait');
}
