import type { Runtime } from '../../core/program.js';
import { runInWorkers, workerFromText } from '../run-in-workers.js';
import { tscRuntime, type TypeScriptOptions } from './typescript.js';
import { source } from './worker-inline.js';

/** Creates the runtime for builds that do not ship worker files. Works in the same way, with the worker included as text. */
export function typescript(options: TypeScriptOptions): Runtime {
  const start = options.worker ?? (() => workerFromText(source));
  return tscRuntime(runInWorkers('TypeScript runtime', start), options);
}
