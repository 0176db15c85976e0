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
  /** It is no commit, and only says that the copy was complete up to `row`, for the next opening to read no more than this. */
  mark?: boolean;
  writes: readonly Write[];
}

/** Characters of the check sum a line begins with. */
const SUM = 16;

/** A part of a whole copy, which would be too long for one line. Numbers count from 0; a 0 begins it anew, `last` completes it. */
export interface WholePiece {
  row: SessionRow;
  piece: number;
  last: boolean;
  writes: readonly Write[];
}

/** A line of text that tells by itself whether it is all there: a check sum, then JSON. */
export function writeEntry({ row, whole, purge = false, mark = false, writes }: JournalEntry): string {
  return lineOf({
    row,
    whole,
    ...(purge ? { purge } : {}),
    ...(mark ? { mark } : {}),
    writes: writes.map(writeWrite),
  });
}

/** A line, as for `writeEntry`. */
export function writePiece({ row, piece, last, writes }: WholePiece): string {
  return lineOf({ row, piece, last, writes: writes.map(writeWrite) });
}

function writeWrite({ table, key, value }: Write): Write {
  return value === undefined ? ({ table, key } as Write) : { table, key, value: toPortable(value) };
}

function lineOf(value: object): string {
  const json = JSON.stringify(value);
  return `${fingerprint(json)} ${json}\n`;
}

/** The entries of a file in order; what stands behind a torn or damaged line is not trusted, nor a whole copy that lacks a piece. */
export function readEntries(text: string): JournalEntry[] {
  const entries: JournalEntry[] = [];
  let pieces: WholePiece[] = [];
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (entry === null) break;
    if ('whole' in entry) {
      entries.push(entry);
      continue;
    }
    if (entry.piece === 0) pieces = [];
    if (entry.piece !== pieces.length) break;
    pieces.push(entry);
    if (!entry.last) continue;
    entries.push({
      row: entry.row,
      whole: true,
      purge: false,
      writes: pieces.flatMap(({ writes }) => writes),
    });
    pieces = [];
  }
  return entries;
}

/** The last of the same, without making the others. */
export function lastEntry(text: string): JournalEntry | null {
  const lines = text.split('\n');
  const damaged = lines.findIndex((line) => !isIntact(line));
  for (const line of lines.slice(0, damaged < 0 ? lines.length : damaged).reverse()) {
    const entry = readLine(line);
    if (entry === null) continue;
    return 'whole' in entry ? entry : (readEntries(text).at(-1) ?? null); // a whole copy: only if it lacks no piece
  }
  return null;
}

/** The entry of a line; null when it is torn, damaged, or another release's. */
function readLine(line: string): JournalEntry | WholePiece | null {
  if (!isIntact(line)) return null;
  try {
    const { row, whole, purge, mark, piece, last, writes } = JSON.parse(line.slice(SUM + 1)) as Record<
      string,
      unknown
    >;
    const readable = readRow(row);
    if (readable === null || !Array.isArray(writes)) return null;
    const read = { row: readable, writes: writes.map(readWrite) };
    if (typeof piece === 'number' && typeof last === 'boolean') return { ...read, piece, last };
    return typeof whole === 'boolean' ? { ...read, whole, purge: purge === true, mark: mark === true } : null;
  } catch {
    return null;
  }
}

function isIntact(line: string): boolean {
  return line.length > SUM + 1 && line.slice(0, SUM) === fingerprint(line.slice(SUM + 1));
}

function readWrite(write: unknown): Write {
  if (!isRecord(write) || !isTable(write['table']) || !isKey(write['key'])) throw new Error('not a write');
  const { table, key, value } = write as { table: Write['table']; key: string; value?: unknown };
  return { table, key, value: value === undefined ? undefined : fromPortable(value, 'value') };
}
