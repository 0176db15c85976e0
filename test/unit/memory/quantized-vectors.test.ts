import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kernelModule } from '../../../scripts/vector-kernel.mjs';
import { readFileSync } from 'node:fs';
import { exactVectors } from '../../../src/memory/vector-index.js';
import { plainKernel, simdKernel } from '../../../src/memory/vectors/kernel.js';
import { QuantizedVectors, type SavedChunk } from '../../../src/memory/vectors/quantized-vectors.js';

/** The same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Vectors of length one around some hundred topics, as texts lie. */
function vectors(count: number, dimensions: number, seed: number): Float32Array[] {
  const random = randomNumbers(seed);
  const filled = (value: () => number) => {
    const vector = new Float32Array(dimensions);
    for (let at = 0; at < dimensions; at++) vector[at] = value();
    return vector;
  };
  const spread = () => random() + random() + random() - 1.5;
  const topics = Array.from({ length: 100 }, () => filled(spread));
  return Array.from({ length: count }, () => {
    const topic = topics[Math.floor(random() * topics.length)] ?? new Float32Array(dimensions);
    let at = 0;
    const vector = filled(() => (topic[at++] ?? 0) + 0.8 * spread());
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    return vector.map((value) => value / length);
  });
}

const documentsOf = (found: readonly { document: number }[]) => found.map(({ document }) => document);

describe.each(['simd', 'plain'] as const)('with the %s kernel', (kernel) => {
  test.each([384, 100])('of %i dimensions it finds what an exact search finds', (dimensions) => {
    const index = new QuantizedVectors(dimensions, { kernel });
    const exact = exactVectors();
    for (const [document, vector] of vectors(4_500, dimensions, 1).entries()) {
      index.add(document, vector);
      exact.add(document, vector);
    }
    let found = 0;
    const queries = vectors(20, dimensions, 1);
    for (const query of queries) {
      const wanted = new Set(documentsOf(exact.search(query, 10)));
      const got = index.search(query, 10);
      found += got.filter(({ document }) => wanted.has(document)).length;
      expect(got[0]?.score).toBeCloseTo(exact.search(query, 1)[0]?.score ?? -1, 2);
    }
    expect(found / (10 * queries.length)).toBeGreaterThan(0.97);
  });
});

test('there is SIMD here, and both kernels find the same', () => {
  expect(simdKernel()).not.toBeNull();
  expect(plainKernel().buffer.byteLength).toBeGreaterThan(0);
  const indexes = (['simd', 'plain'] as const).map((kernel) => new QuantizedVectors(512, { kernel }));
  for (const [document, vector] of vectors(4_200, 512, 2).entries())
    for (const index of indexes) index.add(document, vector);
  for (const query of vectors(10, 512, 3)) {
    const [simd, plain] = indexes.map((index) => index.search(query, 10));
    expect(simd).toEqual(plain);
  }
});

test('the compiled kernels are those of the source', async () => {
  const path = new URL('../../../src/memory/vectors/kernel-bytes.ts', import.meta.url);
  expect(readFileSync(path, 'utf8')).toBe(await kernelModule());
});

const POOL = vectors(60, 24, 4);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ add: fc.nat(30), vector: fc.nat(59) }) },
  { weight: 3, arbitrary: fc.record({ remove: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.constant({ reload: true }) },
);

test('whatever is added, removed, saved in chunks and loaded, it is as an exact index', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(59), (steps, sought) => {
      let index = new QuantizedVectors(24);
      const exact = exactVectors();
      const saved = new Map<number, SavedChunk>();
      for (const one of steps) {
        if ('add' in one) {
          const vector = POOL[one.vector] ?? new Float32Array(24);
          index.add(one.add, vector);
          exact.add(one.add, vector);
        } else if ('remove' in one) {
          index.remove(one.remove);
          exact.remove(one.remove);
        } else {
          for (const [chunk, bytes] of index.takeChanged())
            if (bytes === null) saved.delete(chunk);
            else saved.set(chunk, bytes);
          index = new QuantizedVectors(24);
          expect(index.load([...saved].sort(([a], [b]) => a - b).map(([, bytes]) => bytes))).toBe(true);
        }
        expect(index.size).toBe(exact.size);
      }
      const query = POOL[sought] ?? new Float32Array(24);
      const wanted = new Map(exact.search(query, 99).map(({ document, score }) => [document, score]));
      const found = index.search(query, 99);
      expect(new Set(documentsOf(found))).toEqual(new Set(wanted.keys()));
      for (const { document, score } of found)
        expect(Math.abs(score - (wanted.get(document) ?? 9))).toBeLessThan(0.02);
    }),
  );
});

test('of a removed vector no byte is left: neither in what is saved, nor where it was', () => {
  const index = new QuantizedVectors(16);
  const secret = Float32Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? 0.3 : -0.1));
  index.add(
    1,
    Float32Array.from({ length: 16 }, () => 0.25),
  );
  index.takeChanged();
  index.add(2, secret);
  const before = index.takeChanged().get(0);
  index.remove(2);
  const after = index.takeChanged().get(0);
  expect([before?.length, after?.length]).toEqual([2 * (8 + 4 + 64 + 8) + 8, 8 + 4 + 64 + 8 + 8]);
  index.remove(1);
  expect(index.takeChanged()).toEqual(new Map([[0, null]]));
  expect(index.search(secret, 5)).toEqual([]);
});

test('chunks that are damaged, of another index, or not in order are refused, and nothing of them is kept', () => {
  const index = new QuantizedVectors(16);
  for (const [document, vector] of vectors(1_500, 16, 5).entries()) index.add(document, vector);
  const [first, second] = [...index.takeChanged().values()];
  if (!first || !second) throw new Error('two chunks were expected');
  for (const chunks of [
    [second, first],
    [first, first],
    [first, second.slice(1)],
    [first, new Uint8Array(3)],
  ]) {
    const other = new QuantizedVectors(16);
    expect(other.load(chunks)).toBe(false);
    expect([other.size, other.search(new Float32Array(16), 3)]).toEqual([0, []]);
  }
  expect(new QuantizedVectors(32).load([first, second])).toBe(false);
  const same = new QuantizedVectors(16);
  expect(same.load([first, second])).toBe(true);
  expect(same.size).toBe(1_500);
});

test('vectors of another length are refused', () => {
  expect(() => new QuantizedVectors(0)).toThrow(expect.objectContaining({ code: 'invalid' }) as Error);
  expect(() => new QuantizedVectors(3).add(1, new Float32Array(4))).toThrow(
    expect.objectContaining({ code: 'invalid' }) as Error,
  );
});
