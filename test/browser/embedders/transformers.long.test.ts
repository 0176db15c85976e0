import { expect, test } from 'vitest';
import { transformersEmbedder } from '../../../src/embedders/transformers/index.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { quantizedVectors } from '../../../src/memory/vectors/index.js';
import { UserMessage } from '../../../src/core/message.js';
import { embeddingFiles } from '../../tiny-chain/onnx.js';
import { libraryWith } from '../../tiny-chain/served-library.js';

const DIMENSIONS = 64;

/** Returns a fixed vector for each byte. Upper and lower case of a letter share one, so that they count as related. */
const rows = Array.from({ length: 256 }, (_, byte) => {
  let state = String.fromCharCode(byte).toLowerCase().charCodeAt(0) + 1;
  return Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
});

/** The expected result: the mean over all bytes, normalized. */
function expected(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  const sums = Array.from({ length: DIMENSIONS }, (_, at) =>
    bytes.reduce((sum, byte) => sum + (rows[byte]?.[at] ?? 0), 0),
  );
  const length = Math.sqrt(sums.reduce((sum, value) => sum + value * value, 0));
  return sums.map((value) => value / length);
}

let loads = 0;
const model = 'tiny/bytes';
const embedder = (from = model) =>
  transformersEmbedder({
    model: from,
    dimensions: DIMENSIONS,
    batch: 2,
    pipeline: {
      load: async () => {
        loads++;
        const { pipeline } = libraryWith(model, embeddingFiles(rows));
        return pipeline('feature-extraction', from, { dtype: 'fp32', device: 'wasm' });
      },
    },
  });

test('the real library embeds texts of any length in batches and is loaded once', async () => {
  loads = 0;
  const one = embedder();
  const texts = ['Berlin', 'a much longer text, so that the other one is filled up', 'Übung 🎉', 'x'];
  const vectors = await one.embed(texts);
  expect(vectors).toHaveLength(texts.length);
  for (const [place, text] of texts.entries()) {
    const [vector, wanted] = [vectors[place] ?? new Float32Array(), expected(text)];
    expect(vector).toHaveLength(DIMENSIONS);
    expect(Math.max(...wanted.map((value, at) => Math.abs(value - (vector[at] ?? 9))))).toBeLessThan(1e-5);
  }
  await one.embed(['again']);
  expect(loads).toBe(1);
}, 60_000);

test('long-term memory finds a text by meaning without a shared word', async () => {
  const memory = new LongTermMemory({ maxMessages: 1, embedder: embedder(), vectors: quantizedVectors() });
  for (const content of ['zzzz qqqq', 'listen to me', 'kkkk vvvv', 'and now?'])
    memory.add(new UserMessage(content));
  const [best] = await memory.search('silent', 1); // the same letters
  expect(best?.message.content).toBe('listen to me');
}, 60_000);

test('names a model that cannot be loaded', async () => {
  await expect(embedder('tiny/nowhere').embed(['a'])).rejects.toMatchObject({ code: 'model-load' });
}, 60_000);
