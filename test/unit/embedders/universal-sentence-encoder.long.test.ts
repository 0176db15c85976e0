import { beforeAll, describe, expect, test } from 'vitest';
import { sentenceEncoder } from '../../../scripts/bench/sentence-encoder.js';
import type { Embedder } from '../../../src/core/model.js';
import { universalSentenceEncoder } from '../../../src/embedders/universal-sentence-encoder/index.js';
import { Tokenizer } from '../../../src/embedders/universal-sentence-encoder/tokens.js';

const cosine = (one: Float32Array, other: Float32Array) => {
  const dot = (left: Float32Array, right: Float32Array) =>
    left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
};

describe('the Universal Sentence Encoder lite, with its real weights', () => {
  let encoder: Embedder;
  beforeAll(async () => {
    encoder = await sentenceEncoder();
  });

  test('ranks texts of the same meaning above texts with the same words', async () => {
    const [query, same, words] = await encoder.embed([
      'How old are you?',
      'What is your age?',
      'How old is the church?',
    ]);
    if (query === undefined || same === undefined || words === undefined) throw new Error('too few vectors');
    expect(query).toHaveLength(encoder.dimensions);
    expect(cosine(query, same)).toBeGreaterThan(cosine(query, words));
    expect(cosine(query, same)).toBeGreaterThan(0.8);
  });

  test('gives a text the same vector alone and among others, in the order of the texts', async () => {
    const texts = ['A cat sleeps.', '', 'Rain fell all day on the old town, and nobody went out.', 'Hi'];
    const together = await encoder.embed(texts);
    for (const [place, text] of texts.entries()) {
      const [alone] = await encoder.embed([text]);
      if (text === '') expect(together[place]?.every((value) => value === 0)).toBe(true);
      else
        expect(cosine(alone ?? new Float32Array(), together[place] ?? new Float32Array())).toBeCloseTo(1, 4);
    }
  });

  test('stops on abort', async () => {
    await expect(encoder.embed(['a'], AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
  });
});

test('explains what to do without its files, and tries again', async () => {
  let tries = 0;
  const encoder = universalSentenceEncoder({
    tensorflow: {
      tensor1d: () => ({ data: async () => new Float32Array(), dispose: () => undefined }),
      tensor2d: () => ({ data: async () => new Float32Array(), dispose: () => undefined }),
      loadGraphModel: async () => Promise.reject(new Error('never called')),
    },
    files: async () => {
      tries++;
      throw new Error('no such file');
    },
  });
  for (const _ of [1, 2])
    await expect(encoder.embed(['a'])).rejects.toMatchObject({
      code: 'model-load',
      message: expect.stringContaining('universal-sentence-encoder.mjs') as string,
    });
  expect(tries).toBe(6);
});

test('splits a text in the most likely way, and joins unknown letters in a row', () => {
  const reserved = Array.from({ length: 6 }, (_, at): [string, number] => [`<${at}>`, 0]);
  const tokenizer = new Tokenizer([
    ...reserved,
    ['\u2581ab', -1], // 6
    ['\u2581', -3], // 7
    ['a', -2], // 8
    ['b', -2], // 9
    ['ba', -1.5], // 10
  ]);
  expect(tokenizer.encode('ab')).toEqual([6]);
  expect(tokenizer.encode('ba ab')).toEqual([7, 10, 6]);
  expect(tokenizer.encode('xyab')).toEqual([7, 0, 8, 9]);
  expect(tokenizer.encode('')).toEqual([]);
});
