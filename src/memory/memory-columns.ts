import { isRecord } from '../core/json.js';
import { CHUNK_ITEMS } from '../core/long-term.js';
import type { MemoryEntry } from './memory-item.js';
import { hashOf } from './hash.js';

/** Bits of `marks`. The value is 0 where no memory exists. */
export const HERE = 32;
export const PINNED = 1;
export const OWN = 2;
export const FROM_OTHERS = 4;
export const TOUCHED = 16;

/**
 * Columns with the entries of a chunk's memories: the nth place of each column belongs to the nth number of the chunk. Plain data that is
 * stored and searched without conversion, because creating 100,000 objects would take longer than reading them.
 */
export interface MemoryColumns {
  marks: Uint8Array;
  createdAt: Float64Array;
  arrivals: Float64Array;
  characters: Uint32Array;
  lengths: Uint32Array;
  /** All ids, concatenated. `idStarts` contains the start of each. */
  ids: string;
  idStarts: Uint32Array;
  idHashes: Uint32Array;
}

/** Converts the entries of one chunk, in the order of their numbers, to columns. */
export function columnsOf(entries: readonly MemoryEntry[]): MemoryColumns {
  const columns: MemoryColumns = {
    marks: new Uint8Array(CHUNK_ITEMS),
    createdAt: new Float64Array(CHUNK_ITEMS),
    arrivals: new Float64Array(CHUNK_ITEMS),
    characters: new Uint32Array(CHUNK_ITEMS),
    lengths: new Uint32Array(CHUNK_ITEMS),
    ids: entries.map(({ id }) => id).join(''),
    idStarts: new Uint32Array(CHUNK_ITEMS + 1),
    idHashes: new Uint32Array(CHUNK_ITEMS),
  };
  for (const entry of entries) {
    const place = entry.number % CHUNK_ITEMS;
    columns.marks[place] = marksOf(entry);
    columns.createdAt[place] = entry.createdAt;
    columns.arrivals[place] = entry.arrival ?? 0;
    columns.characters[place] = entry.characters;
    columns.lengths[place] = entry.length;
    columns.idHashes[place] = hashOf(entry.id);
    columns.idStarts[place + 1] = entry.id.length;
  }
  let start = 0;
  for (let place = 0; place < CHUNK_ITEMS; place++)
    columns.idStarts[place + 1] = start += columns.idStarts[place + 1] ?? 0;
  return columns;
}

export function marksOf({ pinned, own, fromOthers, touched }: MemoryEntry): number {
  const marked = (is: boolean, mark: number) => (is ? mark : 0);
  return (
    HERE +
    marked(pinned, PINNED) +
    marked(own, OWN) +
    marked(fromOthers, FROM_OTHERS) +
    marked(touched, TOUCHED)
  );
}

/** Validates a stored value as columns. Returns null when it is invalid. */
export function readColumns(value: unknown): MemoryColumns | null {
  if (!isRecord(value)) return null;
  const { marks, createdAt, arrivals, characters, lengths, ids, idStarts, idHashes } = value;
  if (!(marks instanceof Uint8Array && createdAt instanceof Float64Array)) return null;
  if (!(arrivals instanceof Float64Array)) return null;
  if (!(characters instanceof Uint32Array && lengths instanceof Uint32Array)) return null;
  if (!(idStarts instanceof Uint32Array && idHashes instanceof Uint32Array)) return null;
  if (typeof ids !== 'string') return null;
  const all = [marks, createdAt, arrivals, characters, lengths, idHashes];
  if (!all.every(({ length }) => length === CHUNK_ITEMS)) return null;
  if (idStarts.length !== CHUNK_ITEMS + 1 || idStarts.at(-1) !== ids.length) return null;
  return {
    marks,
    createdAt,
    arrivals,
    characters,
    lengths,
    ids,
    idStarts,
    idHashes,
  };
}
