import type { Runtime } from '../../core/program.js';
import { gitRuntime, type GitOptions } from './git.js';
import { runGit } from './run-git.js';

/** Creates the runtime for Node, where tests run roles without a browser. Works in the same way, without a worker and without a time limit of its own. */
export function git(options: GitOptions = {}): Runtime {
  return gitRuntime(runGit, options);
}
