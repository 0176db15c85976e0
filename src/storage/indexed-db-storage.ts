import type { SessionExport, SessionInfo, SessionStore, Storage } from '../base/store.js';
import { Database } from './database.js';
import { IndexedDbSession, type CommitListener } from './indexed-db-session.js';
import { checkSessionName } from './names.js';
import { putAll, readAll } from './records.js';
import { readDocument, restoredRow, writeDocument } from './session-document.js';
import { nameTaken, noSuchSession, sessionBusy, sessionFenced } from './session-errors.js';
import { takeLock, type SessionLock } from './session-lock.js';
import { infoOf, newRow, readRow, type SessionRow } from './session-row.js';

export interface IndexedDbStorageOptions {
  /** Default `'rolezero'`. All sessions of the origin live in it. */
  databaseName?: string;
  /**
   * How long `open` and `remove` wait for a session that is held, in milliseconds, before they call it busy. A worker that was ended
   * in the middle of a computation keeps its lock for about two seconds; the default of 3,000 lets a reloaded page outwait its own
   * predecessor, at the price that a second tab learns only then that the first one is alive. 0 does not wait.
   */
  waitMs?: number;
  /**
   * How long opening the database may take, in milliseconds, before it counts as blocked by a tab that keeps an older version open.
   * Default 5,000.
   */
  openMs?: number;
  /**
   * How long a transaction may take, in milliseconds, before its connection counts as dead and is opened again. Default 30,000; an
   * import is given a millisecond more for each record.
   */
  transactionMs?: number;
  /** The clock of `createdAt` and `updatedAt`. Default `Date.now`. */
  now?: () => number;
  /** Where a second copy of the sessions hooks in. */
  onCommitted?: CommitListener;
}

/**
 * Sessions in one IndexedDB database. A commit is one strict transaction; a session is held under a Web Lock, and fenced by an epoch
 * that every commit checks. Nothing is opened before it is used.
 */
export function indexedDbStorage(options: IndexedDbStorageOptions = {}): Storage {
  return new IndexedDbStorage({
    databaseName: options.databaseName ?? 'rolezero',
    waitMs: options.waitMs ?? 3000,
    openMs: options.openMs ?? 5000,
    transactionMs: options.transactionMs ?? 30_000,
    now: options.now ?? Date.now,
    onCommitted: options.onCommitted,
  });
}

type Settings = Required<Omit<IndexedDbStorageOptions, 'onCommitted'>> & {
  onCommitted: CommitListener | undefined;
};

class IndexedDbStorage implements Storage {
  private readonly database: Database;

  constructor(private readonly settings: Settings) {
    this.database = new Database(settings.databaseName, settings.openMs, settings.transactionMs);
  }

  async open(name: string, options: { takeOver?: boolean } = {}): Promise<SessionStore> {
    const lock = await this.lock(checkSessionName(name), options.takeOver === true);
    try {
      const row = await this.becomeWriter(name, lock.stolen);
      return new IndexedDbSession(this.database, lock, row, this.settings);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async list(): Promise<SessionInfo[]> {
    return this.database.read(async (transaction) => {
      const rows = await transaction.objectStore('sessions').getAll();
      return rows.map(infoOf);
    });
  }

  async remove(name: string): Promise<void> {
    const lock = await this.lock(checkSessionName(name), false);
    try {
      await this.database.write(async (transaction) => {
        await transaction.objectStore('records').delete(IDBKeyRange.bound([name], [name, []]));
        await transaction.objectStore('sessions').delete(name);
      });
    } finally {
      await lock.release();
    }
  }

  async export(name: string): Promise<SessionExport> {
    checkSessionName(name);
    const { row, records } = await this.database.read(async (transaction) => {
      const row = readRow(await transaction.objectStore('sessions').get(name));
      if (row === null) throw noSuchSession(name);
      return { row, records: await readAll(transaction, [name]) };
    });
    return writeDocument(row, records);
  }

  async import(document: unknown, name?: string): Promise<SessionInfo> {
    const content = readDocument(document);
    const row = restoredRow(content, checkSessionName(name ?? content.name), this.settings.now());
    await this.database.write(async (transaction, again) => {
      const found = readRow(await transaction.objectStore('sessions').get(row.name));
      if (again && found?.id === row.id) return; // the first try had made it to the disk
      if (found !== null) throw nameTaken(row.name);
      putAll(transaction, row, content.records);
    }, content.records.length);
    return infoOf(row);
  }

  /** The next epoch, on disk before anything is done under it. */
  private becomeWriter(name: string, stolen: AbortSignal): Promise<SessionRow> {
    return this.database.write(async (transaction) => {
      const sessions = transaction.objectStore('sessions');
      const found = readRow(await sessions.get(name)) ?? newRow(name, this.settings.now());
      // Two writers who take over at once: the slower one must not fence off the one who holds the lock now.
      if (stolen.aborted) throw sessionFenced(name);
      const row = { ...found, epoch: found.epoch + 1 };
      await sessions.put(row);
      return row;
    });
  }

  private async lock(name: string, steal: boolean): Promise<SessionLock> {
    const lock = await takeLock(`rolezero:${this.settings.databaseName}:${name}`, {
      steal,
      waitMs: this.settings.waitMs,
    });
    if (lock === null) throw sessionBusy(name);
    return lock;
  }
}
