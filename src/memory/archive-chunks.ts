import { CHUNK_ITEMS, chunkOf, type LongTermStore, type StoredMemory } from '../core/long-term.js';
import type { LexicalIndex } from './lexical-index.js';
import type { Meaning } from './meaning.js';
import type { MemoryList } from './memory-list.js';
import { isRecord } from '../core/json.js';
import { readSegment, type LexicalSegment } from './lexical-segment.js';
import { OWN, readColumns, type MemoryColumns } from './memory-columns.js';

/** Seals a partial chunk once this many of its memories are in no stored chunk. */
export const MAX_UNSEALED_MEMORIES = 256;

type WordsPart = NonNullable<ReturnType<typeof readWords>>;

/** Manages the stored chunks of a role's memories. Chunks restore the indexes without reading every memory. */
export class ArchiveChunks {
  readonly #store: LongTermStore;
  readonly #project: string;
  readonly #list: MemoryList;
  readonly #words: LexicalIndex;
  readonly #meaning: Meaning | null;
  /** Last memory number in each stored chunk; `Infinity` for a chunk that cannot be used. */
  readonly #sealed = new Map<number, number>();
  /** Chunks with memories that changed since the chunk was stored. */
  readonly #unsealed = new Set<number>();
  /** Chunks whose stored vectors are not loaded yet, with the last memory number in each. */
  readonly #unread = new Map<number, number>();
  /** Chunks with memories that are not in the word index yet. */
  readonly #unindexed = new Set<number>();
  #next = 0;

  constructor(
    store: LongTermStore,
    project: string,
    list: MemoryList,
    words: LexicalIndex,
    meaning: Meaning | null,
  ) {
    this.#store = store;
    this.#project = project;
    this.#list = list;
    this.#words = words;
    this.#meaning = meaning;
  }

  /** Number of the next new memory. */
  get next(): number {
    return this.#next;
  }

  get unread(): number[] {
    return [...this.#unread.keys()];
  }

  get unindexed(): number[] {
    return [...this.#unindexed];
  }

  /** Reads a stored chunk. Returns null when it is damaged or from another release. */
  read(chunk: number, value: unknown): WordsPart | null {
    this.#sealed.set(chunk, Infinity);
    return readWords(value, chunk, this.#project);
  }

  /**
   * Adds the memories of a stored chunk to the list and the word index. Returns false, and adds nothing, when they conflict with existing
   * ones.
   */
  attach(chunk: number, { columns, words, last }: WordsPart): boolean {
    if (!this.#list.attach(chunk, columns)) return false;
    if (!this.#words.attach(words)) {
      for (let number = chunk * CHUNK_ITEMS; number <= last; number++) this.#list.remove(number);
      return false;
    }
    this.#sealed.set(chunk, last);
    if (this.#meaning !== null) this.#unread.set(chunk, last);
    this.grow(last);
    return true;
  }

  /** Adds the stored vectors of a chunk. Returns false, and adds nothing, when they do not belong to its memories. */
  attachVectors(chunk: number, value: unknown): boolean {
    const meaning = this.#meaning;
    const last = this.#unread.get(chunk);
    if (meaning === null || last === undefined || this.#sealed.get(chunk) !== last) return false; // changed since it was loaded
    const vectors = readVectors(value, last, meaning.embedders);
    const own = this.#ownOf(chunk).filter((number) => number <= last);
    return vectors !== null && meaning.attach(own, vectors);
  }

  vectorsRead(chunk: number): void {
    this.#unread.delete(chunk);
  }

  /** Marks a chunk whose memories differ from its stored version. */
  touch(chunk: number): void {
    this.#unsealed.add(chunk);
  }

  indexLater(chunk: number): void {
    this.#unindexed.add(chunk);
  }

  indexed(chunk: number): void {
    this.#unindexed.delete(chunk);
  }

  /** Raises the next number above `number`, which is in use. */
  grow(number: number): void {
    this.#next = Math.max(this.#next, number + 1);
  }

  /** Stores a memory. Discards the stored chunk that contains its previous version. */
  put(item: StoredMemory): void {
    const chunk = chunkOf(item.number);
    this.#unsealed.add(chunk);
    if (item.number > (this.#sealed.get(chunk) ?? -1)) this.#store.add(item);
    else {
      this.#sealed.delete(chunk);
      this.#store.put(item);
    }
  }

  remove(number: number): void {
    const chunk = chunkOf(number);
    this.#sealed.delete(chunk);
    this.#unsealed.add(chunk);
    this.#store.remove(number);
  }

  /**
   * Stores the changed chunks among `chunks`: full chunks, and the newest one if it has grown enough. With `complete`, skips chunks in
   * which a memory is still waiting for a vector.
   */
  seal(complete: boolean, chunks: ReadonlySet<number> = this.#unsealed): void {
    for (const chunk of [...chunks].filter((one) => this.#unsealed.has(one) && this.#isDue(one))) {
      if (complete && this.#ownOf(chunk).some((number) => this.#meaning?.isPending(number))) continue;
      const columns = this.#list.columns(chunk);
      this.#unsealed.delete(chunk);
      if (columns === null) continue;
      const { own, last } = numbersOf(columns, chunk);
      this.#sealed.set(chunk, last);
      this.#store.putChunk(chunk, 'words', writeWords(columns, this.#words.seal(own), this.#project));
      if (this.#meaning !== null) {
        const { embedders } = this.#meaning;
        this.#store.putChunk(chunk, 'vectors', writeVectors(this.#meaning.pack(own), last, embedders));
      }
    }
  }

  #isDue(chunk: number): boolean {
    if (this.#unread.has(chunk) || this.#unindexed.has(chunk)) return false; // parts of it are not loaded
    const first = chunk * CHUNK_ITEMS;
    const stored = this.#sealed.get(chunk) ?? -1;
    const isFull = first + CHUNK_ITEMS <= this.#next;
    return isFull || stored === Infinity || this.#next - Math.max(first, stored + 1) >= MAX_UNSEALED_MEMORIES;
  }

  #ownOf(chunk: number): number[] {
    const numbers = Array.from({ length: CHUNK_ITEMS }, (_, place) => chunk * CHUNK_ITEMS + place);
    return numbers.filter((number) => this.#list.isOwn(number));
  }
}

/**
 * Version of the chunk format. Increase it whenever the same memories would produce a different chunk, such as after a change of `termsOf`
 * or of how speakers are read.
 */
const FORMAT = 6;

/**
 * Word index and metadata of the memories in a range of numbers, as plain data. It is loaded without reading the memories. It covers the
 * numbers from the start of the chunk's range up to `last`.
 */
interface WordsChunk {
  columns: MemoryColumns;
  words: LexicalSegment;
  /** `last` is the last number in the chunk; `own` lists the numbers of this project's memories. */
  last: number;
  own: number[];
}

/** Packed vectors of the same memories: `now` from the current embedder, `former` from the previous one. */
interface VectorsChunk {
  now: unknown;
  former: unknown;
}

/** Returns the storable form of a chunk's words. It can only be loaded for the same project. */
function writeWords(columns: MemoryColumns, words: LexicalSegment, project: string): unknown {
  return { format: FORMAT, project, columns, words };
}

/** Returns the storable form of a chunk's vectors, for memories up to `last`. It can only be loaded with the same embedders. */
function writeVectors(vectors: VectorsChunk, last: number, embedders: string): unknown {
  return { format: FORMAT, embedders, last, ...vectors };
}

/**
 * Reads stored words of this chunk. Returns null when they are invalid or from another release or project; then the memories themselves
 * must be read.
 */
function readWords(value: unknown, chunk: number, project: string): WordsChunk | null {
  if (!isRecord(value) || value['format'] !== FORMAT || value['project'] !== project) return null;
  const columns = readColumns(value['columns']);
  const words = readSegment(value['words']);
  if (columns === null || words === null) return null;
  const { last, own } = numbersOf(columns, chunk);
  if (own.length !== words.documents.length || own.some((number, at) => number !== words.documents[at]))
    return null;
  return { columns, words, last, own };
}

/** Reads stored vectors. Returns null when they are invalid, from another release, or for other memories or embedders. */
function readVectors(value: unknown, last: number, embedders: string): VectorsChunk | null {
  if (!isRecord(value) || value['format'] !== FORMAT) return null;
  if (value['embedders'] !== embedders || value['last'] !== last) return null;
  return { now: value['now'], former: value['former'] };
}

/** Returns the last number in a chunk (one before its first when it is empty) and the numbers of this project's memories. */
function numbersOf({ marks }: MemoryColumns, chunk: number): { last: number; own: number[] } {
  const first = chunk * CHUNK_ITEMS;
  const own: number[] = [];
  let last = first - 1;
  for (let place = 0; place < CHUNK_ITEMS; place++) {
    const mark = marks[place] ?? 0;
    if (mark !== 0) last = first + place;
    if ((mark & OWN) !== 0) own.push(first + place);
  }
  return { last, own };
}
