import { RoleZeroError } from '../base/error.js';
import type { LongTermStore, StoredMemory } from '../base/long-term.js';
import type { Embedder } from '../base/model.js';
import { fuse, type Scored } from './fuse.js';
import { LexicalIndex } from './lexical-index.js';
import { readMemory } from './memory-item.js';
import { VectorIndex } from './vector-index.js';
import { wordsOf } from './words.js';

export interface ArchiveOptions {
  store: LongTermStore;
  /** Items of other projects are kept and not found. */
  project: string;
  embedder: Embedder | undefined;
  maxItems: number;
  /** Hears of what went wrong and was made the best of. */
  warn(message: string, error: unknown): void;
}

/** How many documents each ranking brings in, at least. */
const CANDIDATES = 50;
/** What being newer weighs against fitting better. */
const RECENCY = 0.05;
/** Characters of a message that are searched. */
const SEARCHED = 20_000;
/** Texts for the embedder at once, and the characters of each. */
const BATCH = 32;
const EMBEDDED = 4_000;
/** Milliseconds: an embedder that takes longer is no help for this step. */
const PATIENCE = 5_000;

/** The older memories of one role: contents in the store, here only what finds them. */
export class Archive {
  /** By id of message, oldest first. */
  readonly #numbers = new Map<string, number>();
  /** Those of this project, oldest first. */
  readonly #own = new Set<number>();
  readonly #words = new LexicalIndex();
  readonly #vectors: VectorIndex | null;
  readonly #unembedded = new Set<number>();
  #next = 0;

  constructor(private readonly options: ArchiveOptions) {
    this.#vectors = options.embedder === undefined ? null : new VectorIndex(options.embedder);
  }

  get size(): number {
    return this.#numbers.size;
  }

  has(id: string): boolean {
    return this.#numbers.has(id);
  }

  /** Takes in what is stored already, in order; what cannot be read is passed over with a warning. */
  restore(values: readonly unknown[]): void {
    for (const value of values) {
      const item = this.#readable(value);
      if (item === null || this.has(item.id)) continue;
      this.#next = Math.max(this.#next, item.number);
      this.#enter(item);
    }
  }

  /** Stores a message that is not there yet. Beyond the limit the oldest is forgotten. */
  keep(item: Omit<StoredMemory, 'number' | 'project' | 'vector'>): void {
    const { project, maxItems, store } = this.options;
    const stored = { ...item, project, number: this.#next };
    store.put(stored);
    this.#enter(stored);
    for (const id of this.#numbers.keys()) {
      if (this.size <= maxItems) return;
      this.forget(id);
    }
  }

  /** Row, index and all. Its number, or null when it is not there. */
  forget(id: string): number | null {
    const number = this.#numbers.get(id);
    if (number === undefined) return null;
    this.#numbers.delete(id);
    this.#own.delete(number);
    this.#words.remove(number);
    this.#vectors?.remove(number);
    this.#unembedded.delete(number);
    this.options.store.remove(number);
    return number;
  }

  clear(): void {
    for (const id of [...this.#numbers.keys()]) this.forget(id);
  }

  /** The newest `limit`, oldest first. */
  list(limit: number): Promise<StoredMemory[]> {
    return this.#read(limit === 0 ? [] : [...this.#own].slice(-limit));
  }

  /** Those of these ids that are there, in this order. */
  items(ids: readonly string[]): Promise<StoredMemory[]> {
    return this.#read(ids.flatMap((id) => this.#numbers.get(id) ?? []));
  }

  /** What came just before and after these, `reach` of them on each side; in order, each once, these included. */
  around(items: readonly StoredMemory[], reach: number): Promise<StoredMemory[]> {
    const wanted = new Set<number>();
    for (const { number } of items)
      for (let near = number - reach; near <= number + reach; near++)
        if (this.#own.has(near)) wanted.add(near);
    return this.#read([...wanted].sort((one, other) => one - other));
  }

  /** The best `limit` for a query, best first: by shared words, by meaning where there is an embedder, and a little by age. */
  async search(query: string, limit: number): Promise<StoredMemory[]> {
    const count = Math.max(CANDIDATES, limit);
    const lexical = this.#words.search(wordsOf(query.slice(0, SEARCHED)), count);
    const semantic = await this.#similar(query, count);
    const candidates = [...new Set([...lexical, ...semantic].map(({ document }) => document))];
    const recency = candidates
      .sort((one, other) => one - other)
      .map((document, place) => ({ document, score: place + 1 }));
    const best = fuse([
      { found: lexical, weight: 1 },
      { found: semantic, weight: 1 },
      { found: recency, weight: RECENCY },
    ]);
    return this.#read(best.slice(0, limit));
  }

  #enter(item: StoredMemory): void {
    const { id, number, project, message, vector } = item;
    this.#numbers.set(id, number);
    this.#next = Math.max(this.#next, number + 1);
    if (project !== this.options.project) return;
    this.#own.add(number);
    this.#words.add(number, wordsOf(message.content.slice(0, SEARCHED)));
    const { embedder } = this.options;
    if (embedder === undefined) return;
    const fits = vector?.embedder === embedder.id && vector.values.length === embedder.dimensions;
    if (fits) this.#vectors?.add(number, vector.values);
    else this.#unembedded.add(number);
  }

  async #read(numbers: readonly number[]): Promise<StoredMemory[]> {
    const values = numbers.length === 0 ? [] : await this.options.store.read(numbers);
    const items = values.map((value) => this.#readable(value)).filter((item) => item !== null);
    return items.filter(({ id }) => this.has(id)); // it may have been forgotten meanwhile
  }

  #readable(value: unknown): StoredMemory | null {
    const item = readMemory(value);
    if (item === null) {
      const fault = new RoleZeroError('storage-corrupt', 'It is not what was stored.', {});
      this.options.warn('A memory could not be read and is passed over.', fault);
    }
    return item;
  }

  async #similar(query: string, count: number): Promise<Scored[]> {
    const vectors = this.#vectors;
    if (vectors === null || this.#own.size === 0) return [];
    try {
      return await patiently(async (signal) => {
        await this.#embedNew(signal);
        return vectors.search(query.slice(0, EMBEDDED), count, signal);
      });
    } catch (error) {
      this.options.warn('Memories could not be compared by meaning; words alone decide.', error);
      return [];
    }
  }

  /** What has no vector yet gets one; each batch is kept, however far this comes. */
  async #embedNew(signal: AbortSignal): Promise<void> {
    const { embedder, store } = this.options;
    while (embedder !== undefined && this.#unembedded.size > 0 && !signal.aborted) {
      const numbers = [...this.#unembedded].slice(0, BATCH);
      for (const number of numbers) this.#unembedded.delete(number);
      try {
        const items = await this.#read(numbers);
        const texts = items.map(({ message }) => message.content.slice(0, EMBEDDED));
        const vectors = items.length === 0 ? [] : await embedder.embed(texts, signal);
        for (const [place, item] of items.entries()) {
          if (!this.#own.has(item.number)) continue; // forgotten meanwhile
          const values = vectors[place] ?? new Float32Array();
          this.#vectors?.add(item.number, values);
          store.put({ ...item, vector: { embedder: embedder.id, values } });
        }
      } catch (error) {
        for (const number of numbers) {
          if (this.#own.has(number) && this.#vectors?.has(number) === false) this.#unembedded.add(number);
        }
        throw error;
      }
    }
  }
}

/** @throws RoleZeroError `tool-timeout` when the work takes too long; it is told to stop. */
async function patiently<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new RoleZeroError('tool-timeout', `The embedder did not answer within ${PATIENCE} ms.`);
      controller.abort(error);
      reject(error);
    }, PATIENCE);
  });
  const working = work(controller.signal);
  working.catch(() => {}); // it may fail when nobody waits any more
  try {
    return await Promise.race([working, late]);
  } finally {
    clearTimeout(timer);
  }
}
