import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { expect, it } from 'vitest';
import type { RandomState } from '../../../src/core/runtime.js';
import type { Write } from '../../../src/core/store.js';
import { storageWith } from '../../../src/storage/indexed-db-storage.js';

if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

const RANDOM: RandomState = [1, 2, 3, 4];

it('removes texts that no record quotes any more, and no others', async () => {
  const databaseName = 'text-removal';
  const storage = storageWith({
    databaseName,
    waitMs: 0,
    openMs: 5000,
    transactionMs: 30_000,
    now: Date.now,
    journals: null,
  });
  const store = await storage.open('s');
  const text = (number: number): string => `text ${number} `.repeat(60);
  const record = (table: 'messages' | 'turns', number: number): Write => {
    return { table, key: `a/${number}`, value: { content: text(number) } };
  };
  const removal = (table: 'messages' | 'turns', number: number): Write => {
    return { table, key: `a/${number}`, value: undefined };
  };
  const all = [1, 2, 3].flatMap((number) => [record('messages', number), record('turns', number)]);
  await store.commit(all, RANDOM);
  const stored = async (): Promise<unknown[]> => {
    const raw = await openDB(databaseName);
    const found = (await raw.getAll('records', IDBKeyRange.bound(['s', 'texts'], ['s', 'texts', []]))) as {
      value: unknown;
    }[];
    raw.close();
    return found.map(({ value }) => value);
  };
  expect(await stored()).toEqual([text(1), text(2), text(3)]);
  await store.commit([removal('messages', 1), removal('turns', 1), removal('messages', 2)], RANDOM);
  expect(await stored()).toHaveLength(3);
  await store.commit([], RANDOM, { purge: true });
  expect(await stored()).toEqual([text(2), text(3)]);
  expect(await store.load('turns')).toEqual([
    { key: 'a/2', value: { content: text(2) } },
    { key: 'a/3', value: { content: text(3) } },
  ]);
  await store.close();
});
