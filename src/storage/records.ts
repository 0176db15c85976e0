import { unwrap } from 'idb';
import { DERIVED, NOT_EXPORTED, TABLES, type KeyRange, type Write } from '../base/store.js';
import type { ReadTransaction, StoredRecord, WriteTransaction } from './database.js';
import type { SessionRow } from './session-row.js';
import { cannotStore } from './writes.js';

/** Records per request: few requests for many small records, bounded memory in flight for large ones. */
const chunkLength = 1000;

/** Returns the records of a session that an export has, in key order. */
export async function readSession(transaction: ReadTransaction, session: string): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (const table of [...TABLES].sort())
    if (!NOT_EXPORTED.has(table))
      for (const record of await readAll(transaction, [session, table])) records.push(record);
  return records;
}

/** UTF-16 units that a piece of a session may come to. */
const PIECE = 1_000_000;

/**
 * Reads every record of a session that is not derived from others, some at a time. `take` has to be done when it returns; it tells how long what it made of them is,
 * which decides how many the next ones are: large records come alone.
 */
export async function readInPieces(
  transaction: ReadTransaction,
  session: string,
  take: (records: readonly StoredRecord[], piece: number) => number,
): Promise<void> {
  const store = transaction.objectStore('records');
  let count = 1;
  let piece = 0;
  for (const table of [...TABLES].sort()) {
    if (DERIVED.has(table)) continue;
    const end = [session, table, []]; // a list sorts after every text
    let from: string[] = [session, table];
    for (;;) {
      const records = await store.getAll(IDBKeyRange.bound(from, end, true, true), count);
      const last = records.at(-1);
      if (last === undefined) break;
      const length = take(records, piece++);
      if (length > PIECE) count = Math.max(1, Math.floor(count / 2));
      else if (2 * length < PIECE) count = Math.min(chunkLength, 2 * count);
      from = [session, table, last.key];
    }
  }
}

/** Every record of a table, or of a part of it, or the newest so many of these, in key order. */
export async function readAll(
  transaction: ReadTransaction,
  table: [session: string, table: string],
  part?: KeyRange,
  newest?: number,
): Promise<StoredRecord[]> {
  const store = transaction.objectStore('records');
  const end = part === undefined ? [...table, []] : [...table, part.before]; // a list sorts after every text
  const records: StoredRecord[] = [];
  let range = IDBKeyRange.bound(part === undefined ? table : [...table, part.from], end, false, true);
  if (newest !== undefined) {
    const last = newest < 1 ? null : await store.openKeyCursor(range, 'prev');
    if (last === null) return [];
    const first = newest === 1 ? last : await last.advance(newest - 1); // without reading what lies between
    if (first !== null) range = IDBKeyRange.bound(first.key, end, false, true);
  }
  for (;;) {
    const chunk = await store.getAll(range, chunkLength);
    for (const record of chunk) records.push(record);
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < chunkLength) return records;
    range = IDBKeyRange.bound([last.session, last.table, last.key], end, true, true);
  }
}

/** Numbers between two keys that are read with them: so many records more take less time than one request more. */
const GAP = 4;

/** The records below `prefix` that have one of these keys, in the order of the keys. Numbered ones that lie together are read together. */
export async function readSome(
  transaction: ReadTransaction,
  prefix: [session: string, table: string],
  keys: readonly string[],
): Promise<StoredRecord[]> {
  const store = transaction.objectStore('records');
  const found = await Promise.all(
    runsOf(keys).map(async ([first, last]) =>
      first === last
        ? [await store.get([...prefix, first])]
        : store.getAll(IDBKeyRange.bound([...prefix, first], [...prefix, last])),
    ),
  );
  const records = new Map(found.flat().map((record) => [record?.key, record]));
  return keys.flatMap((key) => records.get(key) ?? []);
}

/** The first and last keys of those that lie together: that end in numbers of as many digits with few others between them. */
function runsOf(keys: readonly string[]): [first: string, last: string][] {
  const runs: [string, string][] = [];
  for (const key of [...new Set(keys)].sort()) {
    const run = runs.at(-1);
    if (run !== undefined && key.length === run[1].length && numbersBetween(run[1], key) <= GAP) run[1] = key;
    else runs.push([key, key]);
  }
  return runs;
}

/** How many numbers lie between those that two keys of one length end in; without end where something else tells them apart. */
function numbersBetween(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const [from, to] = [one.slice(same), other.slice(same)];
  return NUMBER.test(from) && NUMBER.test(to) ? Number(to) - Number(from) - 1 : Infinity;
}

const NUMBER = /^[0-9]+$/;

/**
 * Asks for a session's row and records to be written with the transaction. Requests are not waited for one by one: the first that fails
 * aborts the transaction, and its end tells.
 * @throws RoleZeroError `invalid` naming a record that cannot be stored.
 */
export function putAll(transaction: WriteTransaction, row: SessionRow, writes: readonly Write[]): void {
  const records = unwrap(transaction).objectStore('records');
  for (const { table, key, value } of writes) {
    try {
      if (value === undefined) records.delete([row.name, table, key]);
      else records.put({ session: row.name, table, key, value } satisfies StoredRecord);
    } catch (error) {
      throw cannotStore(table, key, error); // what may be cloned but not stored: shared memory, a compiled module
    }
  }
  unwrap(transaction).objectStore('sessions').put(row);
}
