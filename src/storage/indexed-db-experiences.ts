import { unwrap } from 'idb';
import type { Experience, ExperienceStore } from '../core/experience.js';
import { Database, experienceStores } from './database.js';
import { cannotStore } from './writes.js';

export interface IndexedDbExperiencesOptions {
  /** Default `'rolezero'`: the database of the sessions. */
  databaseName?: string;
  /** Time limit for opening, in milliseconds; see `IndexedDbStorageOptions`. Default 5,000. */
  openMs?: number;
  /** Time limit for a transaction, in milliseconds. Default 30,000. */
  transactionMs?: number;
}

/**
 * Stores experiences in the IndexedDB database of the sessions, in a separate object store: removing a session does not remove them.
 * Nothing is opened before it is used.
 */
export function indexedDbExperiences(options: IndexedDbExperiencesOptions = {}): ExperienceStore {
  const { databaseName = 'rolezero', openMs = 5_000, transactionMs = 30_000 } = options;
  const database = new Database(databaseName, openMs, transactionMs);
  return {
    get: (pool, uuid) =>
      database.read(
        async (transaction) => (await transaction.objectStore('experiences').get([pool, uuid]))?.value,
        experienceStores,
      ),
    list: (pool) =>
      database.read(async (transaction) => {
        const records = await transaction.objectStore('experiences').getAll(keysOfPool(pool));
        return records.map(({ value }) => value);
      }, experienceStores),
    put: (pool, experiences) =>
      database.write(
        async (transaction) => {
          const store = unwrap(transaction).objectStore('experiences');
          for (const experience of experiences) putExperience(store, pool, experience);
        },
        experiences.length,
        experienceStores,
      ),
    remove: (pool, uuids) =>
      database.write(
        async (transaction) => {
          const store = unwrap(transaction).objectStore('experiences');
          for (const uuid of uuids) store.delete([pool, uuid]);
        },
        uuids.length,
        experienceStores,
      ),
    clear: (pool) =>
      database.write(
        async (transaction) => transaction.objectStore('experiences').delete(keysOfPool(pool)),
        0,
        experienceStores,
      ),
  };
}

/** Does not wait for the request: the first failure aborts the transaction, and its end reports it. */
function putExperience(store: IDBObjectStore, pool: string, value: Experience): void {
  const { uuid } = value;
  try {
    store.put({ pool, uuid, value });
  } catch (error) {
    throw cannotStore('experiences', uuid, error);
  }
}

function keysOfPool(pool: string): IDBKeyRange {
  return IDBKeyRange.bound([pool], [pool, []]); // an array sorts after every string
}
