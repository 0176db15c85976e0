import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import type { Embedder } from '../core/model.js';
import { TopScores, type Scored } from './top-scores.js';

/** Ranks documents by the similarity of their vectors to a query. All vectors have length 1 and the same number of dimensions. */
export interface VectorIndex {
  readonly size: number;
  has(document: number): boolean;
  /** Adds a vector, or replaces the one of the same document. */
  add(document: number, unit: Float32Array): void;
  /** Removes a vector completely. */
  remove(document: number): void;
  /** Returns the best `count` documents, best first. The score is the cosine. */
  search(unit: Float32Array, count: number): Scored[];
  /** Returns the vectors of the existing documents among these as plain data for `unpack`. Does not change the index. */
  pack(documents: readonly number[]): unknown;
  /**
   * Adds vectors from `pack` and returns their document numbers. Returns null, and changes nothing, when the data does not fit this index
   * or contains an existing document.
   */
  unpack(packed: unknown): number[] | null;
}

/** Creates an empty index for vectors with this number of dimensions. */
export type VectorIndexFactory = (dimensions: number) => VectorIndex;

/** Creates an index that compares every vector exactly. Suits about ten thousand vectors; for more, use `rolezero/memory/vectors`. */
export function exactVectors(dimensions: number): VectorIndex {
  const vectors = new Map<number, Float32Array>();
  return {
    get size() {
      return vectors.size;
    },
    has: (document) => vectors.has(document),
    add: (document, unit) => void vectors.set(document, unit),
    remove: (document) => void vectors.delete(document),
    pack: (documents) => {
      const there = documents.filter((document) => vectors.has(document));
      const values = new Float32Array(there.length * dimensions);
      for (const [place, document] of there.entries())
        values.set(vectors.get(document) ?? [], place * dimensions);
      return { documents: Float64Array.from(there), values };
    },
    unpack: (packed) => {
      const { documents, values } = isRecord(packed) ? packed : {};
      if (!(documents instanceof Float64Array && values instanceof Float32Array)) return null;
      if (values.length !== documents.length * dimensions) return null;
      if (documents.some((document) => vectors.has(document))) return null;
      for (const [place, document] of documents.entries())
        vectors.set(document, values.subarray(place * dimensions, (place + 1) * dimensions));
      return [...documents];
    },
    search: (unit, count) => {
      const best = new TopScores(Math.max(0, count));
      for (const [document, vector] of vectors) best.offer(document, dot(vector, unit));
      return count > 0 ? best.take() : [];
    },
  };
}

/**
 * Scales a vector to length 1.
 * @throws RoleZeroError `invalid` when the vector has the wrong number of dimensions or is not finite.
 */
export function unitVector(vector: Float32Array | undefined, embedder: Embedder): Float32Array {
  const length = vector === undefined ? Number.NaN : Math.sqrt(dot(vector, vector));
  if (vector === undefined || vector.length !== embedder.dimensions || !Number.isFinite(length)) {
    throw new RoleZeroError(
      'invalid',
      `The embedder ${embedder.id} gave a vector of ${vector?.length ?? 0} numbers; ${embedder.dimensions} finite ones were expected.`,
      { embedder: embedder.id, length: vector?.length ?? 0 },
    );
  }
  return length === 0 ? vector : vector.map((value) => value / length);
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
