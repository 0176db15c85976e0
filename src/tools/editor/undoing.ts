import { RoleZeroError } from '../../core/error.js';
import type { Files } from '../../core/files.js';
import { fingerprint } from '../../core/fingerprint.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import * as s from '../../core/schema.js';
import type { TextEncoding } from '../../core/text-encoding.js';
import { builtInTool, type Tool } from '../../core/tool.js';
import { FILE_ALIASES, locate, optionalPath } from './arguments.js';
import { loadState, saveState, type EditorState } from './editor-state.js';
import { renderChange } from './line-window.js';
import { TextLines } from './text-lines.js';
import { encodingNote, readTextFile, writeText } from './workspace-text.js';

/**
 * Maximum stored characters of one edit, and of all edits. The oldest edits are dropped first. The history is written with every commit.
 */
export const MAX_EDIT = 32_000;
export const MAX_HISTORY = 64_000;
const MAX_EDITS = 50;

/** Cost of an edit in addition to its stored text. */
const EDIT_COST = 200;
/** Number of lines around an edited part that are compared with it, to distinguish it from another part with the same text. */
const PRINT_LINES = 3;

/** An edit that can be undone. A type, because an interface is no `JsonValue`. */
type RestorableEdit = {
  path: string;
  /** Original text of the edited part; null if there was no file. */
  before: string | null;
  /** Number of characters before the edited part, in it, and after it, measured after the edit. */
  start: number;
  length: number;
  end: number;
  /** Fingerprint of the edited part and the lines around it. */
  print: string;
};

/** An edit that can be undone, or one that was too large to store or that replaced a file that is not text. */
type PastEdit = RestorableEdit | { path: string; lost: true };

/** Text before an edit, and the position of the difference. The text is null if there was no file. */
interface Undone {
  text: string | null;
  at: number;
}

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

/** Returns the edits of a session that can be undone, oldest first; none when the stored value is no list of edits. */
export function pastEdits({ edits = [] }: Record<string, JsonValue>): PastEdit[] {
  const stored: unknown = edits;
  return Array.isArray(stored) && stored.every(isPastEdit) ? [...stored] : [];
}

function isPastEdit(value: unknown): value is PastEdit {
  if (!isRecord(value) || typeof value['path'] !== 'string') return false;
  const { before, start, length, end, print, lost } = value;
  if (lost === true) return true;
  const isText = before === null || typeof before === 'string';
  const hasPlace = typeof start === 'number' && typeof length === 'number' && typeof end === 'number';
  return isText && hasPlace && typeof print === 'string';
}

export function keepEdits(state: Record<string, JsonValue>, edits: readonly PastEdit[]): void {
  state['edits'] = [...edits];
}

/**
 * Stores how to undo an edit. An edit that cannot be stored removes the earlier edits of the same file, because they could only be undone
 * after it.
 *
 * @param before null if there was no file, undefined if its content is not available.
 */
export function recordEdit(
  state: Record<string, JsonValue>,
  path: string,
  before: string | null | undefined,
  after: string,
): void {
  if (before === after) return;
  let edits = pastEdits(state);
  const edit = before === undefined ? null : reversal(path, before, after);
  if (edit === null || editCost(edit) > MAX_EDIT) {
    edits = [...edits.filter((each) => each.path !== path), { path, lost: true }];
  } else {
    edits.push(edit);
  }
  let total = 0;
  for (const each of edits) total += editCost(each);
  while (total > MAX_HISTORY || edits.length > MAX_EDITS) {
    const oldest = edits.shift();
    if (oldest === undefined) break;
    total -= editCost(oldest);
  }
  keepEdits(state, edits);
}

/**
 * Returns a text without an edit. Later changes by others remain if all are before the edited part or all are after it. None of them may be
 * adjacent to it. Otherwise, returns null.
 */
export function withoutEdit(text: string, edit: RestorableEdit): Undone | null {
  const { before, length, print } = edit;
  for (const start of [edit.start, text.length - edit.end - length]) {
    const end = start + length;
    if (start < 0 || end > text.length || printOfText(text, start, end) !== print) continue;
    if (before === null) return { text: null, at: 0 };
    return { text: text.slice(0, start) + before + text.slice(end), at: start };
  }
  return null;
}

/** Computes the difference between two texts in whole lines, and how to restore it. */
function reversal(path: string, before: string | null, after: string): RestorableEdit {
  const old = before ?? '';
  const most = before === null ? 0 : Math.min(old.length, after.length);
  let start = 0;
  while (start < most && old.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  start = lineStart(after, start);
  let end = 0;
  while (end < most - start && lastCode(old, end) === lastCode(after, end)) end += 1;
  const lineBreak = after.indexOf('\n', after.length - end);
  end = lineBreak === -1 ? 0 : after.length - lineBreak - 1;
  return {
    path,
    before: before === null ? null : old.slice(start, old.length - end),
    start,
    length: after.length - end - start,
    end,
    print: printOfText(after, start, after.length - end),
  };
}

function printOfText(text: string, start: number, end: number): string {
  let first = start;
  let last = end;
  for (let i = 0; i < PRINT_LINES && first > 0; i += 1) first = lineStart(text, first - 1);
  for (let i = 0; i < PRINT_LINES && last < text.length; i += 1) {
    const lineBreak = text.indexOf('\n', last);
    last = lineBreak === -1 ? text.length : lineBreak + 1;
  }
  return fingerprint(text.slice(first, last), `${start - first} ${last - end}`);
}

function lastCode(text: string, index: number): number {
  return text.charCodeAt(text.length - 1 - index);
}

/** Returns the start of the line that contains a position. */
function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function editCost(edit: PastEdit): number {
  return EDIT_COST + ('lost' in edit ? 0 : (edit.before?.length ?? 0));
}
