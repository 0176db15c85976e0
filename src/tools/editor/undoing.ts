import * as s from '../../core/schema.js';
import { RoleZeroError } from '../../core/error.js';
import type { Files } from '../../core/files.js';
import { builtInTool, type Tool } from '../../core/tool.js';
import type { TextEncoding } from '../../core/text-encoding.js';
import { FILE_ALIASES, locate, optionalPath } from './arguments.js';
import { loadState, saveState, type EditorState } from './editor-state.js';
import { renderChange } from './line-window.js';
import { TextLines } from './text-lines.js';
import { keepEdits, pastEdits, withoutEdit, type PastEdit, type Undone } from './undo-history.js';
import { encodingNote, readTextFile, writeText } from './workspace-text.js';

/** Creates `undo_edit`, which reverts the editor's changes, the last edit first. Changes by others remain. */
export function undoingTools(start: Partial<EditorState>): Tool[] {
  const undo = builtInTool({
    name: 'Editor.undo_edit',
    activity: { verb: 'Undoing a change of', argument: 'path' },
    description:
      'Undo the last edit of a file by an Editor command; used again, the one before it. ' +
      'A file that the edit created is removed.',
    input: s.args({ path: optionalPath('Path of the file. Default: the one edited last.') }),
    aliases: FILE_ALIASES,
    staged: true,
    async run({ path }, { files, state }) {
      const editor = loadState(state, start);
      const edits = pastEdits(state);
      const wanted = path === undefined || path === '' ? edits.at(-1)?.path : locate(path, editor);
      const index = edits.findLastIndex((edit) => edit.path === wanted);
      const edit = edits[index];
      if (edit === undefined) return `[Nothing to undo${wanted === undefined ? '' : ` in ${wanted}`}.]`;
      const file = edit.path;
      const { text, at, encoding } = await undone(files, edit);
      keepEdits(state, edits.toSpliced(index, 1));
      const left = pastEdits(state).filter((each) => each.path === file && !('lost' in each)).length;
      const more = `Edits of it that can still be undone: ${left}.`;
      if (text === null) {
        await files.remove(file);
        if (editor.currentFile === file) saveState(state, { ...editor, currentFile: null, currentLine: 1 });
        return `[Edit undone: the file ${file} is removed again. ${more}]`;
      }
      await writeText(files, file, { text, encoding });
      const lines = new TextLines(text);
      const currentLine = Math.min(lines.numberAt(at), lines.count);
      saveState(state, { ...editor, currentFile: file, currentLine });
      return afterUndo(file, lines, encoding, currentLine, more);
    },
  });

  return [undo];
}

function afterUndo(
  file: string,
  lines: TextLines,
  encoding: TextEncoding,
  line: number,
  more: string,
): string {
  return [
    `[File: ${file} (${lines.count} lines total after undo${encodingNote(encoding)})]`,
    renderChange(lines, line, line),
    `[Edit undone (at line ${line}). ${more}]`,
  ].join('\n');
}

/**
 * Returns the file as it was before an edit.
 *
 * @throws RoleZeroError `invalid` if the edit was not stored, or if undoing would revert another change.
 */
async function undone(files: Files, edit: PastEdit): Promise<Undone & { encoding: TextEncoding }> {
  const { path } = edit;
  if ('lost' in edit) {
    throw new RoleZeroError(
      'invalid',
      `The last edit of ${path} was too large to be stored for undo, or replaced content that is not text or has another encoding. ` +
        'Change the file with Editor.edit_file_by_replace or Editor.write.',
      { path },
    );
  }
  const { text, encoding } = await readTextFile(files, path);
  const restored = withoutEdit(text, edit);
  if (restored !== null) return { ...restored, encoding };
  throw new RoleZeroError(
    'invalid',
    `${path} was changed again since then, at the place of the edit; undoing the edit would also revert that change. ` +
      'Nothing was undone. Look at the file with Editor.open_file and change what has to be changed with Editor.edit_file_by_replace.',
    { path },
  );
}
