import type { Runtime } from '../../core/program.js';
import { runInWorkers } from '../run-in-workers.js';
import { workerFromFile } from './start-worker.js';
import { tscRuntime, type TypeScriptOptions } from './typescript.js';

/**
 * Runs TypeScript's compiler in the terminal: `tsc`, also as `npx tsc`, with the project's `tsconfig.json`. It checks the types of files of the
 * session, and writes JavaScript without `--noEmit`. A Content-Security-Policy must allow `blob:` in `script-src`.
 *
 * @example terminal({ runtimes: [javascript(), typescript({ address: '/vendor/typescript/' })] })
 */
export function typescript(options: TypeScriptOptions): Runtime {
  return tscRuntime(runInWorkers('TypeScript runtime', options.worker ?? workerFromFile), options);
}
