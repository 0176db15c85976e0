import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatModel } from '../../../src/core/model.js';
import { fromAiSdk } from '../../../src/providers/ai-sdk/index.js';
import { openai } from '../../../src/providers/openai/index.js';
import { MORE_STREAMS, type OddStream } from '../../corpus/more-streams.js';
import oddStreams from '../../corpus/odd-streams.json';
import { collect } from '../../fault-server/collect.js';
import { startFaultServer, type FaultServer } from '../../fault-server/fault-server.js';
import { drop, head, send, sendBytes, wait, type Reply } from '../../fault-server/replies.js';

let server: FaultServer;

beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

function replyOf({ parts, type = 'text/event-stream' }: OddStream): Reply {
  const steps = parts.map((part) => {
    if (typeof part === 'string') return send(part);
    if ('wait' in part) return wait(part.wait);
    return 'bytes' in part ? sendBytes(part.bytes) : drop;
  });
  return [head(200, { 'content-type': type }), ...steps];
}

const ours = () => openai({ baseURL: server.url, model: 'test-model', contextWindow: 8_192, retries: 0 });
const fromSdk = () =>
  fromAiSdk(
    createOpenAICompatible({ name: 'local', baseURL: server.url, includeUsage: true })('test-model'),
    {
      contextWindow: 8_192,
    },
  );

async function read(stream: OddStream, model: ChatModel) {
  server.script([replyOf(stream)], 'repeat');
  const { chunks, error } = await collect(model);
  const joined = (type: 'text-delta' | 'reasoning-delta') =>
    chunks.map((chunk) => (chunk.type === type ? chunk.text : '')).join('');
  const used = chunks.find((chunk) => chunk.type === 'usage');
  const end = chunks.find((chunk) => chunk.type === 'finish');
  return {
    text: joined('text-delta'),
    reasoning: joined('reasoning-delta'),
    finish: end?.reason,
    usage: used && [used.promptTokens, used.completionTokens],
    error: error?.message,
  };
}

const STREAMS = (oddStreams as OddStream[])
  .concat(MORE_STREAMS)
  .map((stream) => [stream.id, stream] as const);

describe('an odd stream is read as its server meant it', () => {
  test.each(STREAMS)('%s', async (_id, stream) => {
    const { error, ...want } = stream.want;
    const found = await read(stream, ours());
    if (error === undefined) expect(found).toMatchObject({ ...want, error: undefined });
    else expect(found.error).toContain(error === true ? '' : error);
  });
});

/** The AI SDK hands on another text, and a good end: it ignores messages, the number of a choice, or text after the end. */
const OTHERWISE = new Set([
  'message-instead-of-delta', 'text-instead-of-content', 'choice-index-1-first-in-list', 'utf8-broken-token',
  'the whole message beside an empty delta, after parts of it', 'messages as parts, then the whole message',
  'other choices alone in their events', 'a finish reason, then more text, then the end',
]); // prettier-ignore

describe('an odd stream that the AI SDK reads is called whole only when it is', () => {
  test.each(STREAMS)('%s', async (id, stream) => {
    const { error, text, finish } = stream.want;
    const found = await read(stream, fromSdk());
    const isWhole = found.error === undefined && found.finish === 'stop';
    const isMeant = error === undefined && found.text === text && (finish ?? 'stop') === 'stop';
    if (isWhole) expect(isMeant).toBe(!OTHERWISE.has(id));
    else expect(OTHERWISE).not.toContain(id);
  });
});
