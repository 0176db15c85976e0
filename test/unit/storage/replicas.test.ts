import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import type { StorageWarning } from '../../../src/core/store.js';
import { storageWith } from '../../../src/storage/indexed-db-storage.js';
import type { Journals } from '../../../src/storage/opfs-journals.js';

if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

/** Where the browser gives workers no files. */
const NO_FILES: Journals = {
  prepare: () => {},
  folder: () => Promise.resolve(null),
  folders: () => Promise.resolve([]),
  remove: () => Promise.resolve(),
};

it.each([
  ['warns once of a browser without files for replicas', NO_FILES, ['storage-copy']],
  ['does not warn where no replica is wanted', null, []],
])('%s', async (_what, journals, codes) => {
  const storage = storageWith({
    databaseName: `replicas-${codes.length}`,
    waitMs: 0,
    openMs: 5000,
    transactionMs: 30_000,
    now: Date.now,
    journals,
  });
  const warnings: StorageWarning[] = [];
  for (const name of ['one', 'two', 'one']) {
    const store = await storage.open(name);
    store.listen?.((warning) => warnings.push(warning));
    await store.close();
  }
  expect(warnings.map(({ code }) => code)).toEqual(codes);
  for (const { message } of warnings)
    expect(message).toContain("session 'one' has no replica: a reload or a crash loses nothing");
});
