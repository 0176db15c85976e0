import type { FrameAction } from '../frame-protocol.js';

/**
 * Serializes actions of several roles. All roles share one window, which has one focus and one browser in front. Each role has its own
 * tabs. Only one role at a time acts in a page, in request order. Opening, viewing and waiting need no turn.
 */
export class Turns<Browser> {
  #last: Promise<unknown> = Promise.resolve();
  #holder: Browser | null = null;
  readonly #before = new Set<Browser>();

  /** Runs an action when it is the browser's turn. `wasTaken` is true if another browser has acted since this one last did. */
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
    this.#last = turn.catch(() => undefined); // the caller receives the error
    return turn;
  }
}

function needsFocus(action: FrameAction): boolean {
  return action.do === 'upload' || action.do === 'act';
}
