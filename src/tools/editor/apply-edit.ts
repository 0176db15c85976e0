import { RoleZeroError } from '../../core/error.js';
import type { Linter, Problem } from '../../core/linter.js';
import type { ToolContext } from '../../core/tool.js';
import { locate } from './arguments.js';
import type { Edited } from './edit-text.js';
import { loadState, saveState, type EditorState } from './editor-state.js';
import { clipEnd, renderChange, renderWindow, windowAround } from './line-window.js';
import { lintEdit } from './lint-gate.js';
import { TextLines } from './text-lines.js';
import { recordEdit } from './undo-history.js';
import { encodingNote, readTextFile, writeText } from './workspace-text.js';

const MAX_LISTED_PROBLEMS = 10;
const MAX_MESSAGE = 300;
/** Number of lines that a window shows in addition to the added lines. */
const WINDOW_AROUND = 20;
const INDENT = 4;
/** Files in which indentation has a meaning. In others, advice about it leads a small model away from the error. */
const INDENTED = /\.(?:coffee|nim|pug|pyi?|sass|ya?ml)$/iu;
const SEPARATOR = '-'.repeat(49);

/** Settings for edits. */
export interface EditRules {
  start: Partial<EditorState>;
  /** Linters to consult before an edit, in order. If empty, every edit is applied. */
  linters: readonly Linter[];
}

/**
 * Edits a file, opens it at the edited line, and returns the changed lines with those around them.
 *
 * @throws RoleZeroError `invalid` with a report if the edit introduces syntax errors; it is not applied then.
 */
export async function applyEdit(
  path: string,
  { files, state }: ToolContext,
  { start, linters }: EditRules,
  change: (text: string) => Edited,
): Promise<string> {
  const editor = loadState(state, start);
  const file = locate(path, editor);
  const { text: before, encoding } = await readTextFile(files, file);
  const edited = change(before);
  const { problems, unchecked } = await lintEdit(linters, file, before, edited);
  if (problems.length > 0)
    throw new RoleZeroError('invalid', rejection(file, before, edited, problems), { path: file });
  await writeText(files, file, { text: edited.text, encoding });
  recordEdit(state, file, before, edited.text);
  const lines = new TextLines(edited.text);
  const currentLine = Math.min(Math.max(edited.line, 1), lines.count);
  saveState(state, { ...editor, currentFile: file, currentLine });
  return [
    `[File: ${file} (${lines.count} lines total after edit${encodingNote(encoding)})]`,
    renderChange(lines, edited.added.first, edited.added.last),
    `[File updated (edited at line ${edited.line})].`,
    ...(edited.note === undefined ? [] : [`(${edited.note})`]),
    ...(unchecked === null ? [] : [`(Its syntax could not be checked: ${unchecked})`]),
  ].join('\n');
}

/** Report to the model on a rejected edit: the problems, the file with and without the edit, and advice. */
function rejection(path: string, before: string, edited: Edited, problems: readonly Problem[]): string {
  const old = new TextLines(before);
  const lines = new TextLines(edited.text);
  const center = Math.floor((edited.line + edited.lastLine) / 2);
  const size = Math.max(0, edited.added.last - edited.added.first + 1) + WINDOW_AROUND;
  const window = (of: TextLines): string => renderWindow(of, windowAround(center, size, of.count));
  return [
    '[Your edit introduced new syntax errors. Read what they say, correct your edit and try again.]',
    'ERRORS:',
    ...listProblems(path, problems),
    '[What the file would have looked like with your edit]',
    SEPARATOR,
    window(lines),
    SEPARATOR,
    '[The original file, without your edit]',
    SEPARATOR,
    window(old),
    SEPARATOR,
    'Your changes were not applied; the file is as it was.',
    ...(INDENTED.test(path) ? indentationAdvice(lines, problems[0]?.line ?? edited.line) : []),
    'Correct the line numbers or the code of your edit. Do not repeat the same command: it would lead to the same errors.',
  ].join('\n');
}

/** Returns problems as lines for the model: the first ones, and the number of the others. */
export function listProblems(path: string, problems: readonly Problem[]): string[] {
  const shown = problems.slice(0, MAX_LISTED_PROBLEMS).map(({ line, column, message }) => {
    const place = column === undefined ? `${path}:${line}` : `${path}:${line}:${column}`;
    return `${place}: ${clipEnd(message, MAX_MESSAGE)}`;
  });
  const more = problems.length - shown.length;
  return more === 0 ? shown : [...shown, `… ${more} more`];
}

/** Describes the indentation of the error line and the line before it. Indentation is the most common error of small models. */
function indentationAdvice(lines: TextLines, problemLine: number): string[] {
  const number = Math.min(Math.max(problemLine, 1), lines.count);
  const error = lines.line(number);
  const indent = indentLength(error);
  const previous = number > 1 ? lines.line(number - 1) : '';
  return [
    `The previous line is "${clipEnd(previous, MAX_MESSAGE)}", its indentation is ${spaces(indentLength(previous))}.`,
    `The error line is "${clipEnd(error, MAX_MESSAGE)}", its indentation is ${spaces(indent)}.`,
    `If the indentation is what is wrong, try ${Math.max(0, indent - INDENT)} or ${indent + INDENT} spaces.`,
  ];
}

function indentLength(line: string): number {
  return line.length - line.trimStart().length;
}

function spaces(count: number): string {
  return `${count} space${count === 1 ? '' : 's'}`;
}
