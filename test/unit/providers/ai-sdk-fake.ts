import type { fromAiSdk } from '../../../src/providers/ai-sdk/index.js';
import type { TestReply } from '../../contracts/chat-model.js';

type AiSdkModel = Parameters<typeof fromAiSdk>[0];
type AiSdkCall = Parameters<AiSdkModel['doStream']>[0];

export interface FakeModel extends AiSdkModel {
  /** The options of its last call. */
  readonly calls: AiSdkCall[];
  /** Streams that have not ended. */
  open(): number;
}

/** A model like those of AI SDK providers: it streams parts in the format of its version and respects the signal. */
export function fakeModel(
  replies: readonly (TestReply | Error | readonly unknown[])[],
  version: 'v2' | 'v3' | 'v4' = 'v4',
): FakeModel {
  const calls: AiSdkCall[] = [];
  let open = 0;
  return {
    specificationVersion: version,
    provider: 'fake.chat',
    modelId: 'm1',
    calls,
    open: () => open,
    doStream(call) {
      const reply = replies[calls.length] ?? new Error('asked more than it was given');
      calls.push(call);
      if (reply instanceof Error) return Promise.reject(reply);
      if ('then' in reply && reply.then === 'overflow') return Promise.reject(tooLong());
      const hangs = 'then' in reply && reply.then === 'hang';
      const left = partsOf(reply, version);
      open += 1;
      const stream = new ReadableStream<unknown>(
        {
          start(controller) {
            call.abortSignal?.addEventListener('abort', () => {
              if (open > 0) open -= 1;
              controller.error(call.abortSignal?.reason);
            });
          },
          pull(controller) {
            const part = left.shift();
            if (part !== undefined) controller.enqueue(part);
            else if (hangs) return new Promise<void>(() => {});
            else {
              open -= 1;
              controller.close();
            }
            return undefined;
          },
          cancel() {
            open -= 1;
          },
        },
        { highWaterMark: 0 },
      );
      return Promise.resolve({ stream });
    },
  };
}

/** The error of providers when the server found the prompt too long. */
function tooLong(): Error {
  return Object.assign(new Error('Bad Request'), {
    name: 'AI_APICallError',
    statusCode: 400,
    isRetryable: false,
    responseBody: '{"error":{"message":"Too long.","code":"context_length_exceeded"}}',
  });
}

function partsOf(reply: TestReply | readonly unknown[], version: string): unknown[] {
  if (Array.isArray(reply)) return [...(reply as unknown[])];
  const { reasoning, pieces = [], usage = [3, 1], then } = reply as TestReply;
  const [input, output] = usage;
  const parts: unknown[] = [{ type: 'stream-start', warnings: [] }];
  if (reasoning !== undefined)
    parts.push(
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: reasoning },
      { type: 'reasoning-end', id: 'r' },
    );
  parts.push({ type: 'text-start', id: 't' });
  for (const delta of pieces) parts.push({ type: 'text-delta', id: 't', delta });
  if (then === 'hang') return parts;
  if (then === 'fail') return [...parts, { type: 'error', error: new Error('It broke.') }];
  parts.push({ type: 'text-end', id: 't' });
  const old = version === 'v2';
  const reason = then === 'cut' ? 'length' : 'stop';
  parts.push({
    type: 'finish',
    finishReason: old ? reason : { unified: reason, raw: reason },
    usage: old
      ? { inputTokens: input, outputTokens: output, totalTokens: input + output }
      : { inputTokens: { total: input }, outputTokens: { total: output } },
  });
  return parts;
}
