import { CHUNK_ITEMS, type StoredMemory } from '../base/long-term.js';
import type { Write } from '../base/store.js';
import { rowKey } from './journal.js';

/** What stores an older memory of a role. The chunk that it is found by goes in the same commit: it is of what was there before. */
export function memoryWrites(role: string, item: StoredMemory): Write[] {
  return [
    { table: 'memories', key: rowKey(role, item.number), value: item },
    chunkRemoval(role, Math.floor(item.number / CHUNK_ITEMS)),
  ];
}

/** What removes an older memory of a role from rows and chunks. */
export function memoryRemovals(role: string, number: number): Write[] {
  return [
    { table: 'memories', key: rowKey(role, number), value: undefined },
    chunkRemoval(role, Math.floor(number / CHUNK_ITEMS)),
  ];
}

function chunkRemoval(role: string, chunk: number): Write {
  return { table: 'recall', key: rowKey(role, chunk), value: undefined };
}
