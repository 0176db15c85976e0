import { MODES, type Format, type Mode } from './format.js';

/** What a call of `sqlite3` asks for. */
export interface SqliteArguments {
  /** Name of the database; null is one in memory. */
  database: string | null;
  /** SQL and dot commands of `-cmd`, which run first. */
  first: string[];
  /** SQL and dot commands; empty means that the input has them. */
  lines: string[];
  format: Format;
  isReadOnly: boolean;
  show: 'version' | 'help' | null;
}

const DEFAULT_FORMAT: Format = { mode: 'list', headers: false, separator: '|', nullValue: '' };

/** Returns the format after a change of the mode, with the settings that come with it. */
export function withMode(format: Format, mode: Mode): Format {
  const hasHeaders = mode === 'column' || mode === 'box' || mode === 'table' || mode === 'markdown';
  const separator = mode === 'csv' ? ',' : format.separator;
  return { ...format, mode, separator, headers: format.headers || hasHeaders };
}

/** Reads the arguments of `sqlite3`. Returns a message when one is unknown. */
export function readSqliteArguments(args: readonly string[]): SqliteArguments | string {
  const rest: string[] = [];
  const first: string[] = [];
  let format = DEFAULT_FORMAT;
  let isReadOnly = false;
  let show: SqliteArguments['show'] = null;
  const queue = [...args];
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (!arg.startsWith('-') || arg === '-' || rest.length > 1) {
      rest.push(arg);
      continue;
    }
    const name = arg.replace(/^--?/u, '');
    const mode = MODES.find((each) => each === name);
    if (mode !== undefined) format = withMode(format, mode);
    else if (name === 'header' || name === 'headers') format = { ...format, headers: true };
    else if (name === 'noheader') format = { ...format, headers: false };
    else if (name === 'separator') format = { ...format, separator: unescapeSeparator(queue.shift() ?? '|') };
    else if (name === 'nullvalue') format = { ...format, nullValue: queue.shift() ?? '' };
    else if (name === 'cmd') first.push(queue.shift() ?? '');
    else if (name === 'readonly') isReadOnly = true;
    else if (name === 'version' || name === 'help') show = name;
    else if (!['batch', 'bail', 'noinit', 'safe', 'interactive'].includes(name))
      return `sqlite3: Error: unknown option: ${arg}`;
  }
  const [database = ':memory:', ...lines] = rest;
  return {
    database: database === ':memory:' || database === '' ? null : database,
    first,
    lines,
    format,
    isReadOnly,
    show,
  };
}

/** Replaces the escapes that separators may have. */
export function unescapeSeparator(text: string): string {
  return text.replaceAll('\\t', '\t').replaceAll('\\n', '\n').replaceAll('\\\\', '\\');
}
