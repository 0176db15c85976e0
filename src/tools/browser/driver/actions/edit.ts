import { isFirefox } from '../natives.js';
import { hasSuppliedFocus } from '../page/focus.js';
import { editByHand, moveCaretByHand, selectField } from './edit-by-hand.js';
import { isEditable, isTextField, type TextField } from './fields.js';

/**
 * Inserts text at the caret. All functions here use the browser's own editing commands. These emit `input`, respect `maxlength`, and support
 * undo. `beforeinput`, which only an edit of the user causes, is dispatched before: editors with a model of their own take the edit from it.
 */
export function insertText(element: Element, text: string): void {
  edit(element, 'insertText', text);
}

export function deleteText(element: Element, direction: 'back' | 'forward', word = false): void {
  if (word && !isByHand(element)) {
    const isCollapsed = isMovedByHand(element)
      ? element.selectionStart === element.selectionEnd
      : getSelection()?.isCollapsed;
    if (isCollapsed) moveCaretIn(element, direction === 'back' ? 'backward' : 'forward', 'word', true);
  }
  edit(element, direction === 'back' ? 'delete' : 'forwardDelete', undefined, word);
}

/** Handles Enter in a multi-line field. */
export function insertLine(element: Element, isShift: boolean): void {
  if (element instanceof HTMLTextAreaElement) edit(element, 'insertText', '\n');
  else edit(element, isShift ? 'insertLineBreak' : 'insertParagraph');
}

export function selectAll(element: Element | null): void {
  if (isTextField(element)) selectField(element);
  else if (element instanceof HTMLElement && element.isContentEditable)
    getSelection()?.selectAllChildren(element);
  else getSelection()?.selectAllChildren(document.body);
}

/** Moves the caret to the end of the content. */
export function caretToEnd(element: Element): void {
  if (isTextField(element)) {
    const end = element.value.length;
    try {
      element.setSelectionRange(end, end);
    } catch {
      // Number and email fields do not support a selection. In Firefox, `editByHand` adds to their end.
      if (!isMovedByHand(element)) getSelection()?.modify('move', 'forward', 'lineboundary');
    }
    return;
  }
  const selection = getSelection();
  selection?.selectAllChildren(element);
  selection?.collapseToEnd();
}

/** Moves the caret, or the end of the selection, by a unit of `Selection.modify`. */
export function moveCaretIn(
  element: Element,
  direction: 'backward' | 'forward',
  unit: string,
  isExtended: boolean,
): void {
  if (isMovedByHand(element)) moveCaretByHand(element, direction, unit, isExtended);
  else getSelection()?.modify(isExtended ? 'extend' : 'move', direction, unit);
}

/** Returns whether `Selection.modify` does not reach a field. Firefox's selection never contains the text of a field. */
function isMovedByHand(element: Element): element is TextField {
  return isByHand(element) || (isTextField(element) && isFirefox());
}

/** Undoes the last edit, or repeats the one that was undone last. */
export function undoEdit(element: Element, isRedo: boolean): void {
  edit(element, isRedo ? 'redo' : 'undo');
}

function edit(element: Element, command: string, text?: string, word?: boolean): void {
  if (!isEditable(element)) return;
  if (isByHand(element)) {
    editByHand(element, command, text, word);
    return;
  }
  if (!announce(element, command, text, word)) {
    takenOver.add(element);
    return;
  }
  if (!element.isConnected) return;
  const isDone = withoutSecondAnnouncement(() =>
    // oxlint-disable-next-line typescript/no-deprecated -- it has no replacement, and every browser supports it
    document.execCommand(command, false, text),
  );
  if (!isDone && isTextField(element) && command === 'insertText') editByHand(element, command, text);
}

/** Elements whose page has prevented an edit, to do it itself. */
const takenOver = new WeakSet<Element>();

/** Returns whether the page makes the edits of an element itself, and so may show them later. */
export function isTakenOver(element: Element): boolean {
  return takenOver.has(element);
}

/** Kinds of the editing commands, as in `InputEvent.inputType`, with those for whole words. */
const EDIT_INPUT_TYPES: Readonly<Record<string, readonly [kind: string, ofWord?: string]>> = {
  insertText: ['insertText'],
  insertParagraph: ['insertParagraph'],
  insertLineBreak: ['insertLineBreak'],
  delete: ['deleteContentBackward', 'deleteWordBackward'],
  forwardDelete: ['deleteContentForward', 'deleteWordForward'],
  undo: ['historyUndo'],
  redo: ['historyRedo'],
};

/** Dispatches `beforeinput` as for an edit of the user. Returns false if the page has prevented the edit. */
function announce(element: Element, command: string, text: string | undefined, isWord = false): boolean {
  const [kind, ofWord = kind] = EDIT_INPUT_TYPES[command] ?? [];
  if (kind === undefined) return true;
  const isBreak = text === '\n';
  const event = new InputEvent('beforeinput', {
    bubbles: true,
    cancelable: true,
    composed: true,
    inputType: isBreak ? 'insertLineBreak' : isWord ? (ofWord ?? kind) : kind,
    data: isBreak ? null : (text ?? null),
  });
  const ranges = isTextField(element) ? [] : targetRanges(command);
  Object.defineProperty(event, 'getTargetRanges', { value: () => ranges }); // Firefox and WebKit accept none
  return element.dispatchEvent(event);
}

/** Returns what of a rich text the command changes: the selection, or the character that a deletion at a caret removes. */
function targetRanges(command: string): StaticRange[] {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0 || command === 'undo' || command === 'redo') return [];
  const { anchorNode, anchorOffset, isCollapsed } = selection;
  const isDeletion = command === 'delete' || command === 'forwardDelete';
  const isExtended = isDeletion && isCollapsed && anchorNode !== null;
  if (isExtended) selection.modify('extend', command === 'delete' ? 'backward' : 'forward', 'character');
  const range = new StaticRange(selection.getRangeAt(0));
  if (isExtended) selection.collapse(anchorNode, anchorOffset);
  return [range];
}

/** Hides the `beforeinput` of the browser from the page: some browsers dispatch one for an editing command, others do not. */
function withoutSecondAnnouncement<Result>(work: () => Result): Result {
  const stop = (event: Event): void => event.stopImmediatePropagation();
  addEventListener('beforeinput', stop, true);
  try {
    return work();
  } finally {
    removeEventListener('beforeinput', stop, true);
  }
}

/**
 * Returns whether the browser's editing commands do not reach a field: it has no focus of the browser, or no selection, in which Firefox
 * inserts at the start.
 */
function isByHand(element: Element | null): element is TextField {
  return (
    isTextField(element) && (hasSuppliedFocus(element) || (isFirefox() && element.selectionStart === null))
  );
}
