import { CHUNK_ITEMS, type ChunkPart, type StoredMemory } from '../../core/long-term.js';
import type { Table, Write } from '../../core/store.js';
import { rowKey } from './journal.js';

/** Tables with the parts of chunks. */
export const CHUNK_TABLES: Readonly<Record<ChunkPart, Table>> = { words: 'recall', vectors: 'vectors' };

/** Returns the write for a new memory. An existing chunk with its number does not contain it. */
export function memoryAddition(role: string, item: StoredMemory): Write {
  return { table: 'memories', key: rowKey(role, item.number), value: item };
}

/** Returns the writes for a changed memory. Its chunk is removed in the same commit, because it contains the old version. */
export function memoryWrites(role: string, item: StoredMemory): Write[] {
  return [memoryAddition(role, item), ...chunkRemovals(role, item.number)];
}

/** Returns the writes that remove an older memory from rows and chunks. */
export function memoryRemovals(role: string, number: number): Write[] {
  return [{ table: 'memories', key: rowKey(role, number), value: undefined }, ...chunkRemovals(role, number)];
}

function chunkRemovals(role: string, number: number): Write[] {
  const key = rowKey(role, Math.floor(number / CHUNK_ITEMS));
  return Object.values(CHUNK_TABLES).map((table) => ({ table, key, value: undefined }));
}
