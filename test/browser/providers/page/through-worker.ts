import { connect, RoleZeroError, sessions, type ErrorData, type Session } from 'rolezero';
import type { ChatChunk, ChatModel, ChatRequest } from '../../../../src/core/model.js';
import type { ModelHarness } from '../../../contracts/chat-model.js';
import type { Asked } from './asked.worker.js';

/** A call made in the worker. */
class WorkerCall {
  private readonly port: MessagePort;

  constructor(worker: Worker) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    worker.postMessage('call', [port2]);
  }

  tell(asked: Asked): void {
    this.port.postMessage(asked);
  }

  async ask<Value>(asked: Asked): Promise<Value> {
    const answer = new Promise<{ value: Value } | { error: ErrorData }>((resolve) => {
      this.port.onmessage = ({ data }: MessageEvent<{ value: Value } | { error: ErrorData }>) =>
        resolve(data);
    });
    this.tell(asked);
    const answers = await answer;
    if ('error' in answers) throw RoleZeroError.fromData(answers.error);
    return answers.value;
  }
}

/** Calls `page.model` in a worker from the page: requests and texts cross the worker boundary twice. */
function inWorker(worker: Worker, like: ChatModel): ChatModel {
  return {
    id: like.id,
    contextWindow: like.contextWindow,
    ...(like.supports === undefined ? {} : { supports: like.supports }),
    ...(like.countTokens === undefined
      ? {}
      : { countTokens: (text: string) => new WorkerCall(worker).ask<number>({ type: 'count', text }) }),
    async *chat({ signal, ...request }: ChatRequest): AsyncGenerator<ChatChunk, void> {
      const call = new WorkerCall(worker);
      const stop = () => call.tell({ type: 'stop', reason: String(signal.reason) });
      signal.addEventListener('abort', stop);
      try {
        let asked: Asked = { type: 'chat', request, isStopped: signal.aborted };
        for (;;) {
          const chunk = await call.ask<ChatChunk | null>(asked);
          if (chunk === null) return;
          yield chunk;
          asked = { type: 'more' };
        }
      } finally {
        signal.removeEventListener('abort', stop);
        call.tell({ type: 'leave' });
      }
    },
  };
}

/** The models that `harness` opens, but placed on the page and called from a worker. */
export async function throughWorker(
  harness: ModelHarness,
  supports: NonNullable<ChatModel['supports']>,
): Promise<ModelHarness> {
  let current: ChatModel | null = null;
  const onPage: ChatModel = {
    id: 'on the page',
    contextWindow: 4_096,
    supports,
    async *chat(request) {
      if (current !== null) yield* current.chat(request);
    },
    countTokens: (text) => text.length,
  };
  const worker = new Worker(new URL('./asked.worker.ts', import.meta.url), { type: 'module' });
  const name = crypto.randomUUID();
  const session: Session = await connect(worker, { session: name, models: { it: onPage } });
  const there = inWorker(worker, onPage);
  return {
    ...harness,
    async open(replies) {
      current = await harness.open(replies);
      return there;
    },
    async close() {
      await session.close();
      worker.terminate();
      await sessions.remove(name);
      await harness.close?.();
    },
  };
}
