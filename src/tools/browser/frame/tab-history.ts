/** One entry in a tab's history. `document` identifies the entries that one document created itself, with `pushState` or `#`. */
export interface HistoryEntry {
  url: string;
  document: number;
}

const MAX_TAB_ENTRIES = 100;

/** Time window in ms, and the number of reloads allowed within it before the page is closed. */
const RELOAD_WINDOW_MS = 20_000;
const MAX_RELOADS = 5;

/** History of a tab. It is stored outside the page, so that the page cannot change it. */
export class TabHistory {
  #entries: HistoryEntry[] = [];
  #index = -1;

  get current(): HistoryEntry | null {
    return this.#entries[this.#index] ?? null;
  }

  /** Returns the entry that is `by` steps away, or null. */
  at(by: number): HistoryEntry | null {
    return this.#entries[this.#index + by] ?? null;
  }

  move(by: number): void {
    if (this.at(by) !== null) this.#index += by;
  }

  /** Returns the position and length that the history will have after the next visit. */
  next(how: 'push' | 'replace'): { index: number; length: number } {
    if (how === 'push' || this.#index < 0) return { index: this.#index + 1, length: this.#index + 2 };
    return { index: this.#index, length: this.#entries.length };
  }

  visit(entry: HistoryEntry, how: 'push' | 'replace'): void {
    if (how === 'push' || this.#index < 0) {
      this.#entries = [...this.#entries.slice(0, this.#index + 1), entry].slice(-MAX_TAB_ENTRIES);
      this.#index = this.#entries.length - 1;
    } else this.#entries[this.#index] = entry;
  }

  /**
   * Records that the page changed its address without leaving. `index` counts the entries of this document. Addresses of another origin are
   * forged and ignored.
   */
  within(
    event: { url: string; how: 'push' | 'replace' | 'hash' | 'traverse'; index: number },
    document: number,
  ): void {
    const { url, how, index } = event;
    if (
      this.current === null ||
      this.current.document !== document ||
      originOrEmpty(url) !== originOrEmpty(this.current.url)
    )
      return;
    if (how === 'push' || how === 'hash') this.visit({ url, document }, 'push');
    else if (how === 'replace') this.visit({ url, document }, 'replace');
    else {
      const first = this.#entries.findIndex((entry) => entry.document === document);
      const target = this.#entries[first + index];
      if (target?.document === document) this.#index = first + index;
    }
  }
}

function originOrEmpty(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return '';
  }
}

/** Stops pages that reload themselves endlessly. */
export class ReloadLimit {
  #times: number[] = [];

  /** Counts a reload. Returns false if the limit is exceeded. */
  allow(now: number): boolean {
    this.#times = [...this.#times.filter((at) => now - at < RELOAD_WINDOW_MS), now];
    return this.#times.length <= MAX_RELOADS;
  }
}
