import { expect, test } from 'vitest';
import { CHUNK_ITEMS, type MemoryItem } from '../../../src/core/long-term.js';
import { UserMessage } from '../../../src/core/message.js';
import type { Embedder } from '../../../src/core/model.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { MemoryLongTermStore } from '../../../src/memory/memory-long-term-store.js';

/** Never ready, as a model that is still loading. */
const loading: Embedder = { id: 'loading', dimensions: 2, embed: () => new Promise(() => {}) };

function item(number: number): MemoryItem {
  const message = new UserMessage(`note ${number}`, { id: `m${number}`, sentFrom: 'Ann' });
  return { id: `m${number}`, role: 'Zero', project: '', createdAt: number, message: message.toData() };
}

test('opens from stored indexes after an import whose vectors are still missing', async () => {
  const store = new MemoryLongTermStore();
  const first = new LongTermMemory({ store, embedder: loading });
  const count = 3 * CHUNK_ITEMS;
  const items = Array.from({ length: count }, (_, number) => item(number));
  first.import({ format: 'rolezero-memory', version: 1, items });

  const ranges: [from: number, before: number][] = [];
  const readRange = store.readRange.bind(store);
  store.readRange = (from, before) => {
    ranges.push([from, before]);
    return readRange(from, before);
  };
  const again = new LongTermMemory({ store, embedder: loading });
  await again.restore();
  expect(ranges).toEqual([[count, Infinity]]); // nothing but what is newer than the stored indexes
  const [found] = await again.recallFor('note 7', 1);
  expect(found?.id).toBe('m7');
  await again.whole;
  expect(again.unembedded).toBe(count);
});

test('finds a memory by its speaker', async () => {
  const memory = new LongTermMemory();
  const items = ['Ann', 'Bob'].map((sentFrom, at) => {
    const message = new UserMessage('See you on Sunday.', { id: sentFrom, sentFrom });
    return { id: sentFrom, role: 'Zero', project: '', createdAt: at, message: message.toData() };
  });
  memory.import({ format: 'rolezero-memory', version: 1, items });
  expect((await memory.search('What did Ann say?', 1)).map(({ id }) => id)).toEqual(['Ann']);
});

test('indexes the memories of a chunk of an earlier release again', async () => {
  const store = new MemoryLongTermStore();
  const first = new LongTermMemory({ store });
  const items = Array.from({ length: CHUNK_ITEMS }, (_, number) => item(number));
  first.import({ format: 'rolezero-memory', version: 1, items });
  const [stored] = await store.readChunks('words', 0, 1);
  store.putChunk(0, 'words', { ...(stored?.value as object), format: 5 });

  const again = new LongTermMemory({ store });
  await again.restore();
  await again.whole;
  expect((await again.search('note 7', 1)).map(({ id }) => id)).toEqual(['m7']);
  const [renewed] = await store.readChunks('words', 0, 1);
  expect(renewed?.value).toMatchObject({ format: (stored?.value as { format: number }).format });
});
