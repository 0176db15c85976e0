import type { Tool } from '../../base/tool.js';
import { runBash } from './bash.js';
import type { Shell } from './shell.js';
import type { TerminalOptions } from './terminal-options.js';
import { terminalTools } from './terminal.js';

export type { NetworkAccess } from './shell.js';
export type { TerminalOptions } from './terminal-options.js';

/** The shell in this very thread. It ends what takes too long; a stop takes effect where a command waits for something. */
const sameThread: Shell = {
  run: async (request, files, signal) => {
    signal.throwIfAborted();
    const result = await runBash(request, files, signal);
    signal.throwIfAborted();
    return result;
  },
};

/** The terminal in Node, where tests run roles without a browser: the same, without a worker. */
export function terminal(options: TerminalOptions = {}): Tool[] {
  return terminalTools(sameThread, options);
}
