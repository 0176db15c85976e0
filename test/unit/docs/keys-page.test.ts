import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ChatChunk, ChatModel } from '../../../src/core/model.js';
import { openai } from '../../../src/providers/openai/index.js';
import { startFaultServer, type FaultServer } from '../../fault-server/fault-server.js';
import {
  drop,
  head,
  hold,
  refusal,
  reply,
  stall,
  streaming,
  text,
  usage,
} from '../../fault-server/replies.js';
import { exportsOf } from './snippets.js';

type Handler = (request: Request) => Promise<Response>;
interface ProxySettings {
  baseURL: string;
  apiKey: string;
  models: readonly string[];
  mayCall: (request: Request) => Promise<boolean>;
}

const PAGE = 'docs/how-to/keys.md';
const KEY = 'sk-1234567890abcdef';
const SIGNED_IN = { 'x-session': 'signed in' };
/** A session whose check fails. */
const BROKEN = 'broken';

let service: FaultServer;
let proxy: Server;
let address: string;

beforeAll(async () => {
  service = await startFaultServer();
  const { modelProxy } = await exportsOf<{ modelProxy: (settings: ProxySettings) => Handler }>(
    PAGE,
    'export const modelProxy',
  );
  const { nodeServer } = await exportsOf<{ nodeServer: (handle: Handler) => Server }>(
    PAGE,
    'export const nodeServer',
  );
  const settings: ProxySettings = {
    baseURL: service.url,
    apiKey: KEY,
    models: ['small'],
    mayCall: async ({ headers }) => {
      const session = headers.get('x-session');
      if (session === BROKEN) throw new Error('The database does not answer.');
      return session === SIGNED_IN['x-session'];
    },
  };
  proxy = nodeServer(modelProxy(settings));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/llm/v1`;
});

afterAll(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await service.close();
});

/** A model of a page that calls the proxy. */
const visitor = (options: Partial<Parameters<typeof openai>[0]> = {}): ChatModel =>
  openai({
    baseURL: address,
    model: 'small',
    contextWindow: 8_192,
    retries: 0,
    headers: SIGNED_IN,
    ...options,
  });

async function* chat(model: ChatModel, signal: AbortSignal): AsyncGenerator<ChatChunk, void> {
  yield* model.chat({ purpose: 'other', messages: [{ role: 'user', content: 'Hello?' }], signal });
}

async function chunksOf(model: ChatModel): Promise<ChatChunk[]> {
  const chunks: ChatChunk[] = [];
  for await (const chunk of chat(model, new AbortController().signal)) chunks.push(chunk);
  return chunks;
}

/** Sends a request to the proxy as a page does that does not use the library. */
const post = (body: string, init: RequestInit = {}) =>
  fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: { ...SIGNED_IN, 'content-type': 'application/json' },
    body,
    ...init,
  });

const seen = () => service.requests.length;

describe('the proxy of the page about keys', () => {
  it('adds the key, and passes request, words and usage on', async () => {
    service.script([[...reply('Good ', 'day, ', 'Zoë.').slice(0, -1), usage(10, 3), ...reply().slice(-1)]]);
    const chunks = await chunksOf(visitor());
    expect(chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.text] : [])).join('')).toBe(
      'Good day, Zoë.',
    );
    expect(chunks).toContainEqual({ type: 'usage', promptTokens: 10, completionTokens: 3 });
    const request = service.requests.at(-1);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      body: { model: 'small', stream: true, messages: [{ role: 'user', content: 'Hello?' }] },
    });
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
    expect(request?.headers).not.toHaveProperty('x-session');
  });

  it('passes each word on as it arrives, and ends the call when the user stops it', async () => {
    service.script([[streaming, text('One. '), hold, text('Two. '), stall]]);
    const stop = new AbortController();
    const chunks = chat(visitor(), stop.signal);
    const nextText = async (): Promise<string> => {
      for (;;) {
        const next = await chunks.next();
        if (next.done === true) throw new Error('The reply has ended.');
        if (next.value.type === 'text-delta') return next.value.text;
      }
    };
    expect(await nextText()).toBe('One. ');
    service.release();
    expect(await nextText()).toBe('Two. ');
    stop.abort();
    await expect(nextText()).rejects.toMatchObject({ code: 'aborted' });
    await vi.waitFor(() => expect(service.requests.at(-1)?.state).toBe('closed'));
  });

  it('ends a call that the service has not answered yet', async () => {
    service.script([[stall]]);
    const before = seen();
    const stop = new AbortController();
    const answer = post('{"model":"small"}', { signal: stop.signal });
    await vi.waitFor(() => expect(seen()).toBe(before + 1));
    stop.abort();
    await expect(answer).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(service.requests.at(-1)?.state).toBe('closed'));
  });

  it('breaks the stream off where the service breaks it off', async () => {
    service.script([[streaming, text('One. '), drop]], 'repeat');
    await expect(chunksOf(visitor())).rejects.toMatchObject({ code: 'model-request' });
    await expect((await post('{"model":"small"}')).text()).rejects.toThrow('terminated');
  });

  it('closes the connection when the check of the visitor fails', async () => {
    await expect(post('{"model":"small"}', { headers: { 'x-session': BROKEN } })).rejects.toThrow(
      'fetch failed',
    );
  });

  it('passes on that there are too many requests, and when to try again', async () => {
    service.script([refusal(429, 'Slow down.', { 'retry-after': '7' })]);
    await expect(chunksOf(visitor())).rejects.toMatchObject({
      detail: { status: 429, retryAfterMs: 7_000 },
    });
  });

  it('does not reveal its key when the service refuses and quotes it', async () => {
    service.script([refusal(401, `Incorrect API key provided: ${KEY}.`)]);
    const answer = await post('{"model":"small"}');
    expect([answer.status, await answer.text()]).toEqual([
      502,
      '{"error":{"message":"The service refused the key of this server."}}',
    ]);
    expect(JSON.stringify([...answer.headers])).not.toContain(KEY);
  });

  it('follows no redirect with its key', async () => {
    const other = await startFaultServer();
    service.script([[head(302, { location: `${other.url}/chat/completions` })]]);
    const answer = await post('{"model":"small"}');
    expect([answer.status, other.requests.length]).toEqual([502, 0]);
    await other.close();
  });

  it('says that the service does not answer', async () => {
    service.script([[drop]]);
    const answer = await post('{"model":"small"}');
    expect([answer.status, await answer.json()]).toEqual([
      502,
      { error: { message: 'The service does not answer.' } },
    ]);
  });

  it.each<[string, string, number, RequestInit]>([
    ['a visitor who is not signed in', '{"model":"small"}', 401, { headers: {} }],
    ['a model that is not listed', '{"model":"large"}', 403, {}],
    ['a request without a model', '[]', 403, {}],
    ['a request that is no JSON', 'model=small', 403, {}],
    ['a request that is too large', JSON.stringify({ model: 'small', text: 'x'.repeat(8_000_000) }), 413, {}],
    ['another method', '', 404, { method: 'DELETE', body: null }],
  ])('does not call the service for %s', async (_what, body, status, init) => {
    const before = seen();
    expect((await post(body, init)).status).toBe(status);
    expect(seen()).toBe(before);
  });

  it('is called at the address of the page', async () => {
    vi.stubGlobal('location', new URL(address));
    const { model } = await exportsOf<{ model: () => ChatModel }>(PAGE, '`${location.origin}');
    service.script([reply('Hello.')]);
    expect(model().id).toBe(`${new URL(address).host}/gpt-5-mini`);
    await expect(chunksOf(model())).rejects.toMatchObject({ detail: { status: 401 } });
    vi.unstubAllGlobals();
  });

  it('serves no other path of the service', async () => {
    const before = seen();
    const answers = await Promise.all([
      fetch(`${address}/models`, { headers: SIGNED_IN }),
      fetch(`${address}/files`, { method: 'POST', headers: SIGNED_IN, body: '{"model":"small"}' }),
    ]);
    expect([answers.map(({ status }) => status), seen()]).toEqual([[404, 404], before]);
  });
});
