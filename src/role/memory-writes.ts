import { CHUNK_ITEMS, type ChunkPart, type StoredMemory } from '../base/long-term.js';
import type { Table, Write } from '../base/store.js';
import { rowKey } from './journal.js';

/** Where the parts of chunks are kept. */
export const CHUNK_TABLES: Readonly<Record<ChunkPart, Table>> = { words: 'recall', vectors: 'vectors' };

/** What stores a new memory of a role: the chunk of its number, if there is one, is not of it. */
export function memoryAddition(role: string, item: StoredMemory): Write {
  return { table: 'memories', key: rowKey(role, item.number), value: item };
}

/** What stores an older memory of a role. The chunk that it is found by goes in the same commit: it is of what was there before. */
export function memoryWrites(role: string, item: StoredMemory): Write[] {
  return [memoryAddition(role, item), ...chunkRemovals(role, item.number)];
}

/** What removes an older memory of a role from rows and chunks. */
export function memoryRemovals(role: string, number: number): Write[] {
  return [{ table: 'memories', key: rowKey(role, number), value: undefined }, ...chunkRemovals(role, number)];
}

function chunkRemovals(role: string, number: number): Write[] {
  const key = rowKey(role, Math.floor(number / CHUNK_ITEMS));
  return Object.values(CHUNK_TABLES).map((table) => ({ table, key, value: undefined }));
}
