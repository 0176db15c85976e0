import type { ErrorData } from '../../base/error.js';
import type { ShellRequest, ShellResult } from './shell.js';

/** To a shell's worker: run this over the files at the other end of the port. One at a time. */
export interface RunMessage {
  run: ShellRequest;
  files: MessagePort;
}

/** From a shell's worker: that it listens; what a command came to. */
export type ThreadMessage = { ready: true } | { result: ShellResult } | { error: ErrorData };
