import type { StoredMemory } from '../base/long-term.js';
import type { Embedder } from '../base/model.js';
import type { Scored } from './best.js';
import { exactVectors, unitVector, type VectorIndex, type VectorIndexFactory } from './vector-index.js';

/** Texts for the embedder at once, and the characters of each. */
const BATCH = 32;
const EMBEDDED = 4_000;

export interface MeaningOptions {
  embedder: Embedder;
  /** Whose vectors the stored memories may still have; it is asked for the vectors of queries until all are embedded anew. */
  former: Embedder | undefined;
  vectors: VectorIndexFactory | undefined;
  /** Those of these memories that are still there. */
  read: (numbers: readonly number[]) => Promise<StoredMemory[]>;
  /** Whether a memory is still there. */
  holds: (number: number) => boolean;
  /** Keeps a memory with its vector. */
  put: (item: StoredMemory) => void;
  /** These have been embedded. */
  embedded: (numbers: readonly number[]) => void;
}

/** Finds memories by what they mean. Each is embedded once, and what that gave is stored with it. */
export class Meaning {
  readonly #options: MeaningOptions;
  readonly #vectors: VectorIndex;
  readonly #formerVectors: VectorIndex | null;
  /** Without any vector: a search embeds them first. */
  readonly #missing = new Set<number>();
  /** With a vector of another embedder. */
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

  /** Whose vectors it compares: packed vectors of others are of no use. */
  get embedders(): string {
    const { embedder, former } = this.#options;
    return [embedder, former].map((by) => (by === undefined ? '' : `${by.id}/${by.dimensions}`)).join(' ');
  }

  /** The vectors of these memories, for `attach`. */
  pack(numbers: readonly number[]): { now: unknown; former: unknown } {
    return { now: this.#vectors.pack(numbers), former: this.#formerVectors?.pack(numbers) };
  }

  /** Takes in these memories with their vectors, as `pack` gave them. False, and nothing changed, when they are of other indexes. */
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

  /** Whether a memory has a vector, or waits for one. */
  knows(number: number): boolean {
    return this.#vectors.has(number) || this.isPending(number);
  }

  /** Whether a memory waits for a vector of the embedder. */
  isPending(number: number): boolean {
    return this.#missing.has(number) || this.#outdated.has(number);
  }

  remove(number: number): void {
    this.#vectors.remove(number);
    this.#formerVectors?.remove(number);
    this.#missing.delete(number);
    this.#outdated.delete(number);
  }

  /** How many memories wait for a vector of the embedder. */
  get pending(): number {
    return this.#missing.size + this.#outdated.size;
  }

  /** The best `count` for a query, best first. Rejects when the embedder or the store fails; what was embedded until then is kept. */
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
   * Gives every memory a vector of the embedder, a batch at a time: each is kept with the next commit, so that a reload goes on where this
   * was. Resolves when nothing is left, or when the signal aborts. Rejects when the embedder or the store fails.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    await this.#embed(this.#missing, signal);
    await this.#embed(this.#outdated, signal);
  }

  /** One at a time: two that embed at once would do the same work. */
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
        if (!holds(item.number) || this.isPending(item.number)) continue; // forgotten or changed meanwhile
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

/** Who said it is part of what it means: "I went there" is about somebody. */
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

/** Two embedders mean different things by a cosine: each list counts from its own best. */
function merged(one: readonly Scored[], other: readonly Scored[]): Scored[] {
  if (other.length === 0) return [...one];
  const scaled = (list: readonly Scored[]) => {
    const best = Math.max(list[0]?.score ?? 0, Number.EPSILON);
    return list.map(({ document, score }) => ({ document, score: score / best }));
  };
  return [...scaled(one), ...scaled(other)].sort((left, right) => right.score - left.score);
}
