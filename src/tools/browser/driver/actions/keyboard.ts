import { isWebKit } from '../natives.js';
import { closest, deepFocus } from '../view/dom.js';
import { scrolls } from '../view/scrolling.js';
import { deleteText, insertLine, insertText, moveCaretIn, selectAll, undoEdit } from './edit.js';
import { commitField, isEditable, isTextField, noteCommitted, tellChange, tellInput } from './fields.js';
import { moveFocus, nextFocus } from './focus.js';
import { isSign, parseKey, modifierOf, type Key, type Modifiers } from './keys.js';
import { isPlayer, playOrPause, pressOnPlayer } from './media.js';

/** Keyboard that dispatches events and performs the browser's default actions unless the page prevents them. */
export class Keyboard {
  readonly #held = new Set<string>();
  /** Text copied last. */
  clipboard = '';

  constructor() {
    addEventListener(
      'focusin',
      (event) => {
        const [target] = event.composedPath();
        if (target instanceof Element && isTextField(target)) noteCommitted(target);
      },
      true,
    );
  }

  get modifiers(): Modifiers {
    const modifiers: Modifiers = {};
    for (const key of this.#held) {
      const name = modifierOf(key);
      if (name) modifiers[name] = true;
    }
    return modifiers;
  }

  /** Types characters one after the other. A line break presses Enter; a tab character presses Tab. */
  type(text: string): void {
    for (const sign of text.replace(/\r\n?/g, '\n')) {
      const key = sign === '\n' ? parseKey('Enter') : sign === '\t' ? parseKey('Tab') : parseKey(sign);
      if (!key) continue;
      this.down(key);
      this.up(key);
    }
  }

  down(key: Key): void {
    if (modifierOf(key.key)) this.#held.add(key.key);
    const target = this.#target();
    if (!this.#dispatch('keydown', target, key)) return;
    const { ctrlKey, altKey, metaKey } = this.modifiers;
    const writes = (isSign(key.key) || key.key === 'Enter') && !ctrlKey && !altKey && !metaKey;
    if (writes && !this.#dispatch('keypress', this.#target(), key)) return;
    this.#act(key, this.#target());
  }

  up(key: Key): void {
    this.#held.delete(key.key);
    const target = this.#target();
    const wasPaused = isPlayer(target) && target.paused;
    const isFree = this.#dispatch('keyup', target, key);
    // Chromium's media controls react to the release of a dispatched Space, and undo what `down` did.
    if (isPlayer(target) && target.paused !== wasPaused) playOrPause(target);
    if (isFree && key.key === ' ' && isPressedBySpace(target)) (target as HTMLElement).click();
  }

  /** Releases all held keys. */
  release(): void {
    for (const name of [...this.#held]) {
      const key = parseKey(name);
      if (key) this.up(key);
    }
    this.#held.clear();
  }

  #target(): Element {
    return deepFocus() ?? document.body;
  }

  #dispatch(type: string, target: Element, key: Key): boolean {
    const isPress = type === 'keypress';
    const code = isPress ? (key.key === 'Enter' ? 13 : (key.key.codePointAt(0) ?? 0)) : key.keyCode;
    // WebKit itself sends a form, and clicks a button, for a dispatched `keypress` with this code.
    const isPerformed = key.key === 'Enter' && isWebKit();
    const shifted = this.modifiers.shiftKey && /^[a-z]$/.test(key.key) ? key.key.toUpperCase() : key.key;
    return target.dispatchEvent(
      new KeyboardEvent(type, {
        bubbles: true,
        cancelable: true,
        composed: true,
        view: window,
        ...this.modifiers,
        key: shifted,
        code: key.code,
        // oxlint-disable-next-line typescript/no-deprecated -- old key handlers of pages read it
        keyCode: code,
        // oxlint-disable-next-line typescript/no-deprecated -- old key handlers of pages read it
        charCode: isPress && !isPerformed ? code : 0,
      }),
    );
  }

  /** Performs the browser's default action for a key. */
  #act(key: Key, target: Element): void {
    const { ctrlKey, metaKey, shiftKey = false, altKey } = this.modifiers;
    if (ctrlKey || metaKey) {
      this.#shortcut(key, target);
      return;
    }
    if (altKey) return;
    if (isPlayer(target) && pressOnPlayer(target, key.key)) return;
    const editable = isEditable(target);
    switch (key.key) {
      case 'Enter':
        this.#enter(target, shiftKey);
        return;
      case 'Tab':
        moveFocus(nextFocus(shiftKey));
        return;
      case 'Escape':
        escape();
        return;
      case 'Backspace':
        if (editable) deleteText(target, 'back');
        return;
      case 'Delete':
        if (editable) deleteText(target, 'forward');
        return;
      default:
    }
    if (isSign(key.key)) this.#sign(key.key, target);
    else if (
      /^(Arrow|Home|End|Page)/.test(key.key) &&
      !step(target, key.key) &&
      !moveCaret(target, key.key, shiftKey)
    )
      scrollByKey(target, key.key);
  }

  #sign(key: string, target: Element): void {
    const sign = this.modifiers.shiftKey && /^[a-z]$/.test(key) ? key.toUpperCase() : key;
    if (isEditable(target)) insertText(target, sign);
    else if (target instanceof HTMLSelectElement && key !== ' ') chooseOption(target, sign);
    else if (key === ' ' && !isPressedBySpace(target)) scrollByKey(target, 'PageDown');
  }

  #shortcut(key: Key, target: Element): void {
    const editable = isEditable(target);
    switch (key.key.toLowerCase()) {
      case 'a':
        selectAll(target);
        return;
      case 'c':
      case 'x':
        this.copy(key.key.toLowerCase() === 'x');
        return;
      case 'v':
        this.paste();
        return;
      case 'z':
      case 'y':
        if (editable) undoEdit(target, key.key === 'y' || this.modifiers.shiftKey === true);
        return;
      case 'backspace':
        if (editable) deleteText(target, 'back', true);
        return;
      case 'delete':
        if (editable) deleteText(target, 'forward', true);
        return;
      case 'enter':
        if (isTextField(target) && !(target instanceof HTMLTextAreaElement)) this.#enter(target, false);
        return;
      case 'home':
      case 'end':
        if (!moveCaret(target, key.key, this.modifiers.shiftKey ?? false, true)) scrollByKey(target, key.key);
        return;
      case 'arrowleft':
      case 'arrowright':
        moveCaret(target, key.key, this.modifiers.shiftKey ?? false, true);
        return;
      default:
    }
  }

  /** Copies the selection to the clipboard. */
  copy(isCut: boolean): void {
    const target = this.#target();
    const text = isTextField(target)
      ? target.value.slice(target.selectionStart ?? 0, target.selectionEnd ?? 0)
      : String(getSelection() ?? '');
    const data = new DataTransfer();
    const event = new ClipboardEvent(isCut ? 'cut' : 'copy', {
      bubbles: true,
      cancelable: true,
      composed: true,
      clipboardData: data,
    });
    const isFree = target.dispatchEvent(event);
    this.clipboard = isFree ? text : data.getData('text/plain');
    if (isFree && isCut && isEditable(target)) deleteText(target, 'back');
  }

  /** Pastes the clipboard into the focused element. */
  paste(): void {
    const target = this.#target();
    const data = new DataTransfer();
    data.setData('text/plain', this.clipboard);
    const event = new ClipboardEvent('paste', {
      bubbles: true,
      cancelable: true,
      composed: true,
      clipboardData: data,
    });
    if (target.dispatchEvent(event) && isEditable(target)) insertText(target, this.clipboard);
  }

  #enter(target: Element, isShift: boolean): void {
    if (target instanceof HTMLTextAreaElement || (target as HTMLElement).isContentEditable) {
      insertLine(target, isShift);
      return;
    }
    if (target instanceof HTMLInputElement && !/^(button|submit|reset|image|file|color)$/.test(target.type)) {
      if (isTextField(target)) commitField(target);
      submitFrom(target);
    } else if (/^(button|a|summary|input)$/.test(target.localName)) (target as HTMLElement).click();
  }
}

function isPressedBySpace(element: Element): boolean {
  if (element instanceof HTMLInputElement) return /^(checkbox|radio|button|submit|reset)$/.test(element.type);
  return /^(button|summary)$/.test(element.localName);
}

/** Handles Enter in a field: presses the form's first submit button. A form without one is submitted if it has at most one text field. */
function submitFrom(field: HTMLInputElement): void {
  const { form } = field;
  if (!form) return;
  const button = [...form.elements].find(
    (element) =>
      (element instanceof HTMLButtonElement || element instanceof HTMLInputElement) &&
      /^(submit|image)$/.test(element.type),
  ) as HTMLButtonElement | undefined;
  if (button) {
    if (!button.disabled) button.click();
    return;
  }
  const fields = [...form.elements].filter(
    (element) => element instanceof HTMLInputElement && isTextField(element),
  );
  if (fields.length <= 1) form.requestSubmit();
}

/** Handles Escape: closes the topmost popover or dialog. */
function escape(): void {
  const popover = [...document.querySelectorAll<HTMLElement>('[popover]')].filter((element) =>
    element.matches(':popover-open'),
  );
  const dialog = [...document.querySelectorAll('dialog')]
    .filter((element) => element.matches(':modal'))
    .at(-1);
  if (popover.length > 0) popover.at(-1)?.hidePopover();
  else if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
}

/** Handles arrow keys and similar keys in controls with steps. Returns whether the element is such a control. */
function step(element: Element, key: string): boolean {
  if (element instanceof HTMLSelectElement) {
    if (element.multiple) return false;
    const enabled = [...element.options].filter((option) => !option.disabled);
    const at = enabled.indexOf(element.selectedOptions[0] as HTMLOptionElement);
    const target = enabled[nextIndex(key, at, enabled.length)];
    if (target && !target.selected) {
      target.selected = true;
      tellInput(element);
      tellChange(element);
    }
    return true;
  }
  if (!(element instanceof HTMLInputElement)) return false;
  if (element.type === 'radio') return stepRadio(element, key);
  if (element.type !== 'range' && element.type !== 'number') return false;
  const before = element.value;
  if (element.type === 'number') {
    if (key === 'ArrowUp') element.stepUp();
    else if (key === 'ArrowDown') element.stepDown();
    else return false;
  } else stepRange(element, key);
  if (element.value !== before) {
    tellInput(element);
    tellChange(element);
  }
  return true;
}

function stepRange(range: HTMLInputElement, key: string): void {
  const min = Number(range.min || 0);
  const max = Number(range.max || 100);
  const large = Math.max(1, Math.round((max - min) / 10 / Number(range.step || 1)));
  if (/^Arrow(Up|Right)$/.test(key)) range.stepUp();
  else if (/^Arrow/.test(key)) range.stepDown();
  else if (key === 'PageUp') range.stepUp(large);
  else if (key === 'PageDown') range.stepDown(large);
  else range.value = String(key === 'Home' ? min : max);
}

function stepRadio(radio: HTMLInputElement, key: string): boolean {
  if (!key.startsWith('Arrow')) return false;
  const root: ParentNode = radio.form ?? (radio.getRootNode() as Document);
  const group = [
    ...root.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${CSS.escape(radio.name)}"]:enabled`),
  ];
  const by = /^Arrow(Down|Right)$/.test(key) ? 1 : -1;
  const next = group[(group.indexOf(radio) + by + group.length) % group.length];
  if (!next || next === radio) return true;
  moveFocus(next);
  next.click();
  return true;
}

function nextIndex(key: string, at: number, length: number): number {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return Math.min(length - 1, at + 1);
    case 'ArrowUp':
    case 'ArrowLeft':
      return Math.max(0, at - 1);
    case 'Home':
    case 'PageUp':
      return 0;
    default:
      return length - 1;
  }
}

function chooseOption(select: HTMLSelectElement, sign: string): void {
  const option = [...select.options].find(
    ({ label, disabled }) => !disabled && label.trim().toLowerCase().startsWith(sign.toLowerCase()),
  );
  if (!option || option.selected) return;
  option.selected = true;
  tellInput(select);
  tellChange(select);
}

const CARET: Readonly<Record<string, readonly ['backward' | 'forward', string]>> = {
  ArrowLeft: ['backward', 'character'],
  ArrowRight: ['forward', 'character'],
  ArrowUp: ['backward', 'line'],
  ArrowDown: ['forward', 'line'],
  Home: ['backward', 'lineboundary'],
  End: ['forward', 'lineboundary'],
};

function moveCaret(target: Element, key: string, isShift: boolean, isFar = false): boolean {
  if (!isTextField(target) && !(target instanceof HTMLElement && target.isContentEditable)) return false;
  const [direction, unit] = CARET[key] ?? [];
  if (!direction || !unit) return false;
  const far = unit === 'character' ? 'word' : 'documentboundary';
  moveCaretIn(target, direction, isFar ? far : unit, isShift);
  return true;
}

/** Scrolls the nearest part with the target that scrolls, or the page. */
function scrollByKey(target: Element, key: string): void {
  const part = closest(target, (element) => scrolls(element));
  const page = (part?.clientHeight ?? innerHeight) * 0.9;
  const all = (part ?? document.documentElement).scrollHeight;
  const top = { ArrowUp: -40, ArrowDown: 40, PageUp: -page, PageDown: page, Home: -all, End: all }[key] ?? 0;
  const left = { ArrowLeft: -40, ArrowRight: 40 }[key] ?? 0;
  (part ?? window).scrollBy({ top, left, behavior: 'instant' });
}
