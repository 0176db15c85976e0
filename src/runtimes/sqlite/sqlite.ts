import { checkOptions } from '../../core/check-options.js';
import type { ProgramHost, Runtime } from '../../core/program.js';
import { runOnSnapshot, type SnapshotRequest, type SnapshotResult } from '../snapshot.js';

export interface SqliteOptions {
  /** Creates the runtime's worker. Set it if the application itself serves `dist/runtimes/sqlite/sqlite-worker.js`. Browsers only. */
  worker?: () => Worker;
}

/** Creates the runtime on top of what runs `sqlite3`. */
export function sqliteRuntime(
  run: (request: SnapshotRequest, host: ProgramHost) => Promise<SnapshotResult>,
  options: SqliteOptions,
): Runtime {
  checkOptions('sqlite()', options, { worker: 'callback' });
  return {
    name: 'SQLite',
    commands: ['sqlite3'],
    run: (program, host) => runOnSnapshot(program, host, run),
  };
}
