import type { Tool } from '../../base/tool.js';
import { ShellThreads } from './shell-threads.js';
import { threadFromFile } from './start-thread.js';
import type { TerminalOptions } from './terminal-options.js';
import { terminalTools } from './terminal.js';

export type { NetworkAccess } from './shell.js';
export type { TerminalOptions } from './terminal-options.js';

/**
 * A bash-like shell over the session's files (spec 18): `Terminal.run_command`, and background jobs. It runs in a worker of its own,
 * which is loaded with the first command, and reaches nothing but the files; `options.network` gives it curl.
 *
 * @example new RoleZero({ model, tools: [...editor(), ...terminal()] })
 */
export function terminal(options: TerminalOptions = {}): Tool[] {
  return terminalTools(new ShellThreads(options.worker ?? threadFromFile), options);
}
