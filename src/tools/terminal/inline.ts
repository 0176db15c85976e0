import type { Tool } from '../../core/tool.js';
import { ShellThreads } from './shell-threads.js';
import { threadFromText } from './start-inline-thread.js';
import type { TerminalOptions } from './terminal-options.js';
import { terminalTools } from './terminal.js';

export type { Runtime } from '../../core/program.js';

/**
 * Creates the terminal for builds that do not ship worker files, for example with esbuild. Works in the same way, with the worker included
 * as text (1.3 MB).
 */
export function terminal(options: TerminalOptions = {}): Tool[] {
  return terminalTools(new ShellThreads(options.worker ?? threadFromText), options);
}
