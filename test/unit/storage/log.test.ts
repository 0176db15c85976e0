import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import type { RandomState } from '../../../src/core/runtime.js';
import type { SessionStore, StorageWarning } from '../../../src/core/store.js';
import { storageWith } from '../../../src/storage/indexed-db-storage.js';
import { JournalDisk, SimulatedJournals } from '../../chaos/storage/simulated-journals.js';
import { put } from '../../contracts/records.js';
import { fillDisk } from './fill-disk.js';

if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

const FIRST: RandomState = [1, 2, 3, 4];
const SECOND: RandomState = [5, 6, 7, 8];

let opened = 0;

/** A session whose replica is ready, in a database of its own. `reopen` opens it as after a crash. */
async function begin(hasReplica = true) {
  const disk = new JournalDisk();
  const databaseName = `log-${++opened}`;
  const warnings: StorageWarning[] = [];
  const reopen = async (): Promise<SessionStore> => {
    const storage = storageWith({
      databaseName,
      waitMs: 0,
      openMs: 5000,
      transactionMs: 30_000,
      now: Date.now,
      journals: hasReplica ? new SimulatedJournals(disk, () => true) : null,
    });
    const store = await storage.open('s', { takeOver: true });
    store.listen?.((warning) => warnings.push(warning));
    return store;
  };
  const store = await reopen();
  await store.commit([put('files', '/a', 'committed')], FIRST); // waits for the replica
  return { store, reopen, warnings, disk };
}

describe('the log of a session', () => {
  it('is part of the next commit', async () => {
    const { store, reopen } = await begin();
    expect(await store.log?.([put('files', '/b', 'logged'), put('files', '/a', 'changed')], SECOND)).toBe(
      true,
    );
    expect([store.position?.head, store.random]).toEqual([1, SECOND]);
    await store.commit([put('files', '/a', 'changed again')], SECOND);
    const after = await reopen();
    expect(after.position?.head).toBe(2);
    expect(await after.load('files')).toEqual([
      { key: '/a', value: 'changed again' },
      { key: '/b', value: 'logged' },
    ]);
  });

  it('is stored when the session is opened after a crash, without a warning', async () => {
    const { store, reopen, warnings } = await begin();
    await store.log?.([put('files', '/b', 'one')], FIRST);
    await store.log?.([put('files', '/c', 'two')], SECOND);
    for (let visits = 0; visits < 2; visits++) {
      const after = await reopen();
      expect([after.position?.head, after.random]).toEqual([2, SECOND]);
      expect((await after.load('files')).map(({ value }) => value)).toEqual(['committed', 'one', 'two']);
    }
    expect(warnings).toEqual([]);
  });

  it('is stored before something is read', async () => {
    const { store } = await begin();
    await store.log?.([put('files', '/b', 'logged')], SECOND);
    expect(await store.read('files', ['/b'])).toEqual([{ key: '/b', value: 'logged' }]);
    expect(store.position?.head).toBe(2);
    await store.settle?.(); // there is nothing left to store
    expect(store.position?.head).toBe(2);
  });

  it.each(['nothing', 'something'])(
    'is stored as soon as there is room, when the session was opened on a full disk and %s was removed',
    async (removed) => {
      const { store, reopen } = await begin();
      await store.commit([put('memories', 'a/0', 'private')], FIRST);
      await store.log?.([put('files', '/b', 'logged')], SECOND);
      const disk = fillDisk();
      const after = await reopen();
      expect([after.isReadOnly, await after.load('files')]).toEqual([
        true,
        [{ key: '/a', value: 'committed' }],
      ]);
      if (removed === 'something')
        await after.commit([put('memories', 'a/0', undefined)], FIRST, { purge: true });
      await expect(after.becomeWritable?.()).rejects.toMatchObject({ code: 'storage-full' });
      disk.mockRestore();
      expect(await after.becomeWritable?.()).toBe(true);
      expect((await after.load('files')).map(({ key }) => key)).toEqual(['/a', '/b']);
      await after.commit([put('files', '/c', 'new')], SECOND);
      const last = await reopen();
      expect((await last.load('files')).map(({ key }) => key)).toEqual(['/a', '/b', '/c']);
      expect(await last.load('memories')).toHaveLength(removed === 'something' ? 0 : 1);
    },
  );

  it('is ignored when its writer has lost the session', async () => {
    const { store, reopen } = await begin();
    const thief = await reopen();
    await store.log?.([put('files', '/b', 'stale')], SECOND);
    await thief.commit([put('files', '/c', 'newer')], SECOND);
    const after = await reopen();
    expect((await after.load('files')).map(({ key }) => key)).toEqual(['/a', '/c']);
  });

  it('does not exist without a replica', async () => {
    const { store } = await begin(false);
    expect(await store.log?.([put('files', '/b', 'logged')], SECOND)).toBe(false);
    expect(await store.load('files')).toEqual([{ key: '/a', value: 'committed' }]);
  });

  it('is repeated in the next file of the replica', async () => {
    const { store, reopen, disk } = await begin();
    await store.log?.([put('files', '/large', 'x'.repeat(2_100_000))], FIRST);
    await store.commit([], FIRST); // begins a new file
    await store.log?.([put('files', '/b', 'logged')], SECOND);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(disk.folders.get('s')?.size).toBeGreaterThan(1);
    await store.log?.([put('files', '/c', 'logged, too')], SECOND);
    expect((await (await reopen()).load('files')).map(({ key }) => key)).toEqual([
      '/a',
      '/b',
      '/c',
      '/large',
    ]);
  });
});
