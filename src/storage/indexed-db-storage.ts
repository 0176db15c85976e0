import { isFull } from '../core/storage-full.js';
import type { StorageUsage } from '../core/space.js';
import type {
  SessionExport,
  SessionInfo,
  SessionPosition,
  SessionStore,
  Storage,
  Write,
} from '../core/store.js';
import { Database } from './database.js';
import { IndexedDbSession } from './indexed-db-session.js';
import type { SessionContent } from './journal-reading.js';
import { checkSessionName } from './names.js';
import { opfsJournals, type Journals } from './opfs-journals.js';
import { putAll, readSession } from './records.js';
import { Replicas } from './replicas.js';
import { readDocument, restoredRow, writeDocument } from './session-document.js';
import { nameTaken, noSuchSession, sessionBusy, sessionFenced } from './session-errors.js';
import { takeLock, type SessionLock } from './session-lock.js';
import { infoOf, readRow } from './session-row.js';
import { noRoomToOpen } from './storage-error.js';
import { Warnings } from './warnings.js';
import { WriterClaim } from './writer-claim.js';

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
  readonly #replicas: Replicas;
  readonly #parts: { database: Database; replicas: Replicas; warnings: Warnings };

  constructor(settings: Settings) {
    this.#settings = settings;

    const { databaseName, openMs, transactionMs } = settings;
    this.#database = new Database(databaseName, openMs, transactionMs, (connection) =>
      this.#replicas.restoreAll(connection),
    );
    this.#replicas = new Replicas(settings.journals, this.#database, this.#warnings);
    this.#parts = { database: this.#database, replicas: this.#replicas, warnings: this.#warnings };
  }

  get place(): string {
    return this.#settings.databaseName;
  }

  /** Does not open a session's own folder: that must wait for the lock, because the session may be about to be removed. */
  prepare(): void {
    this.#database.prepare();
    this.#replicas.prepare();
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
      const found = await this.#replicas.find(name);
      const claim = new WriterClaim(name, this.#parts, { stolen: lock.stolen, known, now }, found);
      const at = { database: this.#database, place: databaseName, lock, warnings: this.#warnings, now };
      try {
        return new IndexedDbSession(at, claim, await claim.claim());
      } catch (error) {
        if (!isFull(error)) throw error;
        const row = await claim.readable();
        if (row === null) throw noRoomToOpen(name, error);
        return new IndexedDbSession(at, claim, { row });
      }
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
      await this.#replicas.remove(name, this.#settings.waitMs); // first, so that the removed session is not restored
      await this.#database.write(async (transaction) => {
        await transaction.objectStore('records').delete(IDBKeyRange.bound([name], [name, []]));
        await transaction.objectStore('sessions').delete(name);
      });
    } finally {
      await lock.release();
    }
  }

  async removeShared(shared: string): Promise<void> {
    const owner = ['shared', shared];
    await this.#database.write((transaction) =>
      transaction.objectStore('records').delete(IDBKeyRange.bound([owner], [owner, []])),
    );
  }

  async export(name: string): Promise<SessionExport> {
    const { row, writes } = await this.#whole(checkSessionName(name));
    return writeDocument(row, writes);
  }

  async import(document: unknown, name?: string, check?: (record: Write) => void): Promise<SessionInfo> {
    const content = readDocument(document, check);
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

  /** Reads the whole session. @throws RoleZeroError `not-found`. */
  #whole(name: string): Promise<SessionContent> {
    return this.#database.read(async (transaction) => {
      const row = readRow(await transaction.objectStore('sessions').get(name));
      if (row === null) throw noSuchSession(name);
      return { row, writes: await readSession(transaction, name) };
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
