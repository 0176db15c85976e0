import type { Runtime } from '../../core/program.js';
import { runInWorkers } from '../run-in-workers.js';
import { javascriptRuntime, type JavaScriptOptions } from './javascript.js';
import type { NodeResult } from './run-node.js';

/**
 * Runs JavaScript and TypeScript in the terminal: `node`, `npm test`, `npm run`, and `node --test`. Programs run in QuickJS, an interpreter in
 * WebAssembly, in a worker of its own, and can access only the files. The worker loads with the first program. A Content-Security-Policy must
 * allow `wasm-unsafe-eval`.
 *
 * @example terminal({ runtimes: [javascript()] })
 */
export function javascript(options: JavaScriptOptions = {}): Runtime {
  // Bundlers search for exactly this expression, and only once: see spawn. A module from another origin, such as a CDN, cannot start it.
  const start = (): Worker =>
    new Worker(new URL('./javascript-worker.js', import.meta.url), { type: 'module' });
  const run = runInWorkers<NodeResult>('JavaScript runtime', options.worker ?? start);
  return javascriptRuntime(run, options);
}
