import type { Runtime } from '../../core/program.js';
import { workerFromText } from '../run-in-workers.js';
import { pythonRuntime, type PythonOptions } from './python.js';
import { source } from './worker-inline.js';

/** Creates the runtime for builds that do not ship worker files. Works in the same way, with the worker included as text. */
export function python(options: PythonOptions): Runtime {
  return pythonRuntime(() => workerFromText(source), options);
}
