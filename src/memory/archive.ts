import { RoleZeroError } from '../core/error.js';
import {
  CHUNK_ITEMS,
  chunkOf,
  type LongTermStore,
  type MemoryPlace,
  type StoredMemory,
} from '../core/long-term.js';
import type { Embedder } from '../core/model.js';
import type { Freeable } from '../core/space.js';
import { ArchiveChunks, MAX_UNSEALED_MEMORIES } from './archive-chunks.js';
import { findMemories, termsOfMemory, type MemorySearchOptions } from './find-memories.js';
import { LexicalIndex } from './lexical-index.js';
import { Meaning } from './meaning.js';
import { conversationOf, memoryEntry, readMemory } from './memory-item.js';
import { retentionLimitReached, MemoryList, overdue, type Retention } from './memory-list.js';
import { withTimeLimit } from './time-limit.js';
import type { Scored } from './top-scores.js';
import type { VectorIndexFactory } from './vector-index.js';

interface ArchiveOptions {
  store: LongTermStore;
  /** Memories of other projects remain stored but are not found. */
  project: string;
  /** Returns which memories of a shared memory the role itself has stored; see `conversationOf`. */
  conversation: () => string;
  embedder: Embedder | undefined;
  formerEmbedder: Embedder | undefined;
  vectors: VectorIndexFactory | undefined;
  retention: Retention;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Returns the arrival of the newest memory of all roles of the session. */
  lastArrival: () => number;
  /** Called with recoverable errors. */
  warn(message: string, error: unknown): void;
}

/**
 * Maximum number of memories outside chunks that `restore` indexes before it resolves. If there are more, they are indexed in the
 * background.
 */
const AT_ONCE = 2 * CHUNK_ITEMS;
/** Number of chunks whose vectors are read at a time. It is small so that a concurrent search does not wait long. */
const READ_AT_ONCE = 2;

/**
 * Indexes the older memories of one role. Contents stay in the store; only the indexes are in memory.
 *
 * The indexes are stored in chunks next to the contents, so a restart reads only memories that are in no chunk. It loads the word index
 * first; vectors load in the background while the archive is already in use.
 */
export class Archive {
  readonly #options: ArchiveOptions;
  readonly #list = new MemoryList();
  readonly #words = new LexicalIndex();
  readonly #meaning: Meaning | null;
  readonly #chunks: ArchiveChunks;
  /** Numbers of shared memories that another role or session has stored. */
  readonly #foreign = new Set<number>();
  #reading: Promise<void> = Promise.resolve();
  /** Searches in progress. Background loading waits for them. */
  readonly #searches = new Set<Promise<unknown>>();
  #hasWarned = false;
  #isCatchingUp = false;

  constructor(options: ArchiveOptions) {
    this.#options = options;
    const { embedder, formerEmbedder, vectors } = options;
    this.#meaning =
      embedder === undefined
        ? null
        : new Meaning({
            embedder,
            former: formerEmbedder,
            vectors,
            read: (numbers) => this.#read(numbers, true),
            holds: (number) => this.#list.isOwn(number),
            put: (item) => this.#putVector(item),
            embedded: (numbers) => this.#chunks.seal(true, new Set(numbers.map(chunkOf))),
          });
    const { store, project } = options;
    this.#chunks = new ArchiveChunks(store, project, this.#list, this.#words, this.#meaning);
  }

  get size(): number {
    return this.#list.size;
  }

  /** See `StoredMemory.arrival`. */
  get lastArrival(): number {
    return this.#list.lastArrival;
  }

  has(id: string): boolean {
    return this.#list.numberOf(id) !== null;
  }

  /** Returns true when the memory exists, and the role itself has stored it. */
  hasOwn(id: string): boolean {
    const number = this.#list.numberOf(id);
    return number !== null && !this.#foreign.has(number);
  }

  /** True while stored vectors are still loading. Until then, searches use words only. */
  get isReading(): boolean {
    return this.#chunks.unread.length > 0;
  }

  /** Resolves when background loading ends: stored vectors are loaded (or failed to load) and all memories are in the word index. */
  get whole(): Promise<void> {
    return this.#reading;
  }

  /** Resolves when the words of all memories are indexed. */
  get wordsIndexed(): Promise<void> {
    return this.#chunks.unindexed.length > 0 ? this.#reading : Promise.resolve();
  }

  /**
   * Loads the stored indexes. Skips unreadable entries with a warning. Vectors load in the background.
   *
   * Words of memories that are in no chunk are also indexed in the background if there are many of them. This happens when chunks were lost
   * or come from another release.
   *
   * Rejects when the store fails.
   */
  async restore(): Promise<void> {
    let read = 0; // all memories with a lower number are loaded
    const chunks = await this.#options.store.readChunks('words', 0, Infinity);
    this.#list.reserve(chunks.length * CHUNK_ITEMS);
    for (const { chunk, value } of chunks) {
      const content = this.#chunks.read(chunk, value);
      if (content === null) continue;
      await this.#restoreRows(read, chunk * CHUNK_ITEMS);
      read = chunk * CHUNK_ITEMS;
      if (this.#chunks.attach(chunk, content)) read = content.last + 1;
    }
    await this.#restoreRows(read, Infinity);
    this.#chunks.seal(false);
    if (this.isReading || this.#chunks.unindexed.length > 0) this.#reading = this.#readRest();
  }

  async #restoreRows(from: number, before: number): Promise<void> {
    if (from >= before) return;
    const values = await this.#options.store.readRange(from, before);
    const isLater = values.length > AT_ONCE;
    for (const value of values) {
      const item = this.#readable(value);
      if (item === null || this.has(item.id)) continue;
      const chunk = chunkOf(item.number);
      this.#enter(item, isLater);
      this.#chunks.touch(chunk);
      if (isLater) this.#chunks.indexLater(chunk);
    }
  }

  async #readRest(): Promise<void> {
    await new Promise((next) => setTimeout(next)); // lets callers that await `restore` run first
    try {
      const chunks = this.#chunks.unread;
      for (let at = 0; at < chunks.length; at += READ_AT_ONCE) {
        await this.#giveWay();
        await this.#readVectorsOf(chunks.slice(at, at + READ_AT_ONCE));
      }
    } catch (error) {
      this.#options.warn('Vectors of older memories could not be read; searching by words only.', error);
    }
    this.#chunks.seal(true);
    try {
      for (const chunk of this.#chunks.unindexed.toReversed()) {
        await this.#giveWay();
        await this.#indexWordsOf(chunk); // newest first: they are requested most often
      }
    } catch (error) {
      this.#options.warn('Some older memories could not be read; the word search does not find them.', error);
    }
  }

  /** Waits for running searches, because background loading uses the same database and thread. */
  async #giveWay(): Promise<void> {
    await Promise.allSettled(this.#searches);
  }

  /** Indexes the words of the stored memories in the chunk's range, then stores the chunk. */
  async #indexWordsOf(chunk: number): Promise<void> {
    const [from, before] = [chunk * CHUNK_ITEMS, (chunk + 1) * CHUNK_ITEMS];
    for (const value of await this.#options.store.readRange(from, before)) {
      const item = this.#readable(value);
      if (item === null || !this.#list.isOwn(item.number) || this.#words.has(item.number)) continue;
      const { terms, length } = termsOfMemory(item);
      this.#list.put(memoryEntry(item, this.#options.project, length));
      this.#words.add(item.number, terms);
    }
    this.#chunks.indexed(chunk);
    this.#chunks.seal(false, new Set([chunk]));
  }

  async #readVectorsOf(chunks: readonly number[]): Promise<void> {
    const [first = 0, last = first] = [chunks[0], chunks.at(-1)];
    const stored = await this.#options.store.readChunks('vectors', first, last + 1);
    const values = new Map(stored.map(({ chunk, value }) => [chunk, value]));
    for (const chunk of chunks) {
      if (!this.#chunks.attachVectors(chunk, values.get(chunk))) await this.#takeVectorsOfRows(chunk);
      this.#chunks.vectorsRead(chunk);
    }
  }

  /** Loads the vectors that are stored with the memories themselves. */
  async #takeVectorsOfRows(chunk: number): Promise<void> {
    for (const value of await this.#options.store.readRange(chunk * CHUNK_ITEMS, (chunk + 1) * CHUNK_ITEMS)) {
      const item = this.#readable(value);
      if (item !== null && this.#list.isOwn(item.number) && this.#meaning?.knows(item.number) === false)
        this.#compare(item);
    }
    this.#chunks.touch(chunk);
  }

  /** Stores new messages, and deletes the oldest memories beyond the limits. Returns the new ones, also those that are deleted again. */
  keep(items: readonly Omit<StoredMemory, 'number' | 'arrival' | 'project' | 'vector'>[]): StoredMemory[] {
    const before = this.#chunks.next;
    const added = items.map((item) => {
      const arrival = Math.max(this.lastArrival, this.#options.lastArrival()) + 1;
      const stored = { ...item, project: this.#options.project, number: this.#chunks.next, arrival };
      this.#chunks.put(stored);
      this.#enter(stored);
      this.retire(stored.createdAt);
      return stored;
    });
    // Also while vectors are missing: after an import, the next visit must not read all memories.
    if (Math.floor(before / MAX_UNSEALED_MEMORIES) < Math.floor(this.#chunks.next / MAX_UNSEALED_MEMORIES))
      this.#chunks.seal(false);
    return added;
  }

  /** Deletes memories beyond the limits. Warns the first time. */
  retire(now = this.#options.now()): void {
    for (;;) {
      const number = overdue(this.#list, this.#options.retention, now);
      if (number === null) return;
      this.#forget(number);
      if (this.#hasWarned) continue;
      this.#hasWarned = true;
      this.#options.warn(
        'The memory limit is reached: the oldest memories are deleted from now on. Raise it, pin what matters, or export.',
        retentionLimitReached(this.#options.retention),
      );
    }
  }

  /** Replaces the memory with the same number, which stays at its position in the conversation. */
  replace(changed: StoredMemory): void {
    this.#meaning?.remove(changed.number);
    this.#chunks.put(changed);
    this.#enter(changed);
  }

  /** Takes over what other sessions have changed. Returns false when they have changed nothing. Rejects when the store fails. */
  async refresh(): Promise<boolean> {
    let count = 0;
    await this.#options.store.refresh?.(({ entered, gone }) => {
      for (const number of gone) this.#drop(number);
      for (const value of entered) {
        const item = this.#readable(value);
        if (item === null) continue;
        this.#meaning?.remove(item.number);
        this.#enter(item);
        this.#chunks.touch(chunkOf(item.number));
      }
      count = entered.length + gone.length;
    });
    return count > 0;
  }

  /** Deletes a memory from the store and the indexes. Returns its number, or null when it does not exist. */
  forget(id: string): number | null {
    const number = this.#list.numberOf(id);
    if (number !== null) this.#forget(number);
    return number;
  }

  #forget(number: number): void {
    this.#drop(number);
    this.#chunks.remove(number);
  }

  /** Removes a memory from the indexes. */
  #drop(number: number): void {
    this.#list.remove(number);
    this.#words.remove(number);
    this.#meaning?.remove(number);
    this.#foreign.delete(number);
  }

  #putVector(item: StoredMemory): void {
    const { store } = this.#options;
    if (store.putVector === undefined) this.#chunks.put(item);
    else store.putVector(item);
  }

  clear(): void {
    for (const id of this.#list.ids()) this.forget(id);
  }

  /** Returns the newest `limit` memories, or the newest before a place; oldest first. */
  list(limit: number, before?: MemoryPlace): Promise<StoredMemory[]> {
    return this.#read(this.#list.newest(limit, before));
  }

  /** Returns the place of a memory in `list`, or null when it is not listed. */
  placeOf(id: string): MemoryPlace | null {
    const number = this.#list.numberOf(id);
    return number === null || !this.#list.isOwn(number) ? null : this.#list.place(number);
  }

  /** Returns the `limit` oldest memories that are not pinned, oldest first. */
  oldest(limit: number): Promise<StoredMemory[]> {
    return this.#read(this.#list.free(limit));
  }

  /** Returns the memories that can be deleted to free space. */
  freeable(): Freeable['memories'] {
    return this.#list.freeable();
  }

  /** Returns the memories with these ids that exist, in the given order. */
  items(ids: readonly string[]): Promise<StoredMemory[]> {
    const numbers = ids.flatMap((id) => this.#list.numberOf(id) ?? []);
    return this.#read(numbers, true);
  }

  /** Returns these memories with up to `reach` memories before and after each, in order and without duplicates. */
  around(items: readonly StoredMemory[], reach: number): Promise<StoredMemory[]> {
    const numbers = items.map(({ number }) => number);
    return this.#read(this.#list.near(numbers, reach));
  }

  /**
   * Returns the best `limit` memories for a query, best first. Ranks by shared words, by meaning if there is an embedder, by neighboring
   * memories, by speaker, and by time.
   */
  async search(
    query: string,
    limit: number,
    { without = [], ...options }: Omit<MemorySearchOptions, 'without'> & { without?: readonly string[] } = {},
  ): Promise<StoredMemory[]> {
    const numbers = new Set(without.flatMap((id) => this.#list.numberOf(id) ?? []));
    const found = this.#found(query, limit, { ...options, without: numbers });
    this.#searches.add(found);
    try {
      return await found;
    } finally {
      this.#searches.delete(found);
    }
  }

  async #found(query: string, limit: number, options: MemorySearchOptions): Promise<StoredMemory[]> {
    const similar = (count: number): Promise<Scored[]> => this.#similar(query, count);
    const indexes = { list: this.#list, words: this.#words, similar };
    return this.#read(await findMemories(query, limit, indexes, options));
  }

  /** Adds a memory to the indexes. With `wordsLater`, does not add it to the word index. */
  #enter(item: StoredMemory, wordsLater = false): void {
    const { number, project } = item;
    const isOwn = project === this.#options.project;
    const { terms, length } = isOwn && !wordsLater ? termsOfMemory(item) : { terms: [], length: 0 };
    this.#list.put(memoryEntry(item, this.#options.project, length));
    if (item.shared !== undefined && conversationOf(item) !== this.#options.conversation())
      this.#foreign.add(number);
    this.#chunks.grow(number);
    if (!isOwn) return;
    if (!wordsLater) this.#words.add(number, terms);
    this.#compare(item);
  }

  #compare(item: StoredMemory): void {
    try {
      this.#meaning?.add(item);
    } catch (error) {
      this.#options.warn('Could not compare a memory by meaning.', error);
    }
  }

  async #read(numbers: readonly number[], withVectors = false): Promise<StoredMemory[]> {
    if (numbers.length === 0) return [];
    const { store } = this.#options;
    const faster = withVectors ? undefined : store.readWithoutVectors?.(numbers);
    const values = await (faster ?? store.read(numbers));
    const items = values.map((value) => this.#readable(value)).filter((item) => item !== null);
    return items.filter(({ id }) => this.has(id)); // it may have been deleted during the read
  }

  #readable(value: unknown): StoredMemory | null {
    const item = readMemory(value);
    if (item === null) {
      const fault = new RoleZeroError('storage-corrupt', 'Stored memory has an unexpected shape.', {});
      this.#options.warn('Skipped a memory that could not be read.', fault);
    }
    return item;
  }

  async #similar(query: string, count: number): Promise<Scored[]> {
    const meaning = this.#meaning;
    if (meaning === null || this.size === 0 || this.isReading) return [];
    try {
      const found = await withTimeLimit((signal) => meaning.search(query, count, signal));
      this.#catchUp();
      return found;
    } catch (error) {
      this.#options.warn('Could not compare memories by meaning; searching by words only.', error);
      return [];
    }
  }

  /** Recreates in the background the vectors that come from the former embedder. */
  #catchUp(): void {
    if (this.#isCatchingUp || this.unembedded === 0) return;
    this.#isCatchingUp = true;
    this.embedAll(new AbortController().signal)
      .catch((error: unknown) => this.#options.warn('Could not embed all memories again.', error))
      .finally(() => (this.#isCatchingUp = false));
  }

  /** Creates missing and outdated vectors with the current embedder; see `Meaning.catchUp`. */
  async embedAll(signal: AbortSignal): Promise<void> {
    await this.#reading;
    await this.#meaning?.catchUp(signal);
  }

  /** Number of loaded memories that have no vector of the current embedder. */
  get unembedded(): number {
    return this.#meaning?.pending ?? 0;
  }
}
