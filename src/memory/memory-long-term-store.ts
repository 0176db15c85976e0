import { chunkOf, type ChunkPart, type LongTermStore, type StoredMemory } from '../core/long-term.js';

/** Stores older memories in a Map. For memories without a session, and for tests. */
export class MemoryLongTermStore implements LongTermStore {
  readonly #items = new Map<number, StoredMemory>();
  readonly #chunks = { words: new Map<number, unknown>(), vectors: new Map<number, unknown>() };

  add(item: StoredMemory): void {
    this.#items.set(item.number, structuredClone(item));
  }

  put(item: StoredMemory): void {
    this.add(item);
    this.#dropChunk(item.number);
  }

  remove(number: number): void {
    this.#items.delete(number);
    this.#dropChunk(number);
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

  putChunk(chunk: number, part: ChunkPart, value: unknown): void {
    this.#chunks[part].set(chunk, structuredClone(value));
  }

  async readChunks(
    part: ChunkPart,
    from: number,
    before: number,
  ): Promise<{ chunk: number; value: unknown }[]> {
    return [...this.#chunks[part]]
      .filter(([chunk]) => chunk >= from && chunk < before)
      .sort(([one], [other]) => one - other)
      .map(([chunk, value]) => ({ chunk, value: structuredClone(value) }));
  }

  #dropChunk(number: number): void {
    for (const part of Object.values(this.#chunks)) part.delete(chunkOf(number));
  }
}
