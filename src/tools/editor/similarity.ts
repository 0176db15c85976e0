import type { Files } from '../../core/files.js';
import * as s from '../../core/schema.js';
import { builtInTool, type Tool } from '../../core/tool.js';
import { baseName } from '../../files/path.js';
import { WordRanking } from '../../memory/lexical-index.js';
import { wordsOf } from '../../memory/words.js';
import { DIRECTORY_ALIASES, directoryPath, FILE_ALIASES, locate } from './arguments.js';
import { loadState, type EditorState } from './editor-state.js';
import { clipEnd, numbered } from './line-window.js';
import { MAX_HIT_LENGTH } from './search.js';
import { TextLines } from './text-lines.js';
import { statFile, textIn } from './workspace-text.js';

/** Limits of one search: bytes per file, bytes in total, and passages. The output names files beyond them. */
const MAX_FILE_BYTES = 1_000_000;
const MAX_TOTAL_BYTES = 4_000_000;
const MAX_PASSAGES = 10_000;
/** Maximum number of characters of a question. */
const MAX_QUERY_CHARACTERS = 2_000;
/** Maximum number of passages in the output. */
const BEST = 5;
/** Maximum number of skipped files to name. */
const MAX_SKIPPED_NAMES = 3;
/** Maximum lines and characters of a passage. Of a longer line, only the beginning is searched. */
const MAX_PASSAGE_LINES = 30;
const MAX_PASSAGE_CHARACTERS = 8_000;
/** Number of lines that consecutive passages share, so that related lines stay together in one of them. */
const OVERLAP = 6;

/**
 * Creates `similarity_search`, which finds passages by the words they share with a question. It searches all files, and reports line
 * numbers.
 */
export function similarityTools(start: Partial<EditorState>): Tool[] {
  const search = builtInTool({
    name: 'Editor.similarity_search',
    hints: { readFirst: true },
    activity: { verb: 'Searching the files for', argument: 'query' },
    description:
      'Find the passages of a file, or of a directory and below, that fit a question or some words best. ' +
      'Use it for files that are too large to read, and when you do not know the exact words.',
    input: s.args({
      query: s.custom<string>(queryProblem, {
        type: 'string',
        maxLength: MAX_QUERY_CHARACTERS,
        pattern: '\\S',
        description: 'What to look for, in words that probably occur there.',
      }),
      path: s.described(directoryPath, 'File or directory to search. Default: the working directory.'),
    }),
    aliases: { ...FILE_ALIASES, ...DIRECTORY_ALIASES },
    effect: 'pure',
    async run({ query, path }, { files, state, signal }) {
      const place = locate(path, loadState(state, start));
      const { passages, leftOut } = await passagesAt(files, place, signal);
      return renderReport(rankPassages(query, passages, BEST), leftOut, query, place);
    },
  });

  return [search];
}

/** Returns the passages of the files at a place, and the files that are left out because they are too much. */
async function passagesAt(
  files: Files,
  place: string,
  signal: AbortSignal,
): Promise<{ passages: Passage[]; leftOut: string[] }> {
  const passages: Passage[] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  for (const { path: file, size } of await searchedFiles(files, place)) {
    signal.throwIfAborted();
    if (size > MAX_FILE_BYTES || bytes + size > MAX_TOTAL_BYTES || passages.length >= MAX_PASSAGES) {
      leftOut.push(file);
      continue;
    }
    bytes += size;
    const decoded = await textIn(files, file);
    if (decoded !== null) passages.push(...passagesOf(file, decoded.text)); // skips binary files
  }
  return { passages, leftOut };
}

/** Returns the file, or the files of a directory that are not hidden. */
async function searchedFiles(files: Files, place: string): Promise<{ path: string; size: number }[]> {
  const info = await files.stat(place);
  if (info?.type !== 'directory') return [await statFile(files, place)];
  const all = await files.list(place, { recursive: true });
  return all.filter(({ type, path }) => type === 'file' && !baseName(path).startsWith('.'));
}

function queryProblem(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return 'must be words';
  return value.length > MAX_QUERY_CHARACTERS ? `must have at most ${MAX_QUERY_CHARACTERS} characters` : null;
}

function renderReport(
  best: readonly Passage[],
  leftOut: readonly string[],
  query: string,
  place: string,
): string {
  const notes: string[] = [];
  if (leftOut.length > 0) {
    const names = leftOut.slice(0, MAX_SKIPPED_NAMES).join(', ');
    const more = leftOut.length > MAX_SKIPPED_NAMES ? ` and ${leftOut.length - MAX_SKIPPED_NAMES} more` : '';
    notes.push(`Not searched, since it is too much: ${names}${more}. Use Editor.search_file for them.`);
  }
  const sought = `"${clipEnd(query, MAX_HIT_LENGTH)}" in ${place}`;
  if (best.length === 0) return [`[No passages found for ${sought}]`, ...notes].join('\n');
  return [
    `[Found ${best.length} passage${best.length === 1 ? '' : 's'} for ${sought}, best first]`,
    ...best.map(renderPassage),
    ...notes,
    `[End of passages for ${sought}]`,
  ].join('\n');
}

function renderPassage({ path, first, last, text }: Passage): string {
  const lines = new TextLines(text);
  const content = Array.from({ length: lines.count }, (_, i) =>
    numbered(first + i, clipEnd(lines.line(i + 1), MAX_HIT_LENGTH)),
  );
  return [`${path}:${first}-${last}`, ...content].join('\n');
}

/** Consecutive lines of a file, including the first and last one. */
interface Passage {
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
      last - first + 1 < MAX_PASSAGE_LINES &&
      lines.start(last + 2) - from <= MAX_PASSAGE_CHARACTERS
    )
      last += 1;
    if (last < lines.count) last = lastGap(lines, first + MAX_PASSAGE_LINES / 2, last);
    const passage = text.slice(from, Math.min(lines.start(last + 1), from + MAX_PASSAGE_CHARACTERS));
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
function rankPassages(query: string, passages: readonly Passage[], count: number): Passage[] {
  const sought = wordsOf(query);
  const documents = passages.map(({ path, text }) => [...wordsOf(path), ...wordsOf(text)]);
  const found: Passage[] = [];
  for (const index of new WordRanking(documents).search(sought, count * 3)) {
    const passage = passages[index];
    if (passage === undefined || found.length >= count) break;
    if (!found.some((other) => passagesOverlap(other, passage))) found.push(passage);
  }
  return found;
}

function passagesOverlap(a: Passage, b: Passage): boolean {
  return a.path === b.path && a.first <= b.last && b.first <= a.last;
}
