import type { Runtime } from '../../core/program.js';
import { runInWorkers } from '../run-in-workers.js';
import { sqliteRuntime, type SqliteOptions } from './sqlite.js';

/**
 * Runs SQLite in the terminal: `sqlite3 FILE "SQL"`, with dot commands such as `.schema` and `.import`. A database is a file of the session. The
 * worker loads with the first program. A Content-Security-Policy must allow `wasm-unsafe-eval`.
 *
 * @example terminal({ runtimes: [sqlite()] })
 */
export function sqlite(options: SqliteOptions = {}): Runtime {
  // Bundlers search for exactly this expression, and only once: see spawn. A module from another origin, such as a CDN, cannot start it.
  const start = (): Worker => new Worker(new URL('./sqlite-worker.js', import.meta.url), { type: 'module' });
  return sqliteRuntime(runInWorkers('SQLite runtime', options.worker ?? start), options);
}
