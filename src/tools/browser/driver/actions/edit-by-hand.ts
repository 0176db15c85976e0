import { setValue, type TextField } from './fields.js';

type EditDirection = 'backward' | 'forward';

/** The edits of a field that can be undone and repeated. */
interface History {
  /** Kind of the last edit, as in `InputEvent.inputType`. Edits of the same kind in a row are undone together. */
  kind: string;
  past: string[];
  future: string[];
}

const histories = new WeakMap<TextField, History>();
/** Number fields drop text that is no number yet, such as `-`. This is the text as typed, and the value that the field made of it. */
const drafts = new WeakMap<TextField, { text: string; value: string }>();
/** Fields without a selection of their own, such as number fields, whose whole text is selected. */
const selected = new WeakSet<TextField>();
/** Fields that were edited by hand and did not dispatch `change` since. */
const editedFields = new WeakSet<TextField>();

/**
 * Performs an editing command of the browser in a text field that the browser's own command does not reach: in a hidden frame, or where the
 * browser gives the frame no focus.
 */
export function editByHand(field: TextField, command: string, text = '', word = false): void {
  const kind = INPUT_EVENT_TYPES[command];
  if (kind === undefined) return;
  const data = command === 'insertText' ? text : null;
  const settings = { bubbles: true, composed: true, inputType: kind, data };
  if (!field.dispatchEvent(new InputEvent('beforeinput', { ...settings, cancelable: true }))) return;
  const isDone =
    command === 'undo' || command === 'redo' ? stepHistory(field, command) : replace(field, kind, data, word);
  if (isDone) field.dispatchEvent(new InputEvent('input', settings));
}

const INPUT_EVENT_TYPES: Readonly<Record<string, string>> = {
  insertText: 'insertText',
  delete: 'deleteContentBackward',
  forwardDelete: 'deleteContentForward',
  undo: 'historyUndo',
  redo: 'historyRedo',
};

/** Returns whether the field was edited by hand since the last call. */
export function takeEdited(field: TextField): boolean {
  return editedFields.delete(field);
}

/** Selects the whole text of a field. */
export function selectField(field: TextField): void {
  field.select();
  if (field.selectionStart === null) selected.add(field);
}

/** Moves the caret as the keys do. */
export function moveCaretByHand(
  field: TextField,
  direction: EditDirection,
  unit: string,
  extend: boolean,
): void {
  const { selectionStart: start, selectionEnd: end, value } = field;
  selected.delete(field);
  if (start === null || end === null) return;
  const isBackward = direction === 'backward';
  if (!extend && start !== end && unit === 'character') {
    const edge = isBackward ? start : end;
    field.setSelectionRange(edge, edge);
    return;
  }
  const [anchor, focus] = field.selectionDirection === 'backward' ? [end, start] : [start, end];
  const to = target(value, focus, direction, unit);
  if (extend)
    field.setSelectionRange(Math.min(anchor, to), Math.max(anchor, to), to < anchor ? 'backward' : 'forward');
  else field.setSelectionRange(to, to);
}

function replace(field: TextField, kind: string, data: string | null, word: boolean): boolean {
  const draft = drafts.get(field);
  const text = draft?.value === field.value ? draft.text : field.value;
  let start = field.selectionStart ?? (selected.delete(field) ? 0 : text.length);
  let end = field.selectionEnd ?? text.length;
  if (data === null && start === end) {
    const unit = word ? 'word' : 'character';
    if (kind === 'deleteContentBackward') start = target(text, start, 'backward', unit);
    else end = target(text, end, 'forward', unit);
    if (start === end) return false;
  }
  const longest = field.maxLength >= 0 ? field.maxLength : Infinity;
  const room = Math.max(0, longest - (text.length - (end - start)));
  const isNumber = field.type === 'number';
  const accepted = isNumber ? (data ?? '').replace(/[^\d.eE+-]/g, '') : (data ?? '');
  const added = accepted.slice(0, room);
  if (added === '' && start === end) return false;
  remember(field, kind);
  const next = text.slice(0, start) + added + text.slice(end);
  setValue(field, next);
  if (isNumber) drafts.set(field, { text: next, value: field.value });
  caretTo(field, start + added.length);
  return true;
}

/** Undoes or repeats the edits of one kind. Returns false without such an edit. */
function stepHistory(field: TextField, command: 'undo' | 'redo'): boolean {
  const history = histories.get(field);
  const [from, to] = command === 'undo' ? [history?.past, history?.future] : [history?.future, history?.past];
  const value = from?.pop();
  if (history === undefined || value === undefined) return false;
  to?.push(field.value);
  history.kind = command;
  editedFields.add(field);
  setValue(field, value);
  caretTo(field, value.length);
  return true;
}

function remember(field: TextField, kind: string): void {
  editedFields.add(field);
  const history = histories.get(field) ?? { kind: '', past: [], future: [] };
  histories.set(field, history);
  if (history.kind !== kind) history.past.push(field.value);
  history.kind = kind;
  history.future = [];
}

function caretTo(field: TextField, at: number): void {
  try {
    field.setSelectionRange(at, at);
  } catch {
    // Number and email fields do not support a selection.
  }
}

/** Returns the position after a movement of the caret. */
function target(text: string, at: number, direction: EditDirection, unit: string): number {
  const isBackward = direction === 'backward';
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const lineStart = before.lastIndexOf('\n') + 1;
  const toLineEnd = after.indexOf('\n');
  const lineEnd = toLineEnd < 0 ? text.length : at + toLineEnd;
  switch (unit) {
    case 'character':
      return isBackward
        ? at - (Array.from(before).at(-1)?.length ?? 0)
        : at + (Array.from(after)[0]?.length ?? 0);
    case 'word':
      return isBackward
        ? at - (/\S*\s*$/.exec(before)?.[0].length ?? 0)
        : at + (/^\s*\S*/.exec(after)?.[0].length ?? 0);
    case 'lineboundary':
      return isBackward ? lineStart : lineEnd;
    case 'line': {
      const column = at - lineStart;
      if (!isBackward) return lineEnd === text.length ? lineEnd : placeInLine(text, lineEnd + 1, column);
      return lineStart === 0 ? 0 : placeInLine(text, text.lastIndexOf('\n', lineStart - 2) + 1, column);
    }
    default:
      return isBackward ? 0 : text.length;
  }
}

function placeInLine(text: string, start: number, column: number): number {
  const end = text.indexOf('\n', start);
  return Math.min(start + column, end < 0 ? text.length : end);
}
