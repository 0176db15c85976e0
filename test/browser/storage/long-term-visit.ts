import type { Embedder } from '../../../src/core/model.js';
import type { SessionStore } from '../../../src/core/store.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { quantizedVectors } from '../../../src/memory/vectors/index.js';
import { rowsOfSession } from '../../unit/agent/runtime/rows-of-session.js';

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
  const { journal, store } = rowsOfSession(session, {
    load: (table, range) => {
      if (table === 'memories') ranges.push(range.from);
      return session.load(table, range);
    },
  });
  const memory = new LongTermMemory({
    maxMessages: 1,
    role: 'Zero',
    store,
    embedder,
    vectors: quantizedVectors(),
  });
  await memory.restore();
  return { memory, journal, ranges };
}
