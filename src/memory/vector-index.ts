import { RoleZeroError } from '../base/error.js';
import { isRecord } from '../base/json.js';
import type { Embedder } from '../base/model.js';
import { Best, type Scored } from './best.js';

/** Ranks documents by how close their vectors are to another one. Vectors are of length one and of one number of dimensions. */
export interface VectorIndex {
  readonly size: number;
  has(document: number): boolean;
  /** In the place of the vector the document had. */
  add(document: number, unit: Float32Array): void;
  /** Nothing of it stays. */
  remove(document: number): void;
  /** The best `count` documents, best first, scored by the cosine. */
  search(unit: Float32Array, count: number): Scored[];
  /** Those of these documents that are there, as plain data for `unpack`; the index stays as it is. */
  pack(documents: readonly number[]): unknown;
  /**
   * Adds what `pack` gave: the numbers of the documents. Null, and nothing changed, when it is not of an index like this one, or has a
   * document that is there already.
   */
  unpack(packed: unknown): number[] | null;
}

/** Makes an empty index for vectors of so many dimensions. */
export type VectorIndexFactory = (dimensions: number) => VectorIndex;

/** Compares every vector as it is: exact, and meant for some ten thousand. `rolezero/memory/vectors` has one for more. */
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
      const best = new Best(Math.max(0, count));
      for (const [document, vector] of vectors) best.offer(document, dot(vector, unit));
      return count > 0 ? best.take() : [];
    },
  };
}

/** @throws RoleZeroError `invalid` when the vector is not of the embedder's length, or not of numbers. */
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
