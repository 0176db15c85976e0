import { openDB, unwrap, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { RoleZeroError } from '../base/error.js';
import { beginNewLog } from '../base/new-log.js';
import type { Table } from '../base/store.js';
import type { SessionRow } from './session-row.js';
import { storageError } from './storage-error.js';

/** The one database of all sessions. */
interface Schema extends DBSchema {
  sessions: { key: string; value: SessionRow };
  /** In-line keys: one `getAll` brings keys and values. */
  records: { key: [session: string, table: string, key: string]; value: StoredRecord };
  experiences: { key: [pool: string, uuid: string]; value: StoredExperience };
}

export interface StoredRecord {
  session: string;
  table: Table;
  key: string;
  value: unknown;
}

interface StoredExperience {
  pool: string;
  uuid: string;
  value: unknown;
}

type StoreNames = ('sessions' | 'records' | 'experiences')[];
export type Connection = IDBPDatabase<Schema>;
export type ReadTransaction = IDBPTransaction<Schema, StoreNames>;
export type WriteTransaction = IDBPTransaction<Schema, StoreNames, 'readwrite'>;
type Upgrade = (
  database: Connection,
  transaction: IDBPTransaction<Schema, StoreNames, 'versionchange'>,
) => void;

/**
 * Step n takes the database from version n to n + 1, inside the one upgrade transaction, so that a crash leaves the old or the new
 * version and never half of one. Released steps stay as they are; a new version is a new step.
 */
const upgrades: readonly Upgrade[] = [
  (database) => {
    database.createObjectStore('sessions', { keyPath: 'name' });
    database.createObjectStore('records', { keyPath: ['session', 'table', 'key'] });
  },
  (database) => {
    database.createObjectStore('experiences', { keyPath: ['pool', 'uuid'] });
  },
];

/** The version of the database this release reads and writes. */
export const databaseVersion = upgrades.length;

const sessionStores: StoreNames = ['sessions', 'records'];
/** Experiences belong to no session: what reads and writes them waits for no commit, and no commit for it. */
export const experienceStores: StoreNames = ['experiences'];

/**
 * A database with one connection, opened when first needed and again when the browser closed it. The connection gives way to other
 * tabs: it closes itself when one of them wants to upgrade or delete the database.
 */
export class Database {
  readonly #name: string;
  /** How long opening may take, in milliseconds. */
  readonly #openMs: number;
  /** How long a transaction may take, in milliseconds, before its connection counts as dead. */
  readonly #transactionMs: number;
  /** What is done with a database that did not exist before, ahead of everything else. */
  readonly #onCreated: (connection: Connection) => Promise<void>;
  #connection: Promise<Connection> | null = null;
  #wasOpen = false;
  /** The browser closed it, and its log may end in half a record. */
  #maybeTorn = false;

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

  /** Begins to open it for whoever needs it soon, and hears of it when it cannot be. */
  prepare(): void {
    this.#connect().catch(() => undefined);
  }

  /** One transaction that reads a consistent state of all sessions, or of the given stores. */
  read<T>(body: (transaction: ReadTransaction) => Promise<T>, stores = sessionStores): Promise<T> {
    return this.#use((connection) =>
      settle(connection.transaction(stores, 'readonly'), this.#transactionMs, body),
    );
  }

  /**
   * One transaction over all sessions, or the given stores; resolves when it is on disk, and when it rejects nothing was written. Strict: without it a
   * power cut lost most of what had been acknowledged.
   *
   * When the browser closes the connection meanwhile, `body` runs once more on a new one, with `again` set: then the first try may have
   * been written without our hearing of it, and `body` has to look.
   *
   * @param size Number of records; a large transaction is given a millisecond more for each.
   */
  write<T>(
    body: (transaction: WriteTransaction, again: boolean) => Promise<T>,
    size = 0,
    stores = sessionStores,
  ): Promise<T> {
    return this.#use((connection, again) =>
      settle(
        connection.transaction(stores, 'readwrite', { durability: 'strict' }),
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
      () => undefined, // it had never opened
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gaveUp = false;
    const before = { version: databaseVersion };
    try {
      const connection = await new Promise<Connection>((resolve, reject) => {
        const opening = openDB<Schema>(this.#name, databaseVersion, {
          upgrade(database, oldVersion, _newVersion, transaction) {
            before.version = oldVersion;
            for (const upgrade of upgrades.slice(oldVersion)) upgrade(database, transaction);
          },
          blocking: (_current, _wanted, event) => {
            (event.target as IDBDatabase).close();
            onClosed();
          },
          terminated: () => {
            this.#maybeTorn = true;
            onClosed();
          },
        }).then((connection) => this.#mended(connection));
        // Not from the `blocked` event on: behind somebody else's blocked upgrade or deletion, opening waits without any event.
        timer = setTimeout(() => {
          gaveUp = true;
          reject(blocked(this.#name, this.#openMs));
        }, this.#openMs);
        opening.then((connection) => {
          if (gaveUp)
            connection.close(); // nobody waits for it any more
          else resolve(connection);
        }, reject);
      });
      clearTimeout(timer);
      if (before.version === 0) await this.#onCreated(connection);
      this.#wasOpen = true;
      return connection;
    } catch (error) {
      throw storageError(error, this.#wasOpen ? 'reopen' : 'open');
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * A full disk, too, leaves half a record at the end of the log of Chromium's LevelDB, and what is written behind it is gone after the
   * next start: so a new log is begun.
   */
  async #mended(connection: Connection): Promise<Connection> {
    if (!this.#maybeTorn) return connection;
    try {
      await beginNewLog(`${this.#name}-mend`);
      this.#maybeTorn = false;
    } catch {
      // there is no room for it yet: the next opening tries again
    }
    return connection;
  }
}

/** Runs `body` in the transaction and, where that writes, waits for its end; a `body` that throws undoes everything. */
async function settle<T, Mode extends 'readonly' | 'readwrite'>(
  transaction: IDBPTransaction<Schema, StoreNames, Mode>,
  patienceMs: number,
  body: (transaction: IDBPTransaction<Schema, StoreNames, Mode>) => Promise<T>,
): Promise<T> {
  transaction.done.catch(() => undefined); // idb's `done` rejects when a request fails, before the transaction knows why
  const end = ended(unwrap(transaction), patienceMs);
  // In a transaction that died without a word `body` waits for ever: then the end comes first.
  const work = body(transaction).then((result) => ({ result }));
  try {
    const first = await Promise.race([work, end.then(() => null)]);
    if (first !== null && transaction.mode === 'readonly') return first.result; // what was read is so, however it ends
    const { complete, reason } = await end;
    if (!complete) throw reason ?? new DOMException('The transaction was aborted.', 'AbortError');
    return (first ?? (await work)).result;
  } catch (error) {
    work.catch(() => undefined);
    try {
      transaction.abort();
    } catch {
      // it had ended by itself
    }
    // A request that dies with its transaction says 'AbortError'; only the transaction knows the reason.
    throw error instanceof RoleZeroError ? error : ((await end).reason ?? error);
  }
}

interface End {
  complete: boolean;
  reason: DOMException | null;
}

/**
 * How a transaction ended. When data is cleared just as a transaction starts or commits, Chromium sends no event for it, only a `close`
 * to its connection, and at times not even that: whoever waited for `complete` or `abort` alone would wait for ever.
 */
function ended(transaction: IDBTransaction, patienceMs: number): Promise<End> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const timer = setTimeout(() => lost('does not answer'), patienceMs);
    const { signal } = listening;
    const finish = (end: End) => {
      clearTimeout(timer);
      listening.abort(); // the connection outlives many transactions and must not collect their listeners
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
    `The database did not open within ${afterMs} ms: most likely another tab of this site keeps an older version of it open. Close or reload the other tabs, then try again.`,
    { database, afterMs },
  );
}
