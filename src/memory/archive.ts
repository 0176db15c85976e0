import { RoleZeroError } from '../base/error.js';
import { CHUNK_ITEMS, type MemoryChange, type MemoryPlace, type StoredMemory } from '../base/long-term.js';
import type { Freeable } from '../base/space.js';
import type { Scored } from './best.js';
import { namedIn, timesIn } from './cues.js';
import type { ArchiveOptions } from './archive-options.js';
import { ArchiveChunks, chunkOf, PIECE } from './archive-chunks.js';
import { LexicalIndex } from './lexical-index.js';
import { Meaning } from './meaning.js';
import { entryOf } from './memory-entry.js';
import { readMemory } from './memory-item.js';
import { MemoryList } from './memory-list.js';
import { limitReached, overdue } from './retention.js';
import { patiently } from './patiently.js';
import { rankInContext } from './ranking.js';
import { termsOf } from './terms.js';

/** How many documents words and meaning each bring in, at least. */
const CANDIDATES = 200;
/** Characters of a message that are searched. */
const SEARCHED = 20_000;
/** Messages are short: what is long is no less about its words, and a word said twice no more. */
const MESSAGES = { k1: 0.9, b: 0.3 };
/** So many memories without a chunk are indexed while one waits; more are behind. */
const AT_ONCE = 2 * CHUNK_ITEMS;
/** Chunks whose vectors are read at once: who looks for something just then does not wait long. */
const READ_AT_ONCE = 2;
const NOTHING: ReadonlySet<number> = new Set();

/**
 * The older memories of one role: contents in the store, here only what finds them. That is kept in chunks beside the contents, and when
 * it comes back only what no chunk is of has to be read: first what finds by words, and while that is in use already, the vectors.
 */
export class Archive {
  readonly #options: ArchiveOptions;
  readonly #list = new MemoryList();
  readonly #words = new LexicalIndex(MESSAGES);
  readonly #meaning: Meaning | null;
  readonly #chunks: ArchiveChunks;
  #reading: Promise<void> = Promise.resolve();
  /** Searches under way: what is still to be read waits for them. */
  readonly #searches = new Set<Promise<unknown>>();
  #hasTold = false;
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
            read: (numbers) => this.#read(numbers),
            holds: (number) => this.#list.isOwn(number),
            put: (item) => this.#chunks.put(item),
            embedded: (numbers) => this.#chunks.seal(true, new Set(numbers.map(chunkOf))),
          });
    const { store, project } = options;
    this.#chunks = new ArchiveChunks(store, project, this.#list, this.#words, this.#meaning);
  }

  get size(): number {
    return this.#list.size;
  }

  has(id: string): boolean {
    return this.#list.numberOf(id) !== null;
  }

  /** Whether vectors are still to be read: until then words alone decide. */
  get isReading(): boolean {
    return this.#chunks.unread.length > 0;
  }

  /** Resolves when the vectors that were stored are here, or could not be read, and all are found by their words. */
  get whole(): Promise<void> {
    return this.#reading;
  }

  /**
   * Takes in what is stored already, but for vectors, which follow by themselves; what cannot be read is passed over with a warning. So
   * do the words of memories that no chunk is of, where these are many: chunks were lost, or are of another release.
   * Rejects when the store fails.
   */
  async restore(): Promise<void> {
    let read = 0; // all items below this number are here
    for (const { chunk, value } of await this.#options.store.readChunks('words', 0, Infinity)) {
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
    await new Promise((next) => setTimeout(next)); // who waited for what is here goes first
    try {
      const chunks = this.#chunks.unread;
      for (let at = 0; at < chunks.length; at += READ_AT_ONCE) {
        await this.#giveWay();
        await this.#readVectorsOf(chunks.slice(at, at + READ_AT_ONCE));
      }
    } catch (error) {
      this.#options.warn('Vectors of older memories could not be read; words alone decide.', error);
    }
    this.#chunks.seal(true);
    try {
      for (const chunk of this.#chunks.unindexed.toReversed()) {
        await this.#giveWay();
        await this.#indexWordsOf(chunk); // the newest are asked for most
      }
    } catch (error) {
      this.#options.warn('Some older memories could not be read, and are not found by their words.', error);
    }
  }

  /** Lets those go first who are looking for something: what is read behind needs the same database and the same thread. */
  async #giveWay(): Promise<void> {
    await Promise.allSettled(this.#searches);
  }

  /** Makes the memories of a chunk's span known by their words, as they are stored now, and stores the chunk. */
  async #indexWordsOf(chunk: number): Promise<void> {
    const [from, before] = [chunk * CHUNK_ITEMS, (chunk + 1) * CHUNK_ITEMS];
    for (const value of await this.#options.store.readRange(from, before)) {
      const item = this.#readable(value);
      if (item === null || !this.#list.isOwn(item.number) || this.#words.has(item.number)) continue;
      const terms = searchedIn(item);
      this.#list.put(entryOf(item, this.#options.project, terms.length));
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

  /** The vectors as they are stored with the memories themselves. */
  async #takeVectorsOfRows(chunk: number): Promise<void> {
    for (const value of await this.#options.store.readRange(chunk * CHUNK_ITEMS, (chunk + 1) * CHUNK_ITEMS)) {
      const item = this.#readable(value);
      if (item !== null && this.#list.isOwn(item.number) && this.#meaning?.knows(item.number) === false)
        this.#compare(item);
    }
    this.#chunks.touch(chunk);
  }

  /** Stores messages that are not there yet. What is beyond the limits is forgotten, the oldest first: its numbers are `gone`. */
  keep(items: readonly Omit<StoredMemory, 'number' | 'project' | 'vector'>[]): {
    kept: StoredMemory[];
    gone: number[];
  } {
    const before = this.#chunks.next;
    const gone: number[] = [];
    const kept = items.map((item) => {
      const stored = { ...item, project: this.#options.project, number: this.#chunks.next };
      this.#chunks.put(stored);
      this.#enter(stored);
      gone.push(...this.retire(stored.createdAt));
      return stored;
    });
    if (Math.floor(before / PIECE) < Math.floor(this.#chunks.next / PIECE)) this.#chunks.seal(true);
    return { kept, gone };
  }

  /** Forgets what is beyond the limits, and says so the first time. The numbers of what went. */
  retire(now = this.#options.now()): number[] {
    const gone: number[] = [];
    for (;;) {
      const number = overdue(this.#list, this.#options.retention, now);
      if (number === null) return gone;
      this.#forget(number);
      gone.push(number);
      if (this.#hasTold) continue;
      this.#hasTold = true;
      this.#options.warn(
        'The oldest memories are forgotten from now on: the limit is reached. Raise it, pin what matters, or export.',
        limitReached(this.#options.retention),
      );
    }
  }

  /** Changes a memory; it stays where it is in the conversation. Null when it is not there. Rejects when the store fails. */
  async change(id: string, { content, pinned }: MemoryChange): Promise<StoredMemory | null> {
    const [item] = await this.items([id]);
    if (item === undefined) return null;
    const { pinned: before, vector, ...rest } = item;
    const keepsVector = vector !== undefined && (content === undefined || content === item.message.content);
    // What a person wrote in its place is the person's.
    const { untrusted: _, ...metadata } = item.message.metadata;
    const message = content === undefined ? item.message : { ...item.message, content, metadata };
    const changed: StoredMemory = {
      ...rest,
      message,
      ...((pinned ?? before) === true ? { pinned: true as const } : {}),
      ...(keepsVector ? { vector } : {}),
    };
    this.#meaning?.remove(item.number);
    this.#chunks.put(changed);
    this.#enter(changed);
    return changed;
  }

  /** Row, index and all. Its number, or null when it is not there. */
  forget(id: string): number | null {
    const number = this.#list.numberOf(id);
    if (number !== null) this.#forget(number);
    return number;
  }

  #forget(number: number): void {
    this.#list.remove(number);
    this.#words.remove(number);
    this.#meaning?.remove(number);
    this.#chunks.remove(number);
  }

  clear(): void {
    for (const id of this.#list.ids()) this.forget(id);
  }

  /** The newest `limit`, or of those before a place, oldest first. */
  list(limit: number, before?: MemoryPlace): Promise<StoredMemory[]> {
    return this.#read(this.#list.newest(limit, before));
  }

  /** Where a memory stands among those that are listed; null when it is not among them. */
  placeOf(id: string): MemoryPlace | null {
    const number = this.#list.numberOf(id);
    return number === null || !this.#list.isOwn(number) ? null : this.#list.place(number);
  }

  /** The `limit` oldest that are not pinned, oldest first. */
  oldest(limit: number): Promise<StoredMemory[]> {
    return this.#read(this.#list.free(limit));
  }

  /** What could go to make room. */
  freeable(): Freeable['memories'] {
    return this.#list.freeable();
  }

  /** Those of these ids that are there, in this order. */
  items(ids: readonly string[]): Promise<StoredMemory[]> {
    return this.#read(ids.flatMap((id) => this.#list.numberOf(id) ?? []));
  }

  /** What came just before and after these, `reach` of them on each side; in order, each once, these included. */
  around(items: readonly StoredMemory[], reach: number): Promise<StoredMemory[]> {
    return this.#read(
      this.#list.near(
        items.map(({ number }) => number),
        reach,
      ),
    );
  }

  /**
   * The best `limit` for a query, best first: by shared words, by meaning where there is an embedder, by what was said around, by whom
   * and when. With `own`, only what fits by itself. With `unasked`, nothing that strangers had a hand in: it is looked for on purpose or
   * not at all, and however much there is of it, it does not stand in the way of the rest.
   */
  async search(
    query: string,
    limit: number,
    options: { own?: boolean; unasked?: boolean } = {},
  ): Promise<StoredMemory[]> {
    const found = this.#found(query, limit, options);
    this.#searches.add(found);
    try {
      return await found;
    } finally {
      this.#searches.delete(found);
    }
  }

  async #found(
    query: string,
    limit: number,
    { own = false, unasked = false }: { own?: boolean; unasked?: boolean },
  ): Promise<StoredMemory[]> {
    const touched = unasked ? this.#list.touched : NOTHING;
    const count = Math.max(CANDIDATES, limit) + touched.size;
    const isMeant = ({ document }: Scored): boolean => !touched.has(document);
    const circumstances = (document: number) =>
      touched.has(document) ? undefined : this.#list.circumstances(document);
    const lexical = this.#words.search(termsOf(query.slice(0, SEARCHED)), count).filter(isMeant);
    const semantic = (await this.#similar(query, count)).filter(isMeant);
    const cues = { speakers: namedIn(query, this.#list.speakers), times: timesIn(query) };
    const best = rankInContext({ lexical, semantic }, cues, circumstances, { limit, own });
    return this.#read(best.map(({ document }) => document));
  }

  /** With `wordsLater` it is there in every way but that it is found by its words. */
  #enter(item: StoredMemory, wordsLater = false): void {
    const { number, project } = item;
    const isOwn = project === this.#options.project;
    const terms = isOwn && !wordsLater ? searchedIn(item) : [];
    this.#list.put(entryOf(item, this.#options.project, terms.length));
    this.#chunks.grow(number);
    if (!isOwn) return;
    if (!wordsLater) this.#words.add(number, terms);
    this.#compare(item);
  }

  #compare(item: StoredMemory): void {
    try {
      this.#meaning?.add(item);
    } catch (error) {
      this.#options.warn('A memory could not be compared by meaning.', error);
    }
  }

  async #read(numbers: readonly number[]): Promise<StoredMemory[]> {
    const values = numbers.length === 0 ? [] : await this.#options.store.read(numbers);
    const items = values.map((value) => this.#readable(value)).filter((item) => item !== null);
    return items.filter(({ id }) => this.has(id)); // it may have been forgotten meanwhile
  }

  #readable(value: unknown): StoredMemory | null {
    const item = readMemory(value);
    if (item === null) {
      const fault = new RoleZeroError('storage-corrupt', 'It is not what was stored.', {});
      this.#options.warn('A memory could not be read and is passed over.', fault);
    }
    return item;
  }

  async #similar(query: string, count: number): Promise<Scored[]> {
    const meaning = this.#meaning;
    if (meaning === null || this.size === 0 || this.isReading) return [];
    try {
      const found = await patiently((signal) => meaning.search(query, count, signal));
      this.#catchUp();
      return found;
    } catch (error) {
      this.#options.warn('Memories could not be compared by meaning; words alone decide.', error);
      return [];
    }
  }

  /** Embeds anew what has a vector of the former embedder; nobody waits for it. */
  #catchUp(): void {
    if (this.#isCatchingUp || this.unembedded === 0) return;
    this.#isCatchingUp = true;
    this.embedAll(new AbortController().signal)
      .catch((error: unknown) => this.#options.warn('Memories could not all be embedded anew.', error))
      .finally(() => (this.#isCatchingUp = false));
  }

  /** Gives every memory a vector of the embedder; see `Meaning.catchUp`. */
  async embedAll(signal: AbortSignal): Promise<void> {
    await this.#reading;
    await this.#meaning?.catchUp(signal);
  }

  /** How many memories wait for a vector of the embedder, as far as vectors have been read. */
  get unembedded(): number {
    return this.#meaning?.pending ?? 0;
  }
}

/** What a memory is found by. */
function searchedIn({ message: { content } }: StoredMemory): string[] {
  return termsOf(content.slice(0, SEARCHED));
}
