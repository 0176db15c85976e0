import { CHUNK_ITEMS, type LongTermStore, type StoredMemory } from '../base/long-term.js';

/** Older memories in a Map: for a memory that belongs to no session, and for tests. */
export class MemoryLongTermStore implements LongTermStore {
  readonly #items = new Map<number, StoredMemory>();
  readonly #chunks = new Map<number, unknown>();

  put(item: StoredMemory): void {
    this.#items.set(item.number, structuredClone(item));
    this.#chunks.delete(Math.floor(item.number / CHUNK_ITEMS));
  }

  remove(number: number): void {
    this.#items.delete(number);
    this.#chunks.delete(Math.floor(number / CHUNK_ITEMS));
  }

  async read(numbers: readonly number[]): Promise<unknown[]> {
    return numbers
      .filter((number) => this.#items.has(number))
      .map((number) => structuredClone(this.#items.get(number)));
  }

  async readRange(from: number, before: number): Promise<unknown[]> {
    const numbers = [...this.#items.keys()].filter((number) => number >= from && number < before);
    return this.read(numbers.sort((one, other) => one - other));
  }

  putChunk(chunk: number, value: unknown): void {
    this.#chunks.set(chunk, structuredClone(value));
  }

  async readChunks(): Promise<{ chunk: number; value: unknown }[]> {
    return [...this.#chunks]
      .sort(([one], [other]) => one - other)
      .map(([chunk, value]) => ({ chunk, value: structuredClone(value) }));
  }
}
