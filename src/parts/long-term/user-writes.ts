import type { Write } from '../../core/store.js';

/** Collects the writes of a change of the user while it runs: they are stored at once, apart from the next commit of the role. */
export class UserWrites {
  #writes: Write[] | null = null;

  /** A change of the user is running. */
  get isOpen(): boolean {
    return this.#writes !== null;
  }

  /** Adds writes to the change, if one is running. */
  add(writes: readonly Write[]): void {
    this.#writes?.push(...writes);
  }

  /** Runs a change and returns its writes. */
  collect(change: () => void): Write[] {
    const writes: Write[] = [];
    this.#writes = writes;
    try {
      change();
    } finally {
      this.#writes = null;
    }
    return writes;
  }
}
