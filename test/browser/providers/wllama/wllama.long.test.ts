import { expect, inject, onTestFinished, test } from 'vitest';
import type { ChatChunk, ChatMessage } from '../../../../src/core/model.js';
import { wllama } from '../../../../src/providers/wllama/index.js';
import { ask, collect, textOf } from '../../../fault-server/collect.js';
import { markOf } from '../../../tiny-chain/chain.js';
import { SAYING } from '../../../tiny-chain/served.js';
import { tinyModel } from '../../../tiny-model/tiny-model.js';
import { engine, tinyWllama } from './tiny-wllama.js';

type WllamaModel = ReturnType<typeof wllama>;

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const say = (place: number) => ask({ messages: [user(markOf(place))] });
const progress = (chunks: readonly ChatChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'progress' ? [chunk.text] : []));

function usageOf({ chunks }: { chunks: readonly ChatChunk[] }): { cachedPromptTokens?: number } {
  return chunks.find((chunk) => chunk.type === 'usage') ?? {};
}

function ended(model: WllamaModel): WllamaModel {
  onTestFinished(() => model.unload());
  return model;
}

test('downloads its file once, reports progress, and loads without a network from then on', async () => {
  const site = tinyModel(inject('modelServer'));
  const model = site.chain;
  const first = ended(wllama({ engine, model }));
  expect(await first.isDownloaded()).toBe(false);
  const { chunks } = await collect(first, say(0));
  expect(chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('')).toBe(SAYING);
  expect(progress(chunks)[0]).toBe('Downloading chain, 1 of 1 MB.');
  expect(progress(chunks)).toContain('Loading chain.');
  expect(progress(chunks)).toContain('chain is ready on the processor.');
  expect(await first.isDownloaded()).toBe(true);

  await site.offline();
  const second = ended(wllama({ engine, model }));
  expect(await second.isDownloaded()).toBe(true);
  const again = await collect(second, say(0));
  expect(progress(again.chunks)[0]).toBe('Loading chain.'); // Nothing is downloaded.
  await first.unload();
  expect(await textOf(first, say(0))).toBe(SAYING); // Loaded again.
}, 120_000);

test('downloads its file without loading it', async () => {
  const site = tinyModel(inject('modelServer'));
  const model = ended(wllama({ engine, model: `${site.chain}?ahead` }));
  const phases = new Set<string | undefined>();
  for await (const { phase } of model.download()) phases.add(phase);
  expect([...phases]).toEqual(['downloading']);
  for await (const chunk of model.download()) expect.unreachable(`It is stored: ${chunk.text}`);
  await site.offline();
  expect(await textOf(model, say(0))).toBe(SAYING);
}, 120_000);

test('reads the start of a prompt ahead, and continues from there when it is ended', async () => {
  const model = ended(tinyWllama([{ text: 'Yes.' }], { load: { n_batch: 32, n_ubatch: 32 } }));
  const system: ChatMessage = { role: 'system', content: 'All there is to know. '.repeat(60) };
  const request = ask({ messages: [system, user(markOf(0))] });
  const ending = new AbortController();
  const preparing = (async () => {
    for await (const { phase, loaded } of model.prepare?.([system], ending.signal) ?? [])
      if (phase === 'reading' && loaded > 300) ending.abort();
  })();
  await expect(preparing).rejects.toThrow('Stopped.');
  const partly = usageOf(await collect(model, request));
  expect(partly.cachedPromptTokens).toBeGreaterThan(300);

  const other: ChatMessage = { role: 'system', content: 'Something else. '.repeat(60) };
  for await (const { phase } of model.prepare?.([other], new AbortController().signal) ?? [])
    expect(phase).toBe('reading');
  const whole = usageOf(await collect(model, ask({ messages: [other, user(markOf(0))] })));
  expect(whole.cachedPromptTokens).toBeGreaterThan(other.content.length - 20);
}, 120_000);

test('names a file that cannot be loaded or is not a model', async () => {
  const site = tinyModel(inject('modelServer'));
  await site.offline();
  const away = await collect(wllama({ engine, model: site.chain }), say(0));
  expect([away.error?.code, away.error?.detail['kind']]).toEqual(['model-load', 'download']);
  expect(away.error?.message).toContain('chain could not be downloaded');

  const broken = wllama({ engine, model: [new Blob(['GGUF, or so it says'])], name: 'broken' });
  const { error } = await collect(broken, say(0));
  expect([error?.code, error?.detail['kind']]).toEqual(['model-load', 'engine']);
  expect(error?.message).toContain('broken could not be loaded');
}, 120_000);

test('reads only new messages of a growing conversation, and reports progress with a long one', async () => {
  const model = ended(tinyWllama([{ text: 'Yes.' }]));
  const long = 'All there is to know. '.repeat(60);
  const { chunks } = await collect(model, ask({ messages: [user(`${long}${markOf(0)}`)] }));
  expect(progress(chunks).filter((text) => text.startsWith('Reading the prompt'))).not.toEqual([]);
  const messages = [user(`${long}${markOf(0)}`), assistant('Yes.'), user(`And now? ${markOf(0)}`)];
  const again = await collect(model, ask({ messages }));
  const usage = again.chunks.find((chunk) => chunk.type === 'usage');
  expect(usage?.cachedPromptTokens).toBeGreaterThan(long.length);
  expect((usage?.promptTokens ?? 0) - (usage?.cachedPromptTokens ?? 0)).toBeLessThan(40);
}, 120_000);

test('aborts reading a prompt when it is stopped, and reloads after a crash', async () => {
  const model = ended(tinyWllama([{ text: 'Yes.' }]));
  const stopping = new AbortController();
  const heard: ChatChunk[] = [];
  const call = (async () => {
    const messages = [user(`${'All there is to know. '.repeat(60)}${markOf(0)}`)];
    for await (const chunk of model.chat(ask({ messages, signal: stopping.signal }))) {
      heard.push(chunk);
      if (chunk.type === 'progress' && chunk.text.startsWith('Reading')) stopping.abort();
    }
  })();
  await expect(call).rejects.toThrow('Stopped.');
  expect(heard.filter(({ type }) => type === 'text-delta')).toEqual([]);
  expect(await textOf(model, say(0))).toBe('Yes.');

  const schema = { $ref: '#/nowhere' };
  const { error } = await collect(model, ask({ messages: [user('Hi')], responseSchema: schema }));
  expect([error?.code, error?.detail['retryable']]).toEqual(['model-request', true]);
  const { chunks } = await collect(model, say(0));
  expect(progress(chunks)).toContain('Loading tiny.');
}, 120_000);

test('rejects invalid limits', () => {
  expect(() => tinyWllama([], { contextWindow: 0 })).toThrow('contextWindow must be a whole number above 0.');
  expect(() => tinyWllama([], { maxOutputTokens: 1.5 })).toThrow('maxOutputTokens must be a whole number');
});
