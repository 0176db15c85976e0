import { cancelLater, later, now, onFrame, sleep } from './natives.js';

/** Maximum wait in ms: with operations of the page in progress, and without, when the page only changes all the time. */
const MAX_WAIT_MS = { working: 10_000, changing: 3_000 };
/** The same for a page that did not become quiet the last time. */
const LONGEST_AGAIN = { working: 4_000, changing: 1_000 };
/** Longest wait for a frame. A busy browser draws about once a second. */
const LONGEST_FRAME = 2_000;

/** Tracks the last activity of the page and its pending operations. */
export class Quiet {
  #last = now();
  readonly #pending = new Set<object>();
  readonly #observer = new MutationObserver(() => this.stir());
  #wake: () => void = () => undefined;
  /** Time when the last operation ended. */
  #worked = -Infinity;
  /** The page did not become quiet the last time, for example because it contains an animation. */
  #isRestless = false;
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
      this.#worked = now();
      this.stir();
      this.#wake();
    };
    promise.then(end, end);
    return promise;
  }

  /** Resolves with true when the page is quiet and was drawn since the call, or with false after the maximum wait. */
  async settled(): Promise<boolean> {
    this.#isRestless = !(await this.#settled(this.#isRestless ? LONGEST_AGAIN : MAX_WAIT_MS));
    return !this.#isRestless;
  }

  async #settled(longest: typeof MAX_WAIT_MS): Promise<boolean> {
    this.stir();
    const start = now();
    const frame = {};
    this.#pending.add(frame);
    void this.#nextFrame().then(() => {
      this.#pending.delete(frame);
      this.#wake();
    });
    for (;;) {
      const isWorking = this.#pending.size > 0;
      const quietAt = this.#last + this.length;
      if (quietAt <= now() && !isWorking) return true;
      const latest = start + longest.working;
      const end = isWorking ? latest : Math.min(latest, Math.max(start, this.#worked) + longest.changing);
      if (end <= now()) return false;
      await new Promise<void>((resolve) => {
        const timer = later(resolve, Math.max(0, (isWorking ? end : Math.min(end, quietAt)) - now()));
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
