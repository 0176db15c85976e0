import { RoleZeroError } from '../../core/error.js';
import type { ToolFiles } from '../../core/files.js';
import type { NetworkAccess, Program, ProgramHost, ProgramResult } from '../../core/program.js';

/** State of a shell between commands; plain data, stored with the session. */
export interface ShellMemory {
  /** The working directory. */
  cwd: string;
  /** Variables that differ from those of a new shell. */
  env: Record<string, string>;
  /** Source text of each function that was defined at the top level of a command. */
  functions: Record<string, string>;
}

/** One command line and its environment; plain data. */
export interface ShellRequest {
  cmd: string;
  memory: ShellMemory;
  timeoutMs: number;
  /** Maximum characters of standard output, and of standard error, in the result. */
  maxOutput: number;
  /** Null means no network access. */
  network: NetworkAccess | null;
  /** Ends the command before its first request. */
  isOffline?: boolean;
  /** The files that the user was shown when approving its requests: it sends none after reading another one. Absent without an approval. */
  shown?: readonly string[];
}

export interface ShellResult {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** True if part of the output was omitted; a line in its place says so. */
  truncated: boolean;
  /** Origins to which a request was sent. */
  fetched: string[];
  /** The request before which the command was ended, such as `GET https://example.org/`. */
  needed?: string;
  /** The first request that was not sent, and why; see `ShellRequest.shown`. */
  unsent?: string;
  /** State for the next command. Null after `exit`, which ends the shell: the changes to its state are lost. */
  memory: ShellMemory | null;
}

/** What a shell supplies to a program that it calls. */
type ProgramCaller = Pick<ProgramHost, 'exec' | 'signal'>;

/** Programs of runtimes, as seen by the shell that calls them. */
export interface Programs {
  readonly commands: readonly string[];
  run(program: Program, caller: ProgramCaller): Promise<ProgramResult>;
}

/** Creates the programs of a command line, over its files. */
export type ProgramsOf = (request: ShellRequest, files: ToolFiles) => Programs;

/** Runs command lines over files, each in its own shell. The request and the result carry the state from one command to the next. */
export interface Shell {
  /**
   * Runs a command to its end, whatever the exit code. If `signal` aborts, rejects immediately with the signal's reason.
   *
   * @throws RoleZeroError `tool-timeout` after `timeoutMs`, `tool-failed` if the shell itself failed, `worker-start` if no shell can be
   * started, after several attempts. `files` may then contain partial changes: discard them.
   */
  run(
    request: ShellRequest,
    files: ToolFiles,
    signal: AbortSignal,
    programsOf: ProgramsOf,
  ): Promise<ShellResult>;
}

/** Returns whether requests of a command may change something outside. */
export function mayWrite(network: NetworkAccess | null): boolean {
  return (network?.methods ?? []).some((method) => method !== 'GET' && method !== 'HEAD');
}

/** Returns the error for a command that exceeded its time limit. */
export function tookTooLong({
  timeoutMs,
  network,
}: Pick<ShellRequest, 'timeoutMs' | 'network'>): RoleZeroError {
  const sent = mayWrite(network) ? ' (it is not known whether its requests took effect)' : '';
  return new RoleZeroError(
    'tool-timeout',
    `The command was stopped after ${timeoutMs / 1000} seconds without finishing; its changes of files were discarded${sent}, and the terminal is ` +
      'ready for the next one. Make it smaller, or run it in the background with "daemon": true; the application can raise the limit with ' +
      'terminal({ timeoutMs }).',
    { timeoutMs },
  );
}
