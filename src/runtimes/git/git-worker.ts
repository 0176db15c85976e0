import { serveThread } from '../serve-thread.js';
import { runGit } from './run-git.js';

/** The worker of the git runtime: runs one call of `git` at a time. */
serveThread(runGit);
