import type { Runtime } from '../../core/program.js';
import { runInWorkers } from '../run-in-workers.js';
import { sqliteRuntime, type SqliteOptions } from './sqlite.js';
import { workerFromFile } from './start-worker.js';

/**
 * Runs SQLite in the terminal: `sqlite3 FILE "SQL"`, with dot commands such as `.schema` and `.import`. A database is a file of the session. The
 * worker loads with the first program. A Content-Security-Policy must allow `wasm-unsafe-eval`.
 *
 * @example terminal({ runtimes: [sqlite()] })
 */
export function sqlite(options: SqliteOptions = {}): Runtime {
  return sqliteRuntime(runInWorkers('SQLite runtime', options.worker ?? workerFromFile), options);
}
