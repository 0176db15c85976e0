import type { ToolContext } from '../../base/tool.js';
import { locate } from './arguments.js';
import type { Edited } from './edit-text.js';
import { loadState, saveState, type EditorState } from './editor-state.js';
import { renderWindow, windowAround } from './line-window.js';
import { TextLines } from './text-lines.js';
import { recordEdit } from './undo-history.js';
import { readText } from './workspace-text.js';

/** Changes a file, opens it where it was changed and shows that (spec 14.5). */
export async function applyEdit(
  path: string,
  { files, state }: ToolContext,
  start: Partial<EditorState>,
  change: (text: string) => Edited,
): Promise<string> {
  const editor = loadState(state, start);
  const file = locate(path, editor);
  const before = await readText(files, file);
  const edited = change(before);
  await files.write(file, edited.text);
  recordEdit(state, file, before, edited.text);
  const lines = new TextLines(edited.text);
  const window = windowAround(edited.line, editor.window, lines.count);
  saveState(state, { ...editor, currentFile: file, currentLine: window.target });
  return [
    `[File: ${file} (${lines.count} lines total after edit)]`,
    renderWindow(lines, window),
    `[File updated (edited at line ${edited.line})].`,
  ].join('\n');
}
