import { isFirefox } from '../natives.js';
import { hasSuppliedFocus } from '../page/focus.js';
import { editByHand, moveCaretByHand, selectField } from './edit-by-hand.js';
import { isEditable, isTextField, type TextField } from './fields.js';

/**
 * Inserts text at the caret. All functions here use the browser's own editing commands. These emit real `beforeinput` and `input` events,
 * respect `maxlength`, work in rich-text editors, and support undo.
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
      // Number and email fields do not support a selection.
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
export function undo(element: Element, isRedo: boolean): void {
  edit(element, isRedo ? 'redo' : 'undo');
}

function edit(element: Element, command: string, text?: string, word?: boolean): void {
  if (!isEditable(element)) return;
  if (isByHand(element)) {
    editByHand(element, command, text, word);
    return;
  }
  // oxlint-disable-next-line typescript/no-deprecated -- it has no replacement, and every browser supports it
  const isDone = document.execCommand(command, false, text);
  if (!isDone && isTextField(element) && command === 'insertText') editByHand(element, command, text);
}

/** Returns whether the browser's editing commands do not reach a field, because it has no focus of the browser. */
function isByHand(element: Element | null): element is TextField {
  return isTextField(element) && hasSuppliedFocus(element);
}
