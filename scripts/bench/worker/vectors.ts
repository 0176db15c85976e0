import { create, insertMultiple, insert, search } from '@orama/orama';
import { loadHnswlib } from 'hnswlib-wasm';
import { exactVectors, type VectorIndex } from '../../../src/memory/vector-index.js';
import { QuantizedVectors } from '../../../src/memory/vectors/quantized-vectors.js';
import { topicVectors } from './data.js';
import { EMPTY, queryTimes, rangesOf, throughDatabase, timed, type Row } from './measure.js';

const DIMENSIONS = 384;
const FOUND = 10;
const QUERIES = 40;
/** In ms, the time after which a build is aborted. */
const PATIENCE = 30_000;

/** The 10 nearest of this many vectors with 384 numbers. */
export async function* measureVectors(size: number): AsyncGenerator<Row> {
  const vectors = topicVectors(size, DIMENSIONS, 1);
  const queries = topicVectors(QUERIES, DIMENSIONS, 2);
  const extra = topicVectors(100, DIMENSIONS, 3);
  const exact = exactVectors(DIMENSIONS);
  for (const [document, vector] of vectors.entries()) exact.add(document, vector);
  const wanted = queries.map((query) => new Set(exact.search(query, FOUND).map(({ document }) => document)));
  const recall = (found: readonly (readonly number[])[]) => {
    const hits = found.map((documents, at) => documents.filter((one) => wanted[at]?.has(one)).length);
    return hits.reduce((sum, count) => sum + count, 0) / (FOUND * queries.length);
  };

  for (const kernel of ['simd', 'plain'] as const) {
    const index = new QuantizedVectors(DIMENSIONS, { kernel });
    const [, build] = await timed(() => fill(index, vectors));
    const times = await queryTimes(queries, (query) => index.search(query, FOUND));
    const found = queries.map((query) => index.search(query, FOUND).map(({ document }) => document));
    const bytes = index.bytes;
    const packed = rangesOf(size).map((documents) => index.pack(documents));
    const [chunks, load] = await throughDatabase(`vectors-${kernel}`, packed);
    const [, fillIn] = await timed(() => {
      const loaded = new QuantizedVectors(DIMENSIONS, { kernel });
      for (const chunk of chunks) loaded.unpack(chunk);
    });
    const [, added] = await timed(() => fill(index, extra, size));
    yield {
      ...EMPTY,
      ...times,
      what: kernel === 'simd' ? 'rolezero/memory/vectors' : 'the same without WebAssembly',
      size,
      recall: recall(found),
      build,
      addOne: added / extra.length,
      bytes,
      load: load + fillIn,
    };
  }

  const naive = {
    ...EMPTY,
    what: 'naive scan (array of Float32Array, sorted)',
    size,
    recall: 1,
    build: 0,
    bytes: size * DIMENSIONS * 4,
  };
  yield { ...naive, ...(await queryTimes(queries.slice(0, 10), (query) => scan(vectors, query))) };
  yield await orama(size, vectors, queries, extra, recall);
  yield await hnsw(size, vectors, queries, recall);
}

function fill(index: VectorIndex, vectors: readonly Float32Array[], from = 0): void {
  for (const [at, vector] of vectors.entries()) index.add(from + at, vector);
}

function scan(vectors: readonly Float32Array[], query: Float32Array): number[] {
  const scored = vectors.map((vector, document) => {
    let score = 0;
    for (let at = 0; at < DIMENSIONS; at++) score += (vector[at] ?? 0) * (query[at] ?? 0);
    return { document, score };
  });
  scored.sort((one, other) => other.score - one.score);
  return scored.slice(0, FOUND).map(({ document }) => document);
}

type Recall = (found: readonly (readonly number[])[]) => number;

async function orama(
  size: number,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
  extra: readonly Float32Array[],
  recall: Recall,
): Promise<Row> {
  const database = create({ schema: { embedding: `vector[${DIMENSIONS}]` } as const });
  const row = (vector: Float32Array, at: number) => ({ id: String(at), embedding: [...vector] });
  const [, build] = await timed(() => insertMultiple(database, vectors.map(row), 1_000));
  const ask = async (query: Float32Array) => {
    const vector = { value: [...query], property: 'embedding' as const };
    const { hits } = await search(database, { mode: 'vector', vector, similarity: -1, limit: FOUND });
    return hits.map(({ id }) => Number(id));
  };
  const times = await queryTimes(queries.slice(0, 10), ask);
  const found: number[][] = [];
  for (const query of queries) found.push(await ask(query));
  const [, added] = await timed(async () => {
    for (const [at, vector] of extra.entries()) await insert(database, row(vector, size + at));
  });
  return {
    ...EMPTY,
    ...times,
    what: '@orama/orama',
    size,
    recall: recall(found),
    build,
    addOne: added / extra.length,
  };
}

async function hnsw(
  size: number,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
  recall: Recall,
): Promise<Row> {
  const what = 'hnswlib-wasm (M 16, efC 100, ef 400)';
  const library = await loadHnswlib();
  const index = new library.HierarchicalNSW('ip', DIMENSIONS, '');
  index.initIndex(size, 16, 100, 100);
  const start = performance.now();
  for (const [at, vector] of vectors.entries()) {
    index.addPoint(vector, at, false);
    if (performance.now() - start < PATIENCE) continue;
    return { ...EMPTY, what, size, note: `not built in ${PATIENCE / 1000} s: ${at} of ${size}` };
  }
  const build = performance.now() - start;
  index.setEfSearch(Math.min(size, 400));
  const ask = (query: Float32Array) => index.searchKnn(query, FOUND, undefined).neighbors;
  const times = await queryTimes(queries, ask);
  return { ...EMPTY, ...times, what, size, recall: recall(queries.map(ask)), build, addOne: build / size };
}

/** Bytes per second that JavaScript and the kernel read in this worker: the upper bound of a scan. */
export async function measureBandwidth(): Promise<{ javascript: number; kernel: number }> {
  const block = new Float64Array(4_000_000);
  let sum = 0;
  const [, plain] = await timed(() => {
    for (let turn = 0; turn < 5; turn++) for (let at = 0; at < block.length; at++) sum += block[at] ?? 0;
  });
  const index = new QuantizedVectors(DIMENSIONS, { kernel: 'simd' });
  const size = 4_096; // Until here, all bytes are read.
  fill(index, topicVectors(size, DIMENSIONS, 1));
  const query = topicVectors(1, DIMENSIONS, 2)[0] ?? new Float32Array(DIMENSIONS);
  const [, simd] = await timed(() => {
    for (let turn = 0; turn < 100; turn++) sum += index.search(query, 1).length;
  });
  if (sum < 0) throw new Error('never: it keeps the loops from being optimized away');
  return {
    javascript: (5 * block.byteLength * 1000) / plain,
    kernel: (100 * size * DIMENSIONS * 1000) / simd,
  };
}
