import { RoleZeroError } from '../../base/error.js';
import type { Files } from '../../base/files.js';

/** What a shell remembers from one command to the next; plain data, kept with the session. */
export interface ShellMemory {
  /** The working directory. */
  cwd: string;
  /** Variables that are not what a new shell has. */
  env: Record<string, string>;
  /** Source text of each function that was defined at the top level of a command. */
  functions: Record<string, string>;
}

/** The network as far as `curl` may use it. */
export interface NetworkAccess {
  /** Beginnings of the addresses that may be fetched, with scheme and host: `https://api.example.com/v1/`. */
  urls: readonly string[];
  /** Default: `GET` and `HEAD`. */
  methods?: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS')[];
}

/** One command line and the world it runs in; plain data. */
export interface ShellRequest {
  cmd: string;
  memory: ShellMemory;
  timeoutMs: number;
  /** Most characters of standard output, and of standard error, that come back. */
  maxOutput: number;
  /** Null: there is no network. */
  network: NetworkAccess | null;
}

export interface ShellResult {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** True when part of the output was left out; a line in its place says so. */
  truncated: boolean;
  /** Origins that `curl` has asked for something. */
  fetched: string[];
  /** What to remember; null after `exit`, which ends a shell together with what it remembered anew. */
  memory: ShellMemory | null;
}

/** Runs command lines over files, one shell each: what is to last from one to the next is in the request and the result. */
export interface Shell {
  /**
   * Runs to the end, whatever the exit code. An abort of `signal` ends it at once, rejecting with the signal's reason.
   *
   * @throws RoleZeroError `tool-timeout` after `timeoutMs`, `tool-failed` when the shell itself broke, `worker-start` when there is
   * none to be had. Some of its changes are in `files` then: drop them.
   */
  run(request: ShellRequest, files: Files, signal: AbortSignal): Promise<ShellResult>;
}

/** The error of a command that took too long. */
export function tookTooLong(timeoutMs: number): RoleZeroError {
  return new RoleZeroError(
    'tool-timeout',
    `The command was stopped after ${timeoutMs / 1000} seconds without finishing; nothing it changed was kept, and the terminal is ` +
      'ready for the next one. Make it smaller, or run it in the background with "daemon": true; the application can raise the limit with ' +
      'terminal({ timeoutMs }).',
    { timeoutMs },
  );
}
