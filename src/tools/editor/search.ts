import { baseName } from '../../files/path.js';
import { matchesGlob } from '../../core/glob.js';

/** Limits of the output of one search: number of lines, and characters of a line. */
export const MAX_HITS = 200;
export const MAX_HIT_LENGTH = 300;
/** Maximum number of files with matches. Above it, a search in a directory reports only the number of files. */
export const MAX_HIT_FILES = 100;

/** A line that contains the search term. */
export interface Hit {
  /** Line number, starting at 1. */
  line: number;
  /** Text without surrounding spaces. A long line is truncated around the match. */
  text: string;
}

/**
 * Returns the first `keep` lines that contain a single-line term literally, and the total number of such lines. Characters that are composed
 * in one of both, and decomposed in the other, are the same.
 */
export function findLines(text: string, term: string, keep: number): { hits: Hit[]; total: number } {
  const isAscii = /^[\0-\x7f]*$/u.test(term);
  return isAscii
    ? findExactLines(text, term, keep)
    : findExactLines(text.normalize(), term.normalize(), keep);
}

function findExactLines(text: string, term: string, keep: number): { hits: Hit[]; total: number } {
  const hits: Hit[] = [];
  let total = 0;
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf(term); at !== -1;) {
    for (
      let end = text.indexOf('\n', lineStart);
      end !== -1 && end < at;
      end = text.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = end + 1;
    }
    const lineBreak = text.indexOf('\n', at);
    const end = lineBreak === -1 ? text.length : lineBreak;
    total += 1;
    if (hits.length < keep) hits.push({ line, text: excerpt(text.slice(lineStart, end), at - lineStart) });
    if (lineBreak === -1) break;
    at = text.indexOf(term, lineBreak);
  }
  return { hits, total };
}

/** Formats the result of a search: the matches between a header with their number and a footer. */
export function foundReport(shown: readonly string[], total: number, term: string, place: string): string {
  const hidden = total - shown.length;
  return [
    `[Found ${total} matches for "${term}" in ${place}]`,
    ...shown,
    ...(hidden === 0 ? [] : [`… ${hidden} more`]),
    `[End of matches for "${term}" in ${place}]`,
  ].join('\n');
}

/**
 * Returns whether a file matches a name. Plain text must occur in its base name. A pattern with `*` or `?` must match the complete base
 * name. A name with a slash applies to the whole path.
 */
export function isNamed(path: string, name: string): boolean {
  const sought = name.normalize(); // as paths are
  const isGlob = /[*?]/u.test(sought);
  if (!sought.includes('/'))
    return isGlob ? matchesGlob(baseName(path), sought) : baseName(path).includes(sought);
  return isGlob ? matchesGlob(path, `*${sought}`) : path.includes(sought);
}

function excerpt(line: string, at: number): string {
  const text = line.trim();
  if (text.length <= MAX_HIT_LENGTH) return text;
  const match = at - (line.length - line.trimStart().length);
  const length = MAX_HIT_LENGTH - 2; // leaves space for a mark on each side
  const start = Math.max(0, Math.min(match - length / 2, text.length - length));
  const end = start + length;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
