import { toRoleZeroError } from '../core/error.js';
import type { ThreadMessage } from '../core/worker-threads.js';

/** Makes the current worker run one request at a time; see `WorkerThreads`. */
export function serveThread<Result>(run: (request: never) => Promise<Result>): void {
  const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;
  const send = (message: ThreadMessage<Result>): void => scope.postMessage(message);
  scope.addEventListener('message', ({ data }: MessageEvent) => {
    run(data as never).then(
      (result) => send({ result }),
      (error: unknown) => send({ error: toRoleZeroError(error, 'tool-failed').toData() }),
    );
  });
  send({ ready: true });
}
