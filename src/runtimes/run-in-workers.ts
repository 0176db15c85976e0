import { RoleZeroError } from '../core/error.js';
import type { ProgramHost } from '../core/program.js';
import { WorkerThreads, type WorkerThreadsOptions } from '../core/worker-threads.js';

/** Returns a function that runs requests in workers; see `serveThread`. `name`: what runs in them, for errors. */
export function runInWorkers<Result>(
  name: string,
  start: () => Worker,
  options: WorkerThreadsOptions = {},
): (request: object, host: Pick<ProgramHost, 'signal' | 'timeoutMs'>) => Promise<Result> {
  const hint = `Pass the option worker: () => new Worker(…) with the file of the package's dist/runtimes/, and allow worker-src and wasm-unsafe-eval in a Content-Security-Policy.`;
  const threads = new WorkerThreads<Result>(start, name, hint, options);
  return (message, { signal, timeoutMs }) => {
    const late = (): Error => new RoleZeroError('tool-timeout', 'The program took too long.', { timeoutMs });
    return threads.run({ message, transfer: [], timeoutMs, late }, signal);
  };
}

const urls = new Map<string, string>();

/** Starts a worker from its text. */
export function workerFromText(source: string): Worker {
  const url = urls.get(source) ?? URL.createObjectURL(new Blob([source], { type: 'text/javascript' })); // shared by all workers, so it is not revoked
  urls.set(source, url);
  return new Worker(url, { type: 'module' });
}
