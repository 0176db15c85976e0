import { RoleZeroError } from '../../base/error.js';
import { clip, padded } from './line-window.js';
import { TextLines } from './text-lines.js';

/** Lines shown before and after one that was named wrongly. */
const CONTEXT = 3;
const MAX_QUOTED = 500;
/** How many places a report names where the content was found instead. */
const MAX_FOUND = 3;

/** A text after an edit, and where it was edited. */
export interface Edited {
  text: string;
  /** The first line that was replaced, the one inserted before, or the last one before what was appended. */
  line: number;
  /** The last line that was replaced; otherwise `line`. */
  lastLine: number;
  /** The lines that came in, as they are numbered now; none when `last` is before `first`. */
  added: { first: number; last: number };
}

/** A range of lines named twice, by number and by content, so that a model that lost count notices. */
export interface Replacement {
  firstNumber: number;
  firstContent: string;
  lastNumber: number;
  lastContent: string;
  /** Empty removes the lines. */
  newContent: string;
}

/**
 * Replaces whole lines (spec 14.5).
 *
 * @throws RoleZeroError `invalid` with everything that does not match, what stands there, and what to do.
 */
export function replaceLines(text: string, replacement: Replacement): Edited {
  const lines = new TextLines(text);
  const { firstNumber, firstContent, lastNumber, lastContent, newContent } = replacement;
  const mismatches = [
    mismatch(lines, 'first', firstNumber, firstContent),
    mismatch(lines, 'last', lastNumber, lastContent),
  ].filter((report) => report !== null);
  if (mismatches.length > 0) throw notApplied(mismatches.join('\n'), lines);
  if (firstNumber > lastNumber) {
    const why =
      `last_replaced_line_number is ${lastNumber}, before first_replaced_line_number, which is ${firstNumber}. ` +
      `Allowed are ${firstNumber} to ${lines.count}.`;
    throw notApplied(why, lines);
  }
  const before = text.slice(0, lines.start(firstNumber));
  const after = text.slice(lines.start(lastNumber + 1));
  const block = newContent === '' ? '' : asLines(newContent, text);
  return edited(before + block + after, firstNumber, lastNumber, firstNumber, block);
}

/**
 * Inserts whole lines before a line; the number after the last one inserts at the end.
 *
 * @throws RoleZeroError `invalid` for any other number.
 */
export function insertLines(text: string, number: number, content: string): Edited {
  const lines = new TextLines(text);
  if (number !== lines.count + 1 && !lines.has(number)) {
    throw notApplied(`line_number is ${number}. Allowed are 1 to ${lines.count + 1}.`, lines);
  }
  const block = asLines(content, text);
  if (isBlank(lines)) return edited(block, 1, 1, 1, block);
  const before = text.slice(0, lines.start(number));
  const whole = endingInBreak(before, number === 1, text) + block + text.slice(before.length);
  return edited(whole, number, number, number, block);
}

/** Adds whole lines at the end. It counts as edited at the last line there was (spec 14.5). */
export function appendLines(text: string, content: string): Edited {
  const lines = new TextLines(text);
  const block = asLines(content, text);
  if (isBlank(lines)) return edited(block, 1, 1, 1, block);
  return edited(endingInBreak(text, false, text) + block, lines.count, lines.count, lines.count + 1, block);
}

function edited(text: string, line: number, lastLine: number, first: number, block: string): Edited {
  const last = block === '' ? first - 1 : first + new TextLines(block).count - 1;
  return { text, line, lastLine, added: { first, last } };
}

function isBlank(lines: TextLines): boolean {
  return lines.count === 1 && lines.text.trim() === '';
}

/** Content that ends in a line break, with the line breaks of the text it goes to. */
function asLines(content: string, text: string): string {
  const whole = content.endsWith('\n') ? content : `${content}\n`;
  return lineBreakOf(text) === '\n' ? whole : whole.replace(/\r?\n/gu, '\r\n');
}

function endingInBreak(text: string, isBeginning: boolean, whole: string): string {
  return isBeginning || text.endsWith('\n') ? text : text + lineBreakOf(whole);
}

/** The line breaks a text has; those of its first line count. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** What is wrong with one end of the range; null when number and content belong together. */
function mismatch(lines: TextLines, end: 'first' | 'last', number: number, content: string): string | null {
  // Only the file's line is trimmed: models do not see trailing spaces, but they see leading ones.
  if (lines.has(number) && lines.line(number).trimEnd() === content) return null;
  const there = lines.has(number)
    ? quoted(lines.line(number))
    : `[out of range, the file has lines 1 to ${lines.count}]`;
  const report = [
    `${end}_replaced_line_number does not match ${end}_replaced_line_content.`,
    `Line ${number} is ${there}`,
    `but ${end}_replaced_line_content is ${quoted(content)}`,
  ];
  const around = linesAround(lines, number);
  if (around.length > 0) report.push('The lines around it:', ...around);
  const found = linesWith(lines, content);
  if (found !== '') report.push(found);
  return report.join('\n');
}

function linesAround(lines: TextLines, number: number): string[] {
  const around: string[] = [];
  if (!lines.has(number)) return around;
  for (let each = Math.max(1, number - CONTEXT); each <= Math.min(lines.count, number + CONTEXT); each += 1) {
    around.push(`The ${padded(each)} line is ${quoted(lines.line(each))}`);
  }
  return around;
}

/** Where the content stands instead. Blank lines stand everywhere. */
function linesWith(lines: TextLines, content: string): string {
  const wanted = content.trimEnd();
  if (wanted.trim() === '' || !lines.text.includes(wanted)) return '';
  const found: number[] = [];
  for (let number = 1; number <= lines.count && found.length < MAX_FOUND; number += 1) {
    if (lines.line(number).trimEnd() === wanted) found.push(number);
  }
  return found.length === 0 ? '' : `That content is in line ${found.join(', ')}.`;
}

function quoted(text: string): string {
  return `"${clip(text, MAX_QUOTED).replace(/\r?\n/gu, '\\n')}"`;
}

function notApplied(why: string, lines: TextLines): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `${why}\nThe edit was not applied; the file has ${lines.count} lines. ` +
      'Open the correct file with Editor.open_file and look at its lines, then give line numbers and contents that belong together. ' +
      'Do not repeat the same command.',
    { lines: lines.count },
  );
}
