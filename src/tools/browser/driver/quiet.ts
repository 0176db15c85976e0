import { cancelLater, later, now, onFrame, sleep } from './natives.js';

const LONGEST = 10_000;
/** Longest wait for a frame. A busy browser draws about once a second. */
const LONGEST_FRAME = 2_000;

/** Tracks the last activity of the page and its pending operations. */
export class Quiet {
  #last = now();
  readonly #pending = new Set<object>();
  readonly #observer = new MutationObserver(() => this.stir());
  #wake: () => void = () => undefined;
  /** Whether a requested frame has not been drawn yet. */
  #frameRequested = false;

  /** `length`: milliseconds without activity after which the page counts as quiet. */
  constructor(public length: number) {
    this.watch(document);
    for (const type of ['load', 'error', 'input', 'transitionend'])
      addEventListener(type, () => this.stir(), { capture: true, passive: true });
  }

  /** Observes changes below this root. */
  watch(root: Node): void {
    this.#observer.observe(root, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  }

  /** Records activity. */
  stir(): void {
    this.#last = now();
  }

  /** Counts the page as active until the promise settles. */
  during<Value>(promise: Promise<Value>): Promise<Value> {
    const work = {};
    this.#pending.add(work);
    const end = () => {
      this.#pending.delete(work);
      this.stir();
      this.#wake();
    };
    promise.then(end, end);
    return promise;
  }

  /** Resolves with true when the page is quiet and was drawn since the call, or with false after 10 seconds. */
  async settled(): Promise<boolean> {
    this.stir();
    const end = now() + LONGEST;
    const frame = {};
    this.#pending.add(frame);
    void this.#nextFrame().then(() => {
      this.#pending.delete(frame);
      this.#wake();
    });
    for (;;) {
      const left = end - now();
      if (left <= 0) return false;
      const rest = this.#last + this.length - now();
      if (rest <= 0 && this.#pending.size === 0) return true;
      await new Promise<void>((resolve) => {
        const timer = later(resolve, Math.min(left, this.#pending.size > 0 ? left : rest));
        this.#wake = () => {
          cancelLater(timer);
          resolve();
        };
      });
    }
  }

  /**
   * Resolves when the page is drawn next. Some effects of an action come only then, such as the `close` event of a dialog. A page
   * that is not drawn, for example in a hidden tab, delays the first call by 2 seconds and the next ones not at all.
   */
  async #nextFrame(): Promise<void> {
    if (this.#frameRequested) return;
    this.#frameRequested = true;
    const frame = new Promise<void>((resolve) => {
      onFrame(() => {
        this.#frameRequested = false;
        resolve();
      });
    });
    await Promise.race([frame, sleep(LONGEST_FRAME)]);
  }
}
