import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

async function read(stream: OddStream) {
  server.script([replyOf(stream)], 'repeat');
  const model = openai({ baseURL: server.url, model: 'test-model', contextWindow: 8_192, retries: 0 });
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

describe('an odd stream is read as its server meant it', () => {
  test.each((oddStreams as OddStream[]).concat(MORE_STREAMS).map((stream) => [stream.id, stream] as const))(
    '%s',
    async (_id, stream) => {
      const { error, ...want } = stream.want;
      const found = await read(stream);
      if (error === undefined) expect(found).toMatchObject({ ...want, error: undefined });
      else expect(found.error).toContain(error === true ? '' : error);
    },
  );
});
