import type { Linter } from '../../core/linter.js';
import type { ToolContext } from '../../core/tool.js';
import { locate } from './arguments.js';
import type { Edited } from './edit-text.js';
import { loadState, saveState, type EditorState } from './editor-state.js';
import { renderChange } from './line-window.js';
import { judge } from './lint-gate.js';
import { rejection } from './rejection.js';
import { TextLines } from './text-lines.js';
import { recordEdit } from './undo-history.js';
import { encodingNote, readText, writeText } from './workspace-text.js';

/** Settings for edits. */
export interface EditRules {
  start: Partial<EditorState>;
  /** Linters to consult before an edit, in order. If empty, every edit is applied. */
  linters: readonly Linter[];
}

/**
 * Edits a file, opens it at the edited line, and returns the changed lines with those around them. An edit that introduces syntax errors is not applied.
 * In this case, the result is a report, not an error.
 */
export async function applyEdit(
  path: string,
  { files, state }: ToolContext,
  { start, linters }: EditRules,
  change: (text: string) => Edited,
): Promise<string> {
  const editor = loadState(state, start);
  const file = locate(path, editor);
  const { text: before, encoding } = await readText(files, file);
  const edited = change(before);
  const { problems, unchecked } = await judge(linters, file, before, edited);
  if (problems.length > 0) return rejection(file, before, edited, problems);
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
