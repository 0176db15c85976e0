import { RoleZero, serve, type ChatChunk, type ChatModel, type ChatRequest } from 'rolezero/worker';
import { browser } from 'rolezero/tools/browser';
import { scriptedModel } from 'rolezero/testing';

/** A model whose replies arrive from the test over a channel. */
function handModel(channel: BroadcastChannel): ChatModel {
  const others = scriptedModel({});
  const report: string[] = [];
  let last = '';
  let heard = (): void => undefined;
  channel.onmessage = ({ data }: MessageEvent<string>) => {
    report.push(data);
    heard();
  };
  return {
    ...others,
    contextWindow: 100_000_000, // Nothing is ever dropped from it.
    async *chat(request: ChatRequest): AsyncGenerator<ChatChunk> {
      if (request.purpose !== 'think' && request.purpose !== 'regenerate') {
        yield* others.chat(request);
        return;
      }
      // A repeated reply is intended here.
      if (request.purpose === 'regenerate') report.unshift(last);
      while (report.length === 0)
        await new Promise<void>((resolve) => {
          heard = resolve;
          request.signal.addEventListener('abort', () => resolve(), { once: true });
        });
      last = report.shift() ?? '';
      yield { type: 'text-delta', text: last };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

/** An agent with a browser, controlled by the test. */
serve<{ channel: string }>(
  ({ channel }) =>
    new RoleZero({
      model: handModel(new BroadcastChannel(channel)),
      tools: browser({ maxView: 100_000 }),
      maxSteps: 100_000,
    }),
);
