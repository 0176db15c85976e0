import type { Runtime } from '../../core/program.js';
import { runSqlite } from './run-sqlite.js';
import { sqliteRuntime, type SqliteOptions } from './sqlite.js';

/** Creates the runtime for Node, where tests run roles without a browser. Works in the same way, without a worker and without a time limit of its own. */
export function sqlite(options: SqliteOptions = {}): Runtime {
  return sqliteRuntime(runSqlite, options);
}
