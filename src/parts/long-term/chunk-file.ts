import { fingerprint } from '../../core/fingerprint.js';
import { isRecord } from '../../core/json.js';
import { chunkOf } from '../../core/long-term.js';
import type { DerivedFile } from '../../core/store.js';
import {
  chunkToBytes,
  chunkOfBytes,
  sumOf,
  HEAD_BYTES,
  memoryOfText,
  placeOfText,
  textsOf,
} from '../../memory/chunk-bytes.js';
import type { RoleContext } from '../../agent/runtime/context.js';

/** Place of a chunk in the file, and the checksum of its bytes. It is stored in place of the chunk. */
export interface ChunkPlace {
  at: number;
  length: number;
  sum: number;
}

/** What is stored in place of a chunk: the places of its index and, once they are written, of the texts of its memories. */
export interface ChunkPlaces {
  inFile: ChunkPlace;
  texts?: ChunkPlace | undefined;
}

/** Returns the places in a stored value; null when the value is something else. */
export function readChunkPlaces(value: unknown): ChunkPlaces | null {
  const { inFile, texts } = isRecord(value) ? value : {};
  const index = readPlace(inFile);
  return index && { inFile: index, texts: readPlace(texts) ?? undefined };
}

function readPlace(value: unknown): ChunkPlace | null {
  const { at, length, sum } = isRecord(value) ? value : {};
  return isAligned(at) && isAligned(length) && typeof sum === 'number' ? { at, length, sum } : null;
}

function isAligned(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) % 8 === 0;
}

/** Time for which opening waits for an earlier writer to close the file, and the time between attempts, in milliseconds. */
const WAIT = 1_000;
const PAUSE = 25;

/** Maximum number of bytes that are erased at a time. */
const PIECE = 524_288;

/** Opens the file of a role; null without such files, or when an earlier writer does not close it. */
export async function openChunkFile(
  role: string,
  { openFile = async () => null }: Pick<RoleContext, 'openFile'>,
): Promise<DerivedFile | null> {
  const name = fingerprint(role);
  for (let waited = 0; ; waited += PAUSE) {
    try {
      return await openFile(name);
    } catch (error) {
      const isOpen = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isOpen || waited >= WAIT) return null;
    }
    await new Promise((next) => setTimeout(next, PAUSE));
  }
}

/**
 * Stores chunks and the texts of their memories in one file, because a database takes several times as long to read them. The database has
 * their places, so a commit decides which are valid. Bytes are on disk before their place is committed. What belongs to no valid chunk is
 * overwritten with zeros: forgotten messages must not remain.
 */
export class ChunkFile {
  readonly #file: DerivedFile;
  /**
   * Places that are in use: of the index by the number of the chunk, of the texts by its complement. A replaced place remains until its
   * successor is committed.
   */
  readonly #used = new Map<number, ChunkPlace[]>();
  /** Heads of the texts that were read; null where they are damaged. */
  readonly #heads = new WeakMap<ChunkPlace, Uint32Array | null>();

  /** `chunks` are the valid places. */
  constructor(file: DerivedFile, chunks: ReadonlyMap<number, ChunkPlaces>) {
    this.#file = file;
    const size = file.getSize();
    const use = (key: number, place: ChunkPlace | undefined) => {
      if (place !== undefined && place.at + place.length <= size) this.#used.set(key, [place]);
    };
    for (const [chunk, { inFile, texts }] of chunks) {
      use(chunk, inFile);
      use(~chunk, texts);
    }
  }

  /** Returns a chunk, or null when its bytes are damaged or missing. */
  read({ at, length, sum }: ChunkPlace): unknown {
    try {
      if (at + length > this.#file.getSize()) return null;
      const bytes = new Uint8Array(length);
      return this.#fill(bytes, at) && sumOf(bytes) === sum ? chunkOfBytes(bytes) : null;
    } catch {
      return null;
    }
  }

  /** Writes a chunk and returns what has to be stored in its place; null when it cannot be written. */
  write(chunk: number, value: unknown): ChunkPlaces | null {
    const bytes = chunkToBytes(value);
    const inFile = this.#put(chunk, bytes, sumOf(bytes));
    return inFile && { inFile, texts: this.#newest(~chunk) };
  }

  /** Returns true when the chunk is in the file, and no memory of it has changed since. */
  has(chunk: number): boolean {
    return this.#newest(chunk) !== undefined;
  }

  /** Writes the texts of a chunk's memories. Returns what has to be stored in its place; null when it is not in the file, or the disk is full. */
  writeTexts(chunk: number, rows: Iterable<{ number: number; value: unknown }>): ChunkPlaces | null {
    const inFile = this.#newest(chunk);
    const { bytes, head } = textsOf(rows);
    const texts = inFile && this.#put(~chunk, bytes, sumOf(head));
    return inFile && texts ? { inFile, texts } : null;
  }

  /** Returns true when the texts of a chunk are in the file. A memory that was added later is not among them. */
  hasTexts(chunk: number): boolean {
    return this.#textsOf(chunk) !== null;
  }

  /** Returns a memory without its vector; undefined when its text is not in the file or damaged. */
  text(number: number): unknown {
    const texts = this.#textsOf(chunkOf(number));
    if (texts === null) return undefined;
    const { start, end } = placeOfText(texts.head, number);
    const bytes = new Uint8Array(Math.max(0, end - start));
    return this.#fill(bytes, texts.at + start) ? memoryOfText(texts.head, number, bytes) : undefined;
  }

  #textsOf(chunk: number): { head: Uint32Array; at: number } | null {
    const place = this.#newest(~chunk);
    if (place === undefined) return null;
    let head = this.#heads.get(place);
    if (head === undefined) {
      const bytes = new Uint8Array(HEAD_BYTES);
      const isWhole = place.length >= HEAD_BYTES && this.#fill(bytes, place.at) && sumOf(bytes) === place.sum;
      head = isWhole ? new Uint32Array(bytes.buffer) : null;
      this.#heads.set(place, head);
    }
    return head && { head, at: place.at };
  }

  #newest(key: number): ChunkPlace | undefined {
    return this.#used.get(key)?.at(-1);
  }

  /** Reads bytes from this place on. Returns false when there are fewer, or the file is closed. */
  #fill(bytes: Uint8Array, at: number): boolean {
    try {
      return this.#file.read(bytes, { at }) === bytes.length;
    } catch {
      return false;
    }
  }

  #put(key: number, bytes: Uint8Array, sum: number): ChunkPlace | null {
    const { length } = bytes;
    try {
      const gap = this.#gaps(Infinity).find((one) => one.length >= length);
      const place = { at: gap?.at ?? 0, length, sum };
      if (this.#file.write(bytes, place) !== length) return null;
      this.#file.flush();
      this.#used.set(key, [...(this.#used.get(key) ?? []), place]);
      return place;
    } catch {
      return null; // the disk is full, or another writer owns the session
    }
  }

  /**
   * Erases the replaced places of a chunk's index or, with `~chunk`, of its texts. Call it when the newest place is committed: a crash before
   * loses what is at the others, which is then created again.
   */
  eraseReplaced(key: number): void {
    this.#erase(key, this.#used.get(key)?.slice(-1) ?? []);
  }

  /** Erases a chunk and its texts: one of its memories has changed. */
  erase(chunk: number): void {
    this.#erase(chunk, []);
    this.#erase(~chunk, []);
  }

  #erase(key: number, remaining: ChunkPlace[]): void {
    const former = this.#used.get(key) ?? [];
    this.#used.set(key, remaining);
    for (const place of former) if (!remaining.includes(place)) this.#blank(place);
  }

  /**
   * Overwrites what a writer that crashed has left between the valid places, piece by piece: finding out that there is nothing takes longer
   * than a search. `pause` resolves when the next piece may follow.
   */
  async eraseUnused(pause: () => Promise<void>): Promise<void> {
    for (let from = 0; ;) {
      await pause();
      const gap = this.#gaps(this.#size).find(({ at, length }) => at + length > from); // others may be in use by now
      if (gap === undefined) return;
      const at = Math.max(from, gap.at);
      const rest = gap.at + gap.length - at;
      const length = rest <= PIECE || gap.at + gap.length === this.#size ? rest : PIECE;
      this.#blank({ at, length });
      from = at + length;
    }
  }

  /** Bytes in the file; 0 when it is closed. */
  get #size(): number {
    try {
      return this.#file.getSize();
    } catch {
      return 0;
    }
  }

  /** Cuts off the end of the file, or overwrites a part of it unless that contains zeros only. The next writer does it where this fails. */
  #blank({ at, length }: { at: number; length: number }): void {
    try {
      if (at + length === this.#file.getSize()) this.#file.truncate(at);
      else {
        const bytes = new Uint8Array(length);
        this.#file.read(bytes, { at });
        if (new Uint32Array(bytes.buffer).every((number) => number === 0)) return;
        this.#file.write(bytes.fill(0), { at });
      }
      this.#file.flush();
    } catch {
      // another writer owns the session
    }
  }

  /** Returns the parts of the file up to `end` that are not in use, in order. */
  #gaps(end: number): { at: number; length: number }[] {
    const used = [...this.#used.values()].flat().sort((one, other) => one.at - other.at);
    const gaps: { at: number; length: number }[] = [];
    let at = 0;
    for (const place of [...used, { at: end, length: 0 }]) {
      if (place.at > at) gaps.push({ at, length: place.at - at });
      at = Math.max(at, place.at + place.length);
    }
    return gaps;
  }
}
