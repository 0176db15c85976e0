import { isFull } from '../core/space.js';
import type { SessionOpener } from '../core/store.js';
import { Database } from './database.js';
import { IndexedDbSession } from './indexed-db-session.js';
import { opfsJournals, type Journals } from './opfs-journals.js';
import { readSession } from './records.js';
import { Replicas } from './replicas.js';
import { writeDocument } from './session-document.js';
import { checkSessionName, noSuchSession, sessionBusy, sessionFenced } from './session-errors.js';
import { takeLock, type SessionLock } from './session-lock.js';
import { readRow } from './session-row.js';
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
   * Time for which a transaction may get no answer, in milliseconds, after which its connection counts as dead and is reopened. Default
   * 30,000. An import gets one more millisecond for each record.
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

/** The options with their defaults, and the place of the replicas; null for none. */
export type StorageSettings = Required<Omit<IndexedDbStorageOptions, 'secondCopy'>> & {
  journals: Journals | null;
};

/** What opening, listing and removing sessions have in common. */
export interface StorageParts {
  readonly settings: StorageSettings;
  readonly database: Database;
  readonly replicas: Replicas;
  readonly warnings: Warnings;
}

export function settingsOf(options: IndexedDbStorageOptions): StorageSettings {
  const databaseName = options.databaseName ?? 'rolezero';
  return {
    databaseName,
    waitMs: options.waitMs ?? 3000,
    openMs: options.openMs ?? 5000,
    transactionMs: options.transactionMs ?? 30_000,
    now: options.now ?? Date.now,
    journals: (options.secondCopy ?? true) ? opfsJournals(databaseName) : null,
  };
}

export function storageParts(settings: StorageSettings): StorageParts {
  const { databaseName, openMs, transactionMs, journals } = settings;
  const warnings = new Warnings();
  const database: Database = new Database(databaseName, openMs, transactionMs, (connection) =>
    replicas.restoreAll(connection),
  );
  const replicas: Replicas = new Replicas(journals, database, warnings);
  return { settings, database, replicas, warnings };
}

/** Opens and exports sessions of an IndexedDB database. A worker needs no more; `indexedDbStorage` adds the rest. */
export function indexedDbOpener(parts: StorageParts): SessionOpener {
  const { settings, database, replicas, warnings } = parts;
  const { databaseName, now } = settings;
  // Does not open a session's own folder: that must wait for the lock, because the session may be about to be removed.
  const prepare = (): void => {
    database.prepare();
    replicas.prepare();
  };
  return {
    place: databaseName,
    prepare,

    async open(name, options = {}) {
      checkSessionName(name);
      prepare(); // while waiting for the lock
      const lock = await lockSession(settings, name, options.takeOver === true, options.wait);
      try {
        const known = options.known?.find(({ place }) => place === databaseName);
        const found = await replicas.find(name);
        const claim = new WriterClaim(name, parts, { stolen: lock.stolen, known, now }, found);
        const { check = () => {} } = options;
        const at = { database, place: databaseName, lock, warnings, now, folder: found?.folder, check };
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
    },

    async export(name) {
      checkSessionName(name);
      return database.read(async (transaction) => {
        const row = readRow(await transaction.objectStore('sessions').get(name));
        if (row === null) throw noSuchSession(name);
        return writeDocument(row, await readSession(transaction, name));
      });
    },

    async usage() {
      const storage = (navigator as { storage?: Partial<StorageManager> }).storage; // missing in an insecure context
      const estimate = await storage?.estimate?.().catch(() => undefined);
      if (estimate?.usage === undefined || estimate.quota === undefined) return null;
      return { usage: estimate.usage, quota: estimate.quota };
    },
  };
}

/** Takes the lock of a session. @throws RoleZeroError `session-busy`, or `session-fenced` when another writer stole it, too. */
export async function lockSession(
  { databaseName, waitMs }: StorageSettings,
  name: string,
  steal: boolean,
  wait?: AbortSignal,
): Promise<SessionLock> {
  const lock = await takeLock(`rolezero:${databaseName}:${name}`, { steal, waitMs, wait });
  if (lock !== null) return lock;
  // WebKit reports a lock that another writer stole at the same time as never granted.
  throw steal ? sessionFenced(name) : sessionBusy(name);
}
