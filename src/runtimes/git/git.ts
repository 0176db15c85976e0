import { checkOptions } from '../../core/check-options.js';
import type { Program, ProgramHost, ProgramResult, Runtime } from '../../core/program.js';
import { defined } from '../../core/defined.js';
import { runOnSnapshot } from '../snapshot.js';
import type { GitRequest, GitResult } from './run-git.js';

export interface GitOptions {
  /**
   * Author of commits where the repository has no `user.name` and `user.email`.
   *
   * @default { name: 'Agent', email: 'agent@localhost' }
   */
  author?: { name: string; email: string };
  /** Creates the runtime's worker. Set it if the application itself serves `dist/runtimes/git/git-worker.js`. Browsers only. */
  worker?: () => Worker;
}

/** Creates the runtime on top of what runs `git`. */
export function gitRuntime(
  run: (request: GitRequest, host: ProgramHost) => Promise<GitResult>,
  options: GitOptions,
): Runtime {
  checkOptions('git()', options, { author: true, worker: 'callback' });
  const { author = { name: 'Agent', email: 'agent@localhost' } } = options;
  return {
    name: 'git',
    commands: ['git'],
    async run(program: Program, host: ProgramHost): Promise<ProgramResult> {
      const { network, isOffline } = host;
      let fetched: string[] = [];
      let needed: string | undefined;
      const result = await runOnSnapshot(program, host, async (request) => {
        const done = await run({ ...request, author, network, isOffline }, host);
        fetched = done.fetched;
        needed = done.needed ?? undefined;
        return done;
      });
      return { ...result, fetched, ...defined({ needed }) };
    },
  };
}
