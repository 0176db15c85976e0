import type { ToolFiles } from './files.js';

/** One call of a program in the terminal; plain data. */
export interface Program {
  /** Name that it was called by, such as `node`. */
  command: string;
  args: string[];
  stdin: Uint8Array<ArrayBuffer>;
  /** Working directory. */
  cwd: string;
  /** Exported variables. */
  env: Record<string, string>;
}

/** Result of a program that ran to its end, whatever the exit code; plain data. */
export interface ProgramResult {
  exitCode: number;
  stdout: string | Uint8Array;
  stderr: string;
  /** Origins to which it sent a request. */
  fetched?: string[];
  /** The request before which it ended, because the user has not allowed requests yet. */
  needed?: string;
}

/** Network access of the terminal. */
export interface NetworkAccess {
  /** Prefixes of allowed addresses, with scheme and host: `https://api.example.com/v1/`. */
  urls: readonly string[];
  /**
   * Allowed methods.
   *
   * @default ['GET', 'HEAD']
   */
  methods?: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS')[];
}

/** What a program can use. */
export interface ProgramHost {
  /** Files of the session. Changes are stored together with the result of the whole command line. */
  files: ToolFiles;
  /** Null means no network access. */
  network: NetworkAccess | null;
  /** Set when the program must end before its first request. */
  isOffline: boolean;
  /** Milliseconds that the program may take. The terminal then aborts `signal`. */
  timeoutMs: number;
  /** Aborts when the program is stopped. It must end at once. */
  signal: AbortSignal;
  /** Runs a command line in the shell that called the program. */
  exec(
    commandLine: string,
    options: { cwd: string; env?: Record<string, string>; args?: string[] },
  ): Promise<ProgramResult>;
}

/**
 * A part of the terminal that runs programs of one kind, such as JavaScript. It loads with its first program.
 *
 * @see terminal, option `runtimes`
 */
export interface Runtime {
  /** Name for users and errors, such as `JavaScript`. */
  readonly name: string;
  /** Names of the commands that it adds to the shell. */
  readonly commands: readonly string[];
  /** Runs a program to its end. A rejection ends the program with exit code 1 and the error's message. */
  run(program: Program, host: ProgramHost): Promise<ProgramResult>;
}
