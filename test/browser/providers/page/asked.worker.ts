import { RoleZeroError, RoleZero, serve, type ChatModel, type ChatRequest } from 'rolezero/worker';

/** A request of a test to the page's model, made in the worker. */
export type Asked =
  | { type: 'chat'; request: Omit<ChatRequest, 'signal'>; isStopped: boolean }
  | { type: 'count'; text: string }
  | { type: 'more' }
  | { type: 'stop'; reason: string }
  | { type: 'leave' };

let model: ChatModel | null = null;

serve((_, page) => {
  model = page.model('it');
  return new RoleZero({ model });
});

/** Opens a port for each call: it answers each `more` with a chunk, with null after the last, or with an error. */
addEventListener('message', ({ data, ports: [port] }: MessageEvent<unknown>) => {
  if (data !== 'call' || port === undefined) return;
  const stopping = new AbortController();
  let chunks: AsyncIterator<unknown> | undefined;
  port.onmessage = async ({ data: asked }: MessageEvent<Asked>) => {
    try {
      if (asked.type === 'stop') stopping.abort(new Error(asked.reason));
      else if (asked.type === 'leave') await chunks?.return?.();
      else if (asked.type === 'count') port.postMessage({ value: await model?.countTokens?.(asked.text) });
      else {
        if (asked.type === 'chat') {
          if (asked.isStopped) stopping.abort();
          chunks = model?.chat({ ...asked.request, signal: stopping.signal })[Symbol.asyncIterator]();
        }
        const next = await chunks?.next();
        port.postMessage({ value: next?.done === true ? null : next?.value });
      }
    } catch (error) {
      const fault = error instanceof RoleZeroError ? error : new RoleZeroError('internal', String(error));
      port.postMessage({ error: fault.toData() });
    }
  };
});
