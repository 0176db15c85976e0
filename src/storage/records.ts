import { unwrap } from 'idb';
import { RoleZeroError } from '../core/error.js';
import {
  DERIVED_TABLES,
  NOT_EXPORTED,
  TABLES,
  type KeyRange,
  type RecordPlace,
  type Write,
} from '../core/store.js';
import type { Database, Owner, ReadTransaction, StoredRecord, WriteTransaction } from './database.js';
import { noSuchSession } from './session-errors.js';
import { readRow, type SessionRow } from './session-row.js';
import { QUOTING, quotedIn, restoreQuotes, type StoredWrite } from './texts.js';
import { cannotStore } from './writes.js';

/** Records per request: few requests for many small records, limited memory for large ones. */
const chunkLength = 1000;
const CONTENTS_PER_REQUEST = 16;

/** Returns the exported records of a session with the texts that they quote, in key order. */
export async function readSession(transaction: ReadTransaction, session: string): Promise<Write[]> {
  const records: Write[] = [];
  for (const table of [...TABLES].sort()) {
    if (NOT_EXPORTED.has(table)) continue;
    const stored = await readAll(transaction, [session, table]);
    const found = await withTexts(transaction, session, stored);
    if (found.unreadable[0] !== undefined) throw found.unreadable[0].error;
    for (const record of found.records) records.push(record);
  }
  return records;
}

/** Records that were read at one moment. */
export interface FoundRecords {
  records: Write[];
  /** Records that quote a text which is missing. */
  unreadable: (RecordPlace & { error: unknown })[];
  /** Whole texts that the records quote, with their keys. */
  texts: (readonly [text: string, key: string])[];
}

/** Finds records of a session, with the texts that they quote, and its row. */
export async function recordsOf(
  transaction: ReadTransaction,
  session: string,
  find: (transaction: ReadTransaction) => Promise<StoredRecord[]>,
): Promise<FoundRecords & { row: unknown }> {
  const [row, stored] = await Promise.all([
    transaction.objectStore('sessions').get(session),
    find(transaction),
  ]);
  return { row, ...(await withTexts(transaction, session, stored)) };
}

/** Puts the quoted texts back into records. */
async function withTexts(
  transaction: ReadTransaction,
  session: string,
  stored: readonly StoredRecord[],
): Promise<FoundRecords> {
  const keys = quotedIn(stored);
  const rows = keys.size === 0 ? [] : await readSome(transaction, [session, 'texts'], [...keys]);
  const texts = new Map(rows.map(({ key, value }) => [key, value]));
  const found: FoundRecords = { records: [], unreadable: [], texts: [] };
  for (const record of stored) {
    const { table, key, value, quotes = [] } = record;
    try {
      found.records.push({ table, key, value: quotes.length === 0 ? value : restoreQuotes(record, texts) });
    } catch (error) {
      found.unreadable.push({ table, key, error });
    }
    for (const { text, part } of quotes) {
      const whole = texts.get(text);
      if (part === undefined && typeof whole === 'string') found.texts.push([whole, text]);
    }
  }
  return found;
}

/** Returns the keys of stored texts that no record quotes, except `needed` ones. */
export async function unquotedTexts(
  transaction: ReadTransaction | WriteTransaction,
  session: string,
  needed: ReadonlySet<string>,
): Promise<string[]> {
  const store = transaction.objectStore('records');
  const all = await store.getAllKeys(IDBKeyRange.bound([session, 'texts'], [session, 'texts', []]));
  const quoted = new Set(needed);
  for (const table of QUOTING)
    for (const key of quotedIn(await readAll(transaction, [session, table]))) quoted.add(key);
  return all.map(([, , key]) => key).filter((key) => !quoted.has(key));
}

/** Maximum length of a piece of a session, and of the pieces of one transaction, in UTF-16 units. Large records may exceed it. */
const MAX_PIECE_LENGTH = 1_000_000;

/**
 * Reads all records of a session in pieces, except derived ones, and returns its row. Reads a long session in several transactions: a commit
 * waits for one of them at most, and records that it changes are read before or after it. `take` must be finished when it returns, and
 * returns the length of what it wrote. That determines the number of records in the next piece: large records are read one by one. The first
 * piece is passed again when the connection was lost. Waits for `store` after each transaction.
 *
 * @throws RoleZeroError `not-found`.
 */
export async function readInPieces(
  database: Database,
  session: string,
  take: (records: readonly StoredRecord[], piece: number) => number,
  store: () => Promise<void> = () => Promise.resolve(),
): Promise<SessionRow> {
  const tables = [...TABLES].sort().filter((table) => !DERIVED_TABLES.has(table));
  const start = { table: 0, after: '', piece: 0, count: 1 };
  let next = start;
  for (;;) {
    let attempt = 0;
    const row = await database.read(async (transaction) => {
      const mine = ++attempt;
      next = mine === 1 ? { ...next } : { ...start };
      const found = await storedRow(transaction, session);
      if (found === null) throw noSuchSession(session);
      const store = transaction.objectStore('records');
      for (let length = 0; length < MAX_PIECE_LENGTH;) {
        const table = tables[next.table];
        if (table === undefined) break;
        const end = [session, table, []]; // an array sorts after every string
        const from = next.after === '' ? [session, table] : [session, table, next.after];
        const records = await store.getAll(IDBKeyRange.bound(from, end, true, true), next.count);
        if (mine !== attempt) throw new Error('This transaction was given up.');
        const last = records.at(-1);
        if (last === undefined) {
          next.table += 1;
          next.after = '';
          continue;
        }
        const taken = take(records, next.piece++);
        length += taken;
        if (taken > MAX_PIECE_LENGTH) next.count = Math.max(1, Math.floor(next.count / 2));
        else if (2 * taken < MAX_PIECE_LENGTH) next.count = Math.min(chunkLength, 2 * next.count);
        next.after = last.key;
      }
      return found;
    });
    await store();
    if (next.table === tables.length) return row;
  }
}

/** Reads all records of a table, of a range, or only the `newest` ones of these, in key order. */
export async function readAll(
  transaction: ReadTransaction | WriteTransaction,
  table: [owner: Owner, table: string],
  part?: KeyRange,
  newest?: number,
): Promise<StoredRecord[]> {
  const store = transaction.objectStore('records');
  const end = part === undefined ? [...table, []] : [...table, part.before]; // an array sorts after every string
  const records: StoredRecord[] = [];
  let range = IDBKeyRange.bound(part === undefined ? table : [...table, part.from], end, false, true);
  if (newest !== undefined) {
    const last = newest < 1 ? null : await store.openKeyCursor(range, 'prev');
    if (last === null) return [];
    const first = newest === 1 ? last : await last.advance(newest - 1); // skips without reading the records between
    if (first !== null) range = IDBKeyRange.bound(first.key, end, false, true);
  }
  const perRequest = table[1] === 'contents' ? CONTENTS_PER_REQUEST : chunkLength;
  for (;;) {
    const chunk = await store.getAll(range, perRequest);
    for (const record of chunk) records.push(record);
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < perRequest) return records;
    range = IDBKeyRange.bound([last.session, last.table, last.key], end, true, true);
  }
}

/** Maximum gap between two keys that are read in one request: reading a few more records is faster than one more request. */
const GAP = 4;

/** Reads the records below `prefix` with these keys, in the order of the keys. Reads adjacent numbered keys together. */
export async function readSome(
  transaction: ReadTransaction,
  prefix: [owner: Owner, table: string],
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

/** Groups adjacent keys into ranges, each with its first and last key: keys that end in numbers of equal length with small gaps. */
function runsOf(keys: readonly string[]): [first: string, last: string][] {
  const runs: [string, string][] = [];
  for (const key of [...new Set(keys)].sort()) {
    const run = runs.at(-1);
    if (run !== undefined && key.length === run[1].length && numbersBetween(run[1], key) <= GAP) run[1] = key;
    else runs.push([key, key]);
  }
  return runs;
}

/** Returns how many numbers are between the final numbers of two keys of equal length; Infinity when the keys differ in other ways. */
function numbersBetween(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const [from, to] = [one.slice(same), other.slice(same)];
  return DIGITS_ONLY.test(from) && DIGITS_ONLY.test(to) ? Number(to) - Number(from) - 1 : Infinity;
}

const DIGITS_ONLY = /^[0-9]+$/;

/**
 * Requests to write a session's row and records with the transaction. Does not wait for each request: the first failure aborts the
 * transaction, and its end reports it.
 * @throws RoleZeroError `invalid` naming a record that cannot be stored.
 */
export function putAll(transaction: WriteTransaction, row: SessionRow, writes: readonly StoredWrite[]): void {
  const records = unwrap(transaction).objectStore('records');
  for (const { table, key, value, quotes, shared } of writes) {
    if (shared !== undefined) continue;
    try {
      if (value === undefined) records.delete([row.name, table, key]);
      else if (quotes === undefined)
        records.put({ session: row.name, table, key, value } satisfies StoredRecord);
      else records.put({ session: row.name, table, key, value, quotes } satisfies StoredRecord);
    } catch (error) {
      throw cannotStore(table, key, error); // cloneable but not storable: shared memory, a compiled module
    }
  }
  unwrap(transaction).objectStore('sessions').put(row);
}

/** Stores and removes the records that the session shares with others. Removes nothing of the session itself. */
export async function putShared(
  transaction: WriteTransaction,
  writes: readonly StoredWrite[],
): Promise<void> {
  const records = transaction.objectStore('records');
  for (const { table, key, value, shared, requires } of writes) {
    if (shared === undefined) continue;
    const session: Owner = ['shared', shared];
    if (value === undefined) await records.delete([session, table, key]);
    else if (requires === undefined || (await records.count([session, requires.table, requires.key])) > 0)
      await records.put({ session, table, key, value });
  }
}

/** Returns the row of a session, or null when it is not stored. @throws RoleZeroError `storage-version`, `storage-corrupt`. */
export async function storedRow(
  transaction: ReadTransaction | WriteTransaction,
  name: string,
): Promise<SessionRow | null> {
  return readRow(await transaction.objectStore('sessions').get(name));
}

/** The same, with null for a row that is damaged, which the replica replaces. @throws RoleZeroError `storage-version`. */
export async function intactRow(
  transaction: ReadTransaction | WriteTransaction,
  name: string,
): Promise<SessionRow | null> {
  try {
    return await storedRow(transaction, name);
  } catch (error) {
    if (error instanceof RoleZeroError && error.code === 'storage-corrupt') return null;
    throw error;
  }
}
