import { serveThread } from '../serve-thread.js';
import { runSqlite } from './run-sqlite.js';

/** The worker of the SQLite runtime: runs one call of `sqlite3` at a time. */
serveThread(runSqlite);
