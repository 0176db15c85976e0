import { describe, expect, it } from 'vitest';
import {
  CHUNK_ITEMS,
  type ChunkPart,
  type LongTermStore,
  type StoredMemory,
} from '../../src/core/long-term.js';

function memoryOf(number: number, content = `content ${number}`): StoredMemory {
  const message = {
    id: `m${number}`,
    content,
    role: 'user',
    causeBy: 'UserRequirement',
    sentFrom: '',
    sendTo: ['<all>'],
    metadata: {},
  };
  return { id: message.id, role: 'Zero', project: '', createdAt: 1, number, message };
}

/** The contract of every `LongTermStore`. `commit` persists what was put, where the store needs that. */
export function longTermStoreContract(
  name: string,
  fresh: () => Promise<{ store: LongTermStore; commit: () => Promise<void> }>,
  { keepsChunks = true }: { keepsChunks?: boolean } = {},
): void {
  describe(`${name} fulfills the contract of long-term stores:`, () => {
    it.each(['before', 'after'])('returns items in the requested order, %s it is committed', async (when) => {
      const { store, commit } = await fresh();
      for (const number of [0, 1, 2]) store.put(memoryOf(number));
      if (when === 'after') await commit();
      expect(await store.read([2, 9, 0])).toEqual([memoryOf(2), memoryOf(0)]);
      expect(await store.read([])).toEqual([]);
    });

    it('replaces items with the same number', async () => {
      const { store, commit } = await fresh();
      store.put(memoryOf(0, 'old'));
      await commit();
      store.put(memoryOf(0, 'new'));
      expect(await store.read([0])).toEqual([memoryOf(0, 'new')]);
      await commit();
      expect(await store.read([0])).toEqual([memoryOf(0, 'new')]);
    });

    it('contains nothing of removed items, before and after the commit', async () => {
      const { store, commit } = await fresh();
      for (const number of [0, 1, 2]) store.put(memoryOf(number));
      store.remove(0);
      await commit();
      store.remove(1);
      store.remove(7);
      expect(await store.read([0, 1, 2])).toEqual([memoryOf(2)]);
      await commit();
      expect(await store.read([0, 1, 2])).toEqual([memoryOf(2)]);
    });

    it.each(['before', 'after'])(
      'returns all items of a range of numbers in order, %s it is committed',
      async (when) => {
        const { store, commit } = await fresh();
        for (const number of [11, 2, 3, 10, 1]) store.put(memoryOf(number));
        if (when === 'after') await commit();
        store.remove(3);
        store.put(memoryOf(2, 'new'));
        const range = [memoryOf(2, 'new'), memoryOf(10)];
        expect(await store.readRange(2, 11)).toEqual(range);
        await commit();
        expect(await store.readRange(2, 11)).toEqual(range);
        expect(await store.readRange(3, Infinity)).toEqual([memoryOf(10), memoryOf(11)]);
      },
    );

    it.runIf(keepsChunks)('drops a chunk only when one of its items is put or removed', async () => {
      const { store, commit } = await fresh();
      const chunks = async (part: ChunkPart) =>
        (await store.readChunks(part, 0, Infinity)).map(({ chunk }) => chunk);
      const both = async (wanted: number[]) =>
        expect([await chunks('words'), await chunks('vectors')]).toEqual([wanted, wanted]);
      const value = (chunk: number, part: ChunkPart) => ({ part, bytes: Uint8Array.of(chunk) });
      const put = (chunk: number) => {
        for (const part of ['words', 'vectors'] as const) store.putChunk(chunk, part, value(chunk, part));
      };
      for (const chunk of [12, 0, 1, 2]) put(chunk);
      await commit();
      for (const part of ['words', 'vectors'] as const) {
        const stored = (of: number[]) => of.map((chunk) => ({ chunk, value: value(chunk, part) }));
        expect(await store.readChunks(part, 0, Infinity)).toEqual(stored([0, 1, 2, 12]));
        expect(await store.readChunks(part, 1, 12)).toEqual(stored([1, 2]));
      }
      store.put(memoryOf(CHUNK_ITEMS));
      store.remove(CHUNK_ITEMS - 1);
      await commit();
      await both([2, 12]);
      store.put(memoryOf(1));
      put(0);
      put(2);
      store.put(memoryOf(3 * CHUNK_ITEMS - 1));
      await commit();
      await both([0, 12]);
      store.add(memoryOf(12 * CHUNK_ITEMS + 9)); // an item outside of the chunk
      await commit();
      await both([0, 12]);
      expect(await store.read([12 * CHUNK_ITEMS + 9])).toEqual([memoryOf(12 * CHUNK_ITEMS + 9)]);
    });

    it('stores vectors unchanged', async () => {
      const { store, commit } = await fresh();
      const item = { ...memoryOf(3), vector: { embedder: 'e', values: Float32Array.of(0.5, -1) } };
      store.put(item);
      await commit();
      expect(await store.read([3])).toEqual([item]);
    });
  });
}
