import type { SqlValue } from 'sql.js';

/** A value of a column: integers are `bigint`, so that a real number that is whole is known as one. */
export type Value = SqlValue | bigint;

export const MODES = [
  'list',
  'csv',
  'tabs',
  'column',
  'box',
  'table',
  'markdown',
  'json',
  'line',
  'quote',
] as const;
export type Mode = (typeof MODES)[number];

/** How rows are printed. */
export interface Format {
  mode: Mode;
  headers: boolean;
  separator: string;
  nullValue: string;
}

/** Prints rows as the shell of SQLite does. */
export function formatRows(columns: readonly string[], rows: readonly Value[][], format: Format): string {
  if (columns.length === 0) return '';
  const { mode, headers, separator, nullValue } = format;
  const shown = (value: Value): string => (value === null ? nullValue : asSqlText(value));
  switch (mode) {
    case 'list':
    case 'tabs': {
      const between = mode === 'tabs' ? '\t' : separator;
      const lines = rows.map((row) => row.map(shown).join(between));
      return joinLines([...(headers ? [columns.join(between)] : []), ...lines], '\n');
    }
    case 'csv': {
      const line = (cells: readonly string[]): string =>
        cells.map((cell) => csvCell(cell, separator)).join(separator);
      return joinLines(
        [...(headers ? [line(columns)] : []), ...rows.map((row) => line(row.map(shown)))],
        '\r\n',
      );
    }
    case 'quote': {
      const lines = rows.map((row) => row.map(sqlLiteral).join(','));
      return joinLines([...(headers ? [columns.map(sqlLiteral).join(',')] : []), ...lines], '\n');
    }
    case 'line': {
      const width = Math.max(5, ...columns.map((name) => name.length));
      const records = rows.map((row) =>
        row.map((value, at) => `${(columns[at] ?? '').padStart(width)} = ${shown(value)}\n`).join(''),
      );
      return records.join('\n');
    }
    case 'json':
      return rows.length === 0 ? '' : `[${rows.map((row) => jsonRow(columns, row)).join(',\n')}]\n`;
    case 'column':
    case 'box':
    case 'table':
    case 'markdown':
      return rows.length === 0
        ? ''
        : grid(
            columns,
            rows.map((row) => row.map(shown)),
            mode,
            headers,
          );
  }
}

/** Returns a value as SQLite converts it to text. */
export function asSqlText(value: Value): string {
  if (typeof value === 'number') return real(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return String(value);
}

/** Returns a value as a literal of SQL. */
export function sqlLiteral(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (value instanceof Uint8Array) return `X'${hex(value)}'`;
  return asSqlText(value);
}

/** SQLite prints 15 digits, always with a fraction. */
function real(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '' : value > 0 ? 'Inf' : '-Inf';
  const rounded = Number(value.toPrecision(15));
  const size = Math.abs(rounded);
  const digits = size !== 0 && (size >= 1e15 || size < 1e-4) ? rounded.toExponential() : String(rounded);
  const [mantissa = '', exponent] = digits.split('e');
  const fraction = mantissa.includes('.') ? mantissa : `${mantissa}.0`;
  return exponent === undefined ? fraction : `${fraction}e${exponent.replace(/^([+-])(\d)$/u, '$10$2')}`;
}

function csvCell(cell: string, separator: string): string {
  const isPlain = !/["'\r\n\t ]/u.test(cell) && !cell.includes(separator) && cell !== '';
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}

function jsonRow(columns: readonly string[], row: readonly Value[]): string {
  const cells = row.map((value, at) => {
    const shown =
      value === null ? 'null'
      : typeof value === 'string' ? JSON.stringify(value)
      : value instanceof Uint8Array ? JSON.stringify(asSqlText(value))
      : asSqlText(value); // prettier-ignore
    return `${JSON.stringify(columns[at] ?? '')}:${shown}`;
  });
  return `{${cells.join(',')}}`;
}

function grid(columns: readonly string[], rows: readonly string[][], mode: Mode, headers: boolean): string {
  const widths = columns.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const cells = (row: readonly string[], edge: string): string =>
    `${edge} ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(` ${edge} `)} ${edge}`;
  const rule = (left: string, middle: string, right: string, line: string): string =>
    left + widths.map((width) => line.repeat(width + 2)).join(middle) + right;
  if (mode === 'column') {
    const plain = (row: readonly string[]): string =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd();
    const head = headers ? [plain(columns), widths.map((width) => '-'.repeat(width)).join('  ')] : [];
    return joinLines([...head, ...rows.map(plain)], '\n');
  }
  if (mode === 'markdown')
    return joinLines(
      [cells(columns, '|'), rule('|', '|', '|', '-'), ...rows.map((row) => cells(row, '|'))],
      '\n',
    );
  if (mode === 'table') {
    const line = rule('+', '+', '+', '-');
    return joinLines([line, cells(columns, '|'), line, ...rows.map((row) => cells(row, '|')), line], '\n');
  }
  return joinLines(
    [
      rule('┌', '┬', '┐', '─'),
      cells(columns, '│'),
      rule('├', '┼', '┤', '─'),
      ...rows.map((row) => cells(row, '│')),
      rule('└', '┴', '┘', '─'),
    ],
    '\n',
  );
}

function joinLines(lines: readonly string[], end: string): string {
  return lines.map((line) => line + end).join('');
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
