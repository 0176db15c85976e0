import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactVectors, type VectorIndex } from '../../../src/memory/vector-index.js';
import { PlainKernel, simdKernel } from '../../../src/memory/vectors/kernel.js';
import { QuantizedVectors } from '../../../src/memory/vectors/quantized-vectors.js';

/** A random generator with a fixed sequence per seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Unit vectors around a hundred topics, distributed like those of texts. */
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
  test.each([384, 100])('finds the results of an exact search in %i dimensions', (dimensions) => {
    const index = new QuantizedVectors(dimensions, { kernel });
    const exact = exactVectors(dimensions);
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

test.each([512, 320, 40])('finds the same with and without SIMD, %i dimensions', (dimensions) => {
  expect(simdKernel()).not.toBeNull();
  expect(new PlainKernel().buffer.byteLength).toBeGreaterThan(0);
  const indexes = (['simd', 'plain'] as const).map((kernel) => new QuantizedVectors(dimensions, { kernel }));
  for (const [document, vector] of vectors(4_200, dimensions, 2).entries())
    for (const index of indexes) index.add(document, vector);
  for (const query of vectors(10, dimensions, 3)) {
    const [simd, plain] = indexes.map((index) => index.search(query, 10));
    expect(simd).toEqual(plain);
  }
});

const POOL = vectors(60, 24, 4);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ add: fc.nat(30), vector: fc.nat(59) }) },
  { weight: 3, arbitrary: fc.record({ remove: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.constant({ reload: true }) },
);

test('agrees with an exact index after any adds, removals, packing and unpacking', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(59), (steps, sought) => {
      let index: VectorIndex = new QuantizedVectors(24);
      let exact = exactVectors(24);
      for (const one of steps) {
        if ('add' in one) {
          const vector = POOL[one.vector] ?? new Float32Array(24);
          index.add(one.add, vector);
          exact.add(one.add, vector);
        } else if ('remove' in one) {
          index.remove(one.remove);
          exact.remove(one.remove);
        } else {
          const loaded = [new QuantizedVectors(24), exactVectors(24)] as const;
          for (const [at, from] of [index, exact].entries()) {
            for (const part of [1, 0]) {
              const documents = Array.from({ length: 31 }, (_, one) => one).filter((one) => one % 2 === part);
              const packed = structuredClone(from.pack(documents));
              expect(loaded[at]?.unpack(packed)).toEqual(documents.filter((one) => from.has(one)));
            }
          }
          [index, exact] = loaded;
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

test('leaves no byte of a removed vector in packed data', () => {
  const index = new QuantizedVectors(16);
  const plain = Float32Array.from({ length: 16 }, () => 0.25);
  const secret = Float32Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? 0.3 : -0.1));
  index.add(1, plain);
  index.add(2, secret);
  expect(new Set(index.pack([1, 2]).bytes)).toContain(256 - Math.round((127 * 0.1) / 0.3));
  index.remove(2);
  const { documents, bytes, scales } = index.pack([1, 2]);
  expect([[...documents], new Set(bytes), scales.length]).toEqual([[1], new Set([0, 127]), 1]);
  index.remove(1);
  expect(index.pack([1, 2]).documents).toHaveLength(0);
  expect(index.search(secret, 5)).toEqual([]);
});

test('restores packed vectors of many rows, and rejects damaged or foreign data', () => {
  const index = new QuantizedVectors(16);
  for (const [document, vector] of vectors(2_500, 16, 5).entries()) index.add(document, vector);
  const packed = index.pack(Array.from({ length: 2_500 }, (_, at) => 2_499 - at));
  const other = new QuantizedVectors(16);
  for (const value of [
    null,
    {},
    { ...packed, bytes: packed.bytes.slice(1) },
    { ...packed, scales: packed.scales.slice(1) },
    { ...packed, dimensions: 32 },
    { ...packed, signs: [...packed.signs] },
  ])
    expect(other.unpack(value)).toBeNull();
  expect([other.size, other.search(new Float32Array(16), 3)]).toEqual([0, []]);
  expect(new QuantizedVectors(32).unpack(packed)).toBeNull();
  expect(exactVectors(16).unpack(packed)).toBeNull();
  other.add(7, new Float32Array(16));
  expect(other.unpack(packed)).toBeNull(); // It has the seventh already.
  other.remove(7);
  expect(other.unpack(packed)).toHaveLength(2_500);
  for (const query of vectors(5, 16, 6)) expect(other.search(query, 10)).toEqual(index.search(query, 10));
});

test('rejects vectors of another length', () => {
  expect(() => new QuantizedVectors(0)).toThrow(expect.objectContaining({ code: 'invalid' }) as Error);
  expect(() => new QuantizedVectors(3).add(1, new Float32Array(4))).toThrow(
    expect.objectContaining({ code: 'invalid' }) as Error,
  );
});
