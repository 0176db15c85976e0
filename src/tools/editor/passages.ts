import { WordRanking } from '../../memory/word-ranking.js';
import { wordsOf } from '../../memory/words.js';
import { TextLines } from './text-lines.js';

/** Maximum lines and characters of a passage. Of a longer line, only the beginning is searched. */
const MAX_LINES = 30;
const MAX_CHARACTERS = 8_000;
/** Number of lines that consecutive passages share, so that related lines stay together in one of them. */
const OVERLAP = 6;

/** Consecutive lines of a file, including the first and last one. */
export interface Passage {
  path: string;
  first: number;
  last: number;
  text: string;
}

/** Splits a text into passages. A passage ends at an empty line if its second half has one. */
export function passagesOf(path: string, text: string): Passage[] {
  const lines = new TextLines(text);
  const passages: Passage[] = [];
  let first = 1;
  let last = 0;
  while (last < lines.count) {
    const from = lines.start(first);
    last = first;
    while (
      last < lines.count &&
      last - first + 1 < MAX_LINES &&
      lines.start(last + 2) - from <= MAX_CHARACTERS
    )
      last += 1;
    if (last < lines.count) last = lastGap(lines, first + MAX_LINES / 2, last);
    const passage = text.slice(from, Math.min(lines.start(last + 1), from + MAX_CHARACTERS));
    if (passage.trim() !== '') passages.push({ path, first, last, text: passage });
    first = Math.max(first + 1, last + 1 - OVERLAP);
  }
  return passages;
}

/** Returns the last empty line of a range, or its last line. */
function lastGap(lines: TextLines, first: number, last: number): number {
  for (let number = last; number >= first; number -= 1) if (lines.line(number).trim() === '') return number;
  return last;
}

/**
 * Returns the passages that best match a query, best first, at most `count`. The words of a file's path count as part of all its passages.
 * Of overlapping passages, only the best remains.
 */
export function rankPassages(query: string, passages: readonly Passage[], count: number): Passage[] {
  const sought = wordsOf(query);
  const documents = passages.map(({ path, text }) => [...wordsOf(path), ...wordsOf(text)]);
  const found: Passage[] = [];
  for (const index of new WordRanking(documents).search(sought, count * 3)) {
    const passage = passages[index];
    if (passage === undefined || found.length >= count) break;
    if (!found.some((other) => overlap(other, passage))) found.push(passage);
  }
  return found;
}

function overlap(a: Passage, b: Passage): boolean {
  return a.path === b.path && a.first <= b.last && b.first <= a.last;
}
