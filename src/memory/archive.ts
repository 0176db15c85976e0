import { RoleZeroError } from '../base/error.js';
import { CHUNK_ITEMS, type LongTermStore, type MemoryChange, type StoredMemory } from '../base/long-term.js';
import type { Embedder } from '../base/model.js';
import type { Freeable } from '../base/space.js';
import type { Scored } from './best.js';
import { MemoryCircumstances } from './circumstances.js';
import { LexicalIndex } from './lexical-index.js';
import { Meaning } from './meaning.js';
import { readChunk, writeChunk, type ChunkScope, type MemoryChunk } from './memory-chunk.js';
import { entryOf, type MemoryEntry } from './memory-entry.js';
import { readMemory } from './memory-item.js';
import { RetentionLedger, type Retention } from './retention.js';
import { rankInContext } from './ranking.js';
import { termsOf } from './terms.js';
import type { VectorIndexFactory } from './vector-index.js';

export interface ArchiveOptions {
  store: LongTermStore;
  /** Items of other projects are kept and not found. */
  project: string;
  embedder: Embedder | undefined;
  formerEmbedder: Embedder | undefined;
  vectors: VectorIndexFactory | undefined;
  retention: Retention;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Hears of what went wrong and was made the best of. */
  warn(message: string, error: unknown): void;
}

/** How many documents words and meaning each bring in, at least. */
const CANDIDATES = 200;
/** Characters of a message that are searched. */
const SEARCHED = 20_000;
/** Messages are short: what is long is no less about its words, and a word said twice no more. */
const MESSAGES = { k1: 0.9, b: 0.3 };
/** Milliseconds: an embedder that takes longer is no help for this step. */
const PATIENCE = 5_000;

const NOTHING: ReadonlySet<number> = new Set();

/**
 * The older memories of one role: contents in the store, here only what finds them. That is kept in chunks beside the contents, and when
 * it comes back only what no chunk is of has to be read.
 */
export class Archive {
  /** By number, oldest first. */
  readonly #entries = new Map<number, MemoryEntry>();
  /** By id of message. */
  readonly #numbers = new Map<string, number>();
  /** Those of this project, oldest first. */
  readonly #own = new Set<number>();
  /** Those that strangers had a hand in. */
  readonly #touched = new Set<number>();
  readonly #words = new LexicalIndex(MESSAGES);
  readonly #circumstances = new MemoryCircumstances();
  readonly #meaning: Meaning | null;
  readonly #retention: RetentionLedger;
  /** Chunks that are full and not stored as they are now. */
  readonly #unsealed = new Set<number>();
  #hasTold = false;
  #isCatchingUp = false;
  #next = 0;

  constructor(private readonly options: ArchiveOptions) {
    const { embedder, formerEmbedder, vectors, store } = options;
    this.#retention = new RetentionLedger(options.retention);
    this.#meaning =
      embedder === undefined
        ? null
        : new Meaning({
            embedder,
            former: formerEmbedder,
            vectors,
            read: (numbers) => this.#read(numbers),
            holds: (number) => this.#own.has(number),
            put: (item) => {
              store.put(item);
              this.#note(item.number);
            },
            embedded: (numbers) => this.#seal(new Set(numbers.map(chunkOf)), true),
          });
  }

  get size(): number {
    return this.#numbers.size;
  }

  has(id: string): boolean {
    return this.#numbers.has(id);
  }

  /** Takes in what is stored already; what cannot be read is passed over with a warning. Rejects when the store fails. */
  async restore(): Promise<void> {
    const sealed = new Set<number>();
    let read = 0; // all items below this number are here
    for (const { chunk, value } of await this.options.store.readChunks()) {
      const content = readChunk(value, this.#scope);
      if (content === null) continue;
      await this.#restoreRows(read, chunk * CHUNK_ITEMS);
      read = chunk * CHUNK_ITEMS;
      if (!this.#attach(content, chunk)) continue;
      sealed.add(chunk);
      read += CHUNK_ITEMS;
    }
    await this.#restoreRows(read, Infinity);
    for (const number of this.#entries.keys()) if (!sealed.has(chunkOf(number))) this.#note(number);
    this.#seal(this.#unsealed, false);
  }

  async #restoreRows(from: number, before: number): Promise<void> {
    if (from >= before) return;
    for (const value of await this.options.store.readRange(from, before)) {
      const item = this.#readable(value);
      if (item !== null && !this.has(item.id)) this.#enter(item);
    }
  }

  get #scope(): ChunkScope {
    return { project: this.options.project, embedders: this.#meaning?.embedders ?? '' };
  }

  /** Takes in the memories of a chunk. False, and nothing changed, when they cannot be those of this chunk. */
  #attach({ entries, words, vectors }: MemoryChunk, chunk: number): boolean {
    const own = entries.filter((entry) => entry.own).map(({ number }) => number);
    const isOf = entries.every(({ id, number }) => chunkOf(number) === chunk && !this.has(id));
    const isWhole =
      own.length === words.documents.length && own.every((it, at) => it === words.documents[at]);
    if (!isOf || !isWhole || (this.#meaning === null) !== (vectors === null)) return false;
    if (vectors !== null && this.#meaning?.attach(own, vectors) === false) return false;
    if (!this.#words.attach(words)) {
      for (const number of own) this.#meaning?.remove(number);
      return false;
    }
    for (const entry of entries) this.#list(entry);
    this.#next = Math.max(this.#next, (chunk + 1) * CHUNK_ITEMS);
    return true;
  }

  /** What this number is of has changed: the chunk, when it is full, is not stored any more. */
  #note(number: number): void {
    const chunk = chunkOf(number);
    if ((chunk + 1) * CHUNK_ITEMS <= this.#next) this.#unsealed.add(chunk);
  }

  /** Stores those of these chunks that are full and not stored; with `complete`, only where nothing waits for a vector. */
  #seal(chunks: ReadonlySet<number>, complete: boolean): void {
    const due = new Map<number, MemoryEntry[]>();
    for (const chunk of chunks) if (this.#unsealed.has(chunk)) due.set(chunk, []);
    if (due.size === 0) return;
    for (const entry of this.#entries.values()) due.get(chunkOf(entry.number))?.push(entry);
    for (const [chunk, entries] of due) {
      entries.sort((one, other) => one.number - other.number);
      if (complete && entries.some(({ number }) => this.#meaning?.isPending(number))) continue;
      this.#unsealed.delete(chunk);
      if (entries.length === 0) continue;
      const own = entries.filter((entry) => entry.own).map(({ number }) => number);
      const content = { entries, words: this.#words.seal(own), vectors: this.#meaning?.pack(own) ?? null };
      this.options.store.putChunk(chunk, writeChunk(content, this.#scope));
    }
  }

  /** Stores a message that is not there yet. What is beyond the limits is forgotten, the oldest first. */
  keep(item: Omit<StoredMemory, 'number' | 'project' | 'vector'>): StoredMemory {
    const stored = { ...item, project: this.options.project, number: this.#next };
    this.options.store.put(stored);
    this.#enter(stored);
    this.retire(stored.createdAt);
    if (this.#next % CHUNK_ITEMS === 0) {
      this.#note(stored.number);
      this.#seal(this.#unsealed, true);
    }
    return stored;
  }

  /** Forgets what is beyond the limits, and says so the first time. */
  retire(now = this.options.now()): void {
    for (;;) {
      const id = this.#retention.due(now);
      if (id === null) return;
      this.forget(id);
      if (this.#hasTold) continue;
      this.#hasTold = true;
      const { maxItems, maxCharacters, maxAgeMs } = this.options.retention;
      this.options.warn(
        'The oldest memories are forgotten from now on: the limit is reached. Raise it, pin what matters, or export.',
        new RoleZeroError('storage-full', 'A limit of long-term memory is reached.', {
          maxItems,
          maxCharacters,
          maxAgeMs,
        }),
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
    this.options.store.put(changed);
    this.#enter(changed);
    this.#note(item.number);
    return changed;
  }

  /** Row, index and all. Its number, or null when it is not there. */
  forget(id: string): number | null {
    const number = this.#numbers.get(id);
    if (number === undefined) return null;
    this.#numbers.delete(id);
    this.#entries.delete(number);
    this.#own.delete(number);
    this.#touched.delete(number);
    this.#words.remove(number);
    this.#circumstances.remove(number);
    this.#meaning?.remove(number);
    this.#retention.drop(id);
    this.options.store.remove(number);
    this.#note(number);
    return number;
  }

  clear(): void {
    for (const id of [...this.#numbers.keys()]) this.forget(id);
  }

  /** The newest `limit`, oldest first. */
  list(limit: number): Promise<StoredMemory[]> {
    return this.#read(limit === 0 ? [] : [...this.#own].slice(-limit));
  }

  /** The `limit` oldest that are not pinned, oldest first. */
  oldest(limit: number): Promise<StoredMemory[]> {
    const free = [...this.#own].filter((number) => this.#entries.get(number)?.pinned === false);
    return this.#read(free.slice(0, limit));
  }

  /** What could go to make room. */
  freeable(): Freeable['memories'] {
    const sum: Freeable['memories'] = { count: 0, characters: 0, oldest: null, pinned: 0 };
    for (const number of this.#own) {
      const entry = this.#entries.get(number);
      if (entry === undefined) continue;
      if (entry.pinned) sum.pinned++;
      else {
        sum.count++;
        sum.characters += entry.characters;
        sum.oldest ??= entry.createdAt;
      }
    }
    return sum;
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

  /**
   * The best `limit` for a query, best first: by shared words, by meaning where there is an embedder, by what was said around, by whom
   * and when. With `own`, only what fits by itself. With `unasked`, nothing that strangers had a hand in: it is looked for on purpose or
   * not at all, and however much there is of it, it does not stand in the way of the rest.
   */
  async search(
    query: string,
    limit: number,
    { own = false, unasked = false }: { own?: boolean; unasked?: boolean } = {},
  ): Promise<StoredMemory[]> {
    const touched = unasked ? this.#touched : NOTHING;
    const count = Math.max(CANDIDATES, limit) + touched.size;
    const isMeant = ({ document }: Scored): boolean => !touched.has(document);
    const lexical = this.#words.search(termsOf(query.slice(0, SEARCHED)), count).filter(isMeant);
    const semantic = (await this.#similar(query, count)).filter(isMeant);
    const cues = this.#circumstances.cues(query);
    const best = rankInContext(
      { lexical, semantic },
      cues,
      (number) => this.#circumstances.get(number),
      own,
    ).filter(isMeant);
    return this.#read(best.slice(0, limit).map(({ document }) => document));
  }

  #enter(item: StoredMemory): void {
    const { number, project, message } = item;
    const isOwn = project === this.options.project;
    const terms = isOwn ? termsOf(message.content.slice(0, SEARCHED)) : [];
    this.#list(entryOf(item, this.options.project, terms.length));
    this.#next = Math.max(this.#next, number + 1);
    if (!isOwn) return;
    this.#words.add(number, terms);
    try {
      this.#meaning?.add(item);
    } catch (error) {
      this.options.warn('A memory could not be compared by meaning.', error);
    }
  }

  #list(entry: MemoryEntry): void {
    const { id, number, own, touched } = entry;
    this.#entries.set(number, entry);
    this.#numbers.set(id, number);
    if (touched) this.#touched.add(number);
    else this.#touched.delete(number);
    this.#retention.note(id, entry);
    if (!own) return;
    this.#own.add(number);
    this.#circumstances.add(entry);
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
    const meaning = this.#meaning;
    if (meaning === null || this.#own.size === 0) return [];
    try {
      const found = await patiently((signal) => meaning.search(query, count, signal));
      this.#catchUp();
      return found;
    } catch (error) {
      this.options.warn('Memories could not be compared by meaning; words alone decide.', error);
      return [];
    }
  }

  /** Embeds anew what has a vector of the former embedder; nobody waits for it. */
  #catchUp(): void {
    if (this.#isCatchingUp || this.unembedded === 0) return;
    this.#isCatchingUp = true;
    this.embedAll(new AbortController().signal)
      .catch((error: unknown) => this.options.warn('Memories could not all be embedded anew.', error))
      .finally(() => (this.#isCatchingUp = false));
  }

  /** Gives every memory a vector of the embedder; see `Meaning.catchUp`. */
  async embedAll(signal: AbortSignal): Promise<void> {
    await this.#meaning?.catchUp(signal);
  }

  /** How many memories wait for a vector of the embedder. */
  get unembedded(): number {
    return this.#meaning?.pending ?? 0;
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

function chunkOf(number: number): number {
  return Math.floor(number / CHUNK_ITEMS);
}
