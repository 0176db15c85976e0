import type { StoredMemory } from '../../../src/core/long-term.js';
import type { Embedder } from '../../../src/core/model.js';
import { hashOf } from '../../../src/memory/hash.js';
import { exactVectors, type VectorIndexFactory } from '../../../src/memory/vector-index.js';
import { quantizedVectors } from '../../../src/memory/vectors/index.js';
import { wordsOf } from '../../../src/memory/words.js';

/** How memories are compared in addition to their words. */
export type Comparison = 'words' | 'exact' | 'quantized';

/** Maximum number of memories. Beyond it, the oldest unpinned ones are removed. */
export const MOST_ITEMS = 420;
/** Messages in the window. */
export const WINDOW = 2;

const DIMENSIONS = 24;

/** Each word has a direction; a text points in the sum of the directions of its words. */
export const embedder: Embedder = {
  id: 'words',
  dimensions: DIMENSIONS,
  embed: async (texts) => texts.map(vectorOf),
};

export function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS).fill(0.01);
  for (const word of wordsOf(text))
    for (let at = 0; at < DIMENSIONS; at++)
      vector[at] = (vector[at] ?? 0) + (hashOf(`${word}${at}`) % 1_000) / 500 - 1;
  return vector;
}

export function vectorsOf(comparison: Comparison): VectorIndexFactory | null {
  if (comparison === 'words') return null;
  return comparison === 'exact' ? exactVectors : quantizedVectors();
}

/** The compared fields of a stored memory. */
export interface Row {
  id: string;
  number: number;
  createdAt: number;
  sentFrom: string;
  reported: boolean;
  content: string;
  pinned: boolean;
}

export function rowOf({ id, number, createdAt, message, pinned }: StoredMemory): Row {
  const { sentFrom, content, role, causeBy } = message;
  return {
    id,
    number,
    createdAt,
    sentFrom,
    reported: role === 'user' && causeBy !== 'RunCommand',
    content,
    pinned: pinned === true,
  };
}
