import { readFile } from 'node:fs/promises';
import type { Runtime } from '../../core/program.js';
import type { Compiler } from './compiler.js';
import { runTsc } from './run-tsc.js';
import { tscRuntime, type TypeScriptOptions } from './typescript.js';

/**
 * Creates the runtime for Node, where tests run roles without a browser. The address is the URL of a folder, `file:` included. Works in the same
 * way, without a worker and without a time limit of its own.
 */
export function typescript(options: TypeScriptOptions): Runtime {
  return tscRuntime(
    (request) =>
      runTsc(request, {
        load: async (address) => ((await import(`${address}typescript.js`)) as { default: Compiler }).default,
        text: (address) => readFile(new URL(address), 'utf8').catch(() => null),
      }),
    options,
  );
}
