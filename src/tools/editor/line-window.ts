import type { TextLines } from './text-lines.js';

/** Maximum characters shown of one line. One line of a minified file could otherwise fill the model's context. */
const MAX_LINE_CHARACTERS = 2_000;

/** Lines that a window shows, including the first and last one, and its target line. */
export interface LineWindow {
  target: number;
  start: number;
  end: number;
}

/**
 * Returns the window of a given size around a target, in a file of `total` lines. In the middle of a file, it extends half the size to both
 * sides. A window of even size then has one line more than its size. At the beginning and the end, it has exactly its size.
 */
export function windowAround(target: number, size: number, total: number): LineWindow {
  const line = Math.min(Math.max(target, 1), total);
  const half = Math.max(1, Math.floor(size / 2));
  let start = Math.max(1, line - half);
  let end = Math.min(total, line + half);
  if (start === 1) end = Math.min(total, size);
  if (end === total) start = Math.max(1, total - size + 1);
  return { target: line, start, end };
}

/** Renders the numbered lines of a window, between a line on the content above and a line on the content below. */
export function renderWindow(lines: TextLines, { start, end }: LineWindow): string {
  return [above(start), ...numberedLines(lines, start, end), linesBelow(lines.count - end)].join('\n');
}

function above(start: number): string {
  return start === 1 ? '(this is the beginning of the file)' : `(${start - 1} more lines above)`;
}

function linesBelow(count: number): string {
  return count === 0 ? '(this is the end of the file)' : `(${count} more lines below)`;
}

function numberedLines(lines: TextLines, start: number, end: number): string[] {
  const shown: string[] = [];
  for (let number = start; number <= end; number += 1)
    shown.push(numbered(number, clipEnd(lines.line(number), MAX_LINE_CHARACTERS)));
  return shown;
}

/** Lines shown before and after a change. */
const LINES_AROUND = 5;
/** Lines shown of the beginning and of the end of a long change: the model knows the rest, which it has written. */
const MAX_END_LINES = 15;

/** Renders the numbered lines from `first` to `last` with the lines around them. Leaves out the middle of a long change. */
export function renderChange(lines: TextLines, first: number, last: number): string {
  const start = Math.max(1, first - LINES_AROUND);
  const end = Math.min(lines.count, Math.max(last, first - 1) + LINES_AROUND);
  const left = last - first + 1 - 2 * MAX_END_LINES;
  if (left <= 1) return renderWindow(lines, { target: first, start, end });
  return [
    above(start),
    ...numberedLines(lines, start, first + MAX_END_LINES - 1),
    `(${left} more lines of the new content)`,
    ...numberedLines(lines, last - MAX_END_LINES + 1, end),
    linesBelow(lines.count - end),
  ].join('\n');
}

/** Formats a line as `001|text`. */
export function numbered(number: number, text: string): string {
  return `${padded(number)}|${text}`;
}

/** Pads a line number to at least three digits. */
export function padded(number: number): string {
  return String(number).padStart(3, '0');
}

/** Truncates a text and states the number of omitted characters. */
export function clipEnd(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
}
