import type { Tool } from '../../core/tool.js';
import { ShellThreads } from './shell-threads.js';
import type { TerminalOptions } from './terminal-options.js';
import { terminalTools } from './terminal.js';

export type { Runtime } from '../../core/program.js';

/** A worker is loaded ahead for the first terminal only: the scripts are then in the cache of the browser for others. */
let isPrefetched = false;

/**
 * Creates a bash-like shell over the session's files: `Terminal.run_command`, and background jobs. It runs in its own worker, which loads
 * soon after the first call of this function. It can access only the files; `options.network` adds curl.
 *
 * @example new RoleZero({ model, tools: [...editor(), ...terminal()] })
 */
export function terminal(options: TerminalOptions = {}): Tool[] {
  // Vite, webpack, Parcel and Turbopack search for exactly this expression, and only once: see spawn. A module from another origin, such as a
  // CDN, cannot start it.
  const start = (): Worker => new Worker(new URL('./shell-worker.js', import.meta.url), { type: 'module' });
  const shell = new ShellThreads(options.worker ?? start);
  const tools = terminalTools(shell, options);
  if (!isPrefetched) shell.prefetch();
  isPrefetched = true;
  return tools;
}
