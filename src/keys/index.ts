import type { IDBPDatabase } from 'idb';
import { RoleZeroError } from '../core/error.js';
import {
  eraseDeleted,
  inDatabase,
  type Derivation,
  type VaultSchema,
  type Sealed,
} from './vault-database.js';

export { passkeySecret } from './passkey.js';

/** Keeps secrets of a page between visits. */
interface KeyVault {
  /**
   * Keeps a secret under a name, in the place of an earlier one.
   * @throws RoleZeroError `invalid` for an empty name or secret, or one longer than 16,384 characters; `storage-…`.
   */
  put(name: string, secret: string): Promise<void>;
  /** The secret; null without one. @throws RoleZeroError `storage-…`; `storage-corrupt` when it cannot be deciphered. */
  get(name: string): Promise<string | null>;
  /** Removing what is not there does nothing. @throws RoleZeroError `storage-…`. */
  remove(name: string): Promise<void>;
  /** The names, sorted. @throws RoleZeroError `storage-…`. */
  list(): Promise<string[]>;
}

interface KeyVaultOptions {
  /** Name of the IndexedDB database; default `rolezero-keys`. It holds nothing else, and no session ever touches it. */
  database?: string;
  /**
   * Passphrase of the user, or a function that asks for it when a secret is first needed. The secrets are encrypted with a key that is
   * derived from it and stored nowhere. A vault that was used without a passphrase is encrypted again, and then always needs it; see
   * `onExposed`.
   */
  passphrase?: string | (() => string | Promise<string>);
  /**
   * Called once, when a vault that was used without a passphrase gets one, with the names of its secrets. Their earlier form is erased from the
   * files of the database (tested in Chromium), but earlier copies of the profile and released blocks of the disk may still have it. Tell the
   * user to replace these keys at the provider.
   *
   * @default writes a warning with the names to the console
   */
  onExposed?: (names: readonly string[]) => void;
}

const OWN_KEY = 'own';
const DERIVED_KEY = 'derived';
/** What OWASP recommends for PBKDF2 with SHA-256. */
const ITERATIONS = 600_000;
const CHECK = 'rolezero';
const MAX_SECRET = 16_384;

/**
 * Stores API keys in the browser, encrypted with AES-GCM. Stores nothing unless the application calls `put`.
 *
 * Without a passphrase, the key is a WebCrypto key that scripts can use but not read. The browser stores that key beside the secrets, so
 * whoever can copy the browser's profile can decrypt them. With a `passphrase`, the key is derived from it (PBKDF2 with SHA-256, 600,000
 * rounds) and not stored: a copy of the profile does not reveal the secrets that were stored with it. Neither protects against scripts that run in the page, because
 * they can call the vault as the page does. `passkeySecret` returns a passphrase that a passkey of the user computes.
 *
 * For pages and workers; needs a secure context (https or localhost).
 *
 * @example
 * const vault = keyVault({ passphrase: () => prompt('Passphrase for your keys') ?? '' });
 * await vault.put('openai', key);
 * openai({ baseURL, model, apiKey: async () => (await vault.get('openai')) ?? '' })
 * @throws RoleZeroError `invalid` from each method that needs the key, for an empty or wrong passphrase, and where a vault needs one.
 */
export function keyVault({
  database = 'rolezero-keys',
  passphrase,
  onExposed = warnOfExposed,
}: KeyVaultOptions = {}): KeyVault {
  let derived: Promise<DerivedKey> | null = null;
  const keyOf = async (db: IDBPDatabase<VaultSchema>): Promise<CryptoKey> => {
    if (passphrase === undefined) return ownKey(db);
    derived ??= derivedKey(db, passphrase).catch((error: unknown) => {
      derived = null; // the next call asks again
      throw error;
    });
    return (await derived).key;
  };
  /** Runs `work`, and afterwards, without another connection, removes what was stored without a passphrase. */
  const withKey = async <Value>(work: (db: IDBPDatabase<VaultSchema>) => Promise<Value>): Promise<Value> => {
    const value = await inDatabase(database, work);
    const known = await derived;
    if (known === null || known.isReported) return value;
    known.isReported = true;
    await reportExposed(database, onExposed);
    return value;
  };
  return {
    put: (name, secret) =>
      withKey(async (db) => {
        checkSecret(name, secret);
        const sealed = await encryptSecret(await keyOf(db), name, secret);
        const transaction = db.transaction(['keys', 'secrets'], 'readwrite');
        // Another tab may have set a passphrase since: it would not find a secret under the earlier key.
        const isCurrent =
          passphrase !== undefined || (await transaction.objectStore('keys').count(OWN_KEY)) > 0;
        if (isCurrent) await transaction.objectStore('secrets').put(sealed, name);
        await transaction.done;
        if (!isCurrent) throw needsPassphrase();
      }),
    get: (name) =>
      withKey(async (db) => {
        if ((await db.count('secrets', name)) === 0) return null;
        const key = await keyOf(db); // may encrypt the secrets again
        const sealed = await db.get('secrets', name);
        // Another tab may have set a passphrase since, and encrypted the secret again.
        if (passphrase === undefined && (await db.count('keys', DERIVED_KEY)) > 0) throw needsPassphrase();
        return sealed === undefined ? null : reveal(key, name, sealed);
      }),
    remove: (name) => inDatabase(database, (db) => db.delete('secrets', name)),
    list: () => inDatabase(database, (db) => db.getAllKeys('secrets')),
  };
}

/** Returns the key of a vault without a passphrase. Of two tabs that create it at the same time, both get the same. */
async function ownKey(db: IDBPDatabase<VaultSchema>): Promise<CryptoKey> {
  if ((await db.count('keys', DERIVED_KEY)) > 0) throw needsPassphrase();
  const known = await storedKey(db);
  if (known !== null) return known;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, USES);
  const transaction = db.transaction('keys', 'readwrite');
  const stored = await transaction.store.get(OWN_KEY);
  const key = stored instanceof CryptoKey ? stored : made;
  if (key === made) await transaction.store.put(made, OWN_KEY);
  await transaction.done;
  return key;
}

function needsPassphrase(): RoleZeroError {
  return new RoleZeroError('invalid', 'This vault was created with a passphrase: keyVault({ passphrase }).');
}

async function storedKey(db: IDBPDatabase<VaultSchema>): Promise<CryptoKey | null> {
  const stored = await db.get('keys', OWN_KEY);
  return stored instanceof CryptoKey ? stored : null;
}

/** The key of a vault with a passphrase. */
interface DerivedKey {
  key: CryptoKey;
  /** False until what was stored without a passphrase is erased and reported, if there was any. */
  isReported: boolean;
}

/**
 * Returns the key of a vault with a passphrase. The first call sets the passphrase, and encrypts again the secrets that were stored without one.
 * @throws RoleZeroError `invalid` for an empty or wrong passphrase.
 */
async function derivedKey(
  db: IDBPDatabase<VaultSchema>,
  passphrase: string | (() => string | Promise<string>),
): Promise<DerivedKey> {
  const given = typeof passphrase === 'string' ? passphrase : await passphrase();
  if (given === '') throw new RoleZeroError('invalid', 'The passphrase of the vault is empty.');
  const known = derivationIn(await db.get('keys', DERIVED_KEY));
  if (known === null) return setPassphrase(db, given);
  const key = await derive(given, known);
  try {
    await unseal(key, CHECK, known.check);
  } catch (error) {
    throw new RoleZeroError('invalid', 'The passphrase does not open this vault.', {}, error);
  }
  return { key, isReported: known.exposed === undefined };
}

function derivationIn(stored: VaultSchema['keys']['value'] | undefined): Derivation | null {
  return stored === undefined || stored instanceof CryptoKey || stored instanceof Uint8Array ? null : stored;
}

/** Erases, as far as a page can, and reports what was stored without a passphrase, unless that is done. */
async function reportExposed(database: string, onExposed: (names: readonly string[]) => void): Promise<void> {
  await eraseDeleted(database).catch(() => {}); // without space or time for it, the report still applies
  const exposed = await inDatabase(database, async (db) => {
    const transaction = db.transaction('keys', 'readwrite');
    const known = derivationIn(await transaction.store.get(DERIVED_KEY));
    if (known?.exposed === undefined) return [];
    const { exposed: names, ...derivation } = known;
    await transaction.store.put(derivation, DERIVED_KEY);
    await transaction.done;
    return names;
  });
  if (exposed.length > 0) onExposed(exposed);
}

async function setPassphrase(db: IDBPDatabase<VaultSchema>, passphrase: string): Promise<DerivedKey> {
  const how = {
    version: 1,
    iterations: ITERATIONS,
    salt: crypto.getRandomValues(new Uint8Array(16)),
  } as const;
  const key = await derive(passphrase, how);
  const check = await encryptSecret(key, CHECK, CHECK);
  const { own, before } = await ownSecrets(db);
  const after = await Promise.all(
    [...before].map(async ([name, sealed]) => {
      const secret = own === null ? '' : await reveal(own, name, sealed);
      return [name, await encryptSecret(key, name, secret)] as const;
    }),
  );
  const transaction = db.transaction(['keys', 'secrets'], 'readwrite');
  const [keys, secrets] = [transaction.objectStore('keys'), transaction.objectStore('secrets')];
  const isSet = (await keys.count(DERIVED_KEY)) > 0;
  const [names, values] = [await secrets.getAllKeys(), await secrets.getAll()];
  const isSame =
    own === null
      ? (await keys.count(OWN_KEY)) === 0
      : names.length === before.size &&
        names.every((name, at) => String(values[at]?.iv) === String(before.get(name)?.iv));
  if (isSet || !isSame) {
    await transaction.done;
    return derivedKey(db, passphrase); // another tab was faster, or has stored a secret meanwhile
  }
  const derivation: Derivation = {
    ...how,
    check,
    ...(own === null ? {} : { exposed: [...before.keys()].sort() }),
  };
  await keys.put(derivation, DERIVED_KEY);
  await keys.delete(OWN_KEY);
  for (const [name, sealed] of after) await secrets.put(sealed, name);
  await transaction.done;
  return { key, isReported: derivation.exposed === undefined };
}

function warnOfExposed(names: readonly string[]): void {
  console.warn(
    `rolezero: these secrets were stored without a passphrase before: ${names.join(', ')}. Replace them at the provider: an earlier copy of this browser's profile still opens them.`,
  );
}

/**
 * Reads the key of a vault without a passphrase, and the secrets under it. It reads both in one transaction: another tab may encrypt the
 * secrets again in between.
 */
async function ownSecrets(
  db: IDBPDatabase<VaultSchema>,
): Promise<{ own: CryptoKey | null; before: Map<string, Sealed> }> {
  const transaction = db.transaction(['keys', 'secrets']);
  const secrets = transaction.objectStore('secrets');
  const [own, names, values] = await Promise.all([
    transaction.objectStore('keys').get(OWN_KEY),
    secrets.getAllKeys(),
    secrets.getAll(),
  ]);
  if (!(own instanceof CryptoKey)) return { own: null, before: new Map() };
  const sealed = names.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]] as const]));
  return { own, before: new Map(sealed) };
}

async function derive(
  passphrase: string,
  { salt, iterations }: Pick<Derivation, 'salt' | 'iterations'>,
): Promise<CryptoKey> {
  const raw = await crypto.subtle.importKey('raw', utf8(passphrase), 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return crypto.subtle.deriveKey(how, raw, { name: 'AES-GCM', length: 256 }, false, USES);
}

const USES: KeyUsage[] = ['encrypt', 'decrypt'];

async function encryptSecret(key: CryptoKey, name: string, secret: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return { iv, data: await crypto.subtle.encrypt(cipher(iv, name), key, utf8(secret)) };
}

async function unseal(key: CryptoKey, name: string, { iv, data }: Sealed): Promise<string> {
  return new TextDecoder().decode(await crypto.subtle.decrypt(cipher(iv, name), key, data));
}

/** @throws RoleZeroError `storage-corrupt` when the secret cannot be decrypted. */
async function reveal(key: CryptoKey, name: string, sealed: Sealed): Promise<string> {
  try {
    return await unseal(key, name, sealed);
  } catch (error) {
    const message = `The secret "${name}" cannot be deciphered; remove it and put it again.`;
    throw new RoleZeroError('storage-corrupt', message, { name }, error);
  }
}

/** The name is bound to the secret: what was sealed under one name does not open under another. */
function cipher(iv: Uint8Array<ArrayBuffer>, name: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: utf8(name) };
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The error must not quote the secret. */
function checkSecret(name: string, secret: string): void {
  if (name === '') throw new RoleZeroError('invalid', 'A secret needs a name.');
  if (secret !== '' && secret.length <= MAX_SECRET) return;
  throw new RoleZeroError('invalid', `A secret must have 1 to ${MAX_SECRET} characters.`, { name });
}
