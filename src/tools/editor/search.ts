import { baseName } from '../../files/path.js';
import { matchesGlob } from '../../base/glob.js';

/** Limits of what one search shows (spec 14.7). */
export const MAX_HITS = 200;
export const MAX_HIT_LENGTH = 300;
/** More files than this and a search in a directory shows nothing but their number. */
export const MAX_HIT_FILES = 100;

/** A line that contains what was looked for. */
export interface Hit {
  /** From 1. */
  line: number;
  /** Without the spaces around it, cut around the match when it is long. */
  text: string;
}

/** The first `keep` lines that contain a term of one line, literally, and how many there are in all. */
export function findLines(text: string, term: string, keep: number): { hits: Hit[]; total: number } {
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

/** The report of a search: what was found between a line that says how much and one that ends it. */
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
 * Whether a file is meant by a name: one that is contained in its base name, or, with `*` or `?`, fits all of it. A name with a slash is
 * held against the whole path.
 */
export function isNamed(path: string, sought: string): boolean {
  const isGlob = /[*?]/u.test(sought);
  if (!sought.includes('/'))
    return isGlob ? matchesGlob(baseName(path), sought) : baseName(path).includes(sought);
  return isGlob ? matchesGlob(path, `*${sought}`) : path.includes(sought);
}

function excerpt(line: string, at: number): string {
  const text = line.trim();
  if (text.length <= MAX_HIT_LENGTH) return text;
  const match = at - (line.length - line.trimStart().length);
  const length = MAX_HIT_LENGTH - 2; // with room for a mark at each side
  const start = Math.max(0, Math.min(match - length / 2, text.length - length));
  const end = start + length;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
