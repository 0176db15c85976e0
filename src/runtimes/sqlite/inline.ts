import type { Runtime } from '../../core/program.js';
import { runInWorkers, workerFromText } from '../run-in-workers.js';
import { sqliteRuntime, type SqliteOptions } from './sqlite.js';
import { source } from './worker-inline.js';

/** Creates the runtime for builds that do not ship worker files. Works in the same way, with the worker included as text. */
export function sqlite(options: SqliteOptions = {}): Runtime {
  return sqliteRuntime(
    runInWorkers('SQLite runtime', options.worker ?? (() => workerFromText(source))),
    options,
  );
}
