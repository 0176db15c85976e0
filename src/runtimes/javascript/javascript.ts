import { checkOptions } from '../../core/check-options.js';
import { RoleZeroError } from '../../core/error.js';
import type { Program, ProgramHost, ProgramResult, Runtime } from '../../core/program.js';
import { runOnSnapshot } from '../run-on-snapshot.js';
import { runNpm, runNpx } from './npm.js';
import type { NodeRequest, NodeResult } from './run-node.js';

export interface JavaScriptOptions {
  /**
   * Packages that programs may import: the address of one file each, an ES module or a CommonJS module without imports of its own, by name. They are
   * fetched before the first program.
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

const COMMANDS = ['node', 'npm', 'npx'];

/** Creates the runtime on top of what runs `node`. */
export function javascriptRuntime(runNode: RunNode, options: JavaScriptOptions): Runtime {
  checkOptions('javascript()', options, { packages: true, memoryBytes: 'count', worker: 'callback' });
  const { packages = {}, memoryBytes = 128 * 1024 * 1024 } = options;
  let fetched: Promise<Record<string, string>> | undefined;
  /** Fetches the packages once. A failed attempt is repeated by the next program. */
  const packageTexts = (): Promise<Record<string, string>> => {
    fetched ??= fetchPackages(packages).catch((error: unknown) => {
      fetched = undefined;
      throw error;
    });
    return fetched;
  };

  async function node(program: Program, host: ProgramHost): Promise<ProgramResult> {
    const texts = await packageTexts();
    return runOnSnapshot(program, host, (request) =>
      runNode({ ...request, packages: texts, memoryBytes }, host),
    );
  }

  return {
    name: 'JavaScript',
    commands: COMMANDS,
    run(program, host) {
      if (program.command === 'npm') return runNpm(program, host);
      return program.command === 'npx' ? runNpx(program, host) : node(program, host);
    },
  };
}

async function fetchPackages(packages: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const texts = Object.entries(packages).map(async ([name, address]): Promise<[string, string]> => {
    const response = await fetch(address);
    if (!response.ok)
      throw new RoleZeroError(
        'tool-failed',
        `The package ${name} could not be loaded from ${address}: HTTP ${response.status}.`,
      );
    return [name, await response.text()];
  });
  return Object.fromEntries(await Promise.all(texts));
}
