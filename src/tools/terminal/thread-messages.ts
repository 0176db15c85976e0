import type { ShellRequest } from './shell.js';

/** Message to a shell's worker: runs a command over the files at the other end of the port. One command at a time. */
export interface RunMessage {
  run: ShellRequest;
  files: MessagePort;
  /** Names of the programs of runtimes, and where to run them. */
  programs: { commands: readonly string[]; port: MessagePort };
}
