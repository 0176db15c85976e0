import { getAriaChecked, getAriaPressed } from 'ivya/utils';
import type { DriverRequest, Point } from '../../protocol.js';
import { sleep } from '../natives.js';
import { Refusal } from '../port.js';
import { isClickListener } from '../page/listeners.js';
import { roleOf } from '../view/describe.js';
import { collapse } from '../view/quote.js';
import { caretToEnd } from './edit.js';
import { isTextField } from './fields.js';
import type { Done, Hands } from './hands.js';
import { combination, LONGEST_HOLD } from './keys.js';
import { isPlayer, playOrPause } from './media.js';
import { describeElement, reach, requireEnabled } from './reach.js';
import { pointOfText } from './select-text.js';

/** Number of checks, and ms between them, while waiting for a new state: a switch may ask a server first. */
const MAX_CHECK_WAITS = 20;
const CHECK_WAIT_MS = 50;

type Click = Extract<DriverRequest, { kind: 'click' }>;

/** Clicks the center of an element, a point in it, or a text in it. */
export function click(hands: Hands, given: Element, request: Omit<Click, 'kind' | 'element'> = {}): string {
  const { button = 'left', count = 1, hold = [] } = request;
  const { element, at } = spotOf(given, request);
  if (element.localName === 'option') return clickOption(element as HTMLOptionElement);
  requireEnabled(element);
  if (element instanceof HTMLInputElement && element.type === 'file')
    throw new Refusal('unfit', 'A file field opens no window here: hand files to it with upload.');
  const place = reach(element, at);
  const keys = hold.flatMap((name) => combination(name, hands.isMac) ?? []);
  for (const key of keys) hands.keyboard.down(key);
  try {
    const wasFocused = document.activeElement === element;
    const isFree = hands.mouse.click(place, button, hands.keyboard.modifiers, count);
    if (isFree && isPlayer(element) && button === 'left' && count === 1) playOrPause(element);
    if (!wasFocused && isTextField(element) && document.activeElement === element) caretToEnd(element);
  } finally {
    for (const key of keys.reverse()) hands.keyboard.up(key);
  }
  const how = count === 2 ? 'Double-clicked' : button === 'right' ? 'Right-clicked' : 'Clicked';
  return `${how} ${describeElement(element)}${request.at ? ` at ${request.at.x},${request.at.y}` : ''}.`;
}

/** Presses a button for `holdFor` milliseconds, at most 5,000, and releases it. */
export async function clickAndHold(
  hands: Hands,
  given: Element,
  request: Omit<Click, 'kind' | 'element'>,
): Promise<string> {
  const { button = 'left', holdFor = 0 } = request;
  const { element, at } = spotOf(given, request);
  requireEnabled(element);
  const place = reach(element, at);
  hands.mouse.move(place);
  hands.mouse.down(button);
  await sleep(Math.min(holdFor, LONGEST_HOLD));
  hands.mouse.lift(place.target, button);
  return `Held the mouse down on ${describeElement(element)}.`;
}

/** Returns the element to click, and the point in it. */
function spotOf(given: Element, { at, text }: Pick<Click, 'at' | 'text'>): { element: Element; at?: Point } {
  if (text !== undefined) return pointOfText(given, text);
  return at ? { element: given, at } : { element: innerOf(given) };
}

/**
 * Returns the only link or button within a tab or list item if both have the same text. That control is the intended target, wherever the
 * center of the box is.
 */
function innerOf(element: Element): Element {
  if (
    element.matches('a, button, input, select, textarea, label, summary, option') ||
    isClickListener(element)
  )
    return element;
  const words = collapse(element.textContent);
  const [only, ...others] = element.querySelectorAll('a[href], button, [role=button], [role=link]');
  return only && words !== '' && others.length === 0 && collapse(only.textContent) === words ? only : element;
}

function clickOption(option: HTMLOptionElement): string {
  const select = option.closest('select');
  if (!select || option.disabled)
    throw new Refusal('disabled', `The option ${option.label} cannot be selected.`);
  option.selected = select.multiple ? !option.selected : true;
  select.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  select.dispatchEvent(new Event('change', { bubbles: true }));
  return `Selected ${describeElement(option)}.`;
}

/** Clicks a checkable element unless it is already in the requested state. */
export async function setChecked(hands: Hands, given: Element, checked: boolean): Promise<Done> {
  const element = given instanceof HTMLLabelElement && given.control ? given.control : given;
  const state = checkedState(element);
  if (state === null)
    throw new Refusal('unfit', `${describeElement(element)} cannot be checked: click it instead.`);
  const word = checked ? 'checked' : 'unchecked';
  if (state === checked) return `${describeElement(element)} was ${word} already.`;
  if (!checked && /^(radio|menuitemradio)$/.test(roleOf(element)))
    throw new Refusal(
      'unfit',
      `${describeElement(element)} is unchecked by checking another one of its group.`,
    );
  click(hands, element);
  const isDone = (): boolean => !element.isConnected || checkedState(element) === checked;
  for (let wait = 0; wait < MAX_CHECK_WAITS && !isDone(); wait++) await sleep(CHECK_WAIT_MS);
  return isDone()
    ? `${describeElement(element)} is ${word} now.`
    : {
        report: `Clicked ${describeElement(element)}.`,
        note: `${describeElement(element)} did not change its state.`,
      };
}

function checkedState(element: Element): boolean | 'mixed' | null {
  if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(roleOf(element)))
    return getAriaChecked(element);
  return element.hasAttribute('aria-pressed') ? getAriaPressed(element) : null;
}
