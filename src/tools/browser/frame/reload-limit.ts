/** Milliseconds that count, and reloads of a page in that time before it is closed. */
const WITHIN = 20_000;
const MOST = 5;

/** Stops pages that reload themselves without end. */
export class ReloadLimit {
  #times: number[] = [];

  /** Counts a reload. Returns false when there were too many. */
  allow(now: number): boolean {
    this.#times = [...this.#times.filter((at) => now - at < WITHIN), now];
    return this.#times.length <= MOST;
  }
}
