import { CHUNK_ITEMS } from '../../../src/core/long-term.js';

/** One library at one size. Times are in ms; null where it cannot be measured, with the reason in `note`. */
export interface Row {
  what: string;
  size: number;
  p50: number | null;
  p95: number | null;
  /** The share of an exact search's results, or of known items among the first ten. */
  recall: number | null;
  build: number | null;
  addOne: number | null;
  /** Bytes in memory or saved, where they can be measured. */
  bytes: number | null;
  load: number | null;
  note: string;
}

export const EMPTY: Omit<Row, 'what' | 'size'> = {
  p50: null,
  p95: null,
  recall: null,
  build: null,
  addOne: null,
  bytes: null,
  load: null,
  note: '',
};

/** Returns the duration in ms and the result. */
export async function timed<Value>(work: () => Value | Promise<Value>): Promise<[Value, number]> {
  const start = performance.now();
  const value = await work();
  return [value, performance.now() - start];
}

/** In ms, the time for which one query is repeated, because the clock is coarse. */
const REPEATED = 2;
const MOST_TURNS = 50;

/** Median and 95th percentile of the duration of one query in ms, without the first queries. */
export async function queryTimes<Query>(
  queries: readonly Query[],
  ask: (query: Query) => unknown,
): Promise<{ p50: number; p95: number }> {
  for (const query of queries) await ask(query);
  const times: number[] = [];
  for (const query of queries) {
    const start = performance.now();
    let turns = 0;
    let spent = 0;
    do {
      await ask(query);
      turns++;
      spent = performance.now() - start;
    } while (spent < REPEATED && turns < MOST_TURNS);
    times.push(spent / turns);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

/**
 * Writes to a small new database, as vector planes that can be rebuilt are stored. Returns the data, read after
 * reopening it.
 */
export async function throughDatabase<Value>(name: string, value: Value): Promise<[Value, number]> {
  const open = () =>
    new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => void request.result.createObjectStore('planes');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('cannot open'));
    });
  const first = await open();
  await new Promise<void>((resolve, reject) => {
    const transaction = first.transaction('planes', 'readwrite');
    transaction.objectStore('planes').put(value, 'plane');
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('cannot write'));
  });
  first.close();
  const [read, load] = await timed(async () => {
    const again = await open();
    const found = await new Promise<Value>((resolve, reject) => {
      const request = again.transaction('planes').objectStore('planes').get('plane');
      request.onsuccess = () => resolve(request.result as Value);
      request.onerror = () => reject(request.error ?? new Error('cannot read'));
    });
    again.close();
    return found;
  });
  await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve));
  return [read, load];
}

/** Numbers of this many documents, in chunks of the size of memory chunks. */
export function rangesOf(size: number): number[][] {
  const chunks = Math.ceil(size / CHUNK_ITEMS);
  return Array.from({ length: chunks }, (_, chunk) =>
    Array.from(
      { length: Math.min(CHUNK_ITEMS, size - chunk * CHUNK_ITEMS) },
      (_one, at) => chunk * CHUNK_ITEMS + at,
    ),
  );
}

/** Bytes of the lists and texts in an object. */
export function bytesOf(value: object): number {
  return Object.values(value).reduce<number>((sum, one: unknown) => {
    if (typeof one === 'string') return sum + one.length;
    return sum + (ArrayBuffer.isView(one) ? one.byteLength : 0);
  }, 0);
}
