import { afterEach, describe, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import type { RandomState } from '../../../src/core/runtime.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { put } from '../../contracts/records.js';
import { codeOf } from '../../contracts/storage-contract.js';
import { freshName } from './fresh-name.js';

const random: RandomState = [1, 2, 3, 4];

describe('a full disk', { tags: 'chromium' }, () => {
  afterEach(async () => {
    await cdp().send('Storage.overrideQuotaForOrigin', { origin: location.origin });
  });

  it('rejects with storage-full, has written nothing, and continues when there is space again', async () => {
    await cdp().send('Storage.overrideQuotaForOrigin', { origin: location.origin, quotaSize: 100_000 });
    // Chromium caches the free space that it measured. After this, it shows the page no locks of its new workers, so the test has a file of
    // its own, in a run where each file has its page.
    await cdp().send('Storage.clearDataForOrigin', { origin: location.origin, storageTypes: 'all' });
    const storage = indexedDbStorage({ databaseName: freshName() });
    const store = await storage.open('game');
    await store.commit([put('roles', 'Zero', 'before')], random);
    const content = crypto.getRandomValues(new Uint8Array(40_000));
    const files = ['/a', '/b', '/c', '/d'].map((path) => put('files', path, content));
    for (let attempt = 0; attempt < 2; attempt++) {
      const commit = store.commit([put('roles', 'Zero', 'after'), ...files], random);
      expect(await codeOf(commit)).toBe('storage-full');
    }
    expect([await store.load('roles'), await store.load('files')]).toEqual([
      [{ key: 'Zero', value: 'before' }],
      [],
    ]);
    await cdp().send('Storage.overrideQuotaForOrigin', { origin: location.origin });
    await store.commit([put('roles', 'Zero', 'after'), ...files], random);
    expect(await store.load('files')).toHaveLength(4);
    expect((await storage.list())[0]?.head).toBe(2);
  });
});
