import { getAriaChecked, getAriaPressed } from 'ivya/utils';
import { sleep } from '../natives.js';
import { Refusal } from '../port.js';
import { roleOf } from '../view/describe.js';
import { click } from './click.js';
import type { Done, Hands } from './hands.js';
import { describeElement } from './reach.js';

/** Number of checks, and ms between them, while waiting for a new state: a switch may ask a server first. */
const MAX_CHECK_WAITS = 20;
const CHECK_WAIT_MS = 50;

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
