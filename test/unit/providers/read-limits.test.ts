import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../src/core/defined.js';
import { openai, readLimits } from '../../../src/providers/openai/index.js';
import { startFaultServer, type FaultServer, type SeenRequest } from '../../fault-server/fault-server.js';
import { json, refusal, stall, type Reply } from '../../fault-server/replies.js';

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());
afterEach(() => {
  (server.requests as unknown[]).length = 0;
});

/** Responses by path; every other path gets a 404. */
function serve(replies: Record<string, Reply | ((request: SeenRequest) => Reply)>): void {
  const answer = (request: SeenRequest): Reply => {
    const reply = replies[request.path];
    if (reply === undefined) return refusal(404, 'Not found.');
    return typeof reply === 'function' ? reply(request) : reply;
  };
  server.script([answer], 'repeat');
}

const list = (...data: unknown[]) => json(200, { object: 'list', data });
const model = 'qwen3';
/** Options with which the model is not called: how it replies is known. */
const given = () => ({ baseURL: server.url, model, toolCalls: false });
const ENDPOINTS = ['GET /v1/models', 'GET /api/v0/models', 'GET /props', 'GET /api/ps'];
const asked = () => server.requests.map(({ method, path }) => `${method} ${path}`);

describe('the limits of a model', () => {
  it.each<[string, unknown, unknown]>([
    ['a server', { id: model, max_model_len: 40_960 }, { contextWindow: 40_960 }],
    [
      'vLLM',
      { id: model, owned_by: 'vllm', max_model_len: 40_960 },
      { contextWindow: 40_960, jsonSchema: true },
    ],
    [
      'Groq',
      { id: model, context_window: 131_072, max_completion_tokens: 16_384 },
      { contextWindow: 131_072, maxOutputTokens: 16_384 },
    ],
    ['Mistral', { id: model, max_context_length: 262_144 }, { contextWindow: 262_144 }],
    [
      'Together',
      { id: model, context_length: 32_768, pricing: { prompt: 1, completion: 2 } },
      { contextWindow: 32_768 },
    ],
    [
      'OpenRouter',
      {
        id: model,
        context_length: 262_144,
        architecture: { input_modalities: ['text', 'image'] },
        pricing: { prompt: '0.00000025', completion: '0.000002' },
        top_provider: { context_length: 131_072, max_completion_tokens: 65_536 },
        supported_parameters: ['temperature', 'response_format', 'structured_outputs'],
      },
      {
        contextWindow: 131_072,
        maxOutputTokens: 65_536,
        images: true,
        jsonSchema: true,
        price: { promptPerMillion: 0.25, completionPerMillion: 2 },
      },
    ],
  ])('are read from the list of %s', async (_name, entry, limits) => {
    serve({ '/v1/models': list({ id: 'other', max_model_len: 1 }, entry) });
    expect(await readLimits(given())).toEqual({ ...given(), ...(limits as object) });
    expect(asked()).toEqual(['GET /v1/models']);
  });

  it('are read from LM Studio, as the model was loaded', async () => {
    serve({
      '/v1/models': list({ id: model, object: 'model' }),
      '/api/v0/models': list({
        id: model,
        state: 'loaded',
        max_context_length: 131_072,
        loaded_context_length: 8_192,
      }),
    });
    expect(await readLimits(given())).toEqual({ ...given(), contextWindow: 8_192, jsonSchema: true });
  });

  it('are read from llama.cpp', async () => {
    serve({
      '/v1/models': list({ id: model, meta: { n_ctx_train: 131_072, n_params: 1_543_714_304 } }),
      '/props': json(200, { default_generation_settings: { n_ctx: 16_384 } }),
    });
    const limits = await readLimits(given());
    const found = {
      contextWindow: 16_384,
      jsonSchema: true,
      promptProgress: true,
      parameters: 1_543_714_304,
    };
    expect(limits).toEqual({ ...given(), ...found });
    expect(openai(limits).parameters).toBe(1_543_714_304);
  });

  it('are read from Ollama, where the model is loaded', async () => {
    serve({
      '/v1/models': list({ id: 'qwen3:latest', owned_by: 'library' }),
      '/api/ps': json(200, {
        models: [{ name: 'qwen3:latest', model: 'qwen3:latest', context_length: 4_096 }],
      }),
    });
    expect(await readLimits(given())).toEqual({ ...given(), contextWindow: 4_096, jsonSchema: true });
    expect(asked()).not.toContain('POST /api/generate');
  });

  it('are read from Ollama after it has loaded the model', async () => {
    let loaded = false;
    serve({
      '/v1/models': list({ id: 'qwen3:latest', owned_by: 'library' }),
      '/api/ps': () =>
        json(200, { models: loaded ? [{ name: 'qwen3:latest', context_length: 32_768 }] : [] }),
      '/api/generate': ({ body }) => {
        expect(body).toEqual({ model, stream: false });
        loaded = true;
        return json(200, { model, done: true, done_reason: 'load' });
      },
    });
    expect(await readLimits(given())).toEqual({ ...given(), contextWindow: 32_768, jsonSchema: true });
  });

  it('create a model', async () => {
    serve({ '/v1/models': list({ id: model, max_model_len: 40_960 }) });
    expect(openai(await readLimits(given())).contextWindow).toBe(40_960);
  });

  it('are not requested when the options or the catalogue have them', async () => {
    serve({});
    const complete = { ...given(), contextWindow: 1_000, jsonSchema: false };
    expect(await readLimits(complete)).toEqual(complete);
    const hosted = { baseURL: 'https://models.invalid/v1', model, contextWindow: 1_000 };
    expect(await readLimits(hosted)).toEqual(hosted);
    const known = { baseURL: server.url, model: 'gpt-5-mini' };
    expect(await readLimits(known)).toEqual({ ...known, contextWindow: 400_000 });
    expect(server.requests).toEqual([]);
  });

  it.each<[string, Record<string, Reply>, string[]]>([
    ['llama.cpp', { '/v1/models': list({ id: model, owned_by: 'llamacpp' }) }, ['GET /v1/models']],
    ['LM Studio', { '/v1/models': list({ id: model }), '/api/v0/models': list({ id: model }) }, ENDPOINTS],
    ['Ollama', { '/v1/models': list({ id: model }), '/api/ps': json(200, { models: [] }) }, ENDPOINTS],
  ])('of %s include that it enforces a schema, without loading the model', async (name, replies, paths) => {
    serve(replies);
    const options = { ...given(), contextWindow: 1_000 };
    expect(await readLimits(options)).toEqual({
      ...options,
      jsonSchema: true,
      ...(name === 'llama.cpp' && { promptProgress: true }),
    });
    expect(asked()).toEqual(paths);
  });

  it.each<[string, Record<string, Reply>]>([
    ['an unknown server', { '/v1/models': list({ id: model, owned_by: 'me' }) }],
    ['a server that wants a key', { '/v1/models': refusal(401, 'No.') }],
    ['a server without a list', {}],
  ])('with a window leave the schema to the default at %s', async (_what, replies) => {
    serve(replies);
    const options = { ...given(), contextWindow: 1_000 };
    expect(await readLimits(options)).toEqual(options);
  });

  it('with a window need no server', async () => {
    const closed = await startFaultServer();
    await closed.close();
    const options = { baseURL: closed.url, model, contextWindow: 1_000 };
    expect(await readLimits(options)).toEqual(options);
  });

  it('do not override options', async () => {
    serve({ '/v1/models': list({ id: model, context_window: 131_072, max_completion_tokens: 16_384 }) });
    const options = { ...given(), maxOutputTokens: 500 };
    expect(await readLimits(options)).toEqual({ ...options, contextWindow: 131_072 });
  });

  it('are requested with the key at the base URL, and nowhere else', async () => {
    serve({ '/v1/models': list(), '/props': json(200, { default_generation_settings: { n_ctx: 512 } }) });
    await readLimits({ ...given(), apiKey: 'sk-canary-7f3a', headers: { 'x-key': 'canary-2' } });
    const keys = server.requests.map(({ path, headers }) => [
      path,
      headers['authorization'],
      headers['x-key'],
    ]);
    expect(keys.toSorted()).toEqual([
      ['/api/ps', undefined, undefined],
      ['/api/v0/models', undefined, undefined],
      ['/props', undefined, undefined],
      ['/v1/models', 'Bearer sk-canary-7f3a', 'canary-2'],
    ]);
  });

  it.each<[string, Record<string, Reply>]>([
    ['does not list the model', { '/v1/models': list() }],
    ['has no list', {}],
    ['sends a page', { '/v1/models': json(200, '<html>') }],
    [
      'has not loaded the model',
      { '/api/v0/models': list({ id: model, state: 'not-loaded', max_context_length: 131_072 }) },
    ],
    ['says nonsense', { '/v1/models': list({ id: model, max_model_len: -1 }, null) }],
  ])('are missing where the server %s', async (_what, replies) => {
    serve(replies);
    await expect(readLimits(given())).rejects.toMatchObject({
      code: 'invalid',
      message: `${new URL(server.url).host} does not say how many tokens fit into "qwen3"; a server may say it only once the model is loaded. Write contextWindow: 32_768 (the tokens that the server really reads).`,
      detail: { option: 'contextWindow', model },
    });
  });

  it('name a wrong key', async () => {
    serve({ '/v1/models': refusal(401, 'Incorrect API key: sk-canary-7f3a') });
    const failure = readLimits({ ...given(), apiKey: 'sk-canary-7f3a' });
    await expect(failure).rejects.toMatchObject({
      code: 'model-request',
      message: expect.stringMatching(/refused the API key.*\[secret\]/) as string,
    });
  });

  it('name a placeholder before anything is sent', async () => {
    serve({});
    await expect(readLimits({ ...given(), apiKey: 'sk-…' })).rejects.toMatchObject({ code: 'invalid' });
    expect(server.requests).toEqual([]);
  });

  it('name an unreachable server', async () => {
    const closed = await startFaultServer();
    await closed.close();
    await expect(readLimits({ baseURL: closed.url, model })).rejects.toMatchObject({
      code: 'model-unreachable',
      detail: { likely: [expect.stringContaining('nothing listens')] },
    });
  });

  it('can be stopped', async () => {
    serve({ '/v1/models': [stall] });
    const stopping = new AbortController();
    const limits = readLimits(given(), { signal: stopping.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    stopping.abort();
    await expect(limits).rejects.toMatchObject({ code: 'aborted' });
    await expect.poll(() => server.requests[0]?.state).toBe('closed');
  });

  const answers = (message: unknown) =>
    json(200, { choices: [{ index: 0, message, finish_reason: 'stop' }] });
  const CALL = { id: 'c1', type: 'function', function: { name: 'answer', arguments: '{"word":"ready"}' } };

  it.each<[string, Reply, boolean | undefined]>([
    ['calls a tool', answers({ content: null, tool_calls: [CALL] }), true],
    [
      'writes the call as text',
      answers({ content: '{"name": "answer", "arguments": {"word": "ready"}}' }),
      undefined,
    ],
    [
      'calls another tool',
      answers({ tool_calls: [{ ...CALL, function: { name: 'other', arguments: '{}' } }] }),
      undefined,
    ],
    ['rejects tools', refusal(400, 'this model does not support tools'), undefined],
    ['answers with anything else', json(200, 'hello'), undefined],
  ])('include native calls when the model calls a tool, asked to: %s', async (_what, reply, toolCalls) => {
    serve({
      '/v1/models': list({ id: model, owned_by: 'vllm', max_model_len: 40_960 }),
      '/v1/chat/completions': reply,
    });
    const found = await readLimits({ baseURL: server.url, model });
    expect(found).toEqual({
      baseURL: server.url,
      model,
      contextWindow: 40_960,
      jsonSchema: true,
      ...defined({ toolCalls }),
    });
    expect(openai(found).supports?.toolCalls).toBe(toolCalls === true);
    expect(asked().filter((request) => request === 'POST /v1/chat/completions').length).toBe(1);
    expect(server.requests.at(-1)?.body).toMatchObject({ model, tools: [{ function: { name: 'answer' } }] });
  });

  it('include native calls from the list of OpenRouter, without a call', async () => {
    const entry = { id: model, context_length: 32_768, supported_parameters: ['tools'] };
    serve({ '/v1/models': list(entry) });
    expect(await readLimits({ baseURL: server.url, model })).toMatchObject({ toolCalls: true });
    expect(asked()).toEqual(['GET /v1/models']);
  });

  it('do not call the model of an unknown server, or when options say how it replies', async () => {
    serve({ '/v1/models': list({ id: model, max_model_len: 40_960 }) });
    await readLimits({ baseURL: server.url, model });
    await readLimits({ baseURL: server.url, model, contextWindow: 1_000, jsonSchema: false });
    expect(asked()).toEqual(['GET /v1/models']);
  });
});
