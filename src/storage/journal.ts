import { numberKey } from '../core/number-key.js';
import { writeEntry, writePiece, type JournalEntry } from './journal-entry.js';
import type { JournalFile, JournalFolder } from './journal-folder.js';
import {
  BUILDS_ON_WHOLE,
  isEndIntact,
  isUpToDate,
  lacksWhole,
  type OpenedReplica,
  quoteContents,
} from './journal-reading.js';
import type { SessionRow } from './session-row.js';
import {
  canSeal,
  countedFiles,
  readFiles,
  removeFiles,
  sealFile,
  sealedName,
  sealText,
  unsealedName,
} from './sealed-file.js';
import type { Quote, StoredWrite } from './texts.js';

/**
 * Reads the whole session and passes it on in pieces, so that it is never in memory as a whole. Commits may be stored between them. If the
 * read has to restart, the first piece is passed again. `take` returns the length of what it wrote for a piece. The reader calls `store` now and
 * then, and continues when it has stored what was taken. The returned row is the newest one of which anything was read.
 */
export type ReadWhole = (
  take: (writes: readonly StoredWrite[], piece: number) => number,
  store: () => Promise<void>,
) => Promise<SessionRow>;

/** Milliseconds after which appended text is flushed; the writer does not wait for it. */
const FLUSH_AFTER = 500;
/**
 * Bytes of the files behind the whole copy after which a new whole copy replaces them. If the present one is larger, its size counts
 * instead: so the replica takes at most twice the space of a whole copy, and whole copies take at most as much work as the commits.
 */
const COMPACT_FROM = 3_000_000;
/** Length in UTF-16 units after which entries go to a new file, and the former is sealed. The newest one is read soon after an opening. */
const LONGEST_FILE = 500_000;
/** Shorter files, in bytes, take hardly less space when they are sealed. */
const SEAL_FROM = 20_000;
/** A file counts as at least this many bytes: each opening creates one, and all are read when the session is restored. */
const LEAST_SIZE = 50_000;
/** Milliseconds after an opening in which the page shows the session: only then the newest file is read as a whole, */
const CHECK_AFTER = 5_000;
/** unless more than this many files are not sealed. Visits may be shorter than that, */
const MAX_UNCHECKED = 4;
/** and too short to seal anything: more files are replaced by a whole copy. */
const MAX_UNSEALED = 16;

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
  /** Name of the file that is appended to. */
  #name: string;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #checking: ReturnType<typeof setTimeout> | undefined;
  /** Length of the entries in the file. */
  #written = 0;
  /** Bytes of the files that are complete, by name, except `#earlier`. */
  #complete = new Map<string, number>();
  /** Names of files that the writers before have left, and whose sizes are not known yet. */
  #earlier: readonly string[] = [];
  /** Aborted when something waits for the files. */
  #sealing = new AbortController();
  /** Lines of the parts of the next commit. A commit and its parts are in one file. */
  #parts: string[] = [];
  /** The number of the newest file of this epoch. */
  #number: number;
  #compacting: Promise<void> | null = null;
  /** The row of the last commit that was appended. */
  #row: SessionRow;
  /** Called when a commit was appended, or none will be. */
  #onChange: (() => void) | null = null;
  /** A whole copy is being written, which may lack texts that were removed meanwhile: no entry may quote them. */
  #isCopying = false;
  /** `without`: nothing is appended, because a replica with a gap is useless. It is rebuilt by the next purge or at the next opening. */
  #state: 'open' | 'without' | 'closed' = 'open';

  private constructor(
    folder: JournalFolder,
    epoch: string,
    { file, name }: { file: JournalFile; name: string },
    number: number,
    row: SessionRow,
    readWhole: ReadWhole,
    onFault: (error: unknown) => void,
  ) {
    this.#folder = folder;
    this.#epoch = epoch;
    this.#readWhole = readWhole;
    this.#onFault = onFault;

    this.#file = file;
    this.#name = name;
    this.#number = number;
    this.#row = row;
  }

  /**
   * Continues the replica of a session whose row is now `row`. `names` are its files, and `tail` is its last entry. A replica that lacks
   * something, or contains purged data, is rebuilt from the whole session, which `readWhole` reads. `recovered` are the logged parts that
   * were just stored as a commit.
   */
  static async open(
    folder: JournalFolder,
    { names, tail, recovered }: Pick<OpenedReplica, 'names' | 'tail' | 'recovered'>,
    row: SessionRow,
    readWhole: ReadWhole,
    onFault: (error: unknown) => void,
  ): Promise<SessionJournal> {
    const epoch = numberKey(row.epoch);
    const flushed = flushAll(folder, names);
    flushed.catch(() => undefined); // awaited below
    // Never append to an existing file: after a rollback the same epoch may occur again, and nothing behind a truncated line is read.
    const own = names
      .filter((name) => name.startsWith(`${epoch}-`) && unsealedName(name).endsWith('.log'))
      .sort();
    const first =
      1 +
      Number(
        own
          .at(-1)
          ?.slice(epoch.length + 1)
          .split(/[-.]/)[0] ?? -1,
      );
    const name = `${epoch}-${numberKey(first)}.log`;
    const file = await folder.create(name);
    await flushed.catch((error: unknown) => {
      file.close();
      throw error;
    });
    const journal = new SessionJournal(folder, epoch, { file, name }, first, row, readWhole, onFault);
    if (!isUpToDate(tail, row, recovered) || lacksWhole(names)) {
      await journal.#compact({ isOpening: true });
      journal.#changeBehind(() => journal.#sealFiles());
    } else {
      if (recovered === null) journal.#mark(row);
      else journal.append(row, recovered);
      journal.#earlier = names;
      const check = (): void => journal.#changeBehind(() => journal.#check(names));
      const unsealed = names.filter((file) => file === unsealedName(file)).length;
      if (unsealed > MAX_UNSEALED) journal.#changeBehind(() => journal.#rewrite());
      else if (unsealed > MAX_UNCHECKED) check();
      else journal.#checking = setTimeout(check, CHECK_AFTER);
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
    this.#row = row;
    const parts = this.#parts.length;
    this.#parts = [];
    if (this.#state !== 'open') return;
    try {
      const quoted = this.#isCopying ? writes : quoteContents(writes, find);
      this.#write({ row, whole: false, purge, parts, writes: quoted });
      this.#onChange?.();
      this.#limitFile();
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
    const text = writeEntry(entry);
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
    await this.#idle();
    if (this.#state === 'closed') return;
    this.#changeBehind(async () => {
      await this.#compact();
      if (this.#state === 'open') return;
      await this.#removeAll();
      await this.#compact();
    });
    await this.#compacting;
    this.#changeBehind(() => this.#sealFiles());
  }

  /** Deletes the replica and frees its space; `purge` rebuilds it. Never throws. */
  async drop(): Promise<void> {
    await this.#idle();
    if (this.#state !== 'closed') await this.#removeAll();
  }

  async #removeAll(): Promise<void> {
    try {
      this.#stop();
      await removeFiles(this.#folder, await this.#folder.names());
    } catch (error) {
      this.#onFault(error);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#checking);
    await this.#idle();
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
    this.#compacting ??= change().finally(() => {
      this.#compacting = null;
      this.#limitFile(); // commits may have filled it meanwhile
    });
  }

  #limitFile(): void {
    if (this.#written <= LONGEST_FILE || this.#state !== 'open' || this.#sealing.signal.aborted) return;
    this.#changeBehind(() => this.#nextFile());
  }

  /** Waits until the files are sealed, and none is replaced any more. */
  async settled(): Promise<void> {
    while (this.#compacting !== null) await this.#compacting;
  }

  /** Waits until the files are not changed any more. Does not wait until they are sealed. */
  async #idle(): Promise<void> {
    this.#sealing.abort();
    this.#onChange?.();
    await this.settled();
    this.#sealing = new AbortController();
  }

  /** Continues in a new file, or in the same one when there is no space for another. */
  async #nextFile(): Promise<void> {
    try {
      await this.#beginFile('.log');
    } catch {
      this.#written = 0; // tries again later
    }
    await this.#shrink();
  }

  /** Seals complete files. When they are too large nevertheless, or too many, a whole copy replaces them. */
  async #shrink(): Promise<void> {
    await this.#measureEarlier().catch(() => undefined); // without their sizes, they remain
    await this.#sealFiles();
    if (this.#sealing.signal.aborted || this.#state !== 'open') return;
    let [whole, others] = [0, 0];
    for (const [name, size] of this.#complete)
      if (unsealedName(name).endsWith('.whole')) whole += size;
      else others += Math.max(LEAST_SIZE, size);
    if (others > Math.max(COMPACT_FROM, whole)) await this.#rewrite();
  }

  async #measureEarlier(): Promise<void> {
    const present = new Set(await this.#folder.names());
    const names = countedFiles(this.#earlier.filter((name) => present.has(name)));
    this.#earlier = [];
    for (const name of names) this.#complete.set(name, (await this.#folder.read(name)).size);
  }

  async #rewrite(): Promise<void> {
    await this.#compact();
    await this.#sealFiles();
  }

  async #sealFiles(): Promise<void> {
    const { signal } = this.#sealing;
    if (!canSeal()) return;
    for (const [name, length] of [...this.#complete]) {
      if (signal.aborted || this.#state !== 'open') return;
      if (length < SEAL_FROM || name !== unsealedName(name)) continue;
      const sealed = await sealFile(this.#folder, name, signal).catch(() => null); // without space it remains as it is
      if (sealed === null) continue;
      this.#complete.delete(name);
      this.#complete.set(sealed.name, sealed.size);
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
    this.#complete.set(this.#name, this.#written);
    this.#file = next;
    this.#name = place + suffix;
    this.#written = 0;
    for (const part of this.#parts) next.append(part);
    return place;
  }

  #giveUp(error: unknown): void {
    if (this.#state === 'closed') return;
    this.#stop();
    this.#onFault(error);
  }

  /**
   * Rewrites a replica whose newest file is damaged before its end: nothing behind the damage would be restored. Shrinks what the writers
   * before have left.
   */
  async #check(names: readonly string[]): Promise<void> {
    const isIntact = await readFiles(this.#folder, (present) =>
      isEndIntact(
        this.#folder,
        present.filter((name) => names.some((before) => unsealedName(before) === unsealedName(name))),
      ),
    ).catch(() => false);
    if (this.#state !== 'open') return;
    await (isIntact ? this.#shrink() : this.#rewrite());
  }

  /**
   * Writes a whole copy and removes the files it replaces. Meanwhile, commits are appended to a separate file. The copy counts once all
   * commits of which it may have parts are flushed. An opening does not wait for these: they are appended after it.
   */
  async #compact({ isOpening = false } = {}): Promise<void> {
    this.#isCopying = true;
    try {
      const old = await this.#folder.names();
      const place = await this.#beginFile(BUILDS_ON_WHOLE);
      if (place === null) return;
      const row = this.#row;
      const text = `${numberKey(row.head)}-${place}.whole`;
      const name = canSeal() ? sealedName(text) : text;
      const size = await this.#writeWhole(name, row, isOpening);
      if (size === null) return;
      await removeFiles(this.#folder, old);
      this.#complete = new Map([[name, size]]);
      this.#earlier = [];
      this.#mark(row);
    } catch (error) {
      this.#giveUp(error);
    } finally {
      this.#isCopying = false;
    }
  }

  /**
   * Returns the size of the whole copy; null when it must not replace the others: another writer has the session, the browser has lost
   * commits, or nothing more is appended.
   */
  async #writeWhole(name: string, row: SessionRow, isOpening: boolean): Promise<number | null> {
    const file = await this.#folder.create(name);
    try {
      let size = 0;
      let next = 0;
      let taken: string[] = [];
      const take = (writes: readonly StoredWrite[], piece: number): number => {
        const text = writePiece({ row, piece, last: false, writes });
        taken.push(text);
        next = piece + 1;
        return text.length;
      };
      const isSealed = name !== unsealedName(name);
      const contentOf = async (texts: readonly string[]): Promise<readonly (string | Uint8Array)[]> =>
        isSealed ? sealText(texts.join('')) : texts;
      const append = (parts: readonly (string | Uint8Array)[]): void => {
        for (const part of parts) {
          file.append(part);
          size += part.length;
        }
      };
      const store = async (): Promise<void> => {
        const texts = taken;
        taken = [];
        append(await contentOf(texts));
      };
      const { id, epoch, head } = await this.#readWhole(take, store);
      if (id !== row.id || epoch !== row.epoch || head < row.head) return null;
      if (!isOpening && !(await this.#hasAppended(head))) return null;
      await store();
      const upTo = head > row.head ? { upTo: head } : {};
      const end = await contentOf([writePiece({ row, piece: next, last: true, ...upTo, writes: [] })]);
      this.#flush();
      if (this.#state !== 'open') return null;
      append(end);
      file.flush();
      return size;
    } finally {
      file.close();
    }
  }

  /** Waits until the commit with this number is appended. Returns false when that is no longer expected. */
  async #hasAppended(head: number): Promise<boolean> {
    const { signal } = this.#sealing;
    while (this.#row.head < head && this.#state === 'open' && !signal.aborted)
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    return this.#row.head >= head;
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
    this.#onChange?.();
    try {
      this.#file.close();
    } catch {
      // the file is not used any more
    }
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
