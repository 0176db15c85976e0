import { openDB, unwrap, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { RoleZeroError } from '../core/error.js';
import { beginNewLog } from '../core/new-log.js';
import type { SessionRow } from './session-row.js';
import { storageError } from './storage-error.js';
import type { StoredWrite } from './texts.js';

/** The only database, for all sessions. */
interface DatabaseSchema extends DBSchema {
  sessions: { key: string; value: SessionRow };
  /** In-line keys: one `getAll` returns keys and values. */
  records: { key: [owner: Owner, table: string, key: string]; value: StoredRecord };
  experiences: { key: [pool: string, uuid: string]; value: StoredExperience };
}

/** Who has a record: a session by its name, or all sessions that share something under a name. No session has a list as its name. */
export type Owner = string | ['shared', string];

export interface StoredRecord extends Omit<StoredWrite, 'shared' | 'requires'> {
  session: Owner;
}

interface StoredExperience {
  pool: string;
  uuid: string;
  value: unknown;
}

interface OpenConnection {
  connection: Connection;
  isNew: boolean;
}

type StoreNames = ('sessions' | 'records' | 'experiences')[];
export type Connection = IDBPDatabase<DatabaseSchema>;
export type ReadTransaction = IDBPTransaction<DatabaseSchema, StoreNames>;
export type WriteTransaction = IDBPTransaction<DatabaseSchema, StoreNames, 'readwrite'>;
type Upgrade = (
  database: Connection,
  transaction: IDBPTransaction<DatabaseSchema, StoreNames, 'versionchange'>,
) => void;

/**
 * Step n upgrades the database from version n to n + 1. All steps run in one upgrade transaction, so a crash leaves the old or the new
 * version and never a mixture. Released steps never change; a new version is a new step.
 */
const upgrades: readonly Upgrade[] = [
  (database) => {
    database.createObjectStore('sessions', { keyPath: 'name' });
    database.createObjectStore('records', { keyPath: ['session', 'table', 'key'] });
  },
  (database) => {
    database.createObjectStore('experiences', { keyPath: ['pool', 'uuid'] });
  },
  // Records may quote texts, which older releases cannot read. Existing records quote none and stay as they are, so that the upgrade of a
  // large database takes no time.
  () => {},
];

/** The database version that this release reads and writes. */
export const databaseVersion = upgrades.length;

export const sessionStores: StoreNames = ['sessions', 'records'];
/** Experiences belong to no session: their transactions wait for no commit, and no commit waits for them. */
export const experienceStores: StoreNames = ['experiences'];

/**
 * A database with one connection, opened on first use and reopened when the browser has closed it. The connection closes itself when
 * another tab wants to upgrade or delete the database.
 */
export class Database {
  readonly #name: string;
  /** Time limit for opening, in milliseconds. */
  readonly #openMs: number;
  /** Time without an answer to a request, in milliseconds, after which the connection of a transaction counts as dead. */
  readonly #transactionMs: number;
  /** Runs first on a database that did not exist before. */
  readonly #onCreated: (connection: Connection) => Promise<void>;
  #connection: Promise<Connection> | null = null;
  #wasOpen = false;
  /** The browser closed the connection, so LevelDB's log may end in a truncated record. */
  #maybeTorn = false;
  /** Called when the browser has closed the connection, as it does when the data of the site is cleared. */
  readonly #closeListeners = new Set<() => void>();

  constructor(
    name: string,
    openMs: number,
    transactionMs: number,
    onCreated: (connection: Connection) => Promise<void> = async () => {},
  ) {
    this.#name = name;
    this.#openMs = openMs;
    this.#transactionMs = transactionMs;
    this.#onCreated = onCreated;
  }

  /** Opens the database ahead of its first use; ignores errors, which that use will report. */
  prepare(): void {
    this.#connect().catch(() => undefined);
  }

  /** Calls a function when the browser has closed the connection. Returns a function that ends this. */
  onClosed(listener: () => void): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  /** Runs a transaction that reads a consistent state of all sessions, or of the given stores. */
  read<T>(body: (transaction: ReadTransaction) => Promise<T>, stores = sessionStores): Promise<T> {
    return this.#use((connection) =>
      runTransaction(connection.transaction(stores, 'readonly'), this.#transactionMs, body),
    );
  }

  /**
   * Runs a transaction over all sessions, or the given stores. Resolves when it is on disk; when it rejects, nothing was written.
   * Durability is strict by default: without it, a power cut lost most of the acknowledged data.
   *
   * When the browser closes the connection meanwhile, `body` runs again on a new one, with `again` set. The first attempt may have been
   * written without any event, so `body` must check that.
   *
   * @param size Number of records; the time limit grows by a millisecond for each.
   */
  write<T>(
    body: (transaction: WriteTransaction, again: boolean) => Promise<T>,
    size = 0,
    stores = sessionStores,
    durability: IDBTransactionDurability = 'strict',
  ): Promise<T> {
    return this.#use((connection, again) =>
      runTransaction(
        connection.transaction(stores, 'readwrite', { durability }),
        this.#transactionMs + size,
        (transaction) => body(transaction, again),
      ),
    );
  }

  async #use<T>(work: (connection: Connection, again: boolean) => Promise<T>): Promise<T> {
    const opening = this.#connect();
    try {
      return await work(await opening, false);
    } catch (error) {
      const fault = storageError(error, 'use');
      if (fault.code !== 'storage-closed') throw fault;
    }
    this.#forget(opening);
    this.#maybeTorn = true;
    opening.then(
      (connection) => connection.close(),
      () => undefined, // it never opened
    );
    try {
      return await work(await this.#connect(), true);
    } catch (error) {
      throw storageError(error, 'use');
    }
  }

  #connect(): Promise<Connection> {
    if (this.#connection === null) {
      const opening = this.#open(() => this.#forget(opening));
      opening.catch(() => this.#forget(opening)); // the next use tries again
      this.#connection = opening;
    }
    return this.#connection;
  }

  #forget(opening: Promise<Connection>): void {
    if (this.#connection === opening) this.#connection = null;
  }

  async #open(onClosed: () => void): Promise<Connection> {
    try {
      const { connection, isNew } = await this.#withinLimit(this.#request(onClosed));
      if (isNew) await this.#onCreated(connection);
      this.#wasOpen = true;
      return connection;
    } catch (error) {
      throw storageError(error, this.#wasOpen ? 'reopen' : 'open');
    }
  }

  /** Opens the database, or creates or upgrades it. Waits as long as other tabs block that. */
  async #request(onClosed: () => void): Promise<OpenConnection> {
    let isNew = false;
    const connection = await openDB<DatabaseSchema>(this.#name, databaseVersion, {
      upgrade(database, oldVersion, _newVersion, transaction) {
        isNew = oldVersion === 0;
        for (const upgrade of upgrades.slice(oldVersion)) upgrade(database, transaction);
      },
      blocking: (_current, _wanted, event) => {
        (event.target as IDBDatabase).close();
        onClosed();
      },
      terminated: () => {
        this.#maybeTorn = true;
        onClosed();
        for (const listener of this.#closeListeners) listener();
      },
    });
    return { connection: await this.#repaired(connection), isNew };
  }

  /**
   * Closes a connection that opens after the time limit. The timer does not start at the `blocked` event: behind another upgrade or
   * deletion that is blocked, opening waits without any event.
   */
  #withinLimit(opening: Promise<OpenConnection>): Promise<OpenConnection> {
    return new Promise((resolve, reject) => {
      let gaveUp = false;
      const timer = setTimeout(() => {
        gaveUp = true;
        reject(blocked(this.#name, this.#openMs));
      }, this.#openMs);
      opening
        .finally(() => clearTimeout(timer))
        .then((opened) => {
          if (gaveUp) opened.connection.close();
          else resolve(opened);
        }, reject);
    });
  }

  /**
   * A full disk, too, leaves a truncated record at the end of the log of Chromium's LevelDB. Records written after it are lost at the next
   * start, so this starts a new log.
   */
  async #repaired(connection: Connection): Promise<Connection> {
    if (!this.#maybeTorn) return connection;
    try {
      await beginNewLog(`${this.#name}-repair`);
      this.#maybeTorn = false;
    } catch {
      // no space for it yet: the next opening tries again
    }
    return connection;
  }
}

/** Runs `body` in the transaction and, if it writes, waits for its end. An error thrown by `body` rolls everything back. */
async function runTransaction<T, Mode extends 'readonly' | 'readwrite'>(
  transaction: IDBPTransaction<DatabaseSchema, StoreNames, Mode>,
  silenceMs: number,
  body: (transaction: IDBPTransaction<DatabaseSchema, StoreNames, Mode>) => Promise<T>,
): Promise<T> {
  transaction.done.catch(() => undefined); // idb's `done` rejects when a request fails, before the transaction knows the reason
  const end = ended(unwrap(transaction), silenceMs);
  // In a transaction that died without an event, `body` never settles: `end` wins the race then.
  const work = body(transaction).then((result) => ({ result }));
  try {
    const first = await Promise.race([work, end.then(() => null)]);
    if (first !== null && transaction.mode === 'readonly') return first.result; // the values read are valid, however the transaction ends
    const { complete, reason } = await end;
    if (!complete) throw reason ?? new DOMException('The transaction was aborted.', 'AbortError');
    return (first ?? (await work)).result;
  } catch (error) {
    work.catch(() => undefined);
    try {
      transaction.abort();
    } catch {
      // it had already ended
    }
    // A request that fails because of its transaction reports 'AbortError'; only the transaction knows the reason.
    throw error instanceof RoleZeroError ? error : ((await end).reason ?? error);
  }
}

interface End {
  complete: boolean;
  reason: DOMException | null;
}

/**
 * Returns how a transaction ended. When data is cleared while a transaction starts or commits, Chromium emits no event for it. It emits
 * only `close` on the connection, and sometimes not even that. Waiting for `complete` or `abort` alone could therefore never end.
 */
function ended(transaction: IDBTransaction, silenceMs: number): Promise<End> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => lost('does not answer'), silenceMs);
    };
    wait();
    transaction.addEventListener('success', wait, { capture: true, signal }); // of its requests: a long transaction is not a dead one
    const finish = (end: End) => {
      clearTimeout(timer);
      listening.abort(); // the connection outlives many transactions and must not accumulate their listeners
      resolve(end);
    };
    const lost = (how: string) =>
      finish({ complete: false, reason: new DOMException(`The connection ${how}.`, 'AbortError') });
    transaction.addEventListener('complete', () => finish({ complete: true, reason: null }), { signal });
    transaction.addEventListener('abort', () => finish({ complete: false, reason: transaction.error }), {
      signal,
    });
    transaction.db.addEventListener('close', () => lost('was closed'), { signal });
  });
}

function blocked(database: string, afterMs: number): RoleZeroError {
  return new RoleZeroError(
    'storage-blocked',
    `The database did not open within ${afterMs} ms: most likely another tab of this site has an older version of it open. Close or reload the other tabs, then try again.`,
    { database, afterMs },
  );
}
