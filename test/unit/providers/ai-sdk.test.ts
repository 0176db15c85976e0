import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../src/core/model.js';
import { fromAiSdk as create } from '../../../src/providers/ai-sdk/index.js';
import { ask, collect, textOf } from '../../fault-server/collect.js';
import { fakeModel } from './ai-sdk-fake.js';

type FromAiSdkOptions = NonNullable<Parameters<typeof create>[1]>;

const hurried: FromAiSdkOptions = { random: () => 0 };
const fromAiSdk = (model: Parameters<typeof create>[0], options: FromAiSdkOptions = {}) =>
  create(model, { contextWindow: 32_768, ...options });

/** As `@ai-sdk/provider` creates them. */
function apiError(more: object): Error {
  return Object.assign(new Error('Something is wrong.'), {
    name: 'AI_APICallError',
    isRetryable: false,
    ...more,
  });
}

describe('fromAiSdk', () => {
  it('takes the limits of known models from the catalogue, and requires the window of others', () => {
    const known = { ...fakeModel([]), modelId: 'claude-sonnet-4-5' };
    expect(create(known)).toMatchObject({
      contextWindow: 200_000,
      maxOutputTokens: 32_768,
      supports: { images: true },
    });
    expect(create(known, { contextWindow: 8_192, images: false })).toMatchObject({
      contextWindow: 8_192,
      supports: { images: false },
    });
    expect(() => create(fakeModel([]))).toThrow(
      'contextWindow is missing: "m1" is not in the catalogue of known models. Write fromAiSdk(model, { contextWindow: 32_768 })',
    );
  });

  it('takes name and sizes of its model', () => {
    expect(fromAiSdk(fakeModel([]), { maxOutputTokens: 99, jsonSchema: true })).toMatchObject({
      id: 'fake.chat/m1',
      contextWindow: 32_768,
      maxOutputTokens: 99,
      supports: { jsonSchema: true, images: false, seed: false },
    });
    expect(() => fromAiSdk({ ...fakeModel([]), specificationVersion: 'v1' })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });

  it('passes on everything in the request that the model supports', async () => {
    const fake = fakeModel([{}, {}]);
    const schema = { type: 'object' };
    const request = ask({
      responseSchema: schema,
      seed: 7,
      temperature: 0.5,
      stop: ['END'],
      maxOutputTokens: 500,
    });
    const options = {
      jsonSchema: true,
      seed: true,
      maxOutputTokens: 300,
      headers: { a: 'b' },
      providerOptions: { x: { y: 1 } },
    };
    await collect(fromAiSdk(fake, options), request);
    await collect(fromAiSdk(fake), request);
    const common = {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      temperature: 0.5,
      stopSequences: ['END'],
    };
    const [full, plain] = fake.calls.map(({ abortSignal, ...rest }) => ({
      ...rest,
      stops: abortSignal !== undefined,
    }));
    expect(full).toEqual({
      ...common,
      stops: true,
      seed: 7,
      maxOutputTokens: 300,
      responseFormat: { type: 'json', name: 'reply', schema },
      headers: { a: 'b' },
      providerOptions: { x: { y: 1 } },
    });
    expect(plain).toEqual({ ...common, stops: true, maxOutputTokens: 500 });
  });

  it.each([
    ['temperature', 'temperature', "Unsupported value: 'temperature' does not support 0 with this model."],
    ['response_format', 'responseFormat', 'This model does not support response_format.'],
  ])('asks again without a %s that the provider rejects, with a warning', async (field, option, message) => {
    const error = Object.assign(new Error('Bad Request'), {
      statusCode: 400,
      responseBody: JSON.stringify({ error: { message } }),
    });
    const fake = fakeModel([error, {}, {}]);
    const choosy = fromAiSdk(fake, { jsonSchema: true });
    const request = ask({ temperature: 0, responseSchema: { type: 'object' } });
    const { chunks, error: failure } = await collect(choosy, request);
    expect([failure, chunks[0]]).toEqual([
      null,
      {
        type: 'progress',
        phase: 'waiting',
        loaded: 0,
        total: 1,
        text: `The server does not take ${field}: asking again without it.`,
        warning: 'model-request',
      },
    ]);
    await collect(choosy, request);
    expect(fake.calls.map((call) => option in call)).toEqual([true, false, false]);
    expect(choosy.supports?.jsonSchema).toBe(field === 'temperature');
  });

  it.each([
    ['v2', 'AAAA', new URL('https://a.example/b.png')],
    ['v3', 'AAAA', new URL('https://a.example/b.png')],
    ['v4', { type: 'data', data: 'AAAA' }, { type: 'url', url: new URL('https://a.example/b.png') }],
  ] as const)('converts images to the format of version %s', async (version, inline, linked) => {
    const messages: ChatMessage[] = [
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', url: 'data:image/png;base64,AAAA' },
          { type: 'image', url: 'https://a.example/b.png' },
        ],
      },
      { role: 'assistant', content: 'A cat.' },
    ];
    const fake = fakeModel([{}, {}], version);
    await collect(fromAiSdk(fake, { images: true }), ask({ messages }));
    await collect(fromAiSdk(fake), ask({ messages }));
    expect(fake.calls[0]?.prompt).toEqual([
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'file', mediaType: 'image/png', data: inline },
          { type: 'file', mediaType: 'image/*', data: linked },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'A cat.' }] },
    ]);
    expect(JSON.stringify(fake.calls[1]?.prompt)).not.toContain('AAAA');
  });

  it.each([
    ['v2', 'length', { inputTokens: 9, outputTokens: 4, cachedInputTokens: 5 }],
    [
      'v3',
      { unified: 'length', raw: 'max' },
      { inputTokens: { total: 9, cacheRead: 5 }, outputTokens: { total: 4 } },
    ],
    [
      'v4',
      { unified: 'length', raw: 'max' },
      { inputTokens: { total: 9, cacheRead: 5 }, outputTokens: { total: 4 } },
    ],
  ] as const)('reads finish and usage of a reply of version %s', async (version, finishReason, usage) => {
    const fake = fakeModel([[{ type: 'finish', finishReason, usage }]], version);
    expect((await collect(fromAiSdk(fake))).chunks).toEqual([
      { type: 'usage', promptTokens: 9, completionTokens: 4, cachedPromptTokens: 5 },
      { type: 'finish', reason: 'length' },
    ]);
  });

  it.each([
    ['ends without an end', []],
    ['was interrupted', [{ type: 'finish', finishReason: { unified: 'interrupted' }, usage: {} }]],
    ['ended in an error', [{ type: 'finish', finishReason: 'error', usage: {} }]],
  ])('rejects a reply that %s, and can retry after it was shown', async (_, parts) => {
    const fake = fakeModel([[{ type: 'text-delta', id: '1', delta: 'Half' }, ...parts]]);
    const { chunks, error } = await collect(fromAiSdk(fake, hurried));
    expect(chunks).toEqual([{ type: 'text-delta', text: 'Half' }]);
    expect(error).toMatchObject({ code: 'model-request', detail: { kind: 'incomplete', retryable: true } });
  });

  it('retries before anything was shown, and reports it', async () => {
    const busy = apiError({ statusCode: 503, isRetryable: true, url: 'https://api.example/v1/chat?key=k' });
    const fake = fakeModel([busy, [], { pieces: ['Here.'] }]);
    const { chunks } = await collect(fromAiSdk(fake, hurried));
    expect(chunks.map(({ type }) => type)).toEqual(['progress', 'progress', 'text-delta', 'usage', 'finish']);
    expect(chunks[0]).toMatchObject({
      text: 'Trying again in 0.0 s (1 of 5). api.example could not answer (503). It reported: Something is wrong.',
    });
  });

  it('gives up after the maximum number of attempts', async () => {
    const away = () => apiError({ isRetryable: true, message: 'Cannot connect to API' });
    const { error } = await collect(fromAiSdk(fakeModel([away(), away()]), { ...hurried, retries: 1 }));
    expect(error).toMatchObject({ code: 'model-unreachable', detail: { attempts: 2, retryable: false } });
  });

  it.each([
    [apiError({ statusCode: 401 }), 'model-request', 'refused the API key'],
    [apiError({ statusCode: 429 }), 'model-request', 'asks for fewer requests'],
    [
      apiError({ statusCode: 400, responseBody: '{"error":{"message":"maximum context length"}}' }),
      'context-overflow',
      'contextWindow',
    ],
    [Object.assign(new Error('No key.'), { name: 'AI_LoadAPIKeyError' }), 'model-request', 'No key.'],
    [new DOMException('Stop.', 'AbortError'), 'aborted', 'Stopped.'],
  ])('reports %s as %s', async (thrown, code, words) => {
    const { error } = await collect(fromAiSdk(fakeModel([thrown]), { ...hurried, retries: 0 }));
    expect(error).toMatchObject({ code });
    expect(error?.message).toContain(words);
  });

  it('gives up on a model that stops sending', async () => {
    const silent = fakeModel([{ pieces: ['x'], then: 'hang' }]);
    const { error } = await collect(fromAiSdk(silent, { timeouts: { idleMs: 20 } }));
    expect(error).toMatchObject({ code: 'model-timeout', detail: { limit: 'idle' } });
    expect(silent.open()).toBe(0);
  });

  it('ignores unknown parts', async () => {
    const odd = [
      null,
      7,
      { type: 'ping' },
      { type: 'text-delta', delta: 7 },
      { type: 'tool-call' },
      { type: 'raw' },
    ];
    const end = { type: 'finish', finishReason: { unified: 'tool-calls' } };
    const fake = fakeModel([[...odd, { type: 'text-delta', delta: 'a' }, end]]);
    expect(await textOf(fromAiSdk(fake))).toBe('a');
  });
});
