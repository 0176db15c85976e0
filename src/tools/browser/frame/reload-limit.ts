/** Time window in ms, and the number of reloads allowed within it before the page is closed. */
const WITHIN = 20_000;
const MAX_RELOADS = 5;

/** Stops pages that reload themselves endlessly. */
export class ReloadLimit {
  #times: number[] = [];

  /** Counts a reload. Returns false if the limit is exceeded. */
  allow(now: number): boolean {
    this.#times = [...this.#times.filter((at) => now - at < WITHIN), now];
    return this.#times.length <= MAX_RELOADS;
  }
}
