import type { JournalFolder } from './journal-folder.js';
import { dropCutLine, isIntactLog, lastEntry, readEntries, type JournalEntry } from './journal-entry.js';
import type { SessionRow } from './session-row.js';
import { countedFiles, readFiles, readStoredText, unsealedName } from './sealed-file.js';
import { type StoredWrite, QUOTING, restoreQuotes, type Quote } from './texts.js';

/** Everything of a session at one moment. */
export interface SessionContent {
  row: SessionRow;
  writes: readonly StoredWrite[];
}

/** Suffix of a file whose entries build on the whole copy with the same epoch and number. */
export const BUILDS_ON_WHOLE = '-on-whole.log';

/**
 * Returns whether there are entries that build on a missing whole copy. Its worker died while writing it, or a power cut lost that file but
 * not what was flushed into the next one.
 */
export function lacksWhole(names: readonly string[]): boolean {
  const unsealed = names.map(unsealedName);
  return unsealed.some((name) => {
    if (!name.endsWith(BUILDS_ON_WHOLE)) return false;
    const whole = `-${name.slice(0, -BUILDS_ON_WHOLE.length)}.whole`;
    return !unsealed.some((other) => other.endsWith(whole));
  });
}

/** The replica of a session at the time of opening. */
export interface OpenedReplica {
  session: string;
  folder: JournalFolder;
  names: readonly string[];
  /** Its last entry. */
  tail: JournalEntry | null;
  /** The writes of a pending last entry, when this opening has stored them. */
  recovered: readonly StoredWrite[] | null;
}

/**
 * Returns whether a replica that ends with `tail` contains the session up to `row`, and no purged data. Nothing is known about one that
 * ends with parts, unless they were just recovered: their commit may have been stored, with more than them.
 */
export function isUpToDate(
  tail: JournalEntry | null,
  row: SessionRow,
  recovered: readonly StoredWrite[] | null,
): boolean {
  if (tail === null) return row.head === 0;
  if (tail.isPending === true) return recovered !== null;
  return tail.row.id === row.id && tail.row.head === row.head && !tail.purge;
}

/** Bytes at the end of a file in which its last entry with its parts is looked for, one after the other. */
const ENDS = [10_000, 200_000, Infinity];

/**
 * Returns the last entry of the replica in a folder with these files, or null. Where its end suffices, a file is not read
 * as a whole: `isEndIntact` does that later.
 */
export async function tailOf(folder: JournalFolder, names: readonly string[]): Promise<JournalEntry | null> {
  for (const name of newestFirst(names)) {
    for (const bytes of ENDS) {
      const text = await readStoredText(folder, name, bytes);
      const last = bytes === Infinity ? lastEntry(text) : lastEntry(dropCutLine(text), true);
      if (last !== null) return last;
      if (text === '') break;
    }
  }
  return null;
}

/** Returns whether no line of the newest file with entries is damaged. */
export async function isEndIntact(folder: JournalFolder, names: readonly string[]): Promise<boolean> {
  for (const name of newestFirst(names)) {
    if (unsealedName(name).endsWith('.whole')) break;
    const text = await readStoredText(folder, name);
    if (text !== '') return isIntactLog(text);
  }
  return true;
}

/** Sorts files by the place at which they were begun, newest first. A whole copy replaces everything before its place. */
function newestFirst(names: readonly string[]): string[] {
  const places = countedFiles(names).map((name) => {
    const unsealed = unsealedName(name);
    const isWhole = unsealed.endsWith('.whole');
    const place = isWhole ? unsealed.slice(unsealed.indexOf('-') + 1, -'.whole'.length) : unsealed;
    return { name, place };
  });
  return places.sort((one, other) => (one.place < other.place ? 1 : -1)).map(({ name }) => name);
}

/** Returns the session as of the last commit in its replica; null when the replica is not complete up to any commit. */
export async function readJournal(folder: JournalFolder): Promise<SessionContent | null> {
  return joinEntries(await readFiles(folder, (names) => readAllEntries(folder, names)));
}

async function readAllEntries(folder: JournalFolder, names: readonly string[]): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (const name of countedFiles(names))
    for (const entry of readEntries(await readStoredText(folder, name))) entries.push(entry);
  return entries;
}

function joinEntries(entries: readonly JournalEntry[]): SessionContent | null {
  const id = entries.reduce<JournalEntry | null>(newer, null)?.row.id;
  const own = entries.filter(({ row }) => row.id === id);
  const base = own.filter(({ whole }) => whole).reduce<JournalEntry | null>(further, null);
  const records = new Map<string, StoredWrite>();
  if (base !== null && !takeEntry(base, records)) return null;
  let row = base?.row ?? null;
  const later = own
    .filter(({ whole, mark, isPending }) => !whole && mark !== true && isPending !== true)
    .sort(({ row: one }, { row: other }) => one.head - other.head || other.epoch - one.epoch);
  for (const entry of later) {
    const head = row?.head ?? 0;
    if (entry.row.head <= head) continue;
    if (entry.row.head > head + 1) break; // the commits between are lost, so later ones cannot be applied
    if (entry.row.epoch < (row?.epoch ?? 0)) break; // a later writer continued from an earlier commit, so this entry was discarded
    if (!takeEntry(entry, records)) break;
    row = entry.row;
  }
  if (row === null || row.head < (base?.upTo ?? 0)) return null;
  return { row, writes: [...records.values()] };
}

/** Applies the writes of an entry. Returns false, and changes nothing, when something is missing that they quote. */
function takeEntry({ writes }: JournalEntry, records: Map<string, StoredWrite>): boolean {
  const changed = new Map<string, StoredWrite>();
  try {
    for (const write of writes)
      changed.set(
        recordPlace(write),
        unquoted(write, (place) => changed.get(place) ?? records.get(place)),
      );
  } catch {
    return false;
  }
  for (const [place, write] of changed) {
    if (write.value === undefined) records.delete(place);
    else records.set(place, write);
  }
  return true;
}

function recordPlace({ table, key }: StoredWrite): string {
  return `${table}/${key}`;
}

/** Compares epoch and number only: a clock that was set back makes timestamps unreliable. */
function further(one: JournalEntry | null, other: JournalEntry): JournalEntry {
  if (one === null) return other;
  const { row } = one;
  const ahead = other.row.epoch - row.epoch || other.row.head - row.head;
  return ahead >= 0 ? other : one;
}

function newer(one: JournalEntry | null, other: JournalEntry): JournalEntry {
  return one !== null && one.row.updatedAt > other.row.updatedAt ? one : other;
}

/** Minimum length of a quoted content, in UTF-16 units. */
const MIN_QUOTED_CONTENT = 1_000;

/**
 * Returns the writes of a commit as the replica stores them: contents of files quote the texts that contain them. `find` returns a quote
 * of a text that the replica has.
 */
export function quoteContents(
  writes: readonly StoredWrite[],
  find: (text: string) => Omit<Quote, 'path'> | null,
): StoredWrite[] {
  return writes.map((write) => {
    const { table, key, value } = write;
    if (table !== 'contents' || typeof value !== 'string' || value.length < MIN_QUOTED_CONTENT) return write;
    const text = find(value);
    return text === null ? write : { table, key, value: '', quotes: [{ path: [], ...text }] };
  });
}

/** Puts back what a content quotes. `stored` returns the write of a record at this place of the replay. @throws Error when it is missing. */
function unquoted(write: StoredWrite, stored: (place: string) => StoredWrite | undefined): StoredWrite {
  if (write.quotes === undefined || QUOTING.has(write.table)) return write;
  const { quotes: _quotes, ...rest } = write;
  return { ...rest, value: restoreQuotes(write, { get: (key) => stored(`texts/${key}`)?.value }) };
}
