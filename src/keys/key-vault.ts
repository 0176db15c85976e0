import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { RoleZeroError, toRoleZeroError } from '../core/error.js';

/** Keeps secrets of a page between visits. */
export interface KeyVault {
  /**
   * Keeps a secret under a name, in the place of an earlier one.
   * @throws RoleZeroError `invalid` for an empty name or secret, or one longer than 16,384 characters; `storage-…`.
   */
  put(name: string, secret: string): Promise<void>;
  /** The secret, or null when there is none. @throws RoleZeroError `storage-…`; `storage-corrupt` when it cannot be deciphered. */
  get(name: string): Promise<string | null>;
  /** Removing what is not there does nothing. @throws RoleZeroError `storage-…`. */
  remove(name: string): Promise<void>;
  /** The names, sorted. @throws RoleZeroError `storage-…`. */
  list(): Promise<string[]>;
}

export interface KeyVaultOptions {
  /** Name of the IndexedDB database; default `rolezero-keys`. It holds nothing else, and no session ever touches it. */
  database?: string;
}

interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}
interface Schema extends DBSchema {
  /** One row, `own`: the key that all else is sealed under. */
  keys: { key: string; value: CryptoKey };
  secrets: { key: string; value: Sealed };
}

const OWN = 'own';
const MAX_SECRET = 16_384;

/**
 * Keeps API keys in the browser, each encrypted (AES-GCM) under a WebCrypto key which scripts may use but not read: the
 * database alone, copied from the disk or by an extension, does not hold them in any readable form. It does not protect from scripts
 * that run in the page: those can ask for the key as the page does. Stores nothing unless the application calls `put`.
 *
 * For pages and workers; needs a secure context (https or localhost).
 *
 * @example const vault = keyVault(); await vault.put('openai', key);
 *   openai({ baseURL, model, apiKey: async () => (await vault.get('openai')) ?? '' })
 */
export function keyVault({ database = 'rolezero-keys' }: KeyVaultOptions = {}): KeyVault {
  const within = async <Value>(work: (db: IDBPDatabase<Schema>) => Promise<Value>): Promise<Value> => {
    try {
      // Without it `subtle` is missing, whatever the types say.
      if (!isSecureContext) throw new RoleZeroError('storage-unavailable', INSECURE);
      const db = await open(database);
      try {
        return await work(db);
      } finally {
        db.close(); // each call on its own: no connection that could block a removal
      }
    } catch (error) {
      throw toRoleZeroError(error, 'storage-failed');
    }
  };
  return {
    put(name, secret) {
      return within(async (db) => {
        check(name, secret);
        const iv = crypto.getRandomValues(new Uint8Array(12));
        const key = await ownKey(db);
        const data = await crypto.subtle.encrypt(cipher(iv, name), key, utf8(secret));
        await db.put('secrets', { iv, data }, name);
      });
    },
    get(name) {
      return within(async (db) => {
        const sealed = await db.get('secrets', name);
        if (sealed === undefined) return null;
        try {
          const plain = await crypto.subtle.decrypt(cipher(sealed.iv, name), await ownKey(db), sealed.data);
          return new TextDecoder().decode(plain);
        } catch (error) {
          const message = `The secret "${name}" cannot be deciphered; remove it and put it again.`;
          throw new RoleZeroError('storage-corrupt', message, { name }, error);
        }
      });
    },
    remove: (name) => within((db) => db.delete('secrets', name)),
    list: () => within((db) => db.getAllKeys('secrets')),
  };
}

const INSECURE = 'Keys can be stored only in a secure context: serve the page over https or from localhost.';

function open(database: string): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>(database, 1, {
    upgrade(db) {
      db.createObjectStore('keys');
      db.createObjectStore('secrets');
    },
  });
}

/** Made once; of two tabs that make it at the same time, one wins for both. */
async function ownKey(db: IDBPDatabase<Schema>): Promise<CryptoKey> {
  const known = await db.get('keys', OWN);
  if (known !== undefined) return known;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const transaction = db.transaction('keys', 'readwrite');
  const key = (await transaction.store.get(OWN)) ?? made;
  if (key === made) await transaction.store.put(made, OWN);
  await transaction.done;
  return key;
}

/** The name is bound to the secret: what was sealed under one name does not open under another. */
function cipher(iv: Uint8Array<ArrayBuffer>, name: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: utf8(name) };
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The error must not quote the secret. */
function check(name: string, secret: string): void {
  if (name === '') throw new RoleZeroError('invalid', 'A secret needs a name.');
  if (secret !== '' && secret.length <= MAX_SECRET) return;
  throw new RoleZeroError('invalid', `A secret must have 1 to ${MAX_SECRET} characters.`, { name });
}
