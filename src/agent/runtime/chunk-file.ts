import { fingerprint } from '../../core/fingerprint.js';
import { isRecord } from '../../core/json.js';
import type { DerivedFile } from '../../core/store.js';
import { bytesOf, chunkOfBytes, sumOf } from '../../memory/chunk-bytes.js';
import type { RoleContext } from './context.js';

/** Place of a chunk in the file, and the checksum of its bytes. It is stored in place of the chunk. */
export interface ChunkPlace {
  at: number;
  length: number;
  sum: number;
}

/** Returns the place in a stored value; null when the value is something else. */
export function readChunkPlace(value: unknown): ChunkPlace | null {
  const { inFile } = isRecord(value) ? value : {};
  const { at, length, sum } = isRecord(inFile) ? inFile : {};
  return isAligned(at) && isAligned(length) && typeof sum === 'number' ? { at, length, sum } : null;
}

function isAligned(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) % 8 === 0;
}

/** Time for which opening waits for an earlier writer to close the file, and the time between attempts, in milliseconds. */
const WAIT = 1_000;
const PAUSE = 25;

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
 * Stores chunks in one file, because a database takes several times as long to read them. The database has their places, so a commit decides
 * which chunks are valid. Bytes are on disk before their place is committed. What belongs to no valid chunk is overwritten with zeros:
 * forgotten messages must not remain.
 */
export class ChunkFile {
  readonly #file: DerivedFile;
  /** Places that are in use, by chunk. A replaced place remains until its successor is committed. */
  readonly #used = new Map<number, ChunkPlace[]>();

  /** `places` are the valid ones. Overwrites what a writer that crashed has left elsewhere. */
  constructor(file: DerivedFile, places: ReadonlyMap<number, ChunkPlace>) {
    this.#file = file;
    const size = file.getSize();
    for (const [chunk, place] of places) if (place.at + place.length <= size) this.#used.set(chunk, [place]);
    for (const gap of this.#gaps(size)) this.#blank(gap);
  }

  /** Returns a chunk, or null when its bytes are damaged or missing. */
  read({ at, length, sum }: ChunkPlace): unknown {
    try {
      if (at + length > this.#file.getSize()) return null;
      const bytes = new Uint8Array(length);
      return this.#file.read(bytes, { at }) === length && sumOf(bytes) === sum ? chunkOfBytes(bytes) : null;
    } catch {
      return null;
    }
  }

  /** Writes a chunk and returns what has to be stored in its place; null when it cannot be written. */
  write(chunk: number, value: unknown): { inFile: ChunkPlace } | null {
    const bytes = bytesOf(value);
    const { length } = bytes;
    try {
      const gap = this.#gaps(Infinity).find((one) => one.length >= length);
      const place = { at: gap?.at ?? 0, length, sum: sumOf(bytes) };
      if (this.#file.write(bytes, place) !== length) return null;
      this.#file.flush();
      this.#used.set(chunk, [...(this.#used.get(chunk) ?? []), place]);
      return { inFile: place };
    } catch {
      return null; // the disk is full, or another writer owns the session
    }
  }

  /** Erases a chunk except for its newest place. Call it when that is committed: a crash before loses the chunk, which is then created again. */
  eraseReplaced(chunk: number): void {
    this.#erase(chunk, this.#used.get(chunk)?.slice(-1) ?? []);
  }

  /** Erases a chunk: one of its memories has changed. */
  erase(chunk: number): void {
    this.#erase(chunk, []);
  }

  #erase(chunk: number, remaining: ChunkPlace[]): void {
    const former = this.#used.get(chunk) ?? [];
    this.#used.set(chunk, remaining);
    for (const place of former) if (!remaining.includes(place)) this.#blank(place);
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
