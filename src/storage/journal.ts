import type { Write } from '../base/store.js';
import { lastEntry, readEntries, writeEntry, writePiece, type JournalEntry } from './journal-entry.js';
import type { SessionRow } from './session-row.js';

/** A folder of small files beside the database, in which the second copy of one session stands. */
export interface JournalFolder {
  names(): Promise<string[]>;
  read(name: string): Promise<string>;
  /** Creates a file to write to until it is closed. */
  create(name: string): Promise<JournalFile>;
  remove(name: string): Promise<void>;
}

export interface JournalFile {
  /** Appends; what was appended is safe from a crash of the browser at once, and from a power cut once it is flushed. */
  append(text: string): void;
  flush(): void;
  close(): void;
}

/** All of a session at one moment. */
export interface SessionContent {
  row: SessionRow;
  writes: readonly Write[];
}

/**
 * Reads all of a session as it is at one moment and hands it over piece by piece, so that it is never in memory as a whole; where it
 * has to begin anew, the first piece comes again. `take` gives the length of what it made of a piece.
 */
export type ReadWhole = (
  take: (row: SessionRow, writes: readonly Write[], piece: number) => number,
) => Promise<SessionRow>;

/** Milliseconds after which what was appended is flushed; the writer does not wait for it. */
const FLUSH_AFTER = 500;
/** UTF-16 units of entries after which a whole copy takes their place, unless the last whole copy was larger. */
const COMPACT_FROM = 2_000_000;
/** Of the same: each visit begins a file. */
const COMPACT_FROM_FILES = 16;
/** How the name of a file ends whose entries build on the whole copy of the same epoch and number. */
const BUILDS_ON_WHOLE = '-on-whole.log';

/**
 * The second copy of a session (architecture §5): every commit, appended to files outside IndexedDB after it is in there. When the
 * browser loses the database, or its newest part, the session is brought back from here.
 */
export class SessionJournal {
  readonly #folder: JournalFolder;
  readonly #epoch: string;
  readonly #readWhole: ReadWhole;
  readonly #onFault: (error: unknown) => void;
  #file: JournalFile;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #written = 0;
  #wholeSize = 0;
  /** The number of the newest file of this epoch. */
  #number: number;
  #compacting: Promise<void> | null = null;
  /** How far the session had come when something was last taken down. */
  #head: number;
  /** `without`: nothing is taken down, for a copy with a hole is none; it is made anew when something is purged, or at the next opening. */
  #state: 'open' | 'without' | 'closed' = 'open';

  private constructor(
    folder: JournalFolder,
    epoch: string,
    file: JournalFile,
    number: number,
    head: number,
    readWhole: ReadWhole,
    onFault: (error: unknown) => void,
  ) {
    this.#folder = folder;
    this.#epoch = epoch;
    this.#readWhole = readWhole;
    this.#onFault = onFault;

    this.#file = file;
    this.#number = number;
    this.#head = head;
  }

  /**
   * Goes on with the copy of a session that is now at `row`: `names` are its files, and `tail` is its last entry. A copy that lacks
   * something, or has what should be gone, begins anew with the whole session, read by `readWhole`.
   */
  static async open(
    folder: JournalFolder,
    names: readonly string[],
    row: SessionRow,
    tail: JournalEntry | null,
    readWhole: ReadWhole,
    onFault: (error: unknown) => void,
  ): Promise<SessionJournal> {
    const epoch = padded(row.epoch);
    await flushAll(folder, names);
    // Never behind what is there: after a roll-back an epoch may come again, and what stands behind a torn line is not read.
    const own = names.filter((name) => name.startsWith(`${epoch}-`) && name.endsWith('.log')).sort();
    const first =
      1 +
      Number(
        own
          .at(-1)
          ?.slice(epoch.length + 1)
          .split(/[-.]/)[0] ?? -1,
      );
    const file = await folder.create(`${epoch}-${padded(first)}.log`);
    const journal = new SessionJournal(folder, epoch, file, first, row.head, readWhole, onFault);
    if (!isUpToDate(tail, row) || lacksWhole(names)) await journal.#compact();
    else {
      journal.#mark(row);
      if (names.length > COMPACT_FROM_FILES) journal.#compactBehind();
    }
    return journal;
  }

  /** Takes a commit down; never throws, and after a failure takes down nothing more. */
  append(row: SessionRow, writes: readonly Write[], purge = false): void {
    this.#head = row.head;
    if (this.#state !== 'open') return;
    try {
      const text = writeEntry({ row, whole: false, purge, writes });
      this.#file.append(text);
      this.#written += text.length;
      this.#flushing ??= setTimeout(() => this.#flush(), FLUSH_AFTER);
      if (this.#written > Math.max(COMPACT_FROM, 2 * this.#wholeSize)) this.#compactBehind();
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Leaves only what is now in the session; never throws. Cut short by a crash, it is made up for at the next opening. What should be gone
   * does not stay for want of room: then the copy goes first.
   */
  async purge(): Promise<void> {
    await this.#compacting;
    if (this.#state === 'closed') return;
    await this.#compact();
    if (this.#state === 'open') return;
    await this.drop();
    await this.#compact();
  }

  /** Gives back the room that the copy takes; nothing is left of it until `purge` makes it anew. Never throws. */
  async drop(): Promise<void> {
    await this.#compacting;
    if (this.#state === 'closed') return;
    try {
      this.#stop();
      for (const name of await this.#folder.names()) await this.#folder.remove(name);
    } catch (error) {
      this.#onFault(error);
    }
  }

  async close(): Promise<void> {
    await this.#compacting;
    this.#flush();
    this.#stop();
    this.#state = 'closed';
  }

  /** Says, in a file without a commit yet, that what stands before it is complete. */
  #mark(row: SessionRow): void {
    if (this.#state !== 'open' || this.#written > 0) return;
    this.#file.append(writeEntry({ row, whole: false, mark: true, writes: [] }));
  }

  #compactBehind(): void {
    this.#compacting ??= this.#compact().finally(() => (this.#compacting = null));
  }

  /** Writes a whole copy and removes what it makes superfluous; commits go on meanwhile, into a file of their own. */
  async #compact(): Promise<void> {
    try {
      const old = await this.#folder.names();
      const place = `${this.#epoch}-${padded(++this.#number)}`;
      const next = await this.#folder.create(place + BUILDS_ON_WHOLE);
      if (this.#state === 'closed') {
        next.close();
        return;
      }
      this.#flush();
      this.#stop();
      this.#state = 'open';
      this.#file = next;
      this.#written = 0;
      const { row, length } = await this.#writeWhole(`${padded(this.#head)}-${place}.whole`);
      this.#wholeSize = length;
      for (const name of old) await this.#folder.remove(name);
      this.#mark(row);
    } catch (error) {
      if (this.#state === 'closed') return;
      this.#stop();
      this.#onFault(error);
    }
  }

  /** How far the session had come in it, and its length. */
  async #writeWhole(name: string): Promise<{ row: SessionRow; length: number }> {
    const file = await this.#folder.create(name);
    try {
      let length = 0;
      let next = 0;
      const take = (row: SessionRow, writes: readonly Write[], piece: number, last = false): number => {
        const text = writePiece({ row, piece, last, writes });
        file.append(text);
        length += text.length;
        next = piece + 1;
        return text.length;
      };
      const row = await this.#readWhole((...of) => take(...of));
      take(row, [], next, true);
      file.flush();
      return { row, length };
    } finally {
      file.close();
    }
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (this.#state !== 'open') return;
    try {
      this.#file.flush();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#state !== 'open') return;
    this.#stop();
    this.#onFault(error);
  }

  #stop(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (this.#state !== 'open') return;
    this.#state = 'without';
    try {
      this.#file.close();
    } catch {
      // it is no use any more anyway
    }
  }
}

/**
 * A worker that died had no time to flush what it appended. It can be read and still be lost in a power cut, and what is appended
 * and flushed from now on builds on it.
 */
async function flushAll(folder: JournalFolder, names: readonly string[]): Promise<void> {
  const flushed = async (name: string): Promise<void> => {
    const file = await folder.create(name).catch(() => null); // a writer that was fenced off holds it still, and flushes it
    file?.flush();
    file?.close();
  };
  await Promise.all(names.filter((name) => name.endsWith('.log')).map(flushed));
}

/**
 * Whether entries stand there that build on a whole copy which is not there: its worker died over it, or a power cut took the file but
 * not what was flushed into the next one.
 */
function lacksWhole(names: readonly string[]): boolean {
  return names.some((name) => {
    if (!name.endsWith(BUILDS_ON_WHOLE)) return false;
    const whole = `-${name.slice(0, -BUILDS_ON_WHOLE.length)}.whole`;
    return !names.some((other) => other.endsWith(whole));
  });
}

/** Whether a copy that ends with `tail` holds a session that is at `row`, and nothing that should be gone. */
export function isUpToDate(tail: JournalEntry | null, row: SessionRow): boolean {
  if (tail === null) return row.head === 0;
  return tail.row.id === row.id && tail.row.head === row.head && !tail.purge;
}

/** The last entry of the copy in a folder with these files; null when there is none. */
export async function tailOf(folder: JournalFolder, names: readonly string[]): Promise<JournalEntry | null> {
  const newest = [...names].sort().reverse();
  const logs = newest.filter((name) => name.endsWith('.log'));
  const wholes = newest.filter((name) => name.endsWith('.whole'));
  for (const name of [...logs, ...wholes]) {
    const last = lastEntry(await folder.read(name));
    if (last !== null) return last;
  }
  return null;
}

/** The session as its copy has it; null when there is none that is complete up to some commit. */
export async function readJournal(folder: JournalFolder): Promise<SessionContent | null> {
  const names = (await folder.names()).sort();
  const entries: JournalEntry[] = [];
  for (const name of names) entries.push(...readEntries(await folder.read(name)));
  const id = entries.reduce<JournalEntry | null>(newer, null)?.row.id;
  const own = entries.filter(({ row }) => row.id === id);
  const base = own.filter(({ whole }) => whole).reduce<JournalEntry | null>(further, null);
  const records = new Map<string, Write>();
  const take = ({ writes }: JournalEntry): void => {
    for (const write of writes) {
      const place = `${write.table}/${write.key}`;
      if (write.value === undefined) records.delete(place);
      else records.set(place, write);
    }
  };
  if (base !== null) take(base);
  let row = base?.row ?? null;
  const later = own
    .filter(({ whole, mark }) => !whole && mark !== true)
    .sort(({ row: one }, { row: other }) => one.head - other.head || other.epoch - one.epoch);
  for (const entry of later) {
    const head = row?.head ?? 0;
    if (entry.row.head <= head) continue;
    if (entry.row.head > head + 1) break; // what lies between is lost, and so is what builds on it
    if (entry.row.epoch < (row?.epoch ?? 0)) break; // a later writer went on from before it: it belongs to what was given up
    take(entry);
    row = entry.row;
  }
  return row === null ? null : { row, writes: [...records.values()] };
}

/** By epoch and number alone: a clock that was set back says nothing about order. */
function further(one: JournalEntry | null, other: JournalEntry): JournalEntry {
  if (one === null) return other;
  const { row } = one;
  const ahead = other.row.epoch - row.epoch || other.row.head - row.head;
  return ahead >= 0 ? other : one;
}

function newer(one: JournalEntry | null, other: JournalEntry): JournalEntry {
  return one !== null && one.row.updatedAt > other.row.updatedAt ? one : other;
}

function padded(number: number): string {
  return String(number).padStart(10, '0');
}
