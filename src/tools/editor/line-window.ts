import type { TextLines } from './text-lines.js';

/** Characters of one line a window shows; a minified file would fill the model's memory with a single line. */
const MAX_SHOWN = 2_000;

/** The lines a window shows, first and last included, and the line it is about. */
export interface LineWindow {
  target: number;
  start: number;
  end: number;
}

/**
 * The window of a size around a target in a file of `total` lines (spec 14.2). In the middle of a file it reaches half the size to both
 * sides, so one of even size shows a line more than its size; at the beginning and the end it shows just its size.
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

/** The numbered lines of a window between a line that tells what is above and one that tells what is below. */
export function renderWindow(lines: TextLines, { start, end }: LineWindow): string {
  const above = start - 1;
  const below = lines.count - end;
  const shown = [above === 0 ? '(this is the beginning of the file)' : `(${above} more lines above)`];
  for (let number = start; number <= end; number += 1) {
    shown.push(numbered(number, clip(lines.line(number), MAX_SHOWN)));
  }
  shown.push(below === 0 ? '(this is the end of the file)' : `(${below} more lines below)`);
  return shown.join('\n');
}

/** `001|text`. */
export function numbered(number: number, text: string): string {
  return `${padded(number)}|${text}`;
}

/** A line number of at least three digits. */
export function padded(number: number): string {
  return String(number).padStart(3, '0');
}

/** The beginning of a text, and how much of it is left out. */
export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
}
