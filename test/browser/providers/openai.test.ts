import { expect, inject, test } from 'vitest';
import { openai } from '../../../src/providers/openai/index.js';
import type { OpenAIOptions } from '../../../src/providers/openai/options.js';
import { ask, collect, textOf } from '../../fault-server/collect.js';
import { remoteFaultServer } from '../../fault-server/remote.js';
import {
  drop,
  event,
  finish,
  head,
  hold,
  refusal,
  reply,
  send,
  sendBytes,
  stall,
  streaming,
  text,
  done,
  type Reply,
} from '../../fault-server/replies.js';
import type { Job, News } from './openai.worker.js';
import { engine } from '../engine.js';

const start = (options: { cors?: boolean } = {}) => remoteFaultServer(inject('faultServer'), options);

function model(baseURL: string, options: Partial<OpenAIOptions> = {}) {
  return openai({ baseURL, model: 'test-model', contextWindow: 8_192, random: () => 0, ...options });
}

/** The messages of a worker about one call. */
function inWorker(job: Job): { news: News[]; next: () => Promise<News>; end: () => void } {
  const worker = new Worker(new URL('./openai.worker.ts', import.meta.url), { type: 'module' });
  const news: News[] = [];
  let wake: () => void = () => undefined;
  worker.onmessage = ({ data }: MessageEvent<News>) => {
    news.push(data);
    wake();
  };
  worker.postMessage(job);
  return {
    news,
    async next() {
      while (news.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return news.shift() as News;
    },
    end: () => worker.terminate(),
  };
}

test('a reply streams into a worker piece by piece', async () => {
  const server = await start();
  await server.script([[streaming, text('Hel'), hold, text('lo 🎉'), finish(), done]]);
  const worker = inWorker({ baseURL: server.url, abortOnText: false });
  expect(await worker.next()).toEqual({ chunk: { type: 'text-delta', text: 'Hel' } });
  await server.release(); // The server writes the rest only after the first piece was displayed.
  expect([await worker.next(), await worker.next(), await worker.next()]).toEqual([
    { chunk: { type: 'text-delta', text: 'lo 🎉' } },
    { chunk: { type: 'finish', reason: 'stop' } },
    { error: null },
  ]);
  worker.end();
});

test('an abort in a worker closes the connection', async () => {
  const server = await start();
  await server.script([[streaming, text('a'), stall]]);
  const worker = inWorker({ baseURL: server.url, abortOnText: true });
  await worker.next();
  expect(await worker.next()).toEqual({ error: 'aborted' });
  await expect.poll(async () => (await server.requests())[0]?.state).toBe('closed');
  worker.end();
});

test.each<[string, Reply]>([
  ['before the first byte', [stall]],
  ['in the middle of the reply', [streaming, text('a'), stall]],
])('an abort %s closes the connection', async (_when, steps) => {
  const server = await start();
  await server.script([steps]);
  const stopping = new AbortController();
  const collected = collect(model(server.url), ask({ signal: stopping.signal }));
  await expect.poll(async () => (await server.requests())[0]?.state).toBe('open');
  stopping.abort();
  expect((await collected).error).toMatchObject({ code: 'aborted' });
  await expect.poll(async () => (await server.requests())[0]?.state).toBe('closed');
});

test('a reader that stops early closes the connection', async () => {
  const server = await start();
  await server.script([[streaming, text('a'), stall]]);
  for await (const chunk of model(server.url).chat(ask())) {
    expect(chunk).toEqual({ type: 'text-delta', text: 'a' });
    break;
  }
  await expect.poll(async () => (await server.requests())[0]?.state).toBe('closed');
});

test('distinguishes a server without CORS headers from a closed port', async () => {
  const server = await start({ cors: false });
  const { chunks, error } = await collect(model(server.url, { apiKey: 'sk-canary-7f3a' }));
  expect(chunks.map(({ type }) => type)).toEqual(['progress', 'progress']);
  const { host } = new URL(server.url);
  const cause = `CORS: the server does not allow pages of ${location.origin} to read it. It must send "Access-Control-Allow-Origin: ${location.origin}" and answer OPTIONS with "Access-Control-Allow-Headers: authorization, content-type".`;
  expect(error?.toData()).toMatchObject({
    code: 'model-unreachable',
    message: `Could not reach ${host}. ${cause} That was attempt 3, the last.`,
    detail: { likely: [cause], attempts: 3 },
    // The browser's own words.
    cause: expect.stringMatching(
      /^(Failed to fetch|NetworkError when attempting to fetch resource\.|Load failed)$/,
    ) as string,
  });
  expect(JSON.stringify(error?.toData())).not.toContain('canary');
});

test('the probe of a server contains neither key nor prompt nor path', async () => {
  const server = await start({ cors: false });
  await collect(model(server.url, { apiKey: 'sk-canary-7f3a', headers: { 'x-canary': '1' }, retries: 0 }));
  const seen = await server.requests();
  expect(seen.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
    { method: 'GET', path: '/', body: '' },
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/canary|authorization|cookie|referer/);
});

test('a closed port is named, without CORS among the causes', async () => {
  const server = await start();
  await server.close();
  const { error } = await collect(model(server.url, { retries: 0 }));
  const { host } = new URL(server.url);
  expect(error).toMatchObject({
    code: 'model-unreachable',
    message: `Could not reach ${host}. Nothing listens at ${host}: is the server started, on this port? Or: the page's Content-Security-Policy does not list ${server.origin} under connect-src.`,
  });
});

test('a server that allowed the page and closes the connection is not reported as a CORS problem', async () => {
  const server = await start();
  await server.script([reply('Hello')]);
  const known = model(server.url, { retries: 0 });
  expect(await textOf(known)).toBe('Hello');
  await server.script([[drop]], 'repeat-posts');
  const { error } = await collect(known);
  expect(error?.message).toBe(
    `Could not reach ${new URL(server.url).host}. ${new URL(server.url).host} closed the connection before it answered.`,
  );
});

test('an unanswered probe ends with the request', async () => {
  const server = await start({ cors: false });
  await server.script([[stall]]);
  const stopping = new AbortController();
  const collected = collect(model(server.url), ask({ signal: stopping.signal }));
  await expect.poll(async () => (await server.requests())[0]?.state).toBe('open');
  stopping.abort();
  expect((await collected).error).toMatchObject({ code: 'aborted' });
  await expect.poll(async () => (await server.requests())[0]?.state).toBe('closed');
});

test('a redirect is distinguished from an unreachable server and not followed', async () => {
  const server = await start();
  const other = await start();
  await server.script([[head(307, { location: `${other.url}/chat/completions` })]]);
  const { error } = await collect(model(server.url, { apiKey: 'sk-canary-7f3a' }));
  expect(error).toMatchObject({ code: 'model-request', detail: { kind: 'redirect' } });
  expect(await other.requests()).toEqual([]);
});

test.each<[string, Reply]>([
  ['dropped', [drop]],
  ['invalid-utf8', [sendBytes([0x64, 0xff, 0xfe])]],
  ['incomplete', []],
  ['invalid-json', [event('{"choices":[')]],
])('a stream that breaks (%s) is retried before any text and thrown after it', async (kind, rest) => {
  const server = await start();
  await server.script([[streaming, send(': ping\n\n'), hold, ...rest], reply('Hello')]);
  await server.release();
  expect(await textOf(model(server.url))).toBe('Hello');

  await server.script([[streaming, text('Hel'), hold, ...rest]]);
  const chunks = model(server.url).chat(ask())[Symbol.asyncIterator]();
  await chunks.next();
  await server.release();
  await expect(chunks.next()).rejects.toMatchObject({
    code: 'model-request',
    // WebKit reports a connection that breaks like a reply that ends.
    detail: { kind: engine === 'webkit' && kind === 'dropped' ? 'incomplete' : kind, retryable: true },
  });
});

test('the delay that a server requests is respected', async () => {
  const server = await start();
  await server.script([refusal(429, 'Slow down.', { 'retry-after': '0' }), reply('Hello')]);
  const { chunks } = await collect(model(server.url, { random: () => 1 }));
  expect(chunks[0]).toMatchObject({
    type: 'progress',
    phase: 'waiting',
    text: expect.stringContaining('Trying again in 0.0 s') as string,
  });
  expect(chunks[1]).toEqual({ type: 'text-delta', text: 'Hello' });
});
