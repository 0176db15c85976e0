import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { RoleZeroError, toRoleZeroError } from '../core/error.js';

export interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}
export interface VaultSchema extends DBSchema {
  /** `own`: the key of a vault without a passphrase. `derived`: how the key of a vault with one is derived. */
  keys: { key: string; value: CryptoKey | Derivation | Uint8Array };
  secrets: { key: string; value: Sealed };
}

/** How a key is derived from a passphrase. `check` can be decrypted with the right one only. */
export interface Derivation {
  version: 1;
  /** Rounds of PBKDF2 with SHA-256. */
  iterations: number;
  salt: Uint8Array<ArrayBuffer>;
  check: Sealed;
  /** Names of the secrets that were stored without a passphrase, until they are overwritten and reported. */
  exposed?: string[];
}

const STORES = ['keys', 'secrets'] as const;

/** Runs `work` with a connection of its own, which is closed afterwards: no connection remains that could block a removal. */
export async function inDatabase<Value>(
  database: string,
  work: (db: IDBPDatabase<VaultSchema>) => Promise<Value>,
): Promise<Value> {
  return withLock(database, 'shared', async () => {
    const db = await open(database);
    try {
      return await work(db);
    } finally {
      db.close();
    }
  });
}

/** Runs `work` while no other tab uses the database (`exclusive`), or erases it (`shared`). */
async function withLock<Value>(database: string, mode: LockMode, work: () => Promise<Value>): Promise<Value> {
  try {
    // Without it `subtle` and `locks` are missing, whatever the types say.
    if (!isSecureContext) throw new RoleZeroError('storage-unavailable', INSECURE);
    return await navigator.locks.request(`rolezero key vault ${database}`, { mode }, work);
  } catch (error) {
    throw toRoleZeroError(error, 'storage-failed');
  }
}

const INSECURE = 'Keys can be stored only in a secure context: serve the page over https or from localhost.';

/** Opens the database, with the contents of its copy when it was interrupted while it was made again. */
async function open(database: string): Promise<IDBPDatabase<VaultSchema>> {
  const db = await openStores(database);
  try {
    if ((await db.count('keys')) === 0) await restoreCopy(db, copyName(database));
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

function openStores(database: string): Promise<IDBPDatabase<VaultSchema>> {
  return openDB<VaultSchema>(database, 1, {
    upgrade(db) {
      for (const name of STORES) db.createObjectStore(name);
    },
  });
}

/** Name of the database that has the contents while the database is made again. */
function copyName(database: string): string {
  return `${database}-copy`;
}

async function restoreCopy(db: IDBPDatabase<VaultSchema>, name: string): Promise<void> {
  if (!(await indexedDB.databases()).some((each) => each.name === name)) return;
  const copy = await openStores(name);
  try {
    await copyRows(copy, db);
  } finally {
    copy.close();
  }
}

/** Copies all records in one transaction. */
async function copyRows(from: IDBPDatabase<VaultSchema>, to: IDBPDatabase<VaultSchema>): Promise<void> {
  const rows = await Promise.all(
    STORES.map(async (name) => {
      const [keys, values] = await Promise.all([from.getAllKeys(name), from.getAll(name)]);
      return keys.map((key, at) => ({ name, key, value: values[at] as never }));
    }),
  );
  const transaction = to.transaction(STORES, 'readwrite', { durability: 'strict' });
  const puts = rows.flat().map(({ name, key, value }) => transaction.objectStore(name).put(value, key));
  await Promise.all([...puts, transaction.done]);
}

/** Bytes of one value below the size from which browsers store a value as a file, and the number of values and rounds. */
const FILLER_BYTES = 32 * 1024;
const FILLERS = 160;
const FILLER_ROUNDS = 8;
const FILLER = 'filler ';

/**
 * Erases deleted records from the files of the browser. First it writes more than browsers buffer: SQLite then uses the pages of deleted
 * records again, and LevelDB moves earlier records from its log to its tables. LevelDB compacts these tables when the database is removed, so
 * the database is made again; a copy has its contents meanwhile.
 */
export function eraseDeleted(database: string): Promise<void> {
  return withLock(database, 'exclusive', async () => {
    const db = await open(database);
    try {
      for (let round = 0; round < FILLER_ROUNDS; round++) await writeFillers(db);
      const copy = await openStores(copyName(database));
      await copyRows(db, copy);
      copy.close();
    } finally {
      db.close();
    }
    await deleteDB(database);
    (await open(database)).close();
    await deleteDB(copyName(database));
  });
}

async function writeFillers(db: IDBPDatabase<VaultSchema>): Promise<void> {
  const transaction = db.transaction('keys', 'readwrite', { durability: 'strict' });
  const puts = Array.from({ length: FILLERS }, (_, at) =>
    transaction.store.put(crypto.getRandomValues(new Uint8Array(FILLER_BYTES)), `${FILLER}${at}`),
  );
  await Promise.all([...puts, transaction.done]);
  await db.delete('keys', IDBKeyRange.bound(FILLER, `${FILLER}:`));
}
