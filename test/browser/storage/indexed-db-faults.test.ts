import { deleteDB, openDB } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import type { RoleZeroError } from '../../../src/core/error.js';
import type { RandomState } from '../../../src/core/runtime.js';
import type { SessionStore, Storage } from '../../../src/core/store.js';
import { Database } from '../../../src/storage/database.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { pad, put } from '../../contracts/records.js';
import { codeOf, errorOf } from '../../contracts/storage-contract.js';
import { freshName } from './fresh-name.js';

const random: RandomState = [1, 2, 3, 4];

/** Storages of one test with a shared database. */
function place(waitMs = 0) {
  const databaseName = freshName();
  const at = { databaseName, waitMs };
  const made = (): Storage => {
    const storage = indexedDbStorage(at);
    const open: Storage['open'] = async (...args) => {
      const store = await storage.open(...args);
      opened.push(store);
      return store;
    };
    return { ...storage, open };
  };
  return { databaseName, storage: made(), elsewhere: made };
}

/** Open stores look for their data when it is cleared, which creates their databases again. */
const opened: SessionStore[] = [];

/** What "clear site data" does: Chromium force-closes the origin's connections and deletes its databases. */
function clearIndexedDb(): Promise<unknown> {
  return cdp().send('Storage.clearDataForOrigin', { origin: location.origin, storageTypes: 'indexeddb' });
}

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

describe('a commit to IndexedDB', () => {
  it('requests strict durability, and so do importing and removing; it flushes what opening has written', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const { storage } = place();
    const store = await storage.open('game');
    await store.commit([put('roles', 'Zero', 1)], random);
    await store.close();
    await storage.import(await storage.export('game'), 'copy');
    await storage.remove('game');
    const writes = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite');
    const durabilities = ['relaxed', 'strict', 'strict', 'strict'];
    expect(writes).toEqual(
      durabilities.map((durability) => [['sessions', 'records'], 'readwrite', { durability }]),
    );
  });

  it('rejects what can be cloned but not stored, and writes nothing of its batch', async () => {
    const { storage } = place();
    const store = await storage.open('game');
    const module = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    const error = await errorOf(
      store.commit([put('roles', 'Zero', 1), put('files', '/m.wasm', module)], random),
    );
    expect([error.code, error.detail]).toEqual(['invalid', { table: 'files', key: '/m.wasm' }]);
    expect(await store.load('roles')).toEqual([]);
    await store.commit([put('roles', 'Zero', 1)], random);
  });

  it('is rejected by the epoch alone where there are no locks', async () => {
    const locks = vi.spyOn(Navigator.prototype, 'locks', 'get').mockReturnValue(undefined as never);
    const { storage, elsewhere } = place();
    const first = await storage.open('game');
    await first.commit([put('roles', 'Zero', 'first')], random);
    const second = await elsewhere().open('game'); // no user is connected to report that it is busy
    const late = [put('roles', 'Zero', 'stale'), put('inbox', '1', 'stale')];
    const error = await errorOf(first.commit(late, random));
    expect([error.code, error.detail]).toEqual([
      'session-fenced',
      { name: 'game', mine: { epoch: 1, head: 1 }, found: { epoch: 2, head: 1 } },
    ]);
    await first.lost;
    expect([await second.load('roles'), await second.load('inbox')]).toEqual([
      [{ key: 'Zero', value: 'first' }],
      [],
    ]);

    // A session recreated under the old name has the same epoch and head, but is a different one.
    await elsewhere().remove('game');
    const again = await elsewhere().open('game');
    await elsewhere().open('game');
    expect((await errorOf(second.commit(late, random))).detail).toEqual({ name: 'game', gone: true });
    expect(await again.load('roles')).toEqual([]);
    expect(locks).toHaveBeenCalled();
  });

  it('is rejected when another writer used our epoch', async () => {
    const { databaseName, storage } = place();
    const store = await storage.open('game');
    await store.commit([put('roles', 'Zero', 1)], random);
    const raw = await openDB(databaseName);
    const row = (await raw.get('sessions', 'game')) as { head: number };
    await raw.put('sessions', { ...row, head: row.head + 1 });
    raw.close();
    expect(await codeOf(store.commit([put('roles', 'Zero', 2)], random))).toBe('session-fenced');
    expect(await store.load('roles')).toEqual([{ key: 'Zero', value: 1 }]);
  });

  it('is rejected with the number of lost commits when the database was rolled back', async () => {
    const { databaseName, storage } = place();
    const store = await storage.open('game');
    for (const value of [1, 2, 3]) await store.commit([put('roles', 'Zero', value)], random);
    const raw = await openDB(databaseName);
    const row = (await raw.get('sessions', 'game')) as { head: number };
    await raw.put('sessions', { ...row, head: row.head - 2 });
    raw.close();
    const error = await errorOf(store.commit([put('roles', 'Zero', 4)], random));
    expect([error.code, error.message, error.detail]).toEqual([
      'session-fenced',
      "The browser lost the newest 2 changes of session 'game'. Nothing was written; open the session again to continue from what is stored.",
      { name: 'game', lost: 2 },
    ]);
    await store.lost;
  });
});

describe('loading', () => {
  it('reads tables longer than one request in order, each record once', async () => {
    const { storage } = place();
    const store = await storage.open('game');
    const records = Array.from({ length: 2_500 }, (_, number) => put('turns', pad(number), number));
    await store.commit([...records, put('roles', 'z', 1), put('messages', 'a', 1)], random);
    expect(await store.load('turns')).toEqual(records.map(({ key, value }) => ({ key, value })));
    await store.commit(
      records.slice(2_000).map(({ table, key }) => put(table, key, undefined)),
      random,
    );
    expect(await store.load('turns')).toHaveLength(2_000); // Exactly two full requests.
  });

  it('reports a malformed row as corrupt, and one of a newer release as such', async () => {
    const { databaseName, storage } = place();
    await (await storage.open('game')).close();
    const raw = await openDB(databaseName);
    const row = (await raw.get('sessions', 'game')) as object;
    await raw.put('sessions', { ...row, version: 99 });
    expect(await codeOf(storage.open('game'))).toBe('storage-version');
    await raw.put('sessions', { ...row, head: 'many' });
    expect(await codeOf(storage.open('game'))).toBe('storage-corrupt');
    await raw.put('sessions', row);
    expect((await storage.open('game')).epoch).toBe(2);
    raw.close();
  });
});

describe('a database of another version', () => {
  it('is left alone when it is newer', async () => {
    const { databaseName, storage } = place();
    const store = await storage.open('game');
    await store.commit([put('roles', 'Zero', 1)], random);
    // The newer release is not blocked: our connection closes automatically.
    const newer = await openDB(databaseName, 99, {
      upgrade: (database) => database.createObjectStore('new'),
    });
    for (const attempt of [
      () => storage.open('other'),
      () => storage.list(),
      () => store.commit([put('roles', 'Zero', 2)], random),
    ]) {
      expect(await codeOf(attempt())).toBe('storage-version');
    }
    expect([newer.version, [...newer.objectStoreNames]]).toEqual([
      99,
      ['experiences', 'new', 'records', 'sessions'],
    ]);
    expect(await newer.getAll('records')).toEqual([
      { session: 'game', table: 'roles', key: 'Zero', value: 1 },
    ]);
    newer.close();
  });

  it('is reported as blocked while a foreign connection is open, and opens after that', async () => {
    const databaseName = freshName();
    const stubborn = await openDB(databaseName, 1); // ignores `versionchange`
    const deleted = deleteDB(databaseName);
    const storage = indexedDbStorage({ databaseName, openMs: 50 });
    const error = await errorOf(storage.open('game'));
    expect([error.code, error.message]).toEqual([
      'storage-blocked',
      expect.stringContaining('Close or reload the other tabs'),
    ]);
    stubborn.close();
    await deleted;
    const patient = indexedDbStorage({ databaseName });
    expect((await patient.open('game')).epoch).toBe(1);
  });
});

describe('a connection closed by the browser', () => {
  it('is reopened, and the same commit is written once', async () => {
    const { storage } = place();
    const store = await storage.open('game');
    const open = vi.spyOn(IDBFactory.prototype, 'open');
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    for (const number of [1, 2, 3]) {
      await store.commit([put('inbox', pad(number), number)], random);
      (transaction.mock.contexts.at(-1) as IDBDatabase).close();
    }
    expect((await store.load('inbox')).map((record) => record.value)).toEqual([1, 2, 3]);
    expect((await storage.list())[0]?.head).toBe(3);
    const names = open.mock.calls.map(([name]) => name.replace(/-repair$/, ' repaired'));
    const eachTime = [names[0], ...Array<string>(3).fill(`${names[0]} repaired`)]; // The log of the closed database may be truncated.
    expect(names).toEqual([...eachTime, ...eachTime, ...eachTime]);
  });

  it.each([
    ['is reported as aborted', 'complete'],
    ['is never reported', 'silence'],
  ])('does not rewrite a commit that reached the disk but %s', async (_what, heardAs) => {
    const storage = indexedDbStorage({ databaseName: freshName(), transactionMs: 1_000 });
    const store = await storage.open('game');
    const addEventListener = vi.spyOn(IDBTransaction.prototype, 'addEventListener');
    const transactions = new Set<IDBTransaction>();
    addEventListener.mockImplementation(function (this: IDBTransaction, type: string, listener: unknown) {
      transactions.add(this);
      const isFirst = transactions.size === 1;
      if (isFirst && type === 'complete') return;
      const event = isFirst && type === 'abort' ? heardAs : type;
      EventTarget.prototype.addEventListener.call(this, event, listener as () => void);
    });
    const puts = vi.spyOn(IDBObjectStore.prototype, 'put');
    await store.commit([put('inbox', '1', 1)], random);
    expect(transactions.size).toBe(2);
    expect(puts).toHaveBeenCalledTimes(2); // one record and the row, once
    addEventListener.mockRestore();
    await store.commit([put('inbox', '2', 2)], random);
    expect((await store.load('inbox')).map((record) => record.value)).toEqual([1, 2]);
    expect((await storage.list())[0]?.head).toBe(2);
  });

  it('waits for a transaction that takes long, as long as its requests are answered', async () => {
    const limitMs = 200;
    const database = new Database(freshName(), 5_000, limitMs);
    const until = performance.now() + 3 * limitMs;
    const reading = database.read(async (transaction) => {
      while (performance.now() < until) await transaction.objectStore('sessions').get('none');
      return 'read';
    });
    expect(await reading).toBe('read');
  });

  it(
    'finds an emptied database: the session is reported as lost, not as empty',
    { tags: 'chromium' },
    async () => {
      const storage = indexedDbStorage({ databaseName: freshName(), transactionMs: 1_000 });
      const store = await storage.open('game');
      await store.commit([put('inbox', '0', 0)], random); // A session without commits has nothing to lose.
      // Does not wait for Chromium's reply, which may come late while the commits continue.
      void clearIndexedDb();
      let outcome: string;
      do {
        outcome = await store.commit([put('inbox', '1', 1)], random).then(
          () => 'written',
          (error: unknown) => (error as RoleZeroError).code,
        );
        expect(['written', 'storage-closed', 'storage-lost']).toContain(outcome);
      } while (outcome !== 'storage-lost');
      const error = await errorOf(store.commit([put('inbox', '2', 2)], random));
      expect([error.code, error.detail]).toEqual(['storage-lost', { name: 'game', isOpen: true }]);
      expect(await codeOf(store.load('inbox'))).toBe('storage-lost');
      expect(await storage.list()).toEqual([]);
      expect(await store.lost).toBe(error);
      await store.close();
      expect(await (await storage.open('game')).load('inbox')).toEqual([]);
    },
  );
});

describe('a worker killed in the middle of its commits', () => {
  it('leaves every commit whole or absent, and its session free for the next writer', async () => {
    const { databaseName, storage } = place(3_000);
    let before = 0;
    for (let round = 0; round < 30; round++) {
      const worker = new Worker(new URL('./commit-loop.worker.ts', import.meta.url), { type: 'module' });
      let acknowledged = before;
      const started = new Promise<void>((resolve, reject) => {
        worker.onerror = (event) => reject(new Error(event.message));
        worker.onmessage = (event: MessageEvent<number>) => {
          acknowledged = event.data;
          resolve();
        };
      });
      worker.postMessage({ databaseName });
      await started;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
      worker.terminate();

      const store = await storage.open('game');
      const count = (await store.load('inbox')).length;
      expect(count).toBeGreaterThanOrEqual(acknowledged);
      expect((await storage.list())[0]?.head).toBe(count);
      expect((await store.load('inbox')).map((record) => record.value)).toEqual(
        Array.from({ length: count }, (_, number) => ({ number })),
      );
      expect(await store.load('roles')).toEqual([{ key: 'Zero', value: { number: count - 1 } }]);
      const newest = Math.max(
        ...(await store.load('files')).map((record) => (record.value as { number: number }).number),
      );
      expect([newest, store.random]).toEqual([count - 1, [count - 1, 0, 0, 0]]);
      await store.close();
      before = count;
    }
    expect(before).toBeGreaterThanOrEqual(30);
  });

  it('is waited for even when it was computing and is slow to terminate', async () => {
    const { databaseName, storage } = place(10_000);
    const worker = new Worker(new URL('./busy.worker.ts', import.meta.url), { type: 'module' });
    const opened = new Promise((resolve) => (worker.onmessage = resolve));
    worker.postMessage({ databaseName });
    await opened;
    worker.terminate();
    expect((await storage.open('game')).epoch).toBe(2);
  });
});
