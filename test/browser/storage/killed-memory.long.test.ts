import { expect, test } from 'vitest';
import type { StoredMemory } from '../../../src/core/long-term.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { MemoryLongTermStore } from '../../../src/memory/memory-long-term-store.js';
import { quantizedVectors } from '../../../src/memory/vectors/index.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { freshName } from './fresh-name.js';
import { embedder, openMemory } from './long-term-visit.js';

test('chunks and rows agree after a worker was killed while it remembered', async () => {
  const databaseName = freshName();
  let chunks = 0;
  for (const commits of [3, 0]) {
    const worker = new Worker(new URL('./memories.worker.ts', import.meta.url), { type: 'module' });
    await new Promise<void>((resolve, reject) => {
      worker.onmessage = ({ data }) => data === commits && resolve();
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(databaseName);
    });
    worker.terminate(); // Somewhere in the next round.
    const session = await indexedDbStorage({ databaseName, secondCopy: false }).open('s', { takeOver: true });
    const rows = (await session.load('memories')).map(({ value }) => value as StoredMemory);
    chunks = (await session.load('recall')).length;
    const { memory } = await openMemory(session);
    await memory.whole;
    const store = new MemoryLongTermStore();
    for (const row of rows) store.put(row);
    const rebuilt = new LongTermMemory({ store, embedder, vectors: quantizedVectors() });
    await rebuilt.restore();
    const tell = async (of: LongTermMemory) => [
      (await of.list()).map(({ id }) => id),
      (await of.search('note 5 of 210', 40)).map(({ id }) => id),
    ];
    expect(await tell(memory)).toEqual(await tell(rebuilt));
    await session.close();
  }
  expect(chunks).toBeGreaterThan(0);
}, 60_000);
