import { RoleZeroError } from '../../core/error.js';
import { readCopiedLines } from './copied-numbers.js';
import { foldText } from './fold-text.js';
import { clipEnd, padded } from './line-window.js';
import { countLines, TextLines } from './text-lines.js';

/** Number of lines to show before and after a mismatched line. */
const CONTEXT_LINES = 3;
const MAX_QUOTED_CONTENT = 500;
/** Maximum number of lines that a report lists as actual locations of the content. */
const MAX_FOUND = 3;

/** Text after an edit, and the location of the edit. */
export interface Edited {
  text: string;
  /** The first replaced line, the line before which text was inserted, or the last line before appended text. */
  line: number;
  /** The last replaced line; otherwise equal to `line`. */
  lastLine: number;
  /** Line numbers of the added lines after the edit. There are none if `last` is less than `first`. */
  added: { first: number; last: number };
  /** What the model learns about a text that was found although it differs. */
  note?: string;
}

/** Range of lines, identified by both number and content, so that a model with outdated line numbers notices. */
export interface Replacement {
  firstNumber: number;
  firstContent: string;
  lastNumber: number;
  lastContent: string;
  /** Empty removes the lines. */
  newContent: string;
}

/**
 * Replaces whole lines.
 *
 * @throws RoleZeroError `invalid` with each mismatch, the actual content, and advice.
 */
export function replaceLines(text: string, replacement: Replacement): Edited {
  const lines = new TextLines(text);
  const { firstNumber, firstContent, lastNumber, lastContent, newContent } = replacement;
  const mismatches = [
    mismatch(lines, 'first', firstNumber, firstContent),
    mismatch(lines, 'last', lastNumber, lastContent),
  ].filter((report) => report !== null);
  if (mismatches.length > 0) throw editNotApplied(mismatches.join('\n'), lines);
  if (firstNumber > lastNumber) {
    const why =
      `last_replaced_line_number is ${lastNumber}, before first_replaced_line_number, which is ${firstNumber}. ` +
      `Allowed are ${firstNumber} to ${lines.count}.`;
    throw editNotApplied(why, lines);
  }
  const before = text.slice(0, lines.start(firstNumber));
  const after = text.slice(lines.start(lastNumber + 1));
  const block = newContent === '' ? '' : completeLines(newContent, text);
  return editResult(before + block + after, firstNumber, lastNumber, firstNumber, block);
}

/**
 * Inserts whole lines before a line. The number after the last line inserts at the end.
 *
 * @throws RoleZeroError `invalid` for any other number.
 */
export function insertLines(text: string, number: number, content: string): Edited {
  const lines = new TextLines(text);
  if (number !== lines.count + 1 && !lines.has(number)) {
    throw editNotApplied(`line_number is ${number}. Allowed are 1 to ${lines.count + 1}.`, lines);
  }
  const block = completeLines(content, text);
  if (isBlank(lines)) return editResult(block, 1, 1, 1, block);
  const before = text.slice(0, lines.start(number));
  const whole = endingInBreak(before, number === 1, text) + block + text.slice(before.length);
  return editResult(whole, number, number, number, block);
}

/** Adds whole lines at the end. The location of the edit is the previous last line. */
export function appendLines(text: string, content: string): Edited {
  const lines = new TextLines(text);
  const block = completeLines(content, text);
  if (isBlank(lines)) return editResult(block, 1, 1, 1, block);
  return editResult(
    endingInBreak(text, false, text) + block,
    lines.count,
    lines.count,
    lines.count + 1,
    block,
  );
}

function editResult(text: string, line: number, lastLine: number, first: number, block: string): Edited {
  const last = block === '' ? first - 1 : first + countLines(block) - 1;
  return { text, line, lastLine, added: { first, last } };
}

function isBlank(lines: TextLines): boolean {
  return lines.count === 1 && lines.text.trim() === '';
}

/** Returns content that ends in a line break and uses the line breaks of the target text. */
function completeLines(content: string, text: string): string {
  const whole = content.endsWith('\n') ? content : `${content}\n`;
  return lineBreakOf(text) === '\n' ? whole : whole.replace(/\r?\n/gu, '\r\n');
}

function endingInBreak(text: string, isBeginning: boolean, whole: string): string {
  return isBeginning || text.endsWith('\n') ? text : text + lineBreakOf(whole);
}

/** Returns the line break of a text, determined by its first line. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** Describes the mismatch at one end of the range; null if number and content match. */
function mismatch(lines: TextLines, end: 'first' | 'last', number: number, content: string): string | null {
  // Only the file's line is trimmed: models do not see trailing spaces, but they see leading ones.
  if (lines.has(number) && isSameLine(lines.line(number).trimEnd(), number, content)) return null;
  const there = lines.has(number)
    ? quotedContent(lines.line(number))
    : `[out of range, the file has lines 1 to ${lines.count}]`;
  const report = [
    `${end}_replaced_line_number does not match ${end}_replaced_line_content.`,
    `Line ${number} is ${there}`,
    `but ${end}_replaced_line_content is ${quotedContent(content)}`,
  ];
  const around = linesAround(lines, number);
  if (around.length > 0) report.push('The lines around it:', ...around);
  const found = linesWith(lines, content);
  if (found !== '') report.push(found);
  return report.join('\n');
}

/** Compares a line with what a model has given for it: its number may be before it, and characters may look alike. */
function isSameLine(line: string, number: number, content: string): boolean {
  if (line === content) return true;
  const copied = readCopiedLines(content);
  const given = copied?.first === number ? copied.text : content;
  return foldText(line).text === foldText(given).text;
}

function linesAround(lines: TextLines, number: number): string[] {
  const around: string[] = [];
  if (!lines.has(number)) return around;
  for (
    let each = Math.max(1, number - CONTEXT_LINES);
    each <= Math.min(lines.count, number + CONTEXT_LINES);
    each += 1
  ) {
    around.push(`The ${padded(each)} line is ${quotedContent(lines.line(each))}`);
  }
  return around;
}

/** Lists the lines that have the content. Empty for blank content, which occurs everywhere. */
function linesWith(lines: TextLines, content: string): string {
  const wanted = content.trimEnd();
  if (wanted.trim() === '' || !lines.text.includes(wanted)) return '';
  const found: number[] = [];
  for (let number = 1; number <= lines.count && found.length < MAX_FOUND; number += 1) {
    if (lines.line(number).trimEnd() === wanted) found.push(number);
  }
  return found.length === 0 ? '' : `That content is in line ${found.join(', ')}.`;
}

function quotedContent(text: string): string {
  return `"${clipEnd(text, MAX_QUOTED_CONTENT).replace(/\r?\n/gu, '\\n')}"`;
}

function editNotApplied(why: string, lines: TextLines): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `${why}\nThe edit was not applied; the file has ${lines.count} lines. ` +
      'Open the correct file with Editor.open_file and look at its lines, then give line numbers and contents that belong together. ' +
      'Do not repeat the same command.',
    { lines: lines.count },
  );
}
