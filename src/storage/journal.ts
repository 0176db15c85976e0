import { numberKey } from '../core/number-key.js';
import { writeEntry, writePiece, type JournalEntry } from './journal-entry.js';
import type { JournalFile, JournalFolder } from './journal-folder.js';
import { BUILDS_ON_WHOLE, isEndIntact, isUpToDate, lacksWhole, type Copy } from './journal-reading.js';
import type { SessionRow } from './session-row.js';
import { quoteContents } from './replica-quotes.js';
import type { Quote, StoredWrite } from './texts.js';

/**
 * Reads a snapshot of the whole session and passes it on in pieces, so that it is never in memory as a whole. If the read has to restart,
 * the first piece is passed again. `take` returns the length of what it wrote for a piece.
 */
export type ReadWhole = (
  take: (row: SessionRow, writes: readonly StoredWrite[], piece: number) => number,
) => Promise<SessionRow>;

/** Milliseconds after which appended text is flushed; the writer does not wait for it. */
const FLUSH_AFTER = 500;
/**
 * Length in UTF-16 units of replaced data after which a whole copy replaces the entries. If the entries contain more current data, that
 * length counts instead: a session that only grows needs no whole copy.
 */
const COMPACT_FROM = 2_000_000;
/** Length after which entries go to a new file: the newest one is read soon after an opening. */
const LONGEST_FILE = 2_000_000;
/** Milliseconds after an opening in which the page shows the session: only then the newest file is read as a whole. */
const CHECK_AFTER = 5_000;
/** Compacts when the folder has more than this many files when the session is opened, which creates one. */
const COMPACT_FROM_FILES = 16;

/**
 * The replica of a session: every commit is appended to files outside IndexedDB after IndexedDB has stored it. When the browser loses the
 * database, or its newest part, the session is restored from here.
 */
export class SessionJournal {
  readonly #folder: JournalFolder;
  readonly #epoch: string;
  readonly #readWhole: ReadWhole;
  readonly #onFault: (error: unknown) => void;
  #file: JournalFile;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #checking: ReturnType<typeof setTimeout> | undefined;
  #written = 0;
  #wholeSize = 0;
  readonly #sizes = new EntrySizes();
  /** Lines of the parts of the next commit. A commit and its parts are in one file. */
  #parts: string[] = [];
  /** The number of the newest file of this epoch. */
  #number: number;
  #compacting: Promise<void> | null = null;
  /** Number of commits at the last append. */
  #head: number;
  /** `without`: nothing is appended, because a replica with a gap is useless. It is rebuilt by the next purge or at the next opening. */
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
   * Continues the replica of a session whose row is now `row`. `names` are its files, and `tail` is its last entry. A replica that lacks
   * something, or contains purged data, is rebuilt from the whole session, which `readWhole` reads. `recovered` are the logged parts that
   * were just stored as a commit.
   */
  static async open(
    folder: JournalFolder,
    { names, tail, recovered }: Pick<Copy, 'names' | 'tail' | 'recovered'>,
    row: SessionRow,
    readWhole: ReadWhole,
    onFault: (error: unknown) => void,
  ): Promise<SessionJournal> {
    const epoch = numberKey(row.epoch);
    const flushed = flushAll(folder, names);
    flushed.catch(() => undefined); // awaited below
    // Never append to an existing file: after a rollback the same epoch may occur again, and nothing behind a truncated line is read.
    const own = names.filter((name) => name.startsWith(`${epoch}-`) && name.endsWith('.log')).sort();
    const first =
      1 +
      Number(
        own
          .at(-1)
          ?.slice(epoch.length + 1)
          .split(/[-.]/)[0] ?? -1,
      );
    const file = await folder.create(`${epoch}-${numberKey(first)}.log`);
    await flushed.catch((error: unknown) => {
      file.close();
      throw error;
    });
    const journal = new SessionJournal(folder, epoch, file, first, row.head, readWhole, onFault);
    if (!isUpToDate(tail, row, recovered) || lacksWhole(names)) await journal.#compact();
    else {
      if (recovered === null) journal.#mark(row);
      else journal.append(row, recovered);
      if (names.length > COMPACT_FROM_FILES) journal.#changeBehind(() => journal.#compact());
      else
        journal.#checking = setTimeout(() => journal.#changeBehind(() => journal.#check(names)), CHECK_AFTER);
    }
    return journal;
  }

  /**
   * Appends a commit, which includes the logged parts. Never throws; after a failure it appends nothing more. `find` returns a quote from
   * the texts of the session.
   */
  append(
    row: SessionRow,
    writes: readonly StoredWrite[],
    purge = false,
    find: (text: string) => Omit<Quote, 'path'> | null = () => null,
  ): void {
    this.#head = row.head;
    const parts = this.#parts.length;
    this.#parts = [];
    if (this.#state !== 'open') return;
    try {
      this.#write({ row, whole: false, purge, parts, writes: quoteContents(writes, find) });
      if (this.#sizes.replaced > Math.max(COMPACT_FROM, this.#wholeSize, this.#sizes.current))
        this.#changeBehind(() => this.#compact());
      else if (this.#written > LONGEST_FILE) this.#changeBehind(() => this.#nextFile());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Appends a part of the commit `row`, which is stored later. Never throws; returns false when it is not in the replica. */
  log(row: SessionRow, writes: readonly StoredWrite[]): boolean {
    if (this.#state !== 'open') return false;
    try {
      // Without quotes: an opening stores these without reading the replica.
      this.#parts.push(this.#write({ row, whole: false, part: this.#parts.length, writes }));
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** The logged parts belong to no commit any more. */
  discard(): void {
    this.#parts = [];
  }

  /** Returns the line of the entry. */
  #write(entry: JournalEntry): string {
    const text = writeEntry(entry, (write, length) => this.#sizes.add(write, length));
    this.#file.append(text);
    this.#written += text.length;
    this.#flushing ??= setTimeout(() => this.#flush(), FLUSH_AFTER);
    return text;
  }

  /**
   * Rewrites the replica with only the current data; never throws. A purge interrupted by a crash is completed at the next opening. Lack of
   * space does not prevent it: the old replica is deleted first then.
   */
  async purge(): Promise<void> {
    await this.#compacting;
    if (this.#state === 'closed') return;
    await this.#compact();
    if (this.#state === 'open') return;
    await this.drop();
    await this.#compact();
  }

  /** Deletes the replica and frees its space; `purge` rebuilds it. Never throws. */
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
    clearTimeout(this.#checking);
    await this.#compacting;
    this.#flush();
    this.#stop();
    this.#state = 'closed';
  }

  /** Appends a mark, in a file without commits, that everything before it is complete. */
  #mark(row: SessionRow): void {
    if (this.#state !== 'open' || this.#written > 0) return;
    this.#file.append(writeEntry({ row, whole: false, mark: true, writes: [] }));
  }

  #changeBehind(change: () => Promise<void>): void {
    this.#compacting ??= change().finally(() => (this.#compacting = null));
  }

  /** Continues in a new file, or in the same one when there is no space for another. */
  async #nextFile(): Promise<void> {
    try {
      await this.#beginFile('.log');
    } catch {
      this.#written = 0; // tries again later
    }
  }

  /** Closes the file and continues in a new one. Returns its place among the files; null when nothing is appended any more. */
  async #beginFile(suffix: string): Promise<string | null> {
    const place = `${this.#epoch}-${numberKey(++this.#number)}`;
    const next = await this.#folder.create(place + suffix);
    if (this.#state === 'closed' || (this.#state === 'without' && suffix === '.log')) {
      next.close();
      return null;
    }
    this.#flush();
    this.#stop();
    this.#state = 'open';
    this.#file = next;
    this.#written = 0;
    for (const part of this.#parts) next.append(part);
    return place;
  }

  #giveUp(error: unknown): void {
    if (this.#state === 'closed') return;
    this.#stop();
    this.#onFault(error);
  }

  /** Rewrites a replica whose newest file is damaged before its end: nothing behind the damage would be restored. */
  async #check(names: readonly string[]): Promise<void> {
    const isIntact = await isEndIntact(this.#folder, names).catch(() => false);
    if (!isIntact && this.#state === 'open') await this.#compact();
  }

  /** Writes a whole copy and removes the files it replaces. Meanwhile, commits are appended to a separate file. */
  async #compact(): Promise<void> {
    try {
      const old = await this.#folder.names();
      const place = await this.#beginFile(BUILDS_ON_WHOLE);
      if (place === null) return;
      this.#sizes.replaced = 0;
      const { row, length } = await this.#writeWhole(`${numberKey(this.#head)}-${place}.whole`);
      this.#wholeSize = length;
      for (const name of old) await this.#folder.remove(name);
      this.#mark(row);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Returns the row of the whole copy, and its length. */
  async #writeWhole(name: string): Promise<{ row: SessionRow; length: number }> {
    const file = await this.#folder.create(name);
    try {
      let length = 0;
      let next = 0;
      const take = (row: SessionRow, writes: readonly StoredWrite[], piece: number, last = false): number => {
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
      // the file is not used any more
    }
  }
}

/** Lengths of the appended records. */
class EntrySizes {
  /** Length of those that have been replaced or removed since. */
  replaced = 0;
  /** Length of the others. */
  current = 0;
  readonly #lengths = new Map<string, number>();

  add({ table, key, value }: StoredWrite, length: number): void {
    const place = `${table}/${key}`;
    const before = this.#lengths.get(place) ?? 0;
    this.replaced += before;
    this.current += length - before;
    if (value === undefined) this.#lengths.delete(place);
    else this.#lengths.set(place, length);
  }
}

/**
 * A worker that crashed could not flush its last entries. They can be read, but a power cut may still lose them. Entries that are appended
 * and flushed from now on build on them. Only the files of the last writer: it has flushed those of the writers before.
 */
async function flushAll(folder: JournalFolder, names: readonly string[]): Promise<void> {
  const flushed = async (name: string): Promise<void> => {
    const file = await folder.create(name).catch(() => null); // a fenced-off writer still has it open, and flushes it
    file?.flush();
    file?.close();
  };
  const logs = names.filter((name) => name.endsWith('.log')).sort();
  const [epoch = ''] = logs.at(-1)?.split('-') ?? [];
  await Promise.all(logs.filter((name) => name.startsWith(`${epoch}-`)).map(flushed));
}
