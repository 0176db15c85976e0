import type { VectorIndexFactory } from '../vector-index.js';
import { QuantizedVectors, type QuantizedVectorsOptions } from './quantized-vectors.js';

/**
 * Creates a vector index for the option `vectors` of long-term memory. It compares 100,000 vectors in about a millisecond.
 *
 * @example longTermMemory({ embedder, vectors: quantizedVectors() })
 */
export function quantizedVectors(options: QuantizedVectorsOptions = {}): VectorIndexFactory {
  return (dimensions) => new QuantizedVectors(dimensions, options);
}
