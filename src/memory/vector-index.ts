import { RoleZeroError } from '../base/error.js';
import type { Embedder } from '../base/model.js';
import { byScore, type Scored } from './fuse.js';

/** Ranks documents by how close their vectors are to that of a query. Every document is compared: meant for some ten thousand. */
export class VectorIndex {
  readonly #vectors = new Map<number, Float32Array>();

  constructor(private readonly embedder: Embedder) {}

  has(document: number): boolean {
    return this.#vectors.has(document);
  }

  /** @throws RoleZeroError `invalid` when the vector is not of the embedder's length, or not of numbers. */
  add(document: number, vector: Float32Array): void {
    this.#vectors.set(document, this.#unit(vector));
  }

  remove(document: number): void {
    this.#vectors.delete(document);
  }

  /** The best `count` documents, best first, scored by the cosine. */
  async search(query: string, count: number, signal: AbortSignal): Promise<Scored[]> {
    const [embedded] = await this.embedder.embed([query], signal);
    const wanted = this.#unit(embedded ?? new Float32Array());
    const scored = [...this.#vectors].map(([document, vector]) => ({ document, score: dot(vector, wanted) }));
    return byScore(scored).slice(0, Math.max(0, count));
  }

  #unit(vector: Float32Array): Float32Array {
    const length = Math.sqrt(dot(vector, vector));
    if (vector.length !== this.embedder.dimensions || !Number.isFinite(length)) {
      throw new RoleZeroError(
        'invalid',
        `The embedder ${this.embedder.id} gave a vector of ${vector.length} numbers; ${this.embedder.dimensions} finite ones were expected.`,
        { embedder: this.embedder.id, length: vector.length },
      );
    }
    return length === 0 ? vector : vector.map((value) => value / length);
  }
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
