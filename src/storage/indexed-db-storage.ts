import { describeAsSentence } from '../core/error.js';
import type { StorageUsage } from '../core/space.js';
import type { SessionExport, SessionInfo, SessionPosition, SessionStore, Storage } from '../core/store.js';
import { Database, type Connection, type ReadTransaction, type WriteTransaction } from './database.js';
import { IndexedDbSession } from './indexed-db-session.js';
import { SessionJournal, type ReadWhole } from './journal.js';
import { isUpToDate, readJournal, tailOf, type Copy, type SessionContent } from './journal-reading.js';
import type { JournalEntry } from './journal-entry.js';
import { checkSessionName } from './names.js';
import { opfsJournals, type Journals } from './opfs-journals.js';
import { putAll, readInPieces, readSession } from './records.js';
import { readDocument, restoredRow, writeDocument } from './session-document.js';
import { nameTaken, noSuchSession, sessionBusy, sessionFenced, sessionLost } from './session-errors.js';
import { takeLock, type SessionLock } from './session-lock.js';
import { infoOf, newRow, readRow, type SessionRow } from './session-row.js';
import { storageError } from './storage-error.js';
import { Warnings } from './warnings.js';

/** Milliseconds between attempts to remove a file that another worker has open. */
const LOOK_AGAIN = 50;

export interface IndexedDbStorageOptions {
  /** Name of the database for all sessions of the origin. Default `'rolezero'`. */
  databaseName?: string;
  /**
   * Time for which `open` and `remove` wait for a session held elsewhere, in milliseconds, before they reject with `session-busy`. A worker
   * terminated during a computation keeps its lock for about two seconds. The default of 3,000 lets a reloaded page wait for its previous
   * worker. In return, a second tab learns only after that time that the first one is open. 0 does not wait.
   */
  waitMs?: number;
  /**
   * Time limit for opening the database, in milliseconds. After it, the database counts as blocked by a tab that has an older version open.
   * Default 5,000.
   */
  openMs?: number;
  /**
   * Time limit for a transaction, in milliseconds, after which its connection counts as dead and is reopened. Default 30,000. An import
   * gets one more millisecond for each record.
   */
  transactionMs?: number;
  /** The clock of `createdAt` and `updatedAt`. Default `Date.now`. */
  now?: () => number;
  /**
   * Stores a replica of the sessions in the origin private file system. Sessions are restored from it when the browser loses its database
   * or the newest part of it. Default true; no effect where that file system is missing.
   */
  secondCopy?: boolean;
}

/**
 * Stores sessions in one IndexedDB database. A commit is one strict transaction. A Web Lock protects an open session, and every commit
 * checks an epoch as a fence. Nothing is opened before it is used.
 */
export function indexedDbStorage(options: IndexedDbStorageOptions = {}): Storage {
  return new IndexedDbStorage({
    databaseName: options.databaseName ?? 'rolezero',
    waitMs: options.waitMs ?? 3000,
    openMs: options.openMs ?? 5000,
    transactionMs: options.transactionMs ?? 30_000,
    now: options.now ?? Date.now,
    journals: (options.secondCopy ?? true) ? opfsJournals(options.databaseName ?? 'rolezero') : null,
  });
}

type Settings = Required<Omit<IndexedDbStorageOptions, 'secondCopy'>> & { journals: Journals | null };

/** Implements `indexedDbStorage`, with replicas in the place given by the settings. */
export class IndexedDbStorage implements Storage {
  readonly #settings: Settings;
  readonly #database: Database;
  readonly #warnings = new Warnings();

  constructor(settings: Settings) {
    this.#settings = settings;

    const { databaseName, openMs, transactionMs } = settings;
    this.#database = new Database(databaseName, openMs, transactionMs, (connection) =>
      this.#restoreAll(connection),
    );
  }

  get place(): string {
    return this.#settings.databaseName;
  }

  /** Does not open a session's own folder: that must wait for the lock, because the session may be about to be removed. */
  prepare(): void {
    this.#database.prepare();
    this.#settings.journals?.prepare();
  }

  async open(
    name: string,
    options: { takeOver?: boolean; known?: readonly SessionPosition[]; wait?: AbortSignal } = {},
  ): Promise<SessionStore> {
    const { databaseName, now } = this.#settings;
    checkSessionName(name);
    this.prepare(); // while waiting for the lock
    const lock = await this.#lock(name, options.takeOver === true, options.wait);
    try {
      const known = options.known?.find(({ place }) => place === databaseName);
      const { row, copy } = await this.#becomeWriter(name, lock.stolen, known, await this.#copyOf(name));
      const journal = copy && this.#journal(copy, row);
      // A replica with data that must be removed is rebuilt before the session is used. For one that only grows, only the writer waits.
      if (copy?.tail && !isUpToDate(copy.tail, row, copy.recovered)) await journal;
      return new IndexedDbSession(this.#database, databaseName, lock, row, now, journal, this.#warnings);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async list(): Promise<SessionInfo[]> {
    return this.#database.read(async (transaction) => {
      const rows = await transaction.objectStore('sessions').getAll();
      return rows.map(infoOf);
    });
  }

  async remove(name: string): Promise<void> {
    const lock = await this.#lock(checkSessionName(name), false);
    try {
      await this.#removeCopy(name); // first, so that the removed session is not restored
      await this.#database.write(async (transaction) => {
        await transaction.objectStore('records').delete(IDBKeyRange.bound([name], [name, []]));
        await transaction.objectStore('sessions').delete(name);
      });
    } finally {
      await lock.release();
    }
  }

  async export(name: string): Promise<SessionExport> {
    const { row, writes } = await this.#whole(checkSessionName(name));
    return writeDocument(row, writes);
  }

  async import(document: unknown, name?: string): Promise<SessionInfo> {
    const content = readDocument(document);
    const row = restoredRow(content, checkSessionName(name ?? content.name), this.#settings.now());
    await this.#database.write(async (transaction, again) => {
      const found = readRow(await transaction.objectStore('sessions').get(row.name));
      if (again && found?.id === row.id) return; // the first attempt was written
      if (found !== null) throw nameTaken(row.name);
      putAll(transaction, row, content.records);
    }, content.records.length);
    return infoOf(row);
  }

  async usage(): Promise<StorageUsage | null> {
    const storage = (navigator as { storage?: Partial<StorageManager> }).storage; // missing in an insecure context
    const estimate = await storage?.estimate?.().catch(() => undefined);
    if (estimate?.usage === undefined || estimate.quota === undefined) return null;
    return { usage: estimate.usage, quota: estimate.quota };
  }

  /**
   * Waits until a writer that lost the session has noticed it and closed its replica. Where the browser denies access to its files there is
   * no replica.
   */
  async #removeCopy(name: string): Promise<void> {
    const until = performance.now() + this.#settings.waitMs;
    for (;;) {
      try {
        await this.#settings.journals?.remove(name);
        return;
      } catch (error) {
        const kind = error instanceof DOMException ? error.name : '';
        if (kind === 'SecurityError' || kind === 'NotAllowedError') return;
        if (kind !== 'NoModificationAllowedError') throw storageError(error, 'use');
        if (performance.now() >= until) throw sessionBusy(name);
      }
      await new Promise((next) => setTimeout(next, LOOK_AGAIN));
    }
  }

  /** Reads the whole session. @throws RoleZeroError `not-found`. */
  #whole(name: string): Promise<SessionContent> {
    return this.#database.read(async (transaction) => {
      const row = readRow(await transaction.objectStore('sessions').get(name));
      if (row === null) throw noSuchSession(name);
      return { row, writes: await readSession(transaction, name) };
    });
  }

  /** Reads the whole session in pieces, see `ReadWhole`. @throws RoleZeroError `not-found`. */
  #pieces(name: string, take: Parameters<ReadWhole>[0]): Promise<SessionRow> {
    return this.#database.read(async (transaction) => {
      const row = await rowIn(transaction, name);
      if (row === null) throw noSuchSession(name);
      await readInPieces(transaction, name, (records, piece) => take(row, records, piece));
      return row;
    });
  }

  async #copyOf(name: string): Promise<Copy | null> {
    try {
      const folder = (await this.#settings.journals?.folder(name, { create: true })) ?? null;
      if (folder === null) return null;
      const names = await folder.names();
      return { session: name, folder, names, tail: await tailOf(folder, names), recovered: null };
    } catch (error) {
      this.#fault(name, error);
      return null;
    }
  }

  /** Restores data missing from the database from the replica; returns null when the replica is unusable. */
  async #broughtBack(copy: Copy): Promise<Copy | null> {
    try {
      const content = await readJournal(copy.folder);
      if (content !== null)
        await this.#database.write(
          (transaction) => this.#bringBack(transaction, content),
          content.writes.length,
        );
      return copy;
    } catch (error) {
      this.#fault(copy.session, error);
      return null;
    }
  }

  /** Called when the database was just created: existing replicas are all that is left of an earlier one. */
  async #restoreAll(connection: Connection): Promise<void> {
    const folders = await this.#settings.journals?.folders().catch(() => []); // each session reports it when it is opened
    for (const folder of folders ?? []) {
      const content = await readJournal(folder).catch(() => null);
      if (content === null) continue;
      const transaction = connection.transaction(['sessions', 'records'], 'readwrite', {
        durability: 'strict',
      });
      await this.#bringBack(transaction, content);
      await transaction.done;
    }
  }

  async #bringBack(transaction: WriteTransaction, { row, writes }: SessionContent): Promise<void> {
    const found = await rowIn(transaction, row.name);
    if (!lacks(found, row)) return; // another tab restored it first
    await transaction.objectStore('records').delete(IDBKeyRange.bound([row.name], [row.name, []]));
    putAll(transaction, row, writes);
    const commits = row.head - (found?.head ?? 0);
    this.#warnings.tell(row.name, {
      code: 'storage-restored',
      message: `The browser lost ${found === null ? 'all' : `the newest ${commits} changes`} of session '${row.name}'. It was restored from its replica, as of ${new Date(row.updatedAt).toISOString()}.`,
      detail: { session: row.name, commits, found: found?.head ?? 0, updatedAt: row.updatedAt },
    });
  }

  #warnOfRollBack({ name, head }: SessionRow, known: number): void {
    if (head >= known) return;
    this.#warnings.tell(name, {
      code: 'storage-rolled-back',
      message: `The browser lost the newest ${known - head} changes of session '${name}', and no copy of them exists. The session continues from the stored state.`,
      detail: { session: name, lost: known - head },
    });
  }

  #fault(name: string, error: unknown): void {
    this.#warnings.tell(name, {
      code: 'storage-copy',
      message: `The replica of session '${name}' cannot be written: ${describeAsSentence(error)} The session itself is not affected; export it to have another copy.`,
      detail: { session: name },
    });
  }

  async #journal(copy: Copy, row: SessionRow): Promise<SessionJournal | null> {
    try {
      return await SessionJournal.open(
        copy.folder,
        copy,
        row,
        (take) => this.#pieces(row.name, take),
        (error) => this.#fault(row.name, error),
      );
    } catch (error) {
      this.#fault(row.name, error);
      return null;
    }
  }

  /**
   * Stores the next epoch before anything is written under it, also after a rollback of the database. When the replica has more commits
   * than the database, they are restored first. The replica is never ahead otherwise, because a commit is appended to it after it is
   * stored.
   */
  async #becomeWriter(
    name: string,
    stolen: AbortSignal,
    known: SessionPosition | undefined,
    found: Copy | null,
  ): Promise<{ row: SessionRow; copy: Copy | null }> {
    for (let copy = found, isRestored = false; ; isRestored = true) {
      const raised = await this.#raiseEpoch(name, stolen, known, copy?.tail ?? null, isRestored);
      if (raised !== null) return { row: raised.row, copy: copy && { ...copy, recovered: raised.recovered } };
      copy = copy && (await this.#broughtBack(copy));
    }
  }

  /**
   * Stores what a crashed writer had only logged as well. Returns null, and writes nothing, when the database lacks commits that `tail` has
   * and that have not been restored yet.
   */
  #raiseEpoch(
    name: string,
    stolen: AbortSignal,
    known: SessionPosition | undefined,
    tail: JournalEntry | null,
    isRestored: boolean,
  ): Promise<(Pick<Copy, 'recovered'> & { row: SessionRow }) | null> {
    return this.#database.write(async (transaction, again) => {
      const sessions = transaction.objectStore('sessions');
      const stored = readRow(await sessions.get(name));
      if (tail !== null && !isRestored && lacks(stored, lastCommitOf(tail))) return null;
      if (stored === null && known !== undefined && known.head > 0) throw sessionLost(name, known.head);
      if (stored !== null && known?.id === stored.id && !again) this.#warnOfRollBack(stored, known.head);
      const found = stored ?? newRow(name, this.#settings.now());
      // When two writers take over at the same time, the slower one must not fence off the current owner of the lock.
      if (stolen.aborted) throw sessionFenced(name);
      const epoch = Math.max(found.epoch, tail?.row.epoch ?? 0) + 1;
      if (tail !== null && continues(stored, tail)) {
        const row = { ...tail.row, epoch };
        putAll(transaction, row, tail.writes);
        return { row, recovered: tail.writes };
      }
      const row = { ...found, epoch };
      await sessions.put(row);
      return { row, recovered: null };
    });
  }

  async #lock(name: string, steal: boolean, wait?: AbortSignal): Promise<SessionLock> {
    const lock = await takeLock(`rolezero:${this.#settings.databaseName}:${name}`, {
      steal,
      waitMs: this.#settings.waitMs,
      wait,
    });
    if (lock !== null) return lock;
    // WebKit reports a lock that another writer stole at the same time as never granted.
    throw steal ? sessionFenced(name) : sessionBusy(name);
  }
}

async function rowIn(
  transaction: ReadTransaction | WriteTransaction,
  name: string,
): Promise<SessionRow | null> {
  return readRow(await transaction.objectStore('sessions').get(name));
}

/** Returns whether the stored session lacks commits up to `row`. A different session with the same name lacks nothing. */
function lacks(found: SessionRow | null, row: SessionRow): boolean {
  return found === null || (found.id === row.id && found.head < row.head);
}

/** Returns the position of the last commit of a replica that ends with `tail`. Parts come before their commit. */
function lastCommitOf({ row, isPending }: JournalEntry): SessionRow {
  return isPending === true ? { ...row, head: row.head - 1 } : row;
}

/**
 * Returns whether `tail` consists of parts of the commit after the stored ones, by the last writer. A restored session has the epoch of its
 * last commit, which may be that of an earlier writer.
 */
function continues(stored: SessionRow | null, { row, isPending }: JournalEntry): boolean {
  const isNext = stored?.id === row.id && stored.head === row.head - 1 && stored.epoch <= row.epoch;
  return isPending === true && isNext;
}
