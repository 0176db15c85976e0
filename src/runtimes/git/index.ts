import type { Runtime } from '../../core/program.js';
import { runInWorkers } from '../run-in-workers.js';
import { gitRuntime, type GitOptions } from './git.js';

/**
 * Runs git in the terminal, on the files of the session. `clone`, `fetch`, `pull` and `push` reach only the addresses of the terminal's option
 * `network`, which must allow POST; the user is asked as for other requests that may write. The worker loads with the first command.
 *
 * @example terminal({ runtimes: [git()] })
 */
export function git(options: GitOptions = {}): Runtime {
  // Bundlers search for exactly this expression, and only once: see spawn. A module from another origin, such as a CDN, cannot start it.
  const start = (): Worker => new Worker(new URL('./git-worker.js', import.meta.url), { type: 'module' });
  return gitRuntime(runInWorkers('git runtime', options.worker ?? start), options);
}
