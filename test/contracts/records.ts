import type { Table, Write } from '../../src/core/store.js';

export function put(table: Table, key: string, value: unknown): Write {
  return { table, key, value };
}

/** A number as a key with the same sort order. */
export function pad(number: number): string {
  return number.toString().padStart(6, '0');
}
