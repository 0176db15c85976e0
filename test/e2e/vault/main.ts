import { openDB } from 'idb';
import { keyVault } from 'rolezero/keys';

/** A stored secret, as the bytes in the database. */
export interface Stored {
  iv: number[];
  data: number[];
}

declare global {
  var store: (secret: string, passphrase: string | null) => Promise<Stored>;
}

/** Stores a secret under the name `key`, with a passphrase or without one. */
globalThis.store = async (secret, passphrase) => {
  const database = 'vault';
  await keyVault(passphrase === null ? { database } : { database, passphrase }).put('key', secret);
  const db = await openDB(database);
  const { iv, data } = (await db.get('secrets', 'key')) as { iv: Uint8Array; data: ArrayBuffer };
  db.close();
  return { iv: [...iv], data: [...new Uint8Array(data)] };
};
