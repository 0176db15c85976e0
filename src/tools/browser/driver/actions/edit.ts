import { isEditable, isTextField, setValue } from './fields.js';

/**
 * Inserts text at the caret. All functions here use the browser's own editing commands. These emit real `beforeinput` and `input` events,
 * respect `maxlength`, work in rich-text editors, and support undo.
 */
export function insertText(element: Element, text: string): void {
  edit(element, 'insertText', text);
}

export function deleteText(element: Element, direction: 'back' | 'forward', word = false): void {
  if (word) {
    const selection = getSelection();
    if (selection?.isCollapsed)
      selection.modify('extend', direction === 'back' ? 'backward' : 'forward', 'word');
  }
  edit(element, direction === 'back' ? 'delete' : 'forwardDelete');
}

/** Handles Enter in a multi-line field. */
export function insertLine(element: Element, isShift: boolean): void {
  if (element instanceof HTMLTextAreaElement) edit(element, 'insertText', '\n');
  else edit(element, isShift ? 'insertLineBreak' : 'insertParagraph');
}

export function selectAll(element: Element | null): void {
  if (isTextField(element)) element.select();
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

function edit(element: Element, command: string, text?: string): void {
  if (!isEditable(element)) return;
  // oxlint-disable-next-line typescript/no-deprecated -- it has no replacement, and every browser supports it
  const isDone = document.execCommand(command, false, text);
  if (!isDone && isTextField(element) && command === 'insertText') typeByHand(element, text ?? '');
}

/** Inserts text without the browser's editing command, which fails for example in a hidden frame. */
function typeByHand(field: HTMLInputElement | HTMLTextAreaElement, data: string): void {
  const settings = { bubbles: true, composed: true, inputType: 'insertText', data };
  if (!field.dispatchEvent(new InputEvent('beforeinput', { ...settings, cancelable: true }))) return;
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? field.value.length;
  const longest = field.maxLength >= 0 ? field.maxLength : Infinity;
  const room = Math.max(0, longest - (field.value.length - (end - start)));
  const added = data.slice(0, room);
  setValue(field, field.value.slice(0, start) + added + field.value.slice(end));
  try {
    field.setSelectionRange(start + added.length, start + added.length);
  } catch {
    // Number and email fields do not support a selection.
  }
  field.dispatchEvent(new InputEvent('input', settings));
}
