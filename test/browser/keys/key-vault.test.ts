import { deleteDB, openDB } from 'idb';
import { afterEach, expect, it, vi } from 'vitest';
import { keyVault } from '../../../src/keys/index.js';

const database = `keys-${crypto.randomUUID()}`;
const secret = 'sk-canary-7f3a9b2c-äöü';
const vault = keyVault({ database });

afterEach(async () => {
  vi.restoreAllMocks();
  await deleteDB(database);
});

it('stores a secret across page loads, replaces and removes it', async () => {
  expect(await vault.get('openai')).toBe(null);
  await vault.put('openai', secret);
  await vault.put('other', 'x');
  expect(await keyVault({ database }).get('openai')).toBe(secret);
  expect(await vault.list()).toEqual(['openai', 'other']);
  await vault.put('openai', 'sk-new');
  expect(await vault.get('openai')).toBe('sk-new');
  await vault.remove('openai');
  await vault.remove('openai');
  expect([await vault.get('openai'), await vault.list()]).toEqual([null, ['other']]);
});

/** Every byte of every record, of any type. */
function bytesOf(value: unknown): number[] {
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (ArrayBuffer.isView(value)) return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  if (typeof value === 'string') return [...new TextEncoder().encode(value)];
  if (value instanceof CryptoKey) return bytesOf(JSON.stringify([value.type, value.algorithm, value.usages]));
  if (typeof value === 'object' && value !== null) return Object.entries(value).flat().flatMap(bytesOf);
  return bytesOf(String(value));
}

it('stores no plaintext of the secret, and its key is not extractable', async () => {
  await vault.put('openai', secret);
  const db = await openDB(database);
  const stores = [...db.objectStoreNames];
  const rows = await Promise.all(
    stores.map(async (store) => ({ keys: await db.getAllKeys(store), values: await db.getAll(store) })),
  );
  const own: unknown = await db.get('keys', 'own');
  db.close();
  expect(stores).toEqual(['keys', 'secrets']);
  const held = bytesOf(rows).join(',');
  expect(held.length).toBeGreaterThan(100);
  expect(held).toContain(bytesOf('openai').join(','));
  const utf16 = new Uint8Array(Uint16Array.from(secret, (letter) => letter.charCodeAt(0)).buffer);
  const base64 = btoa(String.fromCharCode(...bytesOf(secret)));
  for (const form of [bytesOf(secret), [...utf16], bytesOf(base64), bytesOf(secret.slice(3, 12))])
    expect(held).not.toContain(form.join(','));
  if (!(own instanceof CryptoKey)) throw new Error('There is no key.');
  expect(own.extractable).toBe(false);
  await expect(crypto.subtle.exportKey('raw', own)).rejects.toThrow();
});

it('names a secret that was tampered with, moved or is invalid', async () => {
  await vault.put('openai', secret);
  const db = await openDB(database);
  await db.put('secrets', await db.get('secrets', 'openai'), 'moved');
  db.close();
  await expect(vault.get('moved')).rejects.toMatchObject({
    code: 'storage-corrupt',
    detail: { name: 'moved' },
  });
  for (const bad of ['', 'x'.repeat(16_385)]) {
    const error = await vault.put('openai', bad).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid' });
  }
  await expect(vault.put('', secret)).rejects.toMatchObject({ code: 'invalid' });
  expect(await vault.get('openai')).toBe(secret);
});

it('uses one key in two tabs that start at the same time', async () => {
  const tabs = Array.from({ length: 4 }, () => keyVault({ database }));
  await Promise.all(tabs.map((tab, index) => tab.put(`name ${index}`, `secret ${index}`)));
  expect(await Promise.all(tabs.map((_, index) => vault.get(`name ${index}`)))).toEqual(
    tabs.map((_, index) => `secret ${index}`),
  );
});

it('with a passphrase, opens only with it, and stores no key', async () => {
  const withPassphrase = (passphrase: string) => keyVault({ database, passphrase });
  await withPassphrase('correct horse').put('openai', secret);
  expect(await withPassphrase('correct horse').get('openai')).toBe(secret);
  const needs = (message: string) => ({ code: 'invalid', message });
  await expect(withPassphrase('wrong').get('openai')).rejects.toMatchObject(
    needs('The passphrase does not open this vault.'),
  );
  await expect(withPassphrase('').get('openai')).rejects.toMatchObject(
    needs('The passphrase of the vault is empty.'),
  );
  await expect(vault.get('openai')).rejects.toMatchObject(
    needs('This vault was created with a passphrase: keyVault({ passphrase }).'),
  );
  const db = await openDB(database);
  const keys = await db.getAll('keys');
  db.close();
  expect(keys).toEqual([expect.objectContaining({ version: 1, iterations: 600_000 })]);
});

it('asks for the passphrase once, and again after a wrong one', async () => {
  await keyVault({ database, passphrase: 'right' }).put('openai', secret);
  const answers = ['wrong', 'right', 'never asked for'];
  const asked = keyVault({ database, passphrase: async () => answers.shift() ?? '' });
  expect(await asked.get('nothing')).toBe(null); // Needs no key.
  await expect(asked.get('openai')).rejects.toMatchObject({ code: 'invalid' });
  expect([await asked.get('openai'), await asked.get('openai')]).toEqual([secret, secret]);
  expect(answers).toEqual(['never asked for']);
});

it('adds a passphrase to a vault with secrets, also from two tabs at once', async () => {
  await vault.put('openai', secret);
  await vault.put('other', 'x');
  const [one, two] = [1, 2].map(() => keyVault({ database, passphrase: 'new' }));
  expect(await Promise.all([one?.get('openai'), two?.get('other')])).toEqual([secret, 'x']);
  await expect(vault.get('other')).rejects.toMatchObject({ code: 'invalid' });
});

it('adds a passphrase while another tab finishes adding it', async () => {
  await vault.put('openai', secret);
  await vault.put('other', 'x');
  const [first, second] = [1, 2].map(() => keyVault({ database, passphrase: 'new' }));
  // The first tab stops before its commit, and continues when the second one begins to read what it encrypts again.
  let [stop, release] = [(): void => {}, (): void => {}];
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  let calls = 0;
  const { encrypt } = SubtleCrypto.prototype;
  vi.spyOn(SubtleCrypto.prototype, 'encrypt').mockImplementation(async function (
    this: SubtleCrypto,
    ...given
  ) {
    const call = ++calls;
    const data = await encrypt.apply(this, given);
    if (call === 3) {
      stop();
      await released;
    }
    return data;
  });
  const { transaction } = IDBDatabase.prototype;
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...given) {
    if (calls > 3) release();
    return transaction.apply(this, given);
  });
  const one = first?.get('openai');
  await stopped;
  expect(await Promise.all([one, second?.get('other')])).toEqual([secret, 'x']);
});

it('loses no secret that another tab stores while the vault gets a passphrase', async () => {
  await vault.put('first', secret);
  const names = Array.from({ length: 30 }, (_, number) => `key ${number}`);
  const opened = keyVault({ database, passphrase: 'correct horse' }).put('last', secret);
  const put = await Promise.allSettled(names.map((name) => keyVault({ database }).put(name, secret)));
  await opened;
  const stored = names.filter((_, at) => put[at]?.status === 'fulfilled');
  const refused = put.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(refused.every(({ reason }) => /created with a passphrase/.test(String(reason)))).toBe(true);
  const again = keyVault({ database, passphrase: 'correct horse' });
  expect(await again.list()).toEqual(['first', 'last', ...stored].sort());
  for (const name of await again.list()) expect(await again.get(name)).toBe(secret);
});

it('continues with its copy when making it again was interrupted', async () => {
  const sealed = keyVault({ database, passphrase: 'a passphrase' });
  await sealed.put('openai', secret);
  const db = await openDB(database);
  const copy = await openDB(`${database}-copy`, 1, {
    upgrade(made) {
      for (const name of ['keys', 'secrets']) made.createObjectStore(name);
    },
  });
  for (const name of ['keys', 'secrets'])
    for (const key of await db.getAllKeys(name)) await copy.put(name, await db.get(name, key), key);
  db.close();
  copy.close();
  await deleteDB(database);
  try {
    expect(await keyVault({ database, passphrase: 'a passphrase' }).get('openai')).toBe(secret);
  } finally {
    await deleteDB(`${database}-copy`);
  }
});
