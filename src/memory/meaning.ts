import type { StoredMemory } from '../core/long-term.js';
import type { Embedder } from '../core/model.js';
import type { Scored } from './top-scores.js';
import { exactVectors, unitVector, type VectorIndex, type VectorIndexFactory } from './vector-index.js';

/** Number of texts per call to the embedder, and the maximum characters of each. */
const BATCH = 32;
const EMBEDDED = 4_000;

export interface MeaningOptions {
  embedder: Embedder;
  /** Previous embedder, whose vectors stored memories may still have. It embeds queries until all memories are embedded again. */
  former: Embedder | undefined;
  vectors: VectorIndexFactory | undefined;
  /** Reads the memories with these numbers that still exist. */
  read: (numbers: readonly number[]) => Promise<StoredMemory[]>;
  /** Returns true when a memory still exists. */
  holds: (number: number) => boolean;
  /** Stores a memory with its vector. */
  put: (item: StoredMemory) => void;
  /** Called when these memories have been embedded. */
  embedded: (numbers: readonly number[]) => void;
}

/** Finds memories by meaning. Each memory is embedded once, and its vector is stored with it. */
export class Meaning {
  readonly #options: MeaningOptions;
  readonly #vectors: VectorIndex;
  readonly #formerVectors: VectorIndex | null;
  /** Memories without a vector. A search embeds them first. */
  readonly #missing = new Set<number>();
  /** Memories with a vector of the former embedder. */
  readonly #outdated = new Set<number>();
  #embedding: Promise<void> = Promise.resolve();

  constructor(options: MeaningOptions) {
    const { embedder, former, vectors = exactVectors } = options;
    this.#options = options;
    this.#vectors = vectors(embedder.dimensions);
    this.#formerVectors = former === undefined ? null : vectors(former.dimensions);
  }

  add({ number, vector }: StoredMemory): void {
    const { embedder, former } = this.#options;
    const fits = (by: Embedder | undefined) =>
      vector?.embedder === by?.id && vector?.values.length === by?.dimensions;
    if (vector === undefined) this.#missing.add(number);
    else if (fits(embedder)) this.#vectors.add(number, unitVector(vector.values, embedder));
    else if (former !== undefined && fits(former)) {
      this.#formerVectors?.add(number, unitVector(vector.values, former));
      this.#outdated.add(number);
    } else this.#missing.add(number);
  }

  /** Identifies the embedders in use. Packed vectors of other embedders cannot be used. */
  get embedders(): string {
    const { embedder, former } = this.#options;
    return [embedder, former].map((by) => (by === undefined ? '' : `${by.id}/${by.dimensions}`)).join(' ');
  }

  /** Returns the vectors of these memories for `attach`. */
  pack(numbers: readonly number[]): { now: unknown; former: unknown } {
    return { now: this.#vectors.pack(numbers), former: this.#formerVectors?.pack(numbers) };
  }

  /** Adds the vectors from `pack`. Returns false, and changes nothing, when they come from other indexes. */
  attach(numbers: readonly number[], packed: { now: unknown; former: unknown }): boolean {
    const now = this.#vectors.unpack(packed.now);
    if (now === null) return false;
    const former = this.#formerVectors === null ? [] : this.#formerVectors.unpack(packed.former);
    if (former === null) {
      for (const number of now) this.#vectors.remove(number);
      return false;
    }
    for (const number of numbers) {
      if (this.#vectors.has(number)) continue;
      if (this.#formerVectors?.has(number) === true) this.#outdated.add(number);
      else this.#missing.add(number);
    }
    return true;
  }

  /** Returns true when a memory has a vector or is waiting for one. */
  knows(number: number): boolean {
    return this.#vectors.has(number) || this.isPending(number);
  }

  /** Returns true when a memory is waiting for a vector of the current embedder. */
  isPending(number: number): boolean {
    return this.#missing.has(number) || this.#outdated.has(number);
  }

  remove(number: number): void {
    this.#vectors.remove(number);
    this.#formerVectors?.remove(number);
    this.#missing.delete(number);
    this.#outdated.delete(number);
  }

  /** Number of memories that are waiting for a vector of the current embedder. */
  get pending(): number {
    return this.#missing.size + this.#outdated.size;
  }

  /**
   * Returns the best `count` memories for a query, best first. Rejects when the embedder or the store fails; vectors created before are not
   * lost.
   */
  async search(query: string, count: number, signal: AbortSignal): Promise<Scored[]> {
    await this.#embed(this.#missing, signal);
    const { embedder, former } = this.#options;
    const text = query.slice(0, EMBEDDED);
    const search = async (vectors: VectorIndex | null, by: Embedder | undefined) => {
      if (vectors === null || by === undefined || vectors.size === 0) return [];
      const [vector] = await by.embed([text], signal);
      return vectors.search(unitVector(vector, by), count);
    };
    const found = await search(this.#vectors, embedder);
    const foundBefore = await search(this.#formerVectors, former);
    return merged(found, foundBefore).slice(0, count);
  }

  /**
   * Creates a vector of the current embedder for every memory, in batches. Each vector is stored with the next commit, so a reload resumes
   * where this stopped. Resolves when none is left or the signal aborts. Rejects when the embedder or the store fails.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    await this.#embed(this.#missing, signal);
    await this.#embed(this.#outdated, signal);
  }

  /** Runs one embedding job at a time, so that two jobs never embed the same memories. */
  #embed(waiting: Set<number>, signal: AbortSignal): Promise<void> {
    const mine = this.#embedding.then(
      () => this.#embedAll(waiting, signal),
      () => this.#embedAll(waiting, signal),
    );
    this.#embedding = mine;
    return mine;
  }

  async #embedAll(waiting: Set<number>, signal: AbortSignal): Promise<void> {
    while (waiting.size > 0 && !signal.aborted)
      await this.#embedBatch([...take(waiting, BATCH)], waiting, signal);
  }

  async #embedBatch(numbers: readonly number[], waiting: Set<number>, signal: AbortSignal): Promise<void> {
    const { embedder, embedded, holds, put, read } = this.#options;
    for (const number of numbers) waiting.delete(number);
    try {
      const items = await read(numbers);
      const vectors = items.length === 0 ? [] : await embedder.embed(items.map(embeddedText), signal);
      for (const [place, item] of items.entries()) {
        if (!holds(item.number) || this.isPending(item.number)) continue; // deleted or changed in the meantime
        const values = vectors[place];
        this.#vectors.add(item.number, unitVector(values, embedder));
        this.#formerVectors?.remove(item.number);
        if (values !== undefined) put({ ...item, vector: { embedder: embedder.id, values } });
      }
      embedded(numbers);
    } catch (error) {
      for (const number of numbers) if (holds(number) && !this.#vectors.has(number)) waiting.add(number);
      throw error;
    }
  }
}

/** Prefixes the speaker, which is part of the meaning: "I went there" refers to a speaker. */
function embeddedText({ message: { sentFrom, content } }: StoredMemory): string {
  return (sentFrom === '' ? content : `${sentFrom}: ${content}`).slice(0, EMBEDDED);
}

function* take<Value>(values: Iterable<Value>, most: number): Generator<Value> {
  let count = 0;
  for (const value of values) {
    if (count++ === most) return;
    yield value;
  }
}

/** Merges two result lists. Cosines of different embedders are not comparable, so each list is scaled by its own best score. */
function merged(one: readonly Scored[], other: readonly Scored[]): Scored[] {
  if (other.length === 0) return [...one];
  const scaled = (list: readonly Scored[]) => {
    const best = Math.max(list[0]?.score ?? 0, Number.EPSILON);
    return list.map(({ document, score }) => ({ document, score: score / best }));
  };
  return [...scaled(one), ...scaled(other)].sort((left, right) => right.score - left.score);
}
