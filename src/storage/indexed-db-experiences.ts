import { unwrap } from 'idb';
import type { ExperienceStore } from '../base/experience.js';
import { Database, experienceStores } from './database.js';
import { cannotStore } from './writes.js';

export interface IndexedDbExperiencesOptions {
  /** Default `'rolezero'`: the database of the sessions. */
  databaseName?: string;
  /** How long opening may take, in milliseconds; see `IndexedDbStorageOptions`. Default 5,000. */
  openMs?: number;
  /** How long a transaction may take, in milliseconds. Default 30,000. */
  transactionMs?: number;
}

/** Experiences in the sessions' IndexedDB database, in a store of their own: removing a session leaves them. Nothing is opened before it is used. */
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
        const records = await transaction.objectStore('experiences').getAll(allOf(pool));
        return records.map(({ value }) => value);
      }, experienceStores),
    put: (pool, experiences) =>
      database.write(
        async (transaction) => {
          // Not waited for one by one: the first that fails aborts the transaction, and its end tells.
          const store = unwrap(transaction).objectStore('experiences');
          for (const value of experiences) {
            const { uuid } = value;
            try {
              store.put({ pool, uuid, value });
            } catch (error) {
              throw cannotStore('experiences', uuid, error);
            }
          }
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
        async (transaction) => transaction.objectStore('experiences').delete(allOf(pool)),
        0,
        experienceStores,
      ),
  };
}

function allOf(pool: string): IDBKeyRange {
  return IDBKeyRange.bound([pool], [pool, []]); // a list sorts after every text
}
