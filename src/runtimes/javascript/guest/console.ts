import { host } from './host.js';
import { format, inspect } from './util-core.js';

type Stream = 'stdout' | 'stderr';

let groupIndent = '';
const counts = new Map<string, number>();
const starts = new Map<string, number>();

function printFormatted(stream: Stream, args: unknown[]): void {
  const text = format(...args);
  host().print(
    stream,
    `${groupIndent}${groupIndent === '' ? text : text.replaceAll('\n', `\n${groupIndent}`)}\n`,
  );
}

const out = (...args: unknown[]): void => printFormatted('stdout', args);
const error = (...args: unknown[]): void => printFormatted('stderr', args);

function group(...args: unknown[]): void {
  if (args.length > 0) out(...args);
  groupIndent += '  ';
}

function elapsed(label: string): string {
  return `${label}: ${(performance.now() - (starts.get(label) ?? performance.now())).toFixed(3)}ms`;
}

/** Prints rows as a table with lines around its cells. */
function printTable(rows: unknown, columns?: string[]): void {
  if (typeof rows !== 'object' || rows === null) {
    out(rows);
    return;
  }
  const entries: [string, unknown][] =
    rows instanceof Map || rows instanceof Set
      ? [...rows].map((row, at) => [String(at), row])
      : Object.entries(rows);
  const isRow = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  const names = columns ?? [...new Set(entries.flatMap(([, row]) => (isRow(row) ? Object.keys(row) : [])))];
  const hasValues = entries.some(([, row]) => !isRow(row));
  const header = ['(index)', ...names, ...(hasValues ? ['Values'] : [])];
  const show = (value: unknown): string => inspect(value, { depth: 0, breakLength: Infinity });
  const lines = entries.map(([index, row]) => [
    index,
    ...names.map((name) => (isRow(row) && name in row ? show(row[name]) : '')),
    ...(hasValues ? [isRow(row) ? '' : show(row)] : []),
  ]);
  const widths = header.map((name, at) =>
    Math.max(...[header, ...lines].map((line) => (line[at] ?? name).length + 2)),
  );
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
  const cells = (line: string[]): string =>
    `│${line.map((cell, at) => ` ${cell}`.padEnd(widths[at] ?? 0)).join('│')}│`;
  out(
    [rule('┌', '┬', '┐'), cells(header), rule('├', '┼', '┤'), ...lines.map(cells), rule('└', '┴', '┘')].join(
      '\n',
    ),
  );
}

export const consoleObject = {
  log: out,
  info: out,
  debug: out,
  error,
  warn: error,
  trace: (...args: unknown[]) => error(`Trace: ${format(...args)}`),
  dir: (value: unknown, options?: object) => out(inspect(value, options)),
  table: printTable,
  group,
  groupCollapsed: group,
  groupEnd: () => {
    groupIndent = groupIndent.slice(2);
  },
  assert: (condition: unknown, ...args: unknown[]) => {
    if (!condition) error(args.length === 0 ? 'Assertion failed' : `Assertion failed: ${format(...args)}`);
  },
  count: (label = 'default') => {
    counts.set(label, (counts.get(label) ?? 0) + 1);
    out(`${label}: ${counts.get(label)}`);
  },
  countReset: (label = 'default') => counts.delete(label),
  time: (label = 'default') => starts.set(label, performance.now()),
  timeLog: (label = 'default', ...args: unknown[]) => out(elapsed(label), ...args),
  timeEnd: (label = 'default') => {
    out(elapsed(label));
    starts.delete(label);
  },
};
