import type { Tool } from '../../core/tool.js';
import { ShellThreads } from './shell-threads.js';
import { source } from './shell-worker-inline.js';
import type { TerminalOptions } from './terminal-options.js';
import { terminalTools } from './terminal.js';

export type { Runtime } from '../../core/program.js';

/** Address of the worker's text. All workers share it, so it is not revoked. */
let workerUrl: string | undefined;

/**
 * Creates the terminal for builds that do not ship worker files, for example with esbuild. Works in the same way, with the worker included
 * as text (1.3 MB).
 */
export function terminal(options: TerminalOptions = {}): Tool[] {
  return terminalTools(new ShellThreads(options.worker ?? threadFromText), options);
}

/** Starts the shell's worker from text. */
function threadFromText(): Worker {
  workerUrl ??= URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  return new Worker(workerUrl, { type: 'module' });
}
