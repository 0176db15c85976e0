import { estimateTokens } from '../../core/token-estimate.js';
import * as s from '../../core/schema.js';
import { RoleZeroError } from '../../core/error.js';
import type { Files } from '../../core/files.js';
import { builtInTool, type Tool, type ToolContext } from '../../core/tool.js';
import type { TextEncoding } from '../../core/text-encoding.js';
import { contextLines, FILE_ALIASES, filePath, lineToShow, locate } from './arguments.js';
import { DEFAULT_WINDOW, loadState, saveState, type EditorState } from './editor-state.js';
import { numbered, renderWindow, windowAround, type LineWindow } from './line-window.js';
import { TextLines } from './text-lines.js';
import { encodingNote, readTextFile, statFile, textIn } from './workspace-text.js';

/** Limits of `Editor.read`: at most this many bytes, and fewer than this many tokens. */
const MAX_READ_BYTES = 50_000;
const MAX_READ_TOKENS = 10_000;
const MAX_CONTEXT_LINES = 2_000;

const TOO_LARGE_TO_READ =
  'The file is too large to be read as a whole. Use Editor.similarity_search to find what you need in it, ' +
  'or Editor.open_file with a line number and Editor.scroll_down to go through it.';

/** Creates the commands that show a file: `read`, `open_file`, `goto_line`, `scroll_up`, `scroll_down`. */
export function viewingTools(start: Partial<EditorState>): Tool[] {
  return [readTool, openFile, gotoLine, scrollDown, scrollUp].map((make) => make(start));
}

function readTool(start: Partial<EditorState>): Tool {
  return builtInTool({
    name: 'Editor.read',
    hints: {
      small: { description: 'Show a file, with line numbers.', place: 1 },
      file: 'read',
      readFirst: true,
    },
    activity: { verb: 'Reading', argument: 'path' },
    description: 'Read a whole file, with line numbers. For large files use Editor.open_file.',
    input: s.args({ path: filePath }),
    aliases: FILE_ALIASES,
    effect: 'pure',
    async run({ path }, { files, state }) {
      const file = locate(path, loadState(state, start));
      const { size } = await statFile(files, file);
      return `file_path: ${file}\n${size > MAX_READ_BYTES ? blockOf(TOO_LARGE_TO_READ) : await renderFile(files, file)}`;
    },
  });
}

function openFile(start: Partial<EditorState>): Tool {
  return builtInTool({
    name: 'Editor.open_file',
    activity: { verb: 'Opening', argument: 'path' },
    description:
      'Open a file and show the lines around a line. Editor.goto_line, scroll_down, scroll_up and search_file use the open file.',
    input: s.args({
      path: filePath,
      line_number: s.withDefault(lineToShow, 1),
      context_lines: contextLines,
    }),
    aliases: FILE_ALIASES,
    exclusive: true,
    async run({ path, line_number: line, context_lines: context }, { files, state }) {
      const editor = loadState(state, start);
      const file = locate(path, editor);
      const { text, encoding } = await readTextFile(files, file);
      const lines = new TextLines(text);
      editor.currentFile = file;
      editor.currentLine = checkedLine(line ?? 1, lines, file);
      saveState(state, editor);
      const size =
        typeof context === 'number' && context >= 1 ? Math.min(context, MAX_CONTEXT_LINES) : editor.window;
      return renderView(file, lines, encoding, windowAround(editor.currentLine, size, lines.count));
    },
  });
}

function gotoLine(start: Partial<EditorState>): Tool {
  return builtInTool({
    name: 'Editor.goto_line',
    activity: { verb: 'Reading a file' },
    description: 'Show the lines around a line of the open file.',
    input: s.args({ line_number: lineToShow }),
    run: ({ line_number: line }, context) =>
      moveWindow(start, context, (_, lines, file) => checkedLine(line, lines, file)),
  });
}

function scrollDown(start: Partial<EditorState>): Tool {
  return builtInTool({
    name: 'Editor.scroll_down',
    activity: { verb: 'Reading a file' },
    description: `Move the window of the open file down by ${start.window ?? DEFAULT_WINDOW} lines and show it.`,
    input: s.args({}),
    run: (_, context) => moveWindow(start, context, (editor) => editor.currentLine + editor.window),
  });
}

function scrollUp(start: Partial<EditorState>): Tool {
  return builtInTool({
    name: 'Editor.scroll_up',
    activity: { verb: 'Reading a file' },
    description: `Move the window of the open file up by ${start.window ?? DEFAULT_WINDOW} lines and show it.`,
    input: s.args({}),
    run: (_, context) => moveWindow(start, context, (editor) => editor.currentLine - editor.window),
  });
}

/** Shows the open file at another line, always with the default window. */
async function moveWindow(
  start: Partial<EditorState>,
  { files, state }: ToolContext,
  target: (editor: EditorState, lines: TextLines, file: string) => number,
): Promise<string> {
  const editor = loadState(state, start);
  const file = openFileOf(editor);
  const { text, encoding } = await readTextFile(files, file);
  const lines = new TextLines(text);
  editor.currentLine = windowAround(target(editor, lines, file), editor.window, lines.count).target;
  saveState(state, editor);
  return renderView(file, lines, encoding, windowAround(editor.currentLine, editor.window, lines.count));
}

/** Renders the window of a file, with a header that names the file. */
function renderView(file: string, lines: TextLines, encoding: TextEncoding, window: LineWindow): string {
  const header = `[File: ${file} (${lines.count} lines total${encodingNote(encoding)})]`;
  return `${header}\n${renderWindow(lines, window)}`;
}

/** Returns a whole file with numbered lines and its original line breaks, or a notice if it cannot be shown. */
async function renderFile(files: Files, file: string): Promise<string> {
  const decoded = await textIn(files, file);
  if (decoded === null) return blockOf('(This is not a text file; its content cannot be shown.)');
  const { text, encoding } = decoded;
  if (estimateTokens(text) >= MAX_READ_TOKENS) return blockOf(TOO_LARGE_TO_READ);
  const lines = new TextLines(text);
  const shown = Array.from({ length: lines.count }, (_, i) => numbered(i + 1, lines.raw(i + 1)));
  return `${encoding === 'UTF-8' ? '' : `encoding: ${encoding}\n`}${blockOf(text === '' ? '' : shown.join(''))}`;
}

function blockOf(content: string): string {
  return `block_content:\n${content}`;
}

function openFileOf({ currentFile }: EditorState): string {
  if (currentFile !== null) return currentFile;
  throw new RoleZeroError('invalid', 'No file is open. Use Editor.open_file first.');
}

function checkedLine(line: unknown, lines: TextLines, file: string): number {
  if (typeof line === 'number' && Number.isInteger(line) && lines.has(line)) return line;
  throw new RoleZeroError(
    'invalid',
    `line_number must be a whole number from 1 to ${lines.count}: ${file} has ${lines.count} lines. ` +
      `It was ${line === undefined ? 'left out' : JSON.stringify(line)}.`,
    { path: file, lines: lines.count },
  );
}
