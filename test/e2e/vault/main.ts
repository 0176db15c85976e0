import { openDB } from 'idb';
import { keyVault, passkeySecret } from 'rolezero/keys';

/** A stored secret, as the bytes in the database. */
export interface Stored {
  iv: number[];
  data: number[];
}

declare global {
  var store: (secret: string, passphrase: string | null) => Promise<Stored>;
  /** Reads the secret with a passphrase that is set now; returns it, and the names that are reported as exposed. */
  var migrate: (passphrase: string) => Promise<{ secret: string | null; exposed: string[] }>;
  var storeWithPasskey: (secret: string) => Promise<Stored>;
  var readWithPasskey: () => Promise<string | null>;
}

const database = 'vault';
const byPasskey = () => keyVault({ database, passphrase: () => passkeySecret({ application: 'Test' }) });

/** Stores a secret under the name `key`, with a passphrase or without one. */
globalThis.store = async (secret, passphrase) => {
  await keyVault(passphrase === null ? { database } : { database, passphrase }).put('key', secret);
  return stored();
};

globalThis.migrate = async (passphrase) => {
  const exposed: string[] = [];
  const vault = keyVault({ database, passphrase, onExposed: (names) => exposed.push(...names) });
  const secret = await vault.get('key');
  return { secret, exposed };
};

globalThis.storeWithPasskey = async (secret) => {
  await byPasskey().put('key', secret);
  return stored();
};

globalThis.readWithPasskey = () => byPasskey().get('key');

async function stored(): Promise<Stored> {
  const db = await openDB(database);
  const { iv, data } = (await db.get('secrets', 'key')) as { iv: Uint8Array; data: ArrayBuffer };
  db.close();
  return { iv: [...iv], data: [...new Uint8Array(data)] };
}
