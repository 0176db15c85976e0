import { checkOptions } from '../../core/check-options.js';
import type { ProgramHost, Runtime } from '../../core/program.js';
import { absoluteFolder } from '../application-files.js';
import { runOnSnapshot, type SnapshotResult } from '../snapshot.js';
import type { TscRequest } from './run-tsc.js';

export interface TypeScriptOptions {
  /**
   * Address of a folder with the files of `lib/` of the package `typescript`, version 5 or 6, such as `/vendor/typescript/`: `typescript.js` and the
   * declarations `lib.*.d.ts`. About 2 MB (compressed) are loaded with the first program.
   */
  address: string;
  /** Creates the runtime's worker. Set it if the application itself serves `dist/runtimes/typescript/typescript-worker.js`. Browsers only. */
  worker?: () => Worker;
}

/** Creates the runtime on top of what runs `tsc`. */
export function tscRuntime(
  run: (request: TscRequest, host: ProgramHost) => Promise<SnapshotResult>,
  options: TypeScriptOptions,
): Runtime {
  checkOptions('typescript()', options, { address: 'text', worker: 'callback' }, ['address']);
  return {
    name: 'TypeScript',
    commands: ['tsc'],
    run: (program, host) =>
      runOnSnapshot(program, host, (request) =>
        run({ ...request, address: absoluteFolder(options.address) }, host),
      ),
  };
}
