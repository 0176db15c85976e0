import { inspect } from 'node:util';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Embedder } from '../../../src/core/model.js';
import { openaiEmbedder } from '../../../src/embedders/openai/index.js';
import { transformersEmbedder } from '../../../src/embedders/transformers/index.js';
import { webLlmEmbedder } from '../../../src/embedders/web-llm/index.js';
import { startFaultServer } from '../../fault-server/fault-server.js';
import { head, send, stall } from '../../fault-server/replies.js';

const lists = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector]);
const failure = (code: string, message: string) => ({
  code,
  message: expect.stringContaining(message) as string,
});

describe('a server with /embeddings', () => {
  let server: Server | null = null;
  afterEach(async () => {
    await new Promise((done) => (server === null ? done(null) : server.close(done)));
    server = null;
  });

  interface Asked {
    url: string | undefined;
    authorization: string | undefined;
    body: { model: string; input: string[] };
  }

  /** Starts a server with the responses of `answer`; null never responds. */
  async function serving(answer: (asked: Asked) => { status?: number; body: string } | null) {
    const asked: Asked[] = [];
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        const one: Asked = {
          url: request.url,
          authorization: request.headers.authorization,
          body: JSON.parse(text) as Asked['body'],
        };
        asked.push(one);
        const { status = 200, body } = answer(one) ?? { body: null };
        if (body !== null) response.writeHead(status).end(body);
      });
    });
    await new Promise((ready) => server?.listen(0, '127.0.0.1', () => ready(null)));
    const { port } = server.address() as AddressInfo;
    return { asked, baseURL: `http://127.0.0.1:${port}/v1/` };
  }

  const reversed = ({ body: { input } }: Asked) => ({
    body: JSON.stringify({
      data: input.map((text, index) => ({ index, embedding: [text.length, index] })).reverse(),
    }),
  });

  test('returns the vectors in the order of the texts, in batches', async () => {
    const { asked, baseURL } = await serving(reversed);
    const embedder = openaiEmbedder({ baseURL, model: 'm', dimensions: 2, apiKey: 'key', batch: 2 });
    expect(lists(await embedder.embed(['a', 'bb', 'ccc']))).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
    ]);
    expect(asked.map(({ url, authorization, body }) => ({ url, authorization, input: body.input }))).toEqual([
      { url: '/v1/embeddings', authorization: 'Bearer key', input: ['a', 'bb'] },
      { url: '/v1/embeddings', authorization: 'Bearer key', input: ['ccc'] },
    ]);
    expect(await embedder.embed([])).toEqual([]);
  });

  test.each([
    ['a refusal', { status: 401, body: '{"error":"no key"}' }, 'answered 401: {"error":"no key"}'],
    ['what is not JSON', { body: '<html>' }, 'did not give 1 embeddings: <html>'],
    ['too few', { body: '{"data":[]}' }, 'did not give 1 embeddings'],
    [
      'what is not a number',
      { body: '{"data":[{"index":0,"embedding":["x"]}]}' },
      'did not give 1 embeddings',
    ],
    ['another length', { body: '{"data":[{"index":0,"embedding":[1,2,3]}]}' }, 'gives vectors of 3 numbers'],
  ])('reports %s with a clear error', async (_what, answer, message) => {
    const { baseURL } = await serving(() => answer);
    const embedder = openaiEmbedder({ baseURL, model: 'm', dimensions: 2 });
    await expect(embedder.embed(['a'])).rejects.toMatchObject(failure('model-request', message));
  });

  test('does not follow a redirect: the key is sent only to its own server', async () => {
    const other = await startFaultServer();
    const redirecting = await startFaultServer();
    try {
      redirecting.script([[head(307, { location: `${other.url}/embeddings` })]]);
      const options = {
        baseURL: redirecting.url,
        model: 'm',
        dimensions: 2,
        headers: { 'x-api-key': 'secret' },
      };
      await expect(openaiEmbedder(options).embed(['a'])).rejects.toMatchObject({
        ...failure('model-request', 'Give the final address as baseURL'),
        detail: { kind: 'redirect' },
      });
      expect(other.requests).toEqual([]);
    } finally {
      await Promise.all([other.close(), redirecting.close()]);
    }
  });

  test.each([
    ['in a refusal', 401],
    ['in an invalid embedding', 200],
  ])('does not show a key that the server quotes %s', async (_where, status) => {
    const canary = 'sk-canary-7f3a9b';
    const { baseURL } = await serving(({ authorization }) => ({
      status,
      body: `No: ${authorization ?? ''}`,
    }));
    for (const given of [{ apiKey: canary }, { headers: { authorization: `Bearer ${canary}` } }]) {
      const error: unknown = await openaiEmbedder({ baseURL, model: 'm', dimensions: 2, ...given })
        .embed(['a'])
        .catch((caught: unknown) => caught);
      expect(inspect(error)).toContain('[secret]');
      expect(inspect(error)).not.toContain('canary');
    }
  });

  test('does not quote a key with invalid header characters', async () => {
    const { baseURL } = await serving(reversed);
    const error: unknown = await openaiEmbedder({
      baseURL,
      model: 'm',
      dimensions: 2,
      apiKey: 'sk-canary\nx',
    })
      .embed(['a'])
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'invalid' });
    expect(inspect(error)).not.toContain('canary');
  });

  test('rejects a placeholder key before any request', async () => {
    const embedder = openaiEmbedder({
      baseURL: 'http://127.0.0.1:9',
      model: 'm',
      dimensions: 2,
      apiKey: 'sk-…',
    });
    await expect(embedder.embed(['a'])).rejects.toMatchObject({
      code: 'invalid',
      message: '"sk-…" is a placeholder: put your key into `apiKey`.',
    });
  });

  test('names an unreachable server without the words of fetch', async () => {
    const closed = await startFaultServer();
    await closed.close();
    const embedder = openaiEmbedder({ baseURL: closed.url, model: 'm', dimensions: 2 });
    const error: unknown = await embedder.embed(['a']).catch((caught: unknown) => caught);
    expect((error as Error).message).toMatch(
      /could not be asked: no response\. Is it up, with CORS for this page\?$/,
    );
  });

  test('does not read an oversized response to its end', async () => {
    const endless = await startFaultServer();
    try {
      endless.script([[head(200), send('x'.repeat(3_000_000)), stall]]);
      const embedder = openaiEmbedder({ baseURL: endless.url, model: 'm', dimensions: 2 });
      await expect(embedder.embed(['a'])).rejects.toMatchObject(failure('model-request', 'more than'));
    } finally {
      await endless.close();
    }
  });

  test('stops waiting for a silent server on abort or time-out', async () => {
    const { baseURL } = await serving(() => null);
    const controller = new AbortController();
    const waiting = openaiEmbedder({ baseURL, model: 'm', dimensions: 2 }).embed(['a'], controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    const hasty = openaiEmbedder({ baseURL, model: 'm', dimensions: 2, timeoutMs: 20 });
    await expect(hasty.embed(['a'])).rejects.toMatchObject(failure('model-request', 'could not be asked'));
    server?.closeAllConnections();
  });
});

describe('an engine or a pipeline of the application', () => {
  test('loads a web-llm engine once, and sends batches in order', async () => {
    const asked: { input: string[]; model?: string }[] = [];
    let loads = 0;
    const embedder = webLlmEmbedder({
      model: 'arctic-b4',
      dimensions: 1,
      batch: 2,
      engine: async () => {
        loads++;
        if (loads === 1) throw new Error('no graphics card');
        return {
          embeddings: {
            create: async (request) => {
              asked.push(request);
              const data = request.input.map((text, index) => ({ index, embedding: [text.length] }));
              return { data: data.reverse() };
            },
          },
        };
      },
    });
    await expect(embedder.embed(['a'])).rejects.toMatchObject(failure('model-load', 'no graphics card'));
    expect(lists(await embedder.embed(['a', 'bb', 'ccc']))).toEqual([[1], [2], [3]]);
    expect(lists(await embedder.embed(['dddd']))).toEqual([[4]]);
    expect([loads, asked.map(({ input }) => input)]).toEqual([2, [['a', 'bb'], ['ccc'], ['dddd']]]);
  });

  test('reads one block per batch from a transformers.js pipeline', async () => {
    const asked: { texts: string[]; pooling: string }[] = [];
    const embedder = transformersEmbedder({
      model: 'mini',
      dimensions: 2,
      prefix: 'query: ',
      batch: 2,
      pipeline: async (texts, { pooling }) => {
        asked.push({ texts, pooling });
        return { data: texts.flatMap((text) => [text.length, 1]), dims: [texts.length, 2] };
      },
    });
    expect(lists(await embedder.embed(['a', 'bb', 'ccc']))).toEqual([
      [8, 1],
      [9, 1],
      [10, 1],
    ]);
    expect(asked).toEqual([
      { texts: ['query: a', 'query: bb'], pooling: 'mean' },
      { texts: ['query: ccc'], pooling: 'mean' },
    ]);
    const wrong = transformersEmbedder({
      model: 'mini',
      dimensions: 3,
      pipeline: { load: async () => async () => ({ data: [1, 2], dims: [1, 2] }) },
    });
    await expect(wrong.embed(['a'])).rejects.toMatchObject(failure('model-request', '1 × 2'));
  });

  test.each<[string, (stop: () => void) => Embedder]>([
    [
      'web-llm',
      (stop) =>
        webLlmEmbedder({
          model: 'm',
          dimensions: 1,
          batch: 1,
          engine: {
            embeddings: {
              create: async () => {
                stop();
                return { data: [{ index: 0, embedding: [1] }] };
              },
            },
          },
        }),
    ],
    [
      'transformers.js',
      (stop) =>
        transformersEmbedder({
          model: 'm',
          dimensions: 1,
          batch: 1,
          pipeline: async () => {
            stop();
            return { data: [1], dims: [1, 1] };
          },
        }),
    ],
  ])('%s stops between batches', async (_name, make) => {
    const controller = new AbortController();
    const embedder = make(() => controller.abort());
    await expect(embedder.embed(['a', 'b'], controller.signal)).rejects.toMatchObject({ code: 'aborted' });
  });
});
