import { fingerprint } from '../base/fingerprint.js';
import { isRecord } from '../base/json.js';
import type { Write } from '../base/store.js';
import { isKey, isTable } from './names.js';
import { fromPortable, toPortable } from './portable-value.js';
import { readRow, type SessionRow } from './session-row.js';

/** One commit as a journal keeps it; `whole`: its writes are all there is of the session, not only what the commit changed. */
export interface JournalEntry {
  row: SessionRow;
  whole: boolean;
  /** What the commit replaced or removed must not stay in earlier entries: they have to go. */
  purge?: boolean;
  writes: readonly Write[];
}

/** A line of text that tells by itself whether it is all there: a check sum, then JSON. */
export function writeEntry({ row, whole, purge = false, writes }: JournalEntry): string {
  const json = JSON.stringify({
    row,
    whole,
    ...(purge ? { purge } : {}),
    writes: writes.map(({ table, key, value }) =>
      value === undefined ? { table, key } : { table, key, value: toPortable(value) },
    ),
  });
  return `${fingerprint(json)} ${json}\n`;
}

/** The entries of a file in order; what stands behind a torn or damaged line is not trusted. */
export function readEntries(text: string): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const line of text.split('\n')) {
    const entry = readEntry(line);
    if (entry === null) break;
    entries.push(entry);
  }
  return entries;
}

/** The entry of a line; null when it is torn, damaged, or another release's. */
function readEntry(line: string): JournalEntry | null {
  const json = line.slice(17);
  if (line.length < 18 || line.slice(0, 16) !== fingerprint(json)) return null;
  try {
    const { row, whole, purge, writes } = JSON.parse(json) as Record<string, unknown>;
    const readable = readRow(row);
    if (readable === null || typeof whole !== 'boolean' || !Array.isArray(writes)) return null;
    return { row: readable, whole, purge: purge === true, writes: writes.map(readWrite) };
  } catch {
    return null;
  }
}

function readWrite(write: unknown): Write {
  if (!isRecord(write) || !isTable(write['table']) || !isKey(write['key'])) throw new Error('not a write');
  const { table, key, value } = write as { table: Write['table']; key: string; value?: unknown };
  return { table, key, value: value === undefined ? undefined : fromPortable(value, 'value') };
}
