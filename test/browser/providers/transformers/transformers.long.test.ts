import { expect, onTestFinished, test } from 'vitest';
import type { ChatChunk } from '../../../../src/core/model.js';
import { ask, collect, textOf } from '../../../fault-server/collect.js';
import { markOf, type Saying } from '../../../tiny-chain/chain.js';
import { tinyTransformers } from './tiny-transformers.js';

const say = (place: number) => ({ messages: [{ role: 'user' as const, content: markOf(place) }] });
const progress = (chunks: readonly ChatChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'progress' ? [chunk.text] : []));

function fresh(...sayings: Saying[]) {
  const model = tinyTransformers(sayings);
  onTestFinished(() => model.unload());
  return model;
}

test('reports download progress, loads once, and loads again after it was unloaded', async () => {
  const model = fresh({ text: 'Yes.' });
  const first = progress((await collect(model, ask(say(0)))).chunks);
  expect(first[0]).toMatch(/^Opening tiny\/chain-/);
  expect(first).toContain('Downloading onnx/model.onnx, 1 of 1 MB.');
  expect(first.at(-1)).toMatch(/is ready\.$/);
  expect(progress((await collect(model, ask(say(0)))).chunks)).toEqual([]);
  await model.unload();
  expect(progress((await collect(model, ask(say(0)))).chunks)).toContain(first[0]);
}, 60_000);

test('ends its reply at a stop string, which it does not return', async () => {
  const model = fresh({ text: 'One, two. END And so on.' }, { text: 'All of it: EN' });
  const { chunks, error } = await collect(model, ask({ ...say(0), stop: ['never', 'END'] }));
  expect(error).toBe(null);
  expect(chunks.filter(({ type }) => type === 'text-delta')).toEqual([
    { type: 'text-delta', text: 'One, two. ' },
  ]);
  expect(chunks.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  expect(await textOf(model, ask({ ...say(1), stop: ['END'] }))).toBe('All of it: EN');
}, 60_000);

test('counts tokens as its tokenizer does: bytes, in this case', async () => {
  const model = fresh();
  expect(await model.countTokens('a b 🎉')).toBe(8);
}, 60_000);

test('names a model that cannot be loaded, and rejects invalid limits', async () => {
  const nowhere = tinyTransformers([], { model: 'tiny/nowhere' });
  const { error } = await collect(nowhere, ask());
  expect(error?.code).toBe('model-load');
  expect(error?.message).toContain('tiny/nowhere could not be loaded');
  expect(() => tinyTransformers([], { contextWindow: 0 })).toThrow('contextWindow must be a whole number');
}, 60_000);
