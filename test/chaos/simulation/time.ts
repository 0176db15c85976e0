/**
 * Replaces the platform's timers by ones that fire only on request: a limit of a minute takes no time, timers of a
 * dead worker are dropped, and when no promise settles and no timer is left, something hangs.
 */
export class SimulatedTime {
  #now = 0;
  #next = 1;
  #timers = new Map<number, { at: number; run: () => void }>();

  readonly setTimeout = (run: (...args: unknown[]) => void, delay = 0, ...args: unknown[]): number => {
    const id = this.#next++;
    this.#timers.set(id, { at: this.#now + delay, run: () => run(...args) });
    return id;
  };

  readonly clearTimeout = (id: unknown): void => {
    this.#timers.delete(id as number);
  };

  get elapsed(): number {
    return this.#now;
  }

  /** Fires the next timer. Returns false when no timer is due in the next `within` milliseconds. */
  goOn(within = Infinity): boolean {
    let first: number | null = null;
    for (const [id, { at }] of this.#timers)
      if (first === null || at < (this.#timers.get(first)?.at ?? Infinity)) first = id;
    if (first === null) return false;
    const timer = this.#timers.get(first);
    if (timer === undefined || timer.at > this.#now + within) return false;
    this.#timers.delete(first);
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
    return true;
  }
}
