import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatChunk } from '../../../src/core/model.js';
import { failover } from '../../../src/providers/failover/index.js';
import { openai, openaiBaseURLs } from '../../../src/providers/openai/index.js';
import type { OpenAIOptions } from '../../../src/providers/openai/options.js';
import { ask, collect, textOf } from '../../fault-server/collect.js';
import { type FaultServer, startFaultServer } from '../../fault-server/fault-server.js';
import {
  delta,
  done,
  drop,
  event,
  finish,
  head,
  hold,
  json,
  refusal,
  reply,
  type Reply,
  reset,
  send,
  sendBytes,
  stall,
  streaming,
  text,
  usage,
  wait,
} from '../../fault-server/replies.js';

let server: FaultServer;
let silent: FaultServer; // Has no replies: a request here went to the wrong server.

beforeAll(async () => {
  server = await startFaultServer();
  silent = await startFaultServer();
});
afterAll(async () => {
  await server.close();
  await silent.close();
});
beforeEach(() => {
  (server.requests as unknown[]).length = 0;
});

/** A model at the fault server with short delays between attempts. */
function model(options: Partial<OpenAIOptions> = {}) {
  return openai({
    baseURL: server.url,
    model: 'test-model',
    contextWindow: 8_192,
    random: () => 0,
    ...options,
  });
}

const utf8 = (string: string) => new TextEncoder().encode(string);
const kinds = (chunks: ChatChunk[]) => chunks.map((chunk) => chunk.type);
const stop: ChatChunk = { type: 'finish', reason: 'stop' };
/** Part of a chunk that becomes a warning to the user. */
const VISIBLE = { warning: 'model-request' } as const;
const says = (content: string): ChatChunk => ({ type: 'text-delta', text: content });

describe('a reply', () => {
  test('arrives piece by piece, with reasoning, usage and the reason for its end', async () => {
    server.script([
      [
        streaming,
        delta({ role: 'assistant', content: '' }),
        delta({ reasoning_content: 'Easy.' }),
        delta({ reasoning: ' Greet.' }),
        text('Hello'),
        text(' world'),
        finish(),
        usage(1000, 200, { prompt_tokens_details: { cached_tokens: 800 } }),
        done,
      ],
    ]);
    const chunks: ChatChunk[] = [];
    for await (const chunk of model().chat(ask())) chunks.push(chunk);
    expect(chunks).toEqual([
      { type: 'reasoning-delta', text: 'Easy.' },
      { type: 'reasoning-delta', text: ' Greet.' },
      { type: 'text-delta', text: 'Hello' },
      { type: 'text-delta', text: ' world' },
      { type: 'usage', promptTokens: 1000, completionTokens: 200, cachedPromptTokens: 800 },
      stop,
    ]);
  });

  test('is shown while the server is still writing it', async () => {
    server.script([[streaming, text('first'), stall]]);
    const chunks = model().chat(ask())[Symbol.asyncIterator]();
    expect(await chunks.next()).toEqual({ done: false, value: says('first') });
    expect(server.requests[0]?.state).toBe('open');
    await chunks.return?.();
    await expect.poll(() => server.requests[0]?.state).toBe('closed');
  });

  test('may be empty', async () => {
    server.script([[streaming, finish(), done]]);
    expect(await collect(model())).toEqual({ chunks: [stop], error: null });
  });

  test.each([
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['tool_calls', 'stop'],
    ['gave_up', 'other'],
  ] as const)('that ends for %s reports it', async (theirs, ours) => {
    server.script([[streaming, text('a'), finish(theirs), done]]);
    expect((await collect(model())).chunks.at(-1)).toEqual({ type: 'finish', reason: ours });
  });

  test('that is a refusal shows the refusal', async () => {
    server.script([[streaming, delta({ refusal: 'No.' }), delta({ refusal: '' }, 'stop'), done]]);
    expect((await collect(model())).chunks[0]).toEqual(says('No.'));
  });

  test('uses the cost that the server reports, or the price list', async () => {
    const price = { promptPerMillion: 2, completionPerMillion: 10 };
    server.script([
      [streaming, finish(), usage(1000, 200), done],
      [streaming, finish(), usage(1000, 200, { cost: 0.5 }), done],
    ]);
    const [listed] = (await collect(model({ price }))).chunks;
    const [reported] = (await collect(model({ price }))).chunks;
    expect(listed).toEqual({ type: 'usage', promptTokens: 1000, completionTokens: 200, costUsd: 0.004 });
    expect(reported).toEqual({ type: 'usage', promptTokens: 1000, completionTokens: 200, costUsd: 0.5 });
  });

  test('A-265 costs 1.3 cents for 1,000 and 100 tokens at the price of gpt-4-turbo', async () => {
    server.script([[streaming, finish(), usage(1000, 100), done]]);
    const { chunks } = await collect(model({ price: { promptPerMillion: 10, completionPerMillion: 30 } }));
    expect(chunks[0]).toEqual({ type: 'usage', promptTokens: 1000, completionTokens: 100, costUsd: 0.013 });
  });

  test('from a server that does not stream is read, too', async () => {
    server.script([
      json(200, {
        object: 'chat.completion',
        choices: [{ message: { content: 'Hello', reasoning: 'Hm.' }, finish_reason: 'length' }],
        usage: { prompt_tokens: 3, completion_tokens: 1 },
      }),
    ]);
    expect((await collect(model())).chunks).toEqual([
      { type: 'reasoning-delta', text: 'Hm.' },
      says('Hello'),
      { type: 'usage', promptTokens: 3, completionTokens: 1 },
      { type: 'finish', reason: 'length' },
    ]);
  });

  test('that never ends is cut and its connection closed', async () => {
    server.script([[streaming, text('0123456789'), text('01234😀'), text('more'), stall]]);
    const { chunks, error } = await collect(model({ maxReplyLength: 16 }));
    expect({ chunks, error }).toEqual({
      chunks: [says('012345678901234'), { type: 'finish', reason: 'length' }], // not half of the emoji
      error: null,
    });
    await expect.poll(() => server.requests[0]?.state).toBe('closed');
  });
});

describe('a stream', () => {
  const chunk = (content: string) =>
    JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop' }] });

  test.each<[string, Reply]>([
    ['with CRLF line ends', [send(`data: ${chunk('Grüße')}\r\n\r\ndata: [DONE]\r\n\r\n`)]],
    ['with CR line ends', [send(`data: ${chunk('Grüße')}\r\rdata: [DONE]\r\r`)]],
    ['without a space after the colon', [send(`data:${chunk('Grüße')}\n\ndata:[DONE]\n\n`)]],
    [
      'with comments and empty events',
      [send(': ping\n\n'), event(''), text('Grüße'), finish(), send(': x\n'), done],
    ],
    ['with other fields', [send(`id: 1\nevent: message\nretry: 9\ndata: ${chunk('Grüße')}\n\n`), done]],
    ['with a byte order mark', [sendBytes([0xef, 0xbb, 0xbf]), text('Grüße'), finish(), done]],
    ['with a [DONE] without its empty line', [text('Grüße'), finish(), send('data: [DONE]')]],
    ['with a finish reason but no [DONE]', [text('Grüße'), finish()]],
    ['that breaks after its reply is complete', [text('Grüße'), finish(), wait(5), drop]],
    ['that stays open after [DONE]', [text('Grüße'), finish(), done, stall]],
    ['with unknown events', [event({ prompt_progress: { total: 9 } }), text('Grüße'), finish(), done]],
  ])('is read %s', async (_what, steps) => {
    server.script([[streaming, ...steps]]);
    expect(await collect(model())).toEqual({ chunks: [says('Grüße'), stop], error: null });
    expect(server.requests).toHaveLength(1);
  });

  test('is not proved whole by [DONE] without a finish reason', async () => {
    server.script([[streaming, text('Grüße'), done]]);
    expect(await collect(model())).toEqual({
      chunks: [says('Grüße'), { type: 'finish', reason: 'other' }],
      error: null,
    });
  });

  test('is read wherever the network splits it, also inside characters', async () => {
    const whole = utf8(
      `data: ${chunk('Grüße 🎉')}\r\n\r\n: ping\r\n\r\ndata: ${chunk('你好')}\r\n\r\ndata: [DONE]\r\n\r\n`,
    );
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: whole.length - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const bounds = [0, ...places.sort((a, b) => a - b), whole.length];
        const parts = bounds.slice(1).map((end, index) => whole.subarray(bounds[index], end));
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        });
        const answer = () =>
          Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
        expect(await textOf(model({ fetch: answer }))).toBe('Grüße 🎉你好');
      }),
    );
  });

  test('is read from a real server that sends byte by byte', async () => {
    const bytes = utf8(`data: ${chunk('ü🎉')}\r\n\r\ndata: [DONE]\r\n\r\n`);
    server.script([[streaming, ...[...bytes].map((byte) => sendBytes([byte]))]]);
    expect(await textOf(model())).toBe('ü🎉');
  });
});

describe('a broken stream', () => {
  const broken: [string, Reply][] = [
    ['incomplete', [streaming]],
    ['incomplete', [streaming, delta({ role: 'assistant' })]],
    ['incomplete', [streaming, send('data: {"choices":[{"delta":{"con')]],
    ['invalid-json', [streaming, event('{"choices":[')]],
    [
      'invalid-utf8',
      [streaming, sendBytes([...utf8('data: {"choices":[{"delta":{"content":"'), 0xff, 0xfe])],
    ],
    ['dropped', [streaming, send(': ping\n\n'), drop]],
    ['dropped', [streaming, send(': ping\n\n'), reset]],
    [
      'dropped',
      [head(200, { 'content-type': 'text/event-stream', 'content-length': '999' }), send('data: '), drop],
    ],
    ['error-message', [streaming, event({ error: { message: 'Provider overloaded', code: 502 } })]],
    ['error-message', [streaming, send('error: {"message":"Slot lost","code":500}\n\n')]],
    ['error-message', [streaming, event({ choices: [], error: { message: 'x', type: 'server_error' } })]],
  ];

  test.each(broken)('(%s) is retried before any text', async (_kind, steps) => {
    server.script([steps, reply('Hello')]);
    const { chunks, error } = await collect(model());
    expect(error).toBeNull();
    expect(kinds(chunks)).toEqual(['progress', 'text-delta', 'finish']);
    expect(server.requests).toHaveLength(2);
  });

  test.each(broken)('(%s) throws after text, for the caller to retry', async (kind, [begin, ...rest]) => {
    server.script([begin ? [begin, text('Hel'), hold, ...rest] : []]);
    const chunks = model().chat(ask())[Symbol.asyncIterator]();
    expect(await chunks.next()).toEqual({ done: false, value: says('Hel') });
    server.release();
    await expect(chunks.next()).rejects.toMatchObject({
      code: 'model-request',
      detail: { kind, retryable: true },
    });
    expect(server.requests).toHaveLength(1);
  });

  test('fails with the kind of error and the number of attempts', async () => {
    server.script([[streaming]], 'repeat');
    const { error } = await collect(model({ retries: 3 }));
    expect(error?.toData()).toEqual({
      code: 'model-request',
      message:
        'The reply ended before it was complete: the server or something on the way closed the connection. That was attempt 4, the last.',
      detail: {
        kind: 'incomplete',
        url: `${server.url}/chat/completions`,
        model: 'test-model',
        retryable: false,
        attempts: 4,
      },
    });
    expect(server.requests).toHaveLength(4);
  });

  test('stops at an endless line before it fills the memory', async () => {
    const line = send('x'.repeat(50_000));
    server.script([[streaming, line, line, line, stall]]);
    const { error } = await collect(model({ maxReplyLength: 1000 }));
    expect(error).toMatchObject({ code: 'model-request', detail: { kind: 'too-large', retryable: false } });
    await expect.poll(() => server.requests[0]?.state).toBe('closed');
  });
});

describe('a server that cannot reply now', () => {
  test.each([408, 409, 429, 500, 502, 503, 529])('(%i) is retried', async (status) => {
    server.script([refusal(status, 'busy'), refusal(status, 'busy'), reply('Hello')]);
    expect(await textOf(model())).toBe('Hello');
    expect(server.requests).toHaveLength(3);
  });

  test('is retried after the delay that it requests, and users see why', async () => {
    server.script([refusal(429, 'Slow down.', { 'retry-after': '1' }), reply('Hello')]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const chunks = model({ random: () => 0.999 })
        .chat(ask())
        [Symbol.asyncIterator]();
      expect(await chunks.next()).toEqual({
        done: false,
        value: {
          type: 'progress',
          phase: 'waiting',
          loaded: 1,
          total: 5,
          text: `Trying again in 1.0 s (1 of 5). ${new URL(server.url).host} asks for fewer requests (429). It reported: Slow down.`,
          retryInMs: 1000,
        },
      });
      const next = chunks.next();
      await vi.advanceTimersByTimeAsync(999);
      expect(server.requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await next).toEqual({ done: false, value: says('Hello') });
      await chunks.return?.();
    } finally {
      vi.useRealTimers();
    }
  });

  test('counts the seconds down to the next attempt, also without a delay of the server', async () => {
    server.script([refusal(429, 'Slow down.'), reply('Hello')]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const texts: string[] = [];
      const reading = (async () => {
        for await (const chunk of model({ random: () => 0.8 }).chat(ask()))
          if (chunk.type === 'progress') texts.push(chunk.text.split(' (')[0] ?? '');
      })();
      for (const count of [1, 2, 3, 4]) {
        await vi.waitFor(() => expect(texts).toHaveLength(count));
        await vi.advanceTimersByTimeAsync(1_000);
      }
      vi.useRealTimers();
      await reading;
      expect(texts).toEqual([3.2, 2.2, 1.2, 0.2].map((left) => `Trying again in ${left.toFixed(1)} s`));
    } finally {
      vi.useRealTimers();
    }
  });

  test('fails after the retries, with the known causes', async () => {
    server.script([refusal(503, 'No workers', { 'retry-after': '0' })], 'repeat');
    const { chunks, error } = await collect(model());
    expect(kinds(chunks)).toEqual(Array(5).fill('progress'));
    expect(error).toMatchObject({
      code: 'model-request',
      detail: { status: 503, serverMessage: 'No workers', retryAfterMs: 0, attempts: 6, retryable: false },
    });
    expect(server.requests).toHaveLength(6);
  });

  test.each([
    ['drops', drop],
    ['resets', reset],
  ])('is retried because it %s', async (_what, step) => {
    server.script([[step], reply('Hello')]);
    expect(await textOf(model())).toBe('Hello');
  });

  test('is retried up to the limit when it was reached before', async () => {
    const known = model();
    server.script([reply('Hello'), [drop], [drop], [drop], [drop], reply('again')]);
    expect(await textOf(known)).toBe('Hello');
    expect(await textOf(known)).toBe('again');
  });

  test('is unreachable when a fetch of the application fails at once', async () => {
    const failing = () => {
      throw new TypeError('no network here');
    };
    const { error } = await collect(model({ fetch: failing, retries: 0 }));
    expect(error).toMatchObject({ code: 'model-unreachable', detail: { attempts: 1, retryable: false } });
  });

  test('fails soon when it was never reached', async () => {
    const closed = await startFaultServer();
    await closed.close();
    const { chunks, error } = await collect(model({ baseURL: closed.url }));
    expect(kinds(chunks)).toEqual(['progress', 'progress']);
    expect(error).toMatchObject({ code: 'model-unreachable', detail: { attempts: 3, retryable: false } });
  });
});

describe('a rejection', () => {
  test.each<[string, Reply, object]>([
    [
      'of the key',
      refusal(401, 'Bad key'),
      { code: 'model-request', message: /refused the API key.*401.*Bad key/ },
    ],
    [
      'of the model to this key',
      refusal(403, ''),
      { code: 'model-request', message: /API key.*test-model.*403/ },
    ],
    [
      'for lack of credit',
      refusal(429, 'x', {}, 'insufficient_quota'),
      { code: 'model-request', message: /no credit/ },
    ],
    [
      'at a wrong URL',
      refusal(404, 'nope'),
      { code: 'model-request', message: /no model "test-model".*URL is wrong/ },
    ],
    [
      'of the request',
      refusal(400, 'bad role'),
      { code: 'model-request', message: /refused the request.*bad role/ },
    ],
    [
      'of a long prompt (OpenAI)',
      refusal(400, 'Too long', {}, 'context_length_exceeded'),
      { code: 'context-overflow' },
    ],
    [
      'of a long prompt (vLLM)',
      json(400, {
        object: 'error',
        message: "'max_completion_tokens' is too large. This model's maximum context length is 4096",
      }),
      { code: 'context-overflow' },
    ],
    [
      'of a long prompt (llama.cpp)',
      json(400, {
        error: {
          code: 400,
          type: 'exceed_context_size_error',
          message: 'request exceeds the available context size',
        },
      }),
      { code: 'context-overflow' },
    ],
    ['of a large body', [head(413)], { code: 'context-overflow' }],
    [
      'in the middle of a stream',
      [streaming, event({ error: { message: 'No such', code: 404 } })],
      { code: 'model-request', message: /No such/ },
    ],
    [
      'with a web page',
      [head(200, { 'content-type': 'text/html' }), send('<html>Log in')],
      { code: 'model-request', message: /web page/, detail: { kind: 'html' } },
    ],
    [
      'with other JSON',
      json(200, { models: [] }),
      { code: 'model-request', detail: { kind: 'not-a-reply' } },
    ],
    [
      'in plain text',
      [head(400), send('Unknown model')],
      { code: 'model-request', message: /It reported: Unknown model/ },
    ],
    [
      'by Ollama',
      json(404, { error: 'model "x" not found, try pulling it first' }),
      { code: 'model-request', message: /try pulling/ },
    ],
    [
      'by FastAPI',
      json(422, { detail: [{ loc: ['body', 'stop'], msg: 'no' }] }),
      { code: 'model-request', message: /"stop"/ },
    ],
    [
      'by a proxy',
      [head(400, { 'content-type': 'text/html' }), send('<html><b>nginx</b>')],
      { code: 'model-request', message: /\(400\)\.$/ },
    ],
  ])('%s is thrown at once', async (_what, steps, expected) => {
    server.script([steps]);
    const { chunks, error } = await collect(model({ apiKey: 'sk-something' }));
    expect(chunks).toEqual([]);
    const { message, ...rest } = expected as { message?: RegExp };
    expect(error).toMatchObject({
      ...rest,
      detail: { retryable: false, ...('detail' in rest ? (rest.detail as object) : {}) },
    });
    if (message) expect(error?.message).toMatch(message);
    expect(server.requests).toHaveLength(1);
  });

  test('reports a missing key', async () => {
    server.script([refusal(401, '')]);
    expect((await collect(model())).error?.message).toMatch(/wants an API key and none was given/);
  });

  test.each([
    ['stream_options', 400, 'Unrecognized request argument supplied: stream_options', {}],
    [
      'response_format',
      400,
      "'response_format' of type 'json_schema' is not supported with this model",
      VISIBLE,
    ],
    ['response_format', 400, 'JSON schema conversion failed:\nUnrecognized schema: {"not":{}}', VISIBLE],
    ['response_format', 400, 'Failed to initialize samplers: failed to parse grammar', VISIBLE],
    ['response_format', 500, 'invalid JSON schema in format', VISIBLE],
    ['temperature', 400, "Unsupported value: 'temperature' does not support 0 with this model.", VISIBLE],
    ['return_progress', 400, 'extra fields not permitted: return_progress', {}],
  ])('of %s is retried without it, from then on (%i %s)', async (field, status, words, warning) => {
    const choosy = model({ jsonSchema: true, promptProgress: true });
    const wrapped = failover(choosy);
    const request = ask({ responseSchema: { type: 'object' }, temperature: 0 });
    server.script([refusal(status, words), reply('{"one": 1}'), reply('{"two": 2}')]);
    expect(wrapped.supports?.jsonSchema).toBe(true);
    const { chunks } = await collect(choosy, request);
    expect(chunks).toEqual([
      {
        type: 'progress',
        phase: 'waiting',
        loaded: 0,
        total: 1,
        text: `The server does not take ${field}: asking again without it.`,
        ...warning,
      },
      says('{"one": 1}'),
      stop,
    ]);
    expect(await textOf(choosy, request)).toBe('{"two": 2}');
    expect(server.requests.map(({ body }) => field in (body as object))).toEqual([true, false, false]);
    expect(wrapped.supports?.jsonSchema).toBe(field !== 'response_format');
  });

  test('of a schema is noticed in a reply that is no JSON object', async () => {
    const choosy = model({ jsonSchema: true });
    const request = ask({ responseSchema: { type: 'object' } });
    server.script([reply(' Hello'), reply('{}')]);
    expect((await collect(choosy, request)).chunks).toEqual([
      says(' Hello'),
      {
        type: 'progress',
        phase: 'waiting',
        loaded: 0,
        total: 1,
        text: 'The server ignores response_format: it is left out from now on.',
        ...VISIBLE,
      },
      stop,
    ]);
    await textOf(choosy, request);
    expect(server.requests.map(({ body }) => 'response_format' in (body as object))).toEqual([true, false]);
    expect(choosy.supports?.jsonSchema).toBe(false);
  });

  test('of a schema is not concluded from a list that was asked for', async () => {
    const choosy = model({ jsonSchema: true });
    server.script([reply('[1]')]);
    await textOf(choosy, ask({ responseSchema: { type: 'array' } }));
    expect(choosy.supports?.jsonSchema).toBe(true);
  });

  test('of max_tokens is retried with the newer name', async () => {
    server.script([
      refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      reply('ok'),
    ]);
    expect(await textOf(model(), ask({ maxOutputTokens: 50 }))).toBe('ok');
    expect(server.requests[1]?.body).toMatchObject({ max_completion_tokens: 50 });
    expect(server.requests[1]?.body).not.toHaveProperty('max_tokens');
  });
});

test.each([
  ['this machine', 'http://localhost:8080/v1', 0.2],
  ['a private network', 'http://192.168.0.7/v1', 0.2],
  ['any other host', 'https://models.example/v1', undefined],
])('the temperature at %s is suitable without one in the request', async (_, baseURL, expected) => {
  const bodies: { temperature?: number }[] = [];
  const local = model({
    baseURL,
    fetch: (_url, { body }) => {
      bodies.push(JSON.parse(String(body)) as object);
      return Promise.resolve(
        Response.json({ choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] }),
      );
    },
  });
  for (const request of [ask(), ask({ temperature: 0.9 })]) await textOf(local, request);
  expect(bodies.map(({ temperature }) => temperature)).toEqual([expected, 0.9]);
});

describe('the time limit', () => {
  test.each<[string, Partial<OpenAIOptions['timeouts'] & object>, Reply, ChatChunk[], boolean]>([
    ['first-byte', { firstByteMs: 40 }, [stall], [], true],
    ['first-byte', { firstByteMs: 40 }, [streaming, delta({ role: 'assistant' }), stall], [], true],
    ['idle', { idleMs: 40 }, [streaming, text('a'), stall], [says('a')], true],
    ['total', { totalMs: 400 }, [streaming, text('a'), stall], [says('a')], false],
  ])('(%s) runs out', async (limit, timeouts, steps, shown, retryable) => {
    server.script([steps]);
    const { chunks, error } = await collect(model({ timeouts }));
    expect(chunks).toEqual(shown);
    expect(error).toMatchObject({ code: 'model-timeout', detail: { limit, retryable } });
    await expect.poll(() => server.requests[0]?.state).toBe('closed');
    expect(server.requests).toHaveLength(1);
  });

  test('includes the waits between attempts', async () => {
    server.script([refusal(503, '', { 'retry-after': '60' })]);
    const { error } = await collect(model({ timeouts: { totalMs: 50 } }));
    expect(error).toMatchObject({ code: 'model-timeout', detail: { limit: 'total' } });
  });

  test('does not run out while the server sends slowly', async () => {
    const pieces = Array.from({ length: 20 }, () => [wait(60), send(': ping\n\n')]).flat();
    server.script([[streaming, text('a'), ...pieces, text('b'), finish(), done]]);
    expect(await textOf(model({ timeouts: { idleMs: 800, firstByteMs: 800 } }))).toBe('ab');
  });

  test('never runs out when there is none', async () => {
    server.script([reply('Hello')]);
    const timeouts = { firstByteMs: Infinity, idleMs: Infinity, totalMs: Infinity };
    expect(await textOf(model({ timeouts }))).toBe('Hello');
  });

  test('does not wait for token counts that never come', async () => {
    server.script([[streaming, text('a'), finish(), stall]]);
    expect(await collect(model({ timeouts: { idleMs: 200 } }))).toEqual({
      chunks: [says('a'), stop],
      error: null,
    });
  });
});

describe('an abort', () => {
  test.each<[string, Reply]>([
    ['before the first byte', [stall]],
    ['in the middle of the reply', [streaming, text('a'), stall]],
  ])('%s closes the connection', async (_when, steps) => {
    server.script([steps]);
    const stopping = new AbortController();
    const collected = collect(model(), ask({ signal: stopping.signal }));
    await expect.poll(() => server.requests[0]?.state).toBe('open');
    stopping.abort('enough');
    expect((await collected).error).toMatchObject({ code: 'aborted', cause: 'enough' });
    await expect.poll(() => server.requests[0]?.state).toBe('closed');
  });

  test('closes the connection even without a reader', async () => {
    server.script([[streaming, text('a'), stall]]);
    const stopping = new AbortController();
    const chunks = model()
      .chat(ask({ signal: stopping.signal }))
      [Symbol.asyncIterator]();
    await chunks.next();
    stopping.abort();
    await expect.poll(() => server.requests[0]?.state).toBe('closed');
    await expect(chunks.next()).rejects.toMatchObject({ code: 'aborted' });
  });

  test('ends a wait', async () => {
    server.script([refusal(429, '', { 'retry-after': '60' })]);
    const stopping = new AbortController();
    const chunks = model()
      .chat(ask({ signal: stopping.signal }))
      [Symbol.asyncIterator]();
    await chunks.next();
    const next = chunks.next();
    stopping.abort();
    await expect(next).rejects.toMatchObject({ code: 'aborted' });
    expect(server.requests).toHaveLength(1);
  });

  test('before the call sends nothing', async () => {
    const { error } = await collect(model(), ask({ signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: 'aborted' });
    expect(server.requests).toHaveLength(0);
  });

  test('does not wait for a key that never arrives', async () => {
    const stopping = new AbortController();
    const never = model({ apiKey: () => new Promise<string>(() => undefined) });
    const collected = collect(never, ask({ signal: stopping.signal }));
    stopping.abort();
    expect((await collected).error).toMatchObject({ code: 'aborted' });
  });
});

describe('the key', () => {
  const canary = 'sk-canary-7f3a';
  const everythingIn = (error: unknown): string => {
    if (!(error instanceof Error)) return JSON.stringify(error) ?? '';
    const data = 'toData' in error ? JSON.stringify((error as { toData(): unknown }).toData()) : '';
    return `${error.message} ${error.stack ?? ''} ${data} ${everythingIn(error.cause)}`;
  };

  test.each<[string, Partial<OpenAIOptions>, Reply[]]>([
    ['quoted by the server', {}, [refusal(401, `Incorrect API key provided: ${canary}.`)]],
    ['quoted in a stream', {}, [[streaming, text('a'), event({ error: { message: canary, code: canary } })]]],
    ['quoted before a wait', {}, [refusal(500, canary), refusal(400, canary)]],
    ['with a character that no header holds', { apiKey: () => `${canary}\n${canary}` }, []],
    ['in a header', { apiKey: undefined, headers: { 'api-key': canary } }, [refusal(400, canary)]],
    [
      'in a header, quoted without its scheme',
      { apiKey: undefined, headers: { Authorization: `Bearer ${canary}` } },
      [refusal(401, `Incorrect API key provided: ${canary}.`)],
    ],
    ['in the URL', { apiKey: undefined, baseURL: `http://127.0.0.1:9/v1?key=${canary}` }, []],
    [
      'quoted by a fetch',
      { fetch: () => Promise.reject(new TypeError('no', { cause: new Error(canary) })) },
      [],
    ],
  ])('is not shown %s', async (_where, options, replies) => {
    server.script(replies);
    const { chunks, error } = await collect(model({ apiKey: canary, ...options }));
    expect(error).not.toBeNull();
    expect(everythingIn(error) + JSON.stringify(chunks)).not.toContain(canary);
  });

  test('is not shown when the server quotes it from the URL', async () => {
    server.script([refusal(401, `Incorrect API key provided: ${canary}, in 2026-01-01.`)]);
    const baseURL = `${server.url}?api-version=2026-01-01&key=${canary}`;
    const { error } = await collect(model({ baseURL }));
    expect(server.requests[0]?.path).toBe(`/v1/chat/completions?api-version=2026-01-01&key=${canary}`);
    expect(everythingIn(error)).toContain('API key provided: [secret], in 2026-01-01.');
    expect(everythingIn(error)).not.toContain(canary);
  });

  test.each<[string, OpenAIOptions['apiKey'], string]>([
    ['a placeholder', 'sk-…', '"sk-…" is a placeholder: put your key into `apiKey`.'],
    [
      'a placeholder from a function',
      () => '<your key>',
      '"<your key>" is a placeholder: put your key into `apiKey`.',
    ],
    [
      'a key with a character outside Latin-1',
      'sk-a–b',
      '`apiKey` contains the character "–" (U+2013), which no HTTP header can carry. Is it a placeholder, or copied with text around it?',
    ],
  ])('that is %s is rejected before any request', async (_what, apiKey, message) => {
    const failure = await (async () => (await collect(model({ apiKey }))).error)().catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'invalid', message });
    expect(server.requests).toEqual([]);
  });

  test('a header that cannot be sent is named', () => {
    expect(() => model({ headers: { 'x-team': 'a\u2013b' } })).toThrow(
      '`headers.x-team` contains the character "–" (U+2013)',
    );
  });

  test('in a base URL is rejected', () => {
    expect(() => model({ baseURL: `https://me:${canary}@host/v1` })).toThrow(/must not hold/);
    try {
      model({ baseURL: `https://me:${canary}@host/v1` });
    } catch (error) {
      expect(everythingIn(error)).not.toContain(canary);
    }
  });

  test.each([1, 3, 7, 100])('quoted in a reply, in chunks of %i characters, is redacted', async (length) => {
    const key = 'sk-canary-7f3a9b2c4d5e6f';
    const answers = `You sent Bearer ${key}, and sk-canary, and sk-${key} ${key.slice(0, -1)}`;
    const pieces = answers.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [];
    for (const field of ['content', 'reasoning_content']) {
      server.script([
        [streaming, ...pieces.map((piece) => delta({ [field]: piece })), text(''), finish(), done],
      ]);
      const { chunks } = await collect(model({ apiKey: key }));
      expect(chunks.flatMap((chunk) => ('text' in chunk ? [chunk.text] : [])).join('')).toBe(
        answers.replaceAll(key, '[secret]'),
      );
    }
  });

  test('that is a plain word, as local servers accept, may occur in a reply', async () => {
    server.script([reply('Set the key to ollama or sk-no-key-required.')]);
    const local = model({
      apiKey: 'ollama',
      headers: { 'x-api-key': 'sk-no-key-required', 'x-title': 'the key' },
    });
    expect(await textOf(local)).toBe('Set the key to ollama or sk-no-key-required.');
  });

  test('does not follow a redirect', async () => {
    server.script([[head(307, { location: `${silent.url}/chat/completions` })]]);
    const { error } = await collect(model({ apiKey: canary }));
    expect(error).toMatchObject({ code: 'model-request', detail: { kind: 'redirect', retryable: false } });
    expect(silent.requests).toEqual([]);
  });

  test('may come from a function, called again for each request', async () => {
    let asked = 0;
    server.script([refusal(500, ''), reply('Hello')]);
    await textOf(model({ apiKey: async () => `key-${++asked}` }));
    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer key-1',
      'Bearer key-2',
    ]);
  });

  test('distinguishes an unavailable key from a rejected one', async () => {
    const { error } = await collect(model({ apiKey: () => Promise.reject(new Error('vault is locked')) }));
    expect(error).toMatchObject({
      code: 'model-request',
      message: 'The apiKey function failed: vault is locked',
    });
  });

  test('yields to an authorization header in any case', async () => {
    server.script([reply('Hello')]);
    await textOf(
      model({ apiKey: canary, headers: { Authorization: 'Basic abc', 'Content-Type': 'application/json' } }),
    );
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Basic abc',
      'content-type': 'application/json',
    });
  });

  test('is omitted for servers that need none', async () => {
    server.script([reply('Hello')]);
    await textOf(model());
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('a request', () => {
  test('contains all given options, and no field that the server may not know', async () => {
    server.script([reply('Hello'), reply('Hello')]);
    const request = ask({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image', url: 'data:image/png;base64,AA' },
          ],
        },
      ],
      responseSchema: { type: 'object' },
      maxOutputTokens: 900,
      temperature: 0,
      seed: 7,
      stop: ['END'],
    });
    await textOf(
      model({ baseURL: `${server.url}/`, apiKey: 'sk-1234567 ', headers: { 'x-title': 'Test' } }),
      request,
    );
    await textOf(
      model({
        jsonSchema: true,
        images: true,
        seed: true,
        maxOutputTokens: 500,
        extraBody: { temperature: 1, top_k: 3 },
      }),
      request,
    );
    expect(server.requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      {
        method: 'POST',
        path: '/v1/chat/completions',
        body: {
          model: 'test-model',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'See\n[An image is left out here: this model reads text only.]' },
          ],
          stream: true,
          stream_options: { include_usage: true },
          max_tokens: 900,
          temperature: 0,
          stop: ['END'],
        },
      },
      {
        method: 'POST',
        path: '/v1/chat/completions',
        body: {
          model: 'test-model',
          messages: [
            { role: 'system', content: 'Be brief.' },
            {
              role: 'user',
              content: [
                { type: 'text', text: 'See' },
                { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
              ],
            },
          ],
          stream: true,
          stream_options: { include_usage: true },
          max_tokens: 500,
          temperature: 1,
          seed: 7,
          stop: ['END'],
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'reply', schema: { type: 'object' } },
          },
          top_k: 3,
        },
      },
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer sk-1234567',
      'x-title': 'Test',
    });
  });

  test('goes to every well-known base URL unchanged', async () => {
    const seen: string[] = [];
    const answer = (url: string) => {
      seen.push(url);
      return Promise.resolve(Response.json({ choices: [{ message: { content: 'ok' } }] }));
    };
    for (const baseURL of Object.values(openaiBaseURLs)) await textOf(model({ baseURL, fetch: answer }));
    expect(seen).toEqual(Object.values(openaiBaseURLs).map((url) => `${url}/chat/completions`));
  });

  test('keeps a query and a complete path', async () => {
    server.script([reply('ok')]);
    await textOf(model({ baseURL: `${server.url}/chat/completions?api-version=1` }));
    expect(server.requests[0]?.path).toBe('/v1/chat/completions?api-version=1');
  });
});

describe('options', () => {
  test('describe the model', () => {
    const { id, contextWindow, maxOutputTokens, supports } = model({ maxOutputTokens: 100, images: true });
    expect({ id, contextWindow, maxOutputTokens, supports }).toEqual({
      id: `${new URL(server.url).host}/test-model`,
      contextWindow: 8192,
      maxOutputTokens: 100,
      supports: { jsonSchema: false, toolCalls: false, images: true, seed: false, parallel: false },
    });
  });

  test('of a known model come from the catalogue', () => {
    const { contextWindow, maxOutputTokens, supports, price } = openai({
      baseURL: openaiBaseURLs.openai,
      model: 'gpt-5-mini',
    });
    expect({ contextWindow, maxOutputTokens, supports, price }).toEqual({
      contextWindow: 400_000,
      maxOutputTokens: 32_768,
      supports: { jsonSchema: true, toolCalls: true, images: true, seed: false, parallel: true },
      price: { promptPerMillion: 0.25, completionPerMillion: 2 },
    });
  });

  test('let a team call hosted models at the same time, and models on this machine one after the other', () => {
    const isParallel = (baseURL: string, parallel?: boolean) =>
      openai({ baseURL, model: 'm', contextWindow: 8_192, ...(parallel === undefined ? {} : { parallel }) })
        .supports?.parallel;
    expect(isParallel('https://api.example.com/v1')).toBe(true);
    expect(isParallel('https://api.example.com/v1', false)).toBe(false);
    expect(isParallel(openaiBaseURLs.llamaCpp)).toBe(false);
    expect(isParallel('http://192.168.0.7:8000/v1')).toBe(false);
    expect(isParallel('http://192.168.0.7:8000/v1', true)).toBe(true);
  });

  test('override the catalogue', () => {
    const given = {
      contextWindow: 64_000,
      maxOutputTokens: 100_000,
      price: { promptPerMillion: 1, completionPerMillion: 2 },
    };
    const known = openai({
      baseURL: openaiBaseURLs.openai,
      model: 'gpt-5-mini',
      ...given,
      jsonSchema: false,
      images: false,
    });
    const { contextWindow, maxOutputTokens, supports, price } = known;
    expect({ contextWindow, maxOutputTokens, supports, price }).toEqual({
      ...given,
      supports: { jsonSchema: false, toolCalls: true, images: false, seed: false, parallel: true },
    });
  });

  test.each<[string, string, boolean]>([
    ['https://openrouter.ai/api/v1', 'openai/gpt-5-mini', true],
    ['https://openrouter.ai/api/v1', 'google/gemini-2.5-pro', true],
    ['https://openrouter.ai/api/v1', 'anthropic/claude-opus-4.5', false],
    ['https://api.anthropic.com/v1', 'claude-opus-4-5', false],
    ['https://proxy.example/v1', 'gpt-5-mini', false],
  ])('at %s %s constrains replies to a schema: %s', (baseURL, name, expected) => {
    const { supports } = openai({ baseURL, model: name as 'gpt-5-mini' });
    expect(supports?.jsonSchema).toBe(expected);
  });

  test('of a known reasoning model of OpenAI send its field', async () => {
    const bodies: unknown[] = [];
    const known = openai({
      baseURL: openaiBaseURLs.openai,
      model: 'gpt-5-mini',
      fetch: (_url, { body }) => {
        bodies.push(JSON.parse(body as string));
        return Promise.resolve(
          Response.json({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }),
        );
      },
    });
    expect(await textOf(known)).toBe('Hi');
    expect(bodies).toEqual([expect.objectContaining({ max_completion_tokens: 32_768 })]);
    expect(bodies[0]).not.toHaveProperty('max_tokens');
  });

  test.each([
    [
      'https://models.example/v1',
      'my-model',
      'contextWindow is missing: "my-model" is not in the catalogue of known models. Write contextWindow: 32_768 (the tokens that the server really reads), or ask the server: openai(await readLimits({ baseURL, model })).',
    ],
    [
      'http://localhost:1234/v1',
      'openai/gpt-oss-20b',
      'contextWindow is missing: the server at localhost:1234 decides the window of "openai/gpt-oss-20b", whose weights are open. Write contextWindow: 32_768 (the tokens that the server really reads), or ask the server: openai(await readLimits({ baseURL, model })).',
    ],
  ])('at %s without the context window of %s are rejected', (baseURL, name, message) => {
    const make = () => openai({ baseURL, model: name as 'gpt-5-mini' });
    expect(make).toThrow(expect.objectContaining({ code: 'invalid', message }));
  });

  test.each<[string, Partial<OpenAIOptions>]>([
    ['an invalid base URL', { baseURL: 'localhost/v1' }],
    ['a base URL of another kind', { baseURL: 'ftp://host/v1' }],
    ['no model', { model: '' }],
    ['a context window of zero', { contextWindow: 0 }],
  ])('with %s are rejected', (_what, options) => {
    expect(() => model(options)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('a server that reports how it reads the prompt', () => {
  const reading = (processed: number) =>
    send(
      `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null}}],"prompt_progress":{"total":900,"cache":100,"processed":${processed},"time_ms":9}}\n\n`,
    );

  test('is asked for it, and users see the progress', async () => {
    server.script([[streaming, reading(100), reading(500), reading(900), text('Hello'), finish(), done]]);
    const { chunks } = await collect(model({ promptProgress: true }));
    expect(chunks.filter(({ type }) => type === 'progress')).toEqual([
      expect.objectContaining({
        phase: 'reading',
        loaded: 100,
        total: 900,
        text: 'Reading the prompt, 100 of 900 tokens.',
      }),
      expect.objectContaining({
        phase: 'reading',
        loaded: 500,
        total: 900,
        text: expect.stringMatching(/, about \d+ s left\.$/) as string,
      }),
    ]);
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(server.requests.at(-1)?.body).toMatchObject({ return_progress: true });
  });
});
