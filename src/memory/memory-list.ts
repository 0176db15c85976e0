import { RoleZeroError } from '../core/error.js';
import { CHUNK_ITEMS, chunkOf, type MemoryPlace } from '../core/long-term.js';
import type { Freeable } from '../core/space.js';
import {
  HERE,
  marksOf,
  OWN,
  PINNED,
  FROM_OTHERS,
  TOUCHED,
  columnsOf,
  type MemoryColumns,
} from './memory-columns.js';
import type { MemoryEntry } from './memory-item.js';
import { hashOf, NumbersByHash } from './hash.js';
import type { Circumstances } from './ranking.js';

/** Memories in the number range of one chunk. */
interface ChunkBlock extends MemoryColumns {
  /** Passage (stretch of conversation) of each memory; 0 for memories of other projects. */
  passages: Uint32Array;
  /** One id per place, created on the first change; null while all ids are in `ids`. */
  ownIds: string[] | null;
}

const AFTER_ALL: MemoryPlace = { arrival: Infinity, number: Infinity };
/** The latest time that a `Date` can have: a stored time beyond it is not one. */
const LATEST = 8.64e15;

/**
 * Metadata of all memories of a role, ordered by number: time, length, and passage. It is available without reading the memories. Columns
 * from a stored chunk are used without conversion.
 */
export class MemoryList {
  /** Numbers of memories that come from an untrusted source. */
  readonly touched = new Set<number>();
  /** By chunk number, ascending. */
  readonly #blocks = new Map<number, ChunkBlock>();
  readonly #byId = new NumbersByHash();
  readonly #passages = new Passages();
  #size = 0;
  #lastArrival = 0;
  #characters = 0;

  get size(): number {
    return this.#size;
  }

  /** Total number of characters of all contents. */
  get characters(): number {
    return this.#characters;
  }

  /** Arrival of the newest memory so far; 0 when there was none. */
  get lastArrival(): number {
    return this.#lastArrival;
  }

  /** Returns the numbers of the `limit` oldest memories that are not pinned, oldest first. */
  free(limit: number): number[] {
    return [...this.own()].filter((number) => this.get(number)?.pinned === false).slice(0, limit);
  }

  /** Returns these numbers and the existing ones up to `reach` away, in ascending order. */
  near(numbers: readonly number[], reach: number): number[] {
    const wanted = new Set<number>();
    for (const number of numbers)
      for (let near = number - reach; near <= number + reach; near++) if (this.isOwn(near)) wanted.add(near);
    return [...wanted].sort((one, other) => one - other);
  }

  /** Returns the memories that can be deleted to free space. */
  freeable(): Freeable['memories'] {
    const sum: Freeable['memories'] = { count: 0, characters: 0, oldest: null, pinned: 0 };
    for (const number of this.own()) {
      const entry = this.get(number);
      if (entry === null) continue;
      if (entry.pinned) sum.pinned++;
      else {
        sum.count++;
        sum.characters += entry.characters;
        sum.oldest ??= entry.createdAt;
      }
    }
    return sum;
  }

  numberOf(id: string): number | null {
    return this.#numberOf(hashOf(id), id);
  }

  get(number: number): MemoryEntry | null {
    const [block, place] = this.#at(number);
    const marks = block?.marks[place] ?? 0;
    if (block === undefined || marks === 0) return null;
    return {
      id: idAt(block, place),
      number,
      createdAt: block.createdAt[place] ?? 0,
      arrival: block.arrivals[place] ?? 0,
      characters: block.characters[place] ?? 0,
      pinned: (marks & PINNED) !== 0,
      own: (marks & OWN) !== 0,
      fromOthers: (marks & FROM_OTHERS) !== 0,
      touched: (marks & TOUCHED) !== 0,
      length: block.lengths[place] ?? 0,
      conversation: '', // only new entries have one
    };
  }

  /** Returns true when the memory exists and belongs to this project. */
  isOwn(number: number): boolean {
    const [block, place] = this.#at(number);
    return ((block?.marks[place] ?? 0) & OWN) !== 0;
  }

  /** Returns the metadata that ranking needs for a memory of this project. */
  circumstances(number: number): Circumstances | undefined {
    const [block, place] = this.#at(number);
    const marks = block?.marks[place] ?? 0;
    if (block === undefined || (marks & OWN) === 0) return undefined;
    return {
      at: block.createdAt[place] ?? 0,
      fromOthers: (marks & FROM_OTHERS) !== 0,
      length: block.lengths[place] ?? 0,
      passage: block.passages[place] ?? 0,
    };
  }

  /** Returns the ids of all projects. */
  ids(): string[] {
    const places = Array.from({ length: CHUNK_ITEMS }, (_, place) => place);
    return [...this.#blocks.values()].flatMap((block) =>
      places.filter((place) => block.marks[place] !== 0).map((place) => idAt(block, place)),
    );
  }

  /** Yields the numbers of this project's memories in ascending order. */
  *own(): Generator<number> {
    for (const [chunk, { marks }] of this.#blocks)
      for (let place = 0; place < CHUNK_ITEMS; place++)
        if (((marks[place] ?? 0) & OWN) !== 0) yield chunk * CHUNK_ITEMS + place;
  }

  /** Returns the newest `limit` memories of this project, or the newest before a place; oldest first. */
  newest(limit: number, before: MemoryPlace = AFTER_ALL): number[] {
    const places = Array.from(this.own(), (number) => this.place(number));
    const earlier = places.filter((place) => this.#compare(place, before) < 0);
    earlier.sort(this.#compare); // sessions that share memories may number them in another order
    return earlier.slice(Math.max(0, earlier.length - limit)).map(({ number }) => number);
  }

  /** Returns the position of a memory in the order of arrival. */
  place(number: number): MemoryPlace {
    const [block, place] = this.#at(number);
    return { arrival: block?.arrivals[place] ?? 0, number };
  }

  /** Returns the number of the oldest memory of any project that is not pinned, or null when there is none. */
  oldestFree(): number | null {
    for (const [chunk, { marks }] of this.#blocks) {
      const place = marks.findIndex((mark) => (mark & (HERE | PINNED)) === HERE);
      if (place >= 0) return chunk * CHUNK_ITEMS + place;
    }
    return null;
  }

  /** Adds an entry. An entry with an existing number replaces the old one and stays in its passage. */
  put(entry: MemoryEntry): void {
    const { number, createdAt } = entry;
    const [found, place] = this.#at(number);
    const block = found ?? emptyBlock();
    if (found === undefined) this.#blocks.set(chunkOf(number), block);
    if (block.marks[place] !== 0) this.#discount(block, place, number);
    else {
      block.passages[place] = entry.own ? this.#passages.next(createdAt, entry.conversation) : 0;
      block.arrivals[place] = this.#arrive(entry);
    }
    block.marks[place] = marksOf(entry);
    block.createdAt[place] = createdAt;
    block.characters[place] = entry.characters;
    block.lengths[place] = entry.length;
    block.idHashes[place] = hashOf(entry.id);
    idsOf(block)[place] = entry.id;
    this.#count(block, place, number);
  }

  /** Removes a memory. Does nothing when it does not exist. */
  remove(number: number): void {
    const [block, place] = this.#at(number);
    if (block === undefined || block.marks[place] === 0) return;
    this.#discount(block, place, number);
    block.marks[place] = 0;
    idsOf(block)[place] = '';
    if (block.marks.every((mark) => mark === 0)) this.#blocks.delete(chunkOf(number));
  }

  /** Makes space for this many more memories. */
  reserve(count: number): void {
    this.#byId.reserve(count);
  }

  /** Adds the memories of a chunk after all others. Returns false, and changes nothing, when some of them already exist. */
  attach(chunk: number, columns: MemoryColumns): boolean {
    if (this.#blocks.has(chunk)) return false;
    const block: ChunkBlock = { ...columns, passages: new Uint32Array(CHUNK_ITEMS), ownIds: null };
    const { marks, createdAt, arrivals, idHashes, passages } = block;
    this.reserve(CHUNK_ITEMS);
    for (let place = 0; place < CHUNK_ITEMS; place++) {
      const hash = idHashes[place] ?? 0;
      if (marks[place] !== 0 && this.#byId.has(hash) && this.#numberOf(hash, idAt(block, place)) !== null)
        return false;
    }
    this.#blocks.set(chunk, block);
    for (let place = 0; place < CHUNK_ITEMS; place++) {
      const mark = marks[place] ?? 0;
      if (mark === 0) continue;
      this.#lastArrival = Math.max(this.#lastArrival, arrivals[place] ?? 0);
      this.#count(block, place, chunk * CHUNK_ITEMS + place);
      if ((mark & OWN) !== 0) passages[place] = this.#passages.next(createdAt[place] ?? 0);
    }
    return true;
  }

  /** Returns the memories of a chunk as columns for `attach`, or null when there are none. */
  columns(chunk: number): MemoryColumns | null {
    const first = chunk * CHUNK_ITEMS;
    const numbers = Array.from({ length: CHUNK_ITEMS }, (_, place) => first + place);
    const entries = numbers.flatMap((number) => this.get(number) ?? []);
    return entries.length === 0 ? null : columnsOf(entries);
  }

  /** Compares by arrival. Sessions that share memories can assign the same arrival at the same time: all list these by id. */
  readonly #compare = (one: MemoryPlace, other: MemoryPlace): number => {
    if (one.arrival !== other.arrival) return one.arrival - other.arrival;
    const [id, next] = [this.get(one.number)?.id, this.get(other.number)?.id];
    return id === undefined || next === undefined || id === next
      ? one.number - other.number
      : id < next
        ? -1
        : 1;
  };

  /** Returns the arrival of a new entry. That of an earlier release is its time, raised where the clock did not advance. */
  #arrive({ arrival, createdAt }: MemoryEntry): number {
    const own = arrival ?? Math.max(this.#lastArrival + 1, Math.min(createdAt, LATEST));
    this.#lastArrival = Math.max(this.#lastArrival, own);
    return own;
  }

  #at(number: number): [block: ChunkBlock | undefined, place: number] {
    return [this.#blocks.get(chunkOf(number)), number % CHUNK_ITEMS];
  }

  #numberOf(hash: number, id: string): number | null {
    return this.#byId.find(hash, (number) => {
      const [block, place] = this.#at(number);
      return block !== undefined && idAt(block, place) === id;
    });
  }

  #count(block: ChunkBlock, place: number, number: number): void {
    this.#size++;
    this.#characters += block.characters[place] ?? 0;
    this.#byId.add(block.idHashes[place] ?? 0, number);
    if (((block.marks[place] ?? 0) & TOUCHED) !== 0) this.touched.add(number);
  }

  #discount(block: ChunkBlock, place: number, number: number): void {
    this.#size--;
    this.#characters -= block.characters[place] ?? 0;
    this.#byId.remove(block.idHashes[place] ?? 0, number);
    this.touched.delete(number);
  }
}

function emptyBlock(): ChunkBlock {
  return { ...columnsOf([]), passages: new Uint32Array(CHUNK_ITEMS), ownIds: null };
}

function idAt({ ids, idStarts, ownIds }: ChunkBlock, place: number): string {
  return ownIds === null ? ids.slice(idStarts[place], idStarts[place + 1]) : (ownIds[place] ?? '');
}

/** Returns the ids as an array that can be changed. The first call clears the concatenated `ids`. */
function idsOf(block: ChunkBlock): string[] {
  if (block.ownIds !== null) return block.ownIds;
  block.ownIds = Array.from({ length: CHUNK_ITEMS }, (_, place) => idAt(block, place));
  block.ids = '';
  return block.ownIds;
}

/** In ms. A longer pause starts a new passage. */
const PASSAGE_PAUSE_MS = 3_600_000;
/** Maximum number of messages per passage, so that long conversations are split. */
const MAX_PASSAGE_LENGTH = 50;

/** Assigns memories to passages (stretches of conversation). Memories must come in the order of their numbers. */
export class Passages {
  #passage = 0;
  #inPassage = 0;
  #last = -Infinity;
  #conversation = '';

  /** Returns the passage of the next memory, created at this time in this conversation. */
  next(createdAt: number, conversation = ''): number {
    if (
      createdAt - this.#last > PASSAGE_PAUSE_MS ||
      this.#inPassage >= MAX_PASSAGE_LENGTH ||
      conversation !== this.#conversation
    ) {
      this.#passage++;
      this.#inPassage = 0;
    }
    this.#inPassage++;
    this.#last = createdAt;
    this.#conversation = conversation;
    return this.#passage;
  }
}

/** Limits of long-term memory. Pinned memories count but are never deleted. */
export interface Retention {
  maxItems: number;
  /** Maximum total characters of all contents. */
  maxCharacters: number;
  /** Maximum age in ms. */
  maxAgeMs: number;
  /** Deletes memories from untrusted sources before all others, so that these cannot displace them. */
  untrustedFirst: boolean;
}

/** Returns the number of the oldest memory that must be deleted now. Returns null when the limits hold or only pinned memories are left. */
export function overdue(
  list: MemoryList,
  { maxItems, maxCharacters, maxAgeMs, untrustedFirst }: Retention,
  now: number,
): number | null {
  const isFull = list.size > maxItems || list.characters > maxCharacters;
  if (!isFull && maxAgeMs === Infinity) return null;
  if (isFull && untrustedFirst)
    for (const number of list.touched) if (list.get(number)?.pinned === false) return number;
  const oldest = list.oldestFree(); // numbers follow the order of arrival, so later ones are younger
  if (oldest === null || isFull) return oldest;
  return now - (list.get(oldest)?.createdAt ?? now) > maxAgeMs ? oldest : null;
}

export function retentionLimitReached({ maxItems, maxCharacters, maxAgeMs }: Retention): RoleZeroError {
  return new RoleZeroError('storage-full', 'A limit of long-term memory is reached.', {
    maxItems,
    maxCharacters,
    maxAgeMs,
  });
}
