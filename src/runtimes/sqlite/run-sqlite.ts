import initSqlJs, { type SqlJsStatic } from 'sql.js';
import { sameBytes } from '../../core/bytes.js';
import { Output } from '../output.js';
import { unpack } from '../packed-wasm.js';
import { joinPath } from '../paths.js';
import { FileError, ProgramFiles } from '../program-files.js';
import type { SnapshotRequest, SnapshotResult } from '../snapshot.js';
import { readSqliteArguments, type SqliteArguments } from './arguments.js';
import { engine } from './engine.js';
import { SqlError, SqliteShell } from './shell.js';

let loadingSqlite: Promise<SqlJsStatic> | undefined;

const USAGE =
  'Usage: sqlite3 [OPTIONS] FILENAME [SQL...]\nOptions: -csv -json -box -table -markdown -column -line -header -separator SEP -nullvalue TEXT -cmd COMMAND -readonly\n';

/** Runs `sqlite3` with its arguments. */
export async function runSqlite(request: SnapshotRequest): Promise<SnapshotResult> {
  const files = new ProgramFiles(request.files);
  const output = new Output();
  const exitCode = await runShell(request, files, output);
  return { exitCode, stdout: output.stdout(), stderr: output.stderr('sqlite3'), use: files.use() };
}

async function runShell(
  { args, cwd, stdin }: SnapshotRequest,
  files: ProgramFiles,
  output: Output,
): Promise<number> {
  const parsed = readSqliteArguments(args);
  if (typeof parsed === 'string') return reportFailure(output, parsed);
  const sqlite = await loadSqlite();
  if (parsed.show === 'help') {
    output.print('stdout', USAGE);
    return 0;
  }
  const resolve = (path: string): string => joinPath(cwd, path);
  const path = parsed.database === null ? null : resolve(parsed.database);
  try {
    const content = path === null || files.stat(path) === null ? null : files.read(path);
    const shell = new SqliteShell(sqlite, content, { files, output, format: parsed.format, resolve });
    if (parsed.show === 'version') shell.run('SELECT sqlite_version();');
    const isOk =
      parsed.show === 'version' || runLines(shell, parsed, new TextDecoder().decode(stdin), output);
    if (path !== null) save(shell.export(), path, content, parsed, files);
    return isOk ? 0 : 1;
  } catch (error) {
    return reportFailure(output, failureMessage(error));
  }
}

/** Runs everything up to the first mistake, whose message it prints. Returns false then. What ran before remains, as in SQLite. */
function runLines(
  shell: SqliteShell,
  { first, lines }: SqliteArguments,
  input: string,
  output: Output,
): boolean {
  try {
    for (const line of [...first, ...(lines.length === 0 ? [input] : lines)]) shell.run(line);
    return true;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    output.print('stderr', `${error.message}\n`);
    return false;
  }
}

/** Writes the database if it has changed. */
function save(
  after: Uint8Array | null,
  path: string,
  before: Uint8Array | null,
  { isReadOnly }: SqliteArguments,
  files: ProgramFiles,
): void {
  if (after === null && before === null) return;
  const content = after ?? new Uint8Array();
  if (before !== null && sameBytes(before, content)) return;
  if (isReadOnly) throw new SqlError('attempt to write a readonly database');
  files.write(path, content);
}

async function loadSqlite(): Promise<SqlJsStatic> {
  loadingSqlite ??= unpack(engine).then((wasmBinary) => initSqlJs({ wasmBinary }));
  return loadingSqlite;
}

function failureMessage(error: unknown): string {
  const { message } = error as Error;
  if (error instanceof FileError) return `Error: unable to open database file: ${message}`;
  return `Error: ${message}`;
}

function reportFailure(output: Output, message: string): number {
  output.print('stderr', `${message}\n`);
  return 1;
}
