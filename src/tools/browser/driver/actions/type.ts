import type { DriverRequest } from '../../protocol.js';
import { sleep } from '../natives.js';
import { Refusal } from '../port.js';
import { deepFocus } from '../view/dom.js';
import { cut, quote } from '../view/quote.js';
import { deleteText, caretToEnd, insertText, isTakenOver, selectAll } from './edit.js';
import { editableOf, isEditable, isTextField, pickValue, setValue, tellChange, tellInput } from './fields.js';
import { moveFocus } from './focus.js';
import type { Done, Hands } from './hands.js';
import { combination, LONGEST_HOLD, parseKey } from './keys.js';
import { isPlayer, setPlayer } from './media.js';
import { describeElement, reach, requireEnabled } from './reach.js';

/** Texts with more characters are inserted at once, as from the clipboard. */
const MAX_TYPED_CHARACTERS = 2_000;

const REPEAT_MS = 100;

type Typing = Omit<Extract<DriverRequest, { kind: 'type' }>, 'kind' | 'element'>;

/** Clicks the field and types after its content. Without an element, types into the focused element. */
export function type(hands: Hands, given: Element | null, { text, clear, enter }: Typing): Done {
  const element = given ? (editableOf(given) ?? given) : deepFocus();
  let lost = '';
  if (isPlayer(element)) {
    setPlayer(element, text);
    return `Set ${describeElement(element)} to ${quote(text.trim())}.`;
  }
  if (element && given) {
    requireEnabled(element);
    requireWritable(element);
    hands.mouse.click(reach(element), 'left', hands.keyboard.modifiers);
    if (element.isConnected && deepFocus() !== element && isEditable(element))
      moveFocus(element as HTMLElement);
  }
  if (isPicked(element)) {
    pickValue(element, text.replace(/\n$/, ''));
    if (enter || text.endsWith('\n')) pressKey(hands, 'Enter');
    return `Set ${describeElement(element)} to ${quote(element.value)}.`;
  }
  const focused = deepFocus();
  if (focused && isEditable(focused)) {
    const before = fieldText(focused);
    if (clear) clearText(focused);
    caretToEnd(focused);
    const emptied = fieldText(focused);
    if (text.length > MAX_TYPED_CHARACTERS) insertText(focused, text);
    else hands.keyboard.type(text);
    const value = fieldText(focused);
    const isSame = value === before && emptied === before;
    const mayShowLater = isTakenOver(focused);
    if (
      !mayShowLater &&
      focused.isConnected &&
      text !== '' &&
      deepFocus() === focused &&
      (isSame || value === '')
    )
      lost = value === '' ? 'The field is empty now.' : 'The field still holds what it held before.';
  } else hands.keyboard.type(text);
  if (enter) pressKey(hands, 'Enter');
  const where = element ? ` into ${describeElement(element)}` : '';
  const report = `Typed ${quote(cut(text, 100))}${where}${enter ? ' and pressed Enter' : ''}.`;
  return lost === '' ? report : { report, note: lost };
}

/** Returns whether a field's value is picked, such as a date, a color, or a slider. */
function isPicked(element: Element | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement && !isTextField(element);
}

function requireWritable(element: Element): void {
  if (element instanceof HTMLSelectElement)
    throw new Refusal(
      'unfit',
      `${describeElement(element)} is no text field: use select with one of its options.`,
    );
  if (element instanceof HTMLInputElement && element.type === 'file')
    throw new Refusal('unfit', `${describeElement(element)} takes files: use upload.`);
  if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type))
    throw new Refusal('unfit', `${describeElement(element)} is no text field: use check.`);
  if ((element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && element.readOnly)
    throw new Refusal('disabled', `${describeElement(element)} is read-only.`);
}

function clearText(element: Element): void {
  if (!fieldText(element)) return;
  selectAll(element);
  deleteText(element, 'back');
  if (isTextField(element) && element.value !== '') {
    setValue(element, '');
    tellInput(element);
    tellChange(element);
  }
}

function pressKey(hands: Hands, name: string): void {
  const key = parseKey(name);
  if (!key) return;
  hands.keyboard.down(key);
  hands.keyboard.up(key);
}

function fieldText(element: Element): string {
  return isTextField(element) ? element.value : element.textContent;
}

/** Presses key combinations one after the other: `Control+a Delete`. `holdFor`: milliseconds to hold and repeat the last key. */
export async function press(
  hands: Hands,
  element: Element | null,
  text: string,
  holdFor = 0,
): Promise<string> {
  const combinations = (text === ' ' ? ['Space'] : text.trim().split(/\s+/)).map((part) => {
    const keys = combination(part, hands.isMac);
    if (!keys)
      throw new Refusal(
        'unfit',
        `There is no key ${quote(part)}. Keys are written like Enter, ArrowDown, a, Control+a.`,
      );
    return keys;
  });
  if (element instanceof HTMLElement) moveFocus(element);
  try {
    for (const [index, keys] of combinations.entries()) {
      for (const key of keys) hands.keyboard.down(key);
      const last = keys.at(-1);
      if (index === combinations.length - 1 && last && holdFor > 0)
        for (let held = 0; held < Math.min(holdFor, LONGEST_HOLD); held += REPEAT_MS) {
          await sleep(REPEAT_MS);
          hands.keyboard.down(last);
        }
      for (const key of keys.reverse()) hands.keyboard.up(key);
    }
  } finally {
    hands.keyboard.release();
  }
  return `Pressed ${text.trim() || 'Space'}.`;
}
