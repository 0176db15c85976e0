import type { Tool } from '../../core/tool.js';
import { ShellThreads } from './shell-threads.js';
import { threadFromFile } from './start-thread.js';
import type { TerminalOptions } from './terminal-options.js';
import { terminalTools } from './terminal.js';

/**
 * Creates a bash-like shell over the session's files: `Terminal.run_command`, and background jobs. It runs in its own worker, which loads
 * with the first command. It can access only the files; `options.network` adds curl.
 *
 * @example new RoleZero({ model, tools: [...editor(), ...terminal()] })
 */
export function terminal(options: TerminalOptions = {}): Tool[] {
  return terminalTools(new ShellThreads(options.worker ?? threadFromFile), options);
}
