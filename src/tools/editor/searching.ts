import * as s from '../../core/schema.js';
import { RoleZeroError } from '../../core/error.js';
import { builtInTool, type Tool } from '../../core/tool.js';
import { baseName } from '../../files/path.js';
import { DIRECTORY_ALIASES, directoryPath, FILE_ALIASES, locate, optionalFilePath } from './arguments.js';
import { loadState, type EditorState } from './editor-state.js';
import { findLines, foundReport, isNamed, MAX_HIT_FILES, MAX_HITS } from './search.js';
import { checkDirectory, readTextFile, textIn } from './workspace-text.js';

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

/** Creates the search commands: `search_dir`, `search_file`, `find_file`. */
export function searchingTools(start: Partial<EditorState>): Tool[] {
  return [searchDirectory, searchFile, findFile].map((make) => make(start));
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
