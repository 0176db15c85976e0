import type { Runtime } from '../../core/program.js';
import { runInWorkers } from '../run-in-workers.js';
import { tscRuntime, type TypeScriptOptions } from './typescript.js';

/**
 * Runs TypeScript's compiler in the terminal: `tsc`, also as `npx tsc`, with the project's `tsconfig.json`. It checks the types of files of the
 * session, and writes JavaScript without `--noEmit`. A Content-Security-Policy must allow `blob:` in `script-src`.
 *
 * @example terminal({ runtimes: [javascript(), typescript({ address: '/vendor/typescript/' })] })
 */
export function typescript(options: TypeScriptOptions): Runtime {
  // Bundlers search for exactly this expression, and only once: see spawn. A module from another origin, such as a CDN, cannot start it.
  const start = (): Worker =>
    new Worker(new URL('./typescript-worker.js', import.meta.url), { type: 'module' });
  return tscRuntime(runInWorkers('TypeScript runtime', options.worker ?? start), options);
}
