import { checkOptions } from '../../core/check-options.js';
import { describe, RoleZeroError } from '../../core/error.js';
import type { Program, ProgramHost, ProgramResult, Runtime } from '../../core/program.js';
import { recordUse, takeSnapshot } from '../snapshot.js';
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
export type RunNode = (
  request: NodeRequest,
  transfer: Transferable[],
  host: ProgramHost,
) => Promise<NodeResult>;

const COMMANDS = ['node', 'npm', 'npx'];

/** Creates the runtime on top of what runs `node`. */
export function javascriptRuntime(runNode: RunNode, options: JavaScriptOptions): Runtime {
  checkOptions('javascript()', options, { packages: true, memoryBytes: 'count', worker: 'callback' });
  const { packages = {}, memoryBytes = 128 * 1024 * 1024 } = options;
  let texts: Promise<Record<string, string>> | undefined;
  /** Fetches the packages once. A failed attempt is repeated by the next program. */
  const packageTexts = (): Promise<Record<string, string>> => {
    texts ??= fetchPackages(packages).catch((error: unknown) => {
      texts = undefined;
      throw error;
    });
    return texts;
  };

  async function node(program: Program, host: ProgramHost): Promise<ProgramResult> {
    const { args, cwd, env, stdin } = program;
    const { files, timeoutMs } = host;
    const request = {
      args,
      cwd,
      env,
      stdin,
      files: await takeSnapshot(files),
      packages: await packageTexts(),
      memoryBytes,
      timeoutMs,
    };
    const { exitCode, stdout, stderr, use, isLate } = await runNode(request, [], host);
    if (isLate) throw new RoleZeroError('tool-timeout', 'The program took too long.', { timeoutMs });
    try {
      await recordUse(use, files);
    } catch (error) {
      return {
        exitCode: 1,
        stdout,
        stderr: `${stderr}node: Not all changes could be stored: ${describe(error)}\n`,
      };
    }
    return { exitCode, stdout, stderr };
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
