import type { LongTermStore, StoredMemory } from '../base/long-term.js';

/** Older memories in a Map: for a memory that belongs to no session, and for tests. */
export class MemoryLongTermStore implements LongTermStore {
  readonly #items = new Map<number, StoredMemory>();

  put(item: StoredMemory): void {
    this.#items.set(item.number, structuredClone(item));
  }

  remove(number: number): void {
    this.#items.delete(number);
  }

  async read(numbers: readonly number[]): Promise<unknown[]> {
    return numbers
      .filter((number) => this.#items.has(number))
      .map((number) => structuredClone(this.#items.get(number)));
  }
}
