import type { ErrorData } from '../../core/error.js';
import type { ShellRequest, ShellResult } from './shell.js';

/** Message to a shell's worker: runs a command over the files at the other end of the port. One command at a time. */
export interface RunMessage {
  run: ShellRequest;
  files: MessagePort;
}

/** Message from a shell's worker: it is ready, or the result of a command. */
export type ThreadMessage = { ready: true } | { result: ShellResult } | { error: ErrorData };
