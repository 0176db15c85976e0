import type { Embedder } from '../../../src/core/model.js';
import type { SessionStore } from '../../../src/core/store.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { quantizedVectors } from '../../../src/memory/vectors/index.js';
import { Journal } from '../../../src/agent/runtime/journal.js';
import { LongTermRows } from '../../../src/agent/runtime/long-term-rows.js';

/** The vector of a text is its length and its first digit. */
export const embedder: Embedder = {
  id: 'numbers',
  dimensions: 2,
  embed: async (texts) =>
    texts.map((text) => Float32Array.of(text.length, Number(/\d/.exec(text)?.[0] ?? 0) + 0.5)),
};

/** Long-term memories of a session, read without its role. `ranges`: the ranges of rows that were read. */
export async function openMemory(session: SessionStore) {
  const ranges: string[] = [];
  const journal = new Journal(
    (writes) => session.commit(writes, session.random),
    () => {},
  );
  const store = new LongTermRows(
    'Zero',
    () => journal,
    () => ({
      read: (table, keys) => session.read(table, keys),
      load: (table, range) => {
        if (table === 'memories') ranges.push(range.from);
        return session.load(table, range);
      },
    }),
  );
  const memory = new LongTermMemory({
    memoryK: 1,
    role: 'Zero',
    store,
    embedder,
    vectors: quantizedVectors(),
  });
  await memory.restore();
  return { memory, journal, ranges };
}
