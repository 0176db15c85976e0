import type { Runtime } from '../../core/program.js';
import { runInWorkers, workerFromText } from '../run-in-workers.js';
import { gitRuntime, type GitOptions } from './git.js';
import { source } from './worker-inline.js';

/** Creates the runtime for builds that do not ship worker files. Works in the same way, with the worker included as text. */
export function git(options: GitOptions = {}): Runtime {
  return gitRuntime(runInWorkers('git runtime', options.worker ?? (() => workerFromText(source))), options);
}
