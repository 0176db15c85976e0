import { WordRanking } from '../../memory/word-ranking.js';
import { wordsOf } from '../../memory/words.js';
import { TextLines } from './text-lines.js';

/** Most lines and characters of a passage; of a line that is longer by itself the beginning is searched. */
const MAX_LINES = 30;
const MAX_CHARACTERS = 8_000;
/** Lines a passage shares with the next, so that nothing is torn apart for good. */
const OVERLAP = 6;

/** Lines of a file that belong together, first and last included. */
export interface Passage {
  path: string;
  first: number;
  last: number;
  text: string;
}

/** A text in passages. They end at an empty line when there is one in their second half. */
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

/** The last empty line of a range, or its last line. */
function lastGap(lines: TextLines, first: number, last: number): number {
  for (let number = last; number >= first; number -= 1) if (lines.line(number).trim() === '') return number;
  return last;
}

/**
 * The passages that say most of what is asked for, best first, at most `count`. The words of a file's path count as said in all of its
 * passages. Of passages that overlap the best stays.
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
