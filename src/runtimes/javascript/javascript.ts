import { checkOptions } from '../../core/check-options.js';
import type { Program, ProgramHost, ProgramResult, Runtime } from '../../core/program.js';
import { runOnSnapshot } from '../snapshot.js';
import { runNpm, runNpx } from './npm.js';
import { fetchPackages, type PackageFiles } from './packages.js';
import type { NodeRequest, NodeResult } from './run-node.js';

export interface JavaScriptOptions {
  /**
   * Packages that programs may import, by name, as in an import map: the address of an ES module or a CommonJS module. Each is fetched before the first
   * program, with all files that it imports. At most 500 files and 32 million characters.
   *
   * @example javascript({ packages: { 'csv-parse/sync': '/vendor/csv-parse.js' } })
   * @default {}
   */
  packages?: Readonly<Record<string, string>>;
  /**
   * Maximum memory of a program in bytes.
   *
   * @default 134_217_728 (128 MiB)
   */
  memoryBytes?: number;
  /** Creates the runtime's worker. Set it if the application itself serves `dist/runtimes/javascript/javascript-worker.js`. Browsers only. */
  worker?: () => Worker;
}

/** Runs one call of `node`, in a worker or in the current thread. */
export type RunNode = (request: NodeRequest, host: ProgramHost) => Promise<NodeResult>;

const NODE_COMMANDS = ['node', 'npm', 'npx'];

/** Creates the runtime on top of what runs `node`. */
export function javascriptRuntime(runNode: RunNode, options: JavaScriptOptions): Runtime {
  checkOptions('javascript()', options, { packages: true, memoryBytes: 'count', worker: 'callback' });
  const { packages = {}, memoryBytes = 128 * 1024 * 1024 } = options;
  let fetched: Promise<PackageFiles> | undefined;
  /** Fetches the packages once. A failed attempt is repeated by the next program. */
  const packageFiles = (): Promise<PackageFiles> => {
    fetched ??= fetchPackages(packages).catch((error: unknown) => {
      fetched = undefined;
      throw error;
    });
    return fetched;
  };

  async function node(program: Program, host: ProgramHost): Promise<ProgramResult> {
    const files = await packageFiles();
    return runOnSnapshot(program, host, (request) =>
      runNode({ ...request, packages: files, memoryBytes }, host),
    );
  }

  return {
    name: 'JavaScript',
    commands: NODE_COMMANDS,
    run(program, host) {
      if (program.command === 'npm') return runNpm(program, host);
      return program.command === 'npx' ? runNpx(program, host) : node(program, host);
    },
  };
}
