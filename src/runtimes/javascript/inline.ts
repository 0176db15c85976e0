import type { Runtime } from '../../core/program.js';
import { runInWorkers, workerFromText } from '../run-in-workers.js';
import { javascriptRuntime, type JavaScriptOptions } from './javascript.js';
import type { NodeResult } from './run-node.js';
import { source } from './worker-inline.js';

/** Creates the runtime for builds that do not ship worker files. Works in the same way, with the worker included as text. */
export function javascript(options: JavaScriptOptions = {}): Runtime {
  const start = options.worker ?? (() => workerFromText(source));
  return javascriptRuntime(runInWorkers<NodeResult>('JavaScript runtime', start), options);
}
