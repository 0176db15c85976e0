import { toRoleZeroError } from '../../core/error.js';
import type { ThreadMessage } from '../../core/worker-threads.js';
import type { SnapshotResult } from '../snapshot.js';
import { loadPyodide, runPython, type PythonRequest, type Warm } from './interpreter.js';

/** The first message to the worker. `warm`: what an earlier worker sent with its readiness. */
export interface LoadMessage {
  load: string;
  warm: Warm;
}

/** The worker of the Python runtime: loads Pyodide from the address of the first message, then runs one program. */
const scope = globalThis as unknown as Pick<Worker, 'addEventListener'> & {
  postMessage(message: unknown): void;
};
/** Programs cannot reach it later. */
const send: (message: ThreadMessage<SnapshotResult> | { ready: true; warm: Warm }) => void =
  scope.postMessage.bind(scope);

let loading: ReturnType<typeof loadPyodide> | undefined;

scope.addEventListener('message', ({ data }: MessageEvent<LoadMessage | PythonRequest>) => {
  const failed = (error: unknown): void => send({ error: toRoleZeroError(error, 'tool-failed').toData() });
  if ('load' in data) {
    const { load, warm } = data;
    const isNew = warm.memory === undefined;
    loading = loadPyodide(load, warm);
    loading.then(() => send(isNew ? { ready: true, warm } : { ready: true }), failed);
  } else void loading?.then((pyodide) => runPython(pyodide, data)).then((result) => send({ result }), failed);
});
