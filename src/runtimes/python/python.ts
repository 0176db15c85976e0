import { checkOptions } from '../../core/check-options.js';
import type { Runtime } from '../../core/program.js';
import { absoluteFolder } from '../application-files.js';
import { runInWorkers } from '../run-in-workers.js';
import { runOnSnapshot, type SnapshotResult } from '../snapshot.js';
import type { PythonRequest, Warm } from './interpreter.js';
import type { LoadMessage } from './python-worker.js';

export interface PythonOptions {
  /** Address of a folder with the files of the package `pyodide`, such as `/vendor/pyodide/`. About 6 MB are loaded with the first program. */
  address: string;
  /**
   * Packages of Pyodide that programs may import, such as `['numpy', 'pandas']`. Their files, and those of the packages they need, are in the same folder.
   *
   * @default []
   */
  packages?: readonly string[];
  /** Creates the runtime's worker. Set it if the application itself serves `dist/runtimes/python/python-worker.js`. Browsers only. */
  worker?: () => Worker;
}

/** Milliseconds that Python has to load. */
const LOAD_TIMEOUT_MS = 120_000;

/** Checks the options, and creates the runtime on workers. Each program has an interpreter of its own; the next one loads ahead. */
export function pythonRuntime(start: () => Worker, options: PythonOptions): Runtime {
  checkOptions('python()', options, { address: 'text', packages: 'list', worker: 'callback' }, ['address']);
  const { packages = [] } = options;
  let warm: Warm = {};
  const startAt = (): Worker => {
    const worker = (options.worker ?? start)();
    worker.addEventListener('message', ({ data }: MessageEvent<{ warm?: Warm }>) => {
      if (data.warm !== undefined) warm = data.warm;
    });
    const message: LoadMessage = { load: absoluteFolder(options.address), warm };
    worker.postMessage(message);
    return worker;
  };
  const run = runInWorkers<SnapshotResult>('Python runtime', startAt, {
    startTimeoutMs: LOAD_TIMEOUT_MS,
    isForOneCommand: true,
  });
  return {
    name: 'Python',
    commands: ['python', 'python3'],
    run: (program, host) =>
      runOnSnapshot(program, host, (request) => {
        const message: PythonRequest = { ...request, packages: [...packages] };
        return run(message, host);
      }),
  };
}
