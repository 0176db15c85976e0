import { defined } from '../core/defined.js';
import { fingerprint } from '../core/fingerprint.js';
import { isRecord } from '../core/json.js';
import { isKey, isTable } from './writes.js';
import { fromPortable, toPortable } from './portable-value.js';
import { readRow, type SessionRow } from './session-row.js';
import { readQuotes, type StoredWrite } from './texts.js';

/** One commit in the journal. With `whole`, its writes are the entire session, not only the changes of the commit. */
export interface JournalEntry {
  row: SessionRow;
  whole: boolean;
  /** Data that the commit replaced or removed must not remain in earlier entries: they must be deleted. */
  purge?: boolean;
  /** Not a commit: a part of the commit `row`, which is not stored yet. Parts are numbered from 0; a 0 starts over. */
  part?: number;
  /** Number of parts before it that belong to the commit. */
  parts?: number;
  /** Made of parts whose commit is missing. */
  isPending?: true;
  /** Not a commit: marks that the replica was complete up to `row`, so that the next opening need not read more. */
  mark?: boolean;
  /**
   * Of a whole copy: the number of the last commit of which parts may be in it, because it was read while commits were stored. It is
   * complete together with the commits up to that one, which quote nothing.
   */
  upTo?: number;
  writes: readonly StoredWrite[];
}

/** Length in characters of the checksum at the start of a line. */
const SUM = 16;

/** A part of a whole copy, which would be too long for one line. Numbers start at 0. A 0 restarts the copy, and `last` completes it. */
export interface WholePiece {
  row: SessionRow;
  piece: number;
  last: boolean;
  /** See `JournalEntry.upTo`. */
  upTo?: number;
  writes: readonly StoredWrite[];
}

/** Returns a line of text that contains its own checksum, followed by JSON, so that a truncated line is detected. */
export function writeEntry({
  row,
  whole,
  purge = false,
  mark = false,
  part,
  parts,
  writes,
}: JournalEntry): string {
  return formatLine(
    {
      row,
      whole,
      ...defined({ purge: purge || undefined, mark: mark || undefined, part, parts: parts || undefined }),
    },
    writes,
  );
}

/** Returns the line of a piece, as `writeEntry` does. */
export function writePiece({ writes, ...head }: WholePiece): string {
  return formatLine(head, writes);
}

function writeWrite({ table, key, value, quotes }: StoredWrite): StoredWrite {
  if (value === undefined) return { table, key } as StoredWrite;
  return { table, key, value: toPortable(value), ...defined({ quotes }) };
}

function formatLine(head: object, writes: readonly StoredWrite[]): string {
  const list = writes.map((write) => JSON.stringify(writeWrite(write)));
  const json = `${JSON.stringify(head).slice(0, -1)},"writes":[${list.join(',')}]}`;
  return `${fingerprint(json)} ${json}\n`;
}

/**
 * Returns the entries of a file in order, each commit with its parts. Ignores everything after a truncated or damaged line, and whole
 * copies that lack a piece. Parts at the end whose commit is missing become a pending entry.
 */
export function readEntries(text: string): JournalEntry[] {
  const entries: JournalEntry[] = [];
  let pieces: WholePiece[] = [];
  let parts: JournalEntry[] = [];
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (entry === null) break;
    if ('whole' in entry) {
      if (entry.part === 0) parts = [];
      if (!isNext(parts, entry)) break;
      if (entry.part !== undefined) {
        parts.push(entry);
        continue;
      }
      entries.push(entry.parts === undefined ? entry : joinedEntries(parts, entry));
      if (entry.mark !== true) parts = [];
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
      ...defined({ upTo: entry.upTo }),
      writes: pieces.flatMap(({ writes }) => writes),
    });
    pieces = [];
  }
  const last = parts.at(-1);
  if (last !== undefined) entries.push({ ...joinedEntries(parts.slice(0, -1), last), isPending: true });
  return entries;
}

/** Returns whether an entry fits to the parts before it. */
function isNext(parts: readonly JournalEntry[], { row, part, parts: needed }: JournalEntry): boolean {
  if ((part ?? needed) === undefined) return true;
  const [first] = parts;
  const isSame =
    first === undefined ||
    (first.row.id === row.id && first.row.epoch === row.epoch && first.row.head === row.head);
  return isSame && (part ?? needed) === parts.length;
}

/** Returns an entry with the parts before it. */
function joinedEntries(
  parts: readonly JournalEntry[],
  { row, whole, purge, writes }: JournalEntry,
): JournalEntry {
  return { row, whole, ...defined({ purge }), writes: [...parts.flatMap((part) => part.writes), ...writes] };
}

/** Returns the end of a file without a first line that is cut. */
export function dropCutLine(text: string): string {
  return BEGINNING.test(text) ? text : text.slice(text.indexOf('\n') + 1);
}

/** The beginning of a line. */
const BEGINNING = /^[0-9a-f]{16} \{/;

/** Returns whether a file contains nothing but intact lines. */
export function isIntactLog(text: string): boolean {
  const lines = text.split('\n');
  return lines.pop() === '' && lines.every(isIntact);
}

/**
 * Returns the last entry that `readEntries` would return, without creating the others. `isEnd`: the text is only the end of a file; null
 * when that does not suffice.
 */
export function lastEntry(text: string, isEnd = false): JournalEntry | null {
  const lines = text.split('\n');
  const damaged = lines.findIndex((line) => !isIntact(line));
  for (let at = damaged < 0 ? lines.length : damaged; at > 0; at--) {
    const entry = readLine(lines[at - 1] ?? '');
    if (entry === null) continue;
    const before = 'whole' in entry ? (entry.part ?? entry.parts) : entry.piece;
    if (before === undefined) return entry as JournalEntry;
    // It counts only if it lacks no piece and no part. Except for a mark between them, these are the lines before it.
    const own = readEntries(lines.slice(Math.max(0, at - 1 - before), at).join('\n')).at(-1);
    if (own?.row.head === entry.row.head && own.mark !== true) return own;
    return isEnd ? null : (readEntries(text).at(-1) ?? null);
  }
  return null;
}

/** Parses the entry of a line; null when it is truncated, damaged, or written by another release. */
function readLine(line: string): JournalEntry | WholePiece | null {
  if (!isIntact(line)) return null;
  try {
    const { row, whole, purge, mark, part, parts, piece, last, upTo, writes } = JSON.parse(
      line.slice(SUM + 1),
    ) as Record<string, unknown>;
    const readable = readRow(row);
    if (readable === null || !Array.isArray(writes)) return null;
    const read = { row: readable, writes: writes.map(readWrite) };
    if (typeof piece === 'number' && typeof last === 'boolean')
      return { ...read, piece, last, ...(typeof upTo === 'number' ? { upTo } : {}) };
    if (typeof whole !== 'boolean') return null;
    const numbers = {
      part: typeof part === 'number' ? part : undefined,
      parts: typeof parts === 'number' ? parts : undefined,
    };
    return { ...read, whole, purge: purge === true, mark: mark === true, ...defined(numbers) };
  } catch {
    return null;
  }
}

function isIntact(line: string): boolean {
  return line.length > SUM + 1 && line.slice(0, SUM) === fingerprint(line.slice(SUM + 1));
}

function readWrite(write: unknown): StoredWrite {
  if (!isRecord(write) || !isTable(write['table']) || !isKey(write['key'])) throw new Error('not a write');
  const { table, key, value, quotes } = write as {
    table: StoredWrite['table'];
    key: string;
    value?: unknown;
    quotes?: unknown;
  };
  return {
    table,
    key,
    value: value === undefined ? undefined : fromPortable(value, 'value'),
    ...defined({ quotes: quotes === undefined ? undefined : readQuotes(quotes) }),
  };
}
