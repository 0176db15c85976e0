import type { Storage } from '../core/store.js';
import {
  indexedDbOpener,
  lockSession,
  storageParts,
  settingsOf,
  type IndexedDbStorageOptions,
  type StorageSettings,
} from './indexed-db-opener.js';
import { putAll } from './records.js';
import { removeReplica } from './replicas.js';
import { readDocument, restoredRow } from './session-document.js';
import { checkSessionName, nameTaken } from './session-errors.js';
import { infoOf, readRow } from './session-row.js';

/**
 * Stores sessions in one IndexedDB database. A commit is one strict transaction. A Web Lock protects an open session, and every commit
 * checks an epoch as a fence. Nothing is opened before it is used.
 */
export function indexedDbStorage(options: IndexedDbStorageOptions = {}): Storage {
  return storageWith(settingsOf(options));
}

/** Implements `indexedDbStorage`, with replicas in the place given by the settings. */
export function storageWith(settings: StorageSettings): Storage {
  const parts = storageParts(settings);
  const { database } = parts;
  return {
    ...indexedDbOpener(parts),

    list: () =>
      database.read(async (transaction) => {
        const rows = await transaction.objectStore('sessions').getAll();
        return rows.map(infoOf);
      }),

    async remove(name) {
      const lock = await lockSession(settings, checkSessionName(name), false);
      try {
        await removeReplica(settings.journals, name, settings.waitMs); // first, so that the removed session is not restored
        await database.write(async (transaction) => {
          await transaction.objectStore('records').delete(IDBKeyRange.bound([name], [name, []]));
          await transaction.objectStore('sessions').delete(name);
        });
      } finally {
        await lock.release();
      }
    },

    async removeShared(shared) {
      const owner = ['shared', shared];
      await database.write((transaction) =>
        transaction.objectStore('records').delete(IDBKeyRange.bound([owner], [owner, []])),
      );
    },

    async import(document, name, check) {
      const content = readDocument(document, check);
      const row = restoredRow(content, checkSessionName(name ?? content.name), settings.now());
      await database.write(async (transaction, again) => {
        const found = readRow(await transaction.objectStore('sessions').get(row.name));
        if (again && found?.id === row.id) return; // the first attempt was written
        if (found !== null) throw nameTaken(row.name);
        putAll(transaction, row, content.records);
      }, content.records.length);
      return infoOf(row);
    },
  };
}
