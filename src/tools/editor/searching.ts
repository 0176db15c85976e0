import { RoleZeroError } from '../../core/error.js';
import type { Files } from '../../core/files.js';
import { matchesGlob } from '../../core/glob.js';
import * as s from '../../core/schema.js';
import { builtInTool, type Tool } from '../../core/tool.js';
import { baseName } from '../../files/path.js';
import { WordRanking } from '../../memory/lexical-index.js';
import { wordsOf } from '../../memory/words.js';
import { DIRECTORY_ALIASES, directoryPath, FILE_ALIASES, locate, optionalFilePath } from './arguments.js';
import { loadState, type EditorState } from './editor-state.js';
import { clipEnd, numbered } from './line-window.js';
import { TextLines } from './text-lines.js';
import { checkDirectory, readTextFile, statFile, textIn } from './workspace-text.js';

/** Limits of the output of one search: number of lines, and characters of a line. */
const MAX_HITS = 200;
const MAX_HIT_LENGTH = 300;
/** Maximum number of files with matches. Above it, a search in a directory reports only the number of files. */
const MAX_HIT_FILES = 100;

/** Limits of a search for passages: bytes per file, bytes in total, and passages. The output names files beyond them. */
const MAX_FILE_BYTES = 1_000_000;
const MAX_TOTAL_BYTES = 4_000_000;
const MAX_PASSAGES = 10_000;
/** Maximum number of characters of a question. */
const MAX_QUERY_CHARACTERS = 2_000;
/** Maximum number of passages in the output. */
const MAX_SHOWN_PASSAGES = 5;
/** Maximum number of skipped files to name. */
const MAX_SKIPPED_NAMES = 3;
/** Maximum lines and characters of a passage. Of a longer line, only the beginning is searched. */
const MAX_PASSAGE_LINES = 30;
const MAX_PASSAGE_CHARACTERS = 8_000;
/** Number of lines that consecutive passages share, so that related lines stay together in one of them. */
const OVERLAP = 6;

const searchTerm = s.custom<string>(
  (value) => {
    if (typeof value !== 'string') return 'must be string';
    if (value === '') return 'must not be empty';
    return value.includes('\n') ? 'must be one line: lines are searched one by one' : null;
  },
  {
    type: 'string',
    minLength: 1,
    pattern: '^[^\\n]*$',
    description: 'The exact text to look for, with its capital letters; not a pattern.',
  },
);

/** Creates the search commands: `search_dir`, `search_file`, `find_file`, `similarity_search`. */
export function searchingTools(start: Partial<EditorState>): Tool[] {
  return [searchDirectory, searchFile, findFile, searchPassages].map((make) => make(start));
}

function searchDirectory(start: Partial<EditorState>): Tool {
  return builtInTool({
    name: 'Editor.search_dir',
    hints: { small: { description: 'Find the files in which a text occurs.', place: 5 }, readFirst: true },
    activity: { verb: 'Searching the files for', argument: 'search_term' },
    description:
      'Find the lines that contain a text in all files of a directory and below. Hidden files are left out.',
    input: s.args({ search_term: searchTerm, path: directoryPath }),
    aliases: DIRECTORY_ALIASES,
    effect: 'pure',
    async run({ search_term: term, path }, { files, state, signal }) {
      const directory = locate(path, loadState(state, start));
      const isFile = (await files.stat(directory))?.type === 'file';
      if (!isFile) await checkDirectory(files, directory);
      const entries = isFile
        ? [{ path: directory, type: 'file' as const }]
        : await files.list(directory, { recursive: true });
      const shown: string[] = [];
      let total = 0;
      let filesWithHits = 0;
      for (const { path: file, type } of entries) {
        if (type === 'directory' || baseName(file).startsWith('.')) continue;
        signal.throwIfAborted();
        const decoded = await textIn(files, file);
        if (decoded === null) continue; // binary
        const found = findLines(decoded.text, term, MAX_HITS - shown.length);
        total += found.total;
        filesWithHits += Number(found.total > 0);
        shown.push(...found.hits.map((hit) => `${file} (Line ${hit.line}): ${hit.text}`));
      }
      if (total === 0) return `No matches found for "${term}" in ${directory}`;
      if (filesWithHits > MAX_HIT_FILES) {
        return (
          `More than ${MAX_HIT_FILES} files matched for "${term}" in ${directory}: ${filesWithHits} files. ` +
          'Narrow the search: a longer search_term, or a directory further down.'
        );
      }
      return foundReport(shown, total, term, directory);
    },
  });
}

function searchFile(start: Partial<EditorState>): Tool {
  return builtInTool({
    name: 'Editor.search_file',
    activity: { verb: 'Searching a file for', argument: 'search_term' },
    description: 'Find the lines of one file that contain a text.',
    input: s.args({
      search_term: searchTerm,
      path: optionalFilePath,
    }),
    aliases: FILE_ALIASES,
    async run({ search_term: term, path }, { files, state }) {
      const editor = loadState(state, start);
      const file = path === undefined || path === '' ? editor.currentFile : locate(path, editor);
      if (file === null) {
        throw new RoleZeroError(
          'not-found',
          'No file is open. Give the path of the file to search, or use Editor.open_file first.',
        );
      }
      const { text } = await readTextFile(files, file);
      const { hits, total } = findLines(text, term, MAX_HITS);
      if (total === 0) return `[No matches found for "${term}" in ${file}]`;
      // For user interfaces that show the file: the lines to mark, starting at 0.
      state['last_search'] = { path: file, symbol: term, lines: hits.map((hit) => hit.line - 1) };
      return foundReport(
        hits.map((hit) => `Line ${hit.line}: ${hit.text}`),
        total,
        term,
        file,
      );
    },
  });
}

function findFile(start: Partial<EditorState>): Tool {
  return builtInTool({
    name: 'Editor.find_file',
    hints: {
      small: { description: 'List the files with such a name; * lists all.', place: 6 },
      readFirst: true,
    },
    activity: { verb: 'Looking for', argument: 'file_name' },
    description: 'Find files by name in a directory and below.',
    input: s.args({
      file_name: s.string({
        minLength: 1,
        maxLength: 255,
        description: 'A part of the name, or a pattern with * and ?, such as *.test.ts.',
      }),
      path: directoryPath,
    }),
    aliases: { ...DIRECTORY_ALIASES, filename: 'file_name' },
    effect: 'pure',
    async run({ file_name: sought, path }, { files, state }) {
      const directory = locate(path, loadState(state, start));
      await checkDirectory(files, directory);
      const found = (await files.list(directory, { recursive: true })).flatMap((info) =>
        info.type === 'file' && isNamed(info.path, sought) ? [info.path] : [],
      );
      if (found.length === 0) return `[No matches found for "${sought}" in ${directory}]`;
      return foundReport(found.slice(0, MAX_HITS), found.length, sought, directory);
    },
  });
}

/** Finds passages by the words they share with a question. It searches all files, and reports line numbers. */
function searchPassages(start: Partial<EditorState>): Tool {
  return builtInTool({
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
      return renderReport(rankPassages(query, passages, MAX_SHOWN_PASSAGES), leftOut, query, place);
    },
  });
}

/** A line that contains the search term. */
interface Hit {
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
function foundReport(shown: readonly string[], total: number, term: string, place: string): string {
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
function isNamed(path: string, name: string): boolean {
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
