import type { Runtime } from '../../core/program.js';
import { pythonRuntime, type PythonOptions } from './python.js';

/**
 * Runs Python in the terminal: `python FILE`, `-c` and `-m unittest`. Programs run in Pyodide, in a worker of their own from which network,
 * storage and the page are removed, and can access only the files. A Content-Security-Policy must allow `wasm-unsafe-eval`.
 *
 * @example terminal({ runtimes: [python({ address: '/vendor/pyodide/' })] })
 */
export function python(options: PythonOptions): Runtime {
  // Bundlers search for exactly this expression, and only once: see spawn. A module from another origin, such as a CDN, cannot start it.
  const start = (): Worker => new Worker(new URL('./python-worker.js', import.meta.url), { type: 'module' });
  return pythonRuntime(start, options);
}
