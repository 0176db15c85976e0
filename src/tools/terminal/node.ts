import type { Tool } from '../../core/tool.js';
import { runBash } from './bash.js';
import type { Shell } from './shell.js';
import type { TerminalOptions } from './terminal-options.js';
import { terminalTools } from './terminal.js';

export type { Runtime } from '../../core/program.js';

/** Shell in the current thread. It enforces the time limit. An abort takes effect when a command waits. */
const sameThread: Shell = {
  run: async (request, files, signal, programsOf) => {
    signal.throwIfAborted();
    const result = await runBash(request, files, programsOf(request, files), signal);
    signal.throwIfAborted();
    return result;
  },
};

/** Creates the terminal for Node, where tests run roles without a browser. Works in the same way, without a worker. */
export function terminal(options: TerminalOptions = {}): Tool[] {
  return terminalTools(sameThread, options);
}
