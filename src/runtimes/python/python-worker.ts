import { toRoleZeroError } from '../../core/error.js';
import type { ThreadMessage } from '../../core/worker-threads.js';
import type { SnapshotResult } from '../snapshot.js';
import { loadInterpreter, runPython, type PythonRequest, type Warm } from './interpreter.js';

/** The first message to the worker. `warm`: what an earlier worker sent with its readiness. */
export interface LoadMessage {
  load: string;
  warm: Warm;
}

/** The worker of the Python runtime: loads Pyodide from the address of the first message, then runs one program. */
const workerScope = globalThis as unknown as Pick<Worker, 'addEventListener'> & {
  postMessage(message: unknown): void;
};
/** Programs cannot reach it later. */
const sendToHost: (message: ThreadMessage<SnapshotResult> | { ready: true; warm: Warm }) => void =
  workerScope.postMessage.bind(workerScope);

let loading: ReturnType<typeof loadInterpreter> | undefined;

workerScope.addEventListener('message', ({ data }: MessageEvent<LoadMessage | PythonRequest>) => {
  const failed = (error: unknown): void =>
    sendToHost({ error: toRoleZeroError(error, 'tool-failed').toData() });
  if ('load' in data) {
    const { load, warm } = data;
    const isNew = warm.memory === undefined;
    loading = loadInterpreter(load, warm);
    loading.then(() => sendToHost(isNew ? { ready: true, warm } : { ready: true }), failed);
  } else
    void loading
      ?.then((interpreter) => runPython(interpreter, data))
      .then((result) => sendToHost({ result }), failed);
});
