import type { Database, SqlJsStatic, Statement } from 'sql.js';
import { decodeText } from '../../core/text-encoding.js';
import type { Output } from '../output.js';
import { FileError, type ProgramFiles } from '../program-files.js';
import { unescapeSeparator, withMode } from './arguments.js';
import { formatRows, MODES, sqlLiteral, asSqlText, type Format, type Value } from './format.js';

/** Maximum bytes of SQLite's memory. */
const MEMORY_BYTES = 128 * 1024 * 1024;
const DOT_COMMANDS_HELP = `.dump ?TABLE?              Print SQL that creates the database
.headers on|off            Print the names of columns
.import ?--csv? ?--skip N? FILE TABLE   Import a file into a table
.indexes ?TABLE?           Print the names of indexes
.mode MODE                 ${MODES.join(' ')}
.nullvalue STRING          Print STRING in the place of NULL
.once FILE                 Write the next result to FILE
.output ?FILE?             Write results to FILE
.print STRING              Print STRING
.quit                      End
.read FILE                 Run a file
.schema ?TABLE?            Print the CREATE statements
.separator STRING          Print STRING between columns
.tables ?PATTERN?          Print the names of tables
`;

/** A mistake in SQL or in a dot command. It ends the program. */
export class SqlError extends Error {}

/** Runs SQL and dot commands on one database, as the command-line shell of SQLite does. */
export class SqliteShell {
  readonly #database: Database;
  readonly #files: ProgramFiles;
  readonly #output: Output;
  readonly #resolve: (path: string) => string;
  #format: Format;
  /** File that receives results, and whether for one result only. */
  #target: { path: string; once: boolean } | null = null;
  #isDone = false;

  constructor(
    { Database }: SqlJsStatic,
    content: Uint8Array | null,
    {
      files,
      output,
      format,
      resolve,
    }: { files: ProgramFiles; output: Output; format: Format; resolve: (path: string) => string },
  ) {
    this.#database = new Database(content);
    this.#database.exec(`PRAGMA hard_heap_limit = ${MEMORY_BYTES}`);
    this.#files = files;
    this.#output = output;
    this.#format = format;
    this.#resolve = resolve;
  }

  /** Returns the content of the database; null when there is nothing in it. */
  export(): Uint8Array | null {
    const [[objects = 0n] = []] = this.#rows('SELECT count(*) FROM sqlite_schema');
    return Number(objects) === 0 ? null : this.#database.export();
  }

  /** Runs lines of SQL, which may span several lines, and of dot commands. @throws SqlError. */
  run(script: string): void {
    let sql = '';
    for (const line of script.split(/\r?\n/u)) {
      if (this.#isDone) return;
      const isStart = sql.trim() === '';
      if (isStart && line.trimStart().startsWith('.')) this.#command(line.trim());
      else {
        sql += `${line}\n`;
        if (!line.trimEnd().endsWith(';') || !isComplete(sql)) continue;
        this.#sql(sql);
        sql = '';
      }
    }
    if (sql.trim() !== '' && !this.#isDone) this.#sql(sql.trim());
  }

  #sql(sql: string): void {
    try {
      for (const statement of this.#database.iterateStatements(sql)) {
        refuseOtherFiles(statement.getSQL());
        const columns = statement.getColumnNames();
        const rows = resultRows(statement);
        this.#print(formatRows(columns, rows, this.#format));
      }
    } catch (error) {
      throw error instanceof SqlError ? error : new SqlError(`Error: ${(error as Error).message}`);
    }
  }

  #print(content: string): void {
    if (content === '') return;
    if (this.#target === null) {
      this.#output.print('stdout', content);
      if (this.#output.isFull) this.#isDone = true;
      return;
    }
    this.#files.append(this.#target.path, new TextEncoder().encode(content));
    if (this.#target.once) this.#target = null;
  }

  #rows(sql: string, values: readonly string[] = []): Value[][] {
    const statement = this.#database.prepare(sql, [...values]);
    const rows = resultRows(statement);
    statement.free();
    return rows;
  }

  #command(line: string): void {
    const [name = '', ...args] = splitWords(line.slice(1));
    const [first = ''] = args;
    switch (name) {
      case 'tables':
        this.#tables(first === '' ? '%' : first);
        return;
      case 'schema':
        this.#schema(first);
        return;
      case 'indexes':
      case 'indices':
        this.#printNames(
          "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name LIKE ? ORDER BY 1",
          first,
        );
        return;
      case 'databases':
        this.#print('main\n');
        return;
      case 'headers':
      case 'header':
        this.#format = { ...this.#format, headers: /^(?:on|yes|1|true)$/iu.test(first) };
        return;
      case 'mode':
        this.#mode(first);
        return;
      case 'separator':
        this.#format = { ...this.#format, separator: unescapeSeparator(first) };
        return;
      case 'nullvalue':
        this.#format = { ...this.#format, nullValue: first };
        return;
      case 'output':
      case 'once':
        this.#redirect(first, name === 'once');
        return;
      case 'print':
        this.#print(`${args.join(' ')}\n`);
        return;
      case 'read':
        this.run(this.#readText(first));
        return;
      case 'import':
        this.#import(args);
        return;
      case 'dump':
        this.#dump(first);
        return;
      case 'quit':
      case 'exit':
        this.#isDone = true;
        return;
      case 'help':
        this.#print(DOT_COMMANDS_HELP);
        return;
      case 'bail':
      case 'changes':
      case 'echo':
      case 'timer':
      case 'width':
        return; // changes nothing of the results
      default:
        throw new SqlError(`Error: unknown command or invalid arguments: "${name}". Enter ".help" for help`);
    }
  }

  #tables(pattern: string): void {
    const sql =
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' AND name LIKE ? ORDER BY 1";
    const names = this.#rows(sql, [pattern]).map(([name = null]) => asSqlText(name));
    if (names.length === 0) return;
    const width = Math.max(...names.map((name) => name.length));
    const columns = Math.max(1, Math.floor(80 / (width + 2)));
    const height = Math.ceil(names.length / columns);
    const lines = Array.from({ length: height }, (_, row) =>
      names
        .filter((_name, at) => at % height === row)
        .map((name) => name.padEnd(width))
        .join('  '),
    );
    this.#print(lines.map((each) => `${each}\n`).join(''));
  }

  #schema(name: string): void {
    const where = name === '' ? '' : ' AND tbl_name LIKE ?';
    const sql = `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'${where} ORDER BY tbl_name, type DESC, name`;
    for (const [statement = null] of this.#rows(sql, name === '' ? [] : [name]))
      this.#print(`${asSqlText(statement)};\n`);
  }

  #printNames(sql: string, pattern: string): void {
    for (const [name = null] of this.#rows(sql, [pattern === '' ? '%' : pattern]))
      this.#print(`${asSqlText(name)}\n`);
  }

  #mode(name: string): void {
    const mode = MODES.find((each) => each === (name === 'tsv' ? 'tabs' : name));
    if (mode === undefined) throw new SqlError(`Error: mode should be one of: ${MODES.join(' ')}`);
    this.#format = withMode(this.#format, mode);
  }

  #redirect(name: string, once: boolean): void {
    if (name === '' || name === 'stdout') this.#target = null;
    else {
      this.#target = { path: this.#resolve(name), once };
      this.#files.write(this.#target.path, new Uint8Array());
    }
  }

  #readText(name: string): string {
    let bytes: Uint8Array;
    try {
      bytes = this.#files.read(this.#resolve(name));
    } catch (error) {
      throw error instanceof FileError
        ? new SqlError(`Error: cannot open "${name}": ${error.message}`)
        : error;
    }
    const decoded = decodeText(bytes);
    if (decoded === null) throw new SqlError(`Error: "${name}" is not a text file`);
    return decoded.text.replace(/^\ufeff/u, '');
  }

  /** Imports a file. Creates the table from the first line if it does not exist. */
  #import(args: readonly string[]): void {
    const rest = [...args];
    let { separator } = this.#format.mode === 'tabs' ? { separator: '\t' } : this.#format;
    let skip = 0;
    const names: string[] = [];
    for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
      if (arg === '--csv' || arg === '-csv') separator = ',';
      else if (arg === '--skip' || arg === '-skip') skip = Number(rest.shift());
      else if (arg.startsWith('-') && arg !== '-v')
        throw new SqlError(`Error: unknown option: "${arg}" of .import`);
      else names.push(arg);
    }
    const [file, table] = names;
    if (file === undefined || table === undefined)
      throw new SqlError('Usage: .import [--csv] [--skip N] FILE TABLE');
    const lines = parseCsv(this.#readText(file), separator).slice(skip);
    const name = `"${table.replaceAll('"', '""')}"`;
    const isThere =
      this.#rows("SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?", [table]).length >
      0;
    if (!isThere) this.#createTable(name, lines.shift() ?? []);
    const width = this.#rows('SELECT count(*) FROM pragma_table_info(?)', [table]);
    this.#insert(name, Number(width[0]?.[0] ?? 0), lines, file);
  }

  #createTable(name: string, columns: readonly string[]): void {
    if (columns.length === 0)
      throw new SqlError(`Error: there is no line with the names of columns for ${name}`);
    const list = columns.map((column) => `"${column.replaceAll('"', '""')}" TEXT`).join(', ');
    this.#sql(`CREATE TABLE IF NOT EXISTS ${name}(\n${list});`);
  }

  #insert(name: string, width: number, rows: readonly string[][], file: string): void {
    if (width === 0) return;
    this.#database.exec('BEGIN');
    const statement = this.#database.prepare(
      `INSERT INTO ${name} VALUES(${Array(width).fill('?').join(',')})`,
    );
    try {
      rows.forEach((row, at) => {
        if (row.length !== width)
          this.#output.print(
            'stderr',
            `${file}:${at + 1}: expected ${width} columns but found ${row.length} - ${row.length < width ? 'filling the rest with NULL' : 'extras ignored'}\n`,
          );
        statement.run(Array.from({ length: width }, (_, column) => row[column] ?? null));
      });
      this.#database.exec('COMMIT');
    } catch (error) {
      throw new SqlError(`Error: ${(error as Error).message}`);
    } finally {
      statement.free();
    }
  }

  #dump(table: string): void {
    const lines = ['PRAGMA foreign_keys=OFF;', 'BEGIN TRANSACTION;'];
    const where = table === '' ? '' : ' AND tbl_name LIKE ?';
    const sql = `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'${where} ORDER BY type = 'table' DESC, rowid`;
    for (const [type = null, name = null, create = null] of this.#rows(sql, table === '' ? [] : [table])) {
      lines.push(`${asSqlText(create)};`);
      if (type !== 'table') continue;
      const from = `"${asSqlText(name).replaceAll('"', '""')}"`;
      for (const row of this.#rows(`SELECT * FROM ${from}`))
        lines.push(
          `INSERT INTO ${/^\w+$/u.test(asSqlText(name)) ? asSqlText(name) : from} VALUES(${row.map(sqlLiteral).join(',')});`,
        );
    }
    this.#print(`${[...lines, 'COMMIT;'].join('\n')}\n`);
  }
}

/** Returns the rows of a statement. Its types lack the options of `get`. */
function resultRows(statement: Statement): Value[][] {
  const get = statement.get.bind(statement) as unknown as (
    params: null,
    options: { useBigInt: true },
  ) => Value[];
  const rows: Value[][] = [];
  while (statement.step()) rows.push(get(null, { useBigInt: true }));
  return rows;
}

/** Another database would be a file of SQLite's own memory, which is lost. @throws SqlError. */
function refuseOtherFiles(sql: string): void {
  const statement = sql.replaceAll(/--.*|\/\*[^]*?\*\//gu, '').trim();
  if (/^attach\b/iu.test(statement) && !/:memory:/u.test(statement))
    throw new SqlError(
      'Error: ATTACH of a file is not available here. Run sqlite3 once per database, with .dump and .read between them.',
    );
  if (/^vacuum\b[^]*\binto\b/iu.test(statement))
    throw new SqlError('Error: VACUUM INTO is not available here. Copy the file with cp.');
}

/** Returns whether a text with a semicolon at its end has whole statements: no open text, comment or trigger. */
function isComplete(sql: string): boolean {
  const plain = sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*|\/\*[^]*?\*\//gu, ' ');
  if (/['"]|\/\*/u.test(plain)) return false;
  const lastTrigger = plain.search(
    /\bcreate\s+(?:temp\s+|temporary\s+)?trigger\b(?![^]*\bcreate\s+(?:temp\s+|temporary\s+)?trigger\b)/iu,
  );
  return lastTrigger === -1 || /\bend\s*;/iu.test(plain.slice(lastTrigger));
}

/** Splits a dot command into words. Quotes enclose words with spaces. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/gu)].map(
    ([, double, single, plain]) => double?.replaceAll(/\\(.)/gu, '$1') ?? single ?? plain ?? '',
  );
}

/** Returns the rows of CSV, where quotes may enclose separators, quotes and line breaks. */
function parseCsv(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const endRow = (): void => {
    rows.push([...row, cell]);
    row = [];
    cell = '';
  };
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r' || text[at + 1] !== '\n') cell += character;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
