import { isFirefox, listen, unlisten } from '../natives.js';
import { closest, deepFocus } from '../view/dom.js';
import { commitField, isTextField } from './fields.js';

const FOCUSABLE =
  'a[href], area[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, iframe, [tabindex], [contenteditable]:not([contenteditable="false"]), audio[controls], video[controls]';

/** Returns whether an element can have the focus while it is visible. */
export function isFocusable(element: Element): boolean {
  return element instanceof HTMLElement && element.matches(FOCUSABLE) && !element.matches(':disabled');
}

/** Moves the focus as a mouse press does: to the target or its nearest focusable ancestor, or to no element. */
export function focusFromPointer(target: Element): void {
  const element = closest(target, isFocusable);
  if (element) moveFocus(element as HTMLElement);
  else moveFocus(null);
}

/**
 * Moves the focus. In a frame that does not have the user's input focus, the browser sends no focus events. They are dispatched here
 * instead, because the page must not depend on the user's focus.
 */
export function moveFocus(element: HTMLElement | null): void {
  const before = deepFocus();
  if (before === element) return;
  const seen = new Set<string>();
  const note = (event: Event) => seen.add(event.type);
  const onlyOne = (event: Event): void => {
    if (event.isTrusted) event.stopImmediatePropagation();
  };
  // Newer versions of Firefox send no `change` of a field that was edited by a command.
  const isCommitted = isFirefox() && before !== null && isTextField(before) && commitField(before);
  if (isCommitted) listen(window, 'change', onlyOne, true);
  for (const type of ['blur', 'focus']) listen(window, type, note, true);
  if (element) element.focus({ preventScroll: true });
  else if (before instanceof HTMLElement && before !== document.body) before.blur();
  for (const type of ['blur', 'focus']) unlisten(window, type, note, true);
  if (isCommitted) unlisten(window, 'change', onlyOne, true);
  const after = deepFocus();
  if (before && before !== document.body && before !== after && !seen.has('blur'))
    tellFocus(before, ['blur', 'focusout'], after);
  if (after && after !== document.body && before !== after && !seen.has('focus'))
    tellFocus(after, ['focus', 'focusin'], before);
}

/** Dispatches the events of a change of focus, which the browser did not send. */
export function tellFocus(element: Element, types: readonly [string, string], other: Element | null): void {
  const [own, bubbling] = types;
  const settings = { composed: true, relatedTarget: other === document.body ? null : other };
  element.dispatchEvent(new FocusEvent(own, settings));
  element.dispatchEvent(new FocusEvent(bubbling, { ...settings, bubbles: true }));
}

/** Returns the next element in the Tab order. */
export function nextFocus(backwards: boolean): HTMLElement | null {
  const stops: { element: HTMLElement; order: number }[] = [];
  const modal = [...document.querySelectorAll('dialog')].filter((dialog) => dialog.matches(':modal')).at(-1);
  collectStops(modal ?? document, stops);
  const sorted = [
    ...stops.filter(({ order }) => order > 0).sort((one, other) => one.order - other.order),
    ...stops.filter(({ order }) => order === 0),
  ].map(({ element }) => element);
  const focused = deepFocus();
  const index = sorted.indexOf(focused as HTMLElement);
  if (index >= 0) return sorted[index + (backwards ? -1 : 1)] ?? sorted.at(backwards ? -1 : 0) ?? null;
  if (!focused || focused === document.body) return sorted.at(backwards ? -1 : 0) ?? null;
  const isAfter = (element: Element) =>
    focused.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
  return (backwards ? sorted.findLast((element) => !isAfter(element)) : sorted.find(isAfter)) ?? null;
}

/** Returns the element that a dialog focuses when it opens. */
export function firstStop(dialog: HTMLElement): HTMLElement | null {
  const stops: { element: HTMLElement; order: number }[] = [];
  collectStops(dialog, stops);
  return dialog.querySelector<HTMLElement>('[autofocus]') ?? stops[0]?.element ?? null;
}

function collectStops(root: ParentNode, stops: { element: HTMLElement; order: number }[]): void {
  for (const element of root.querySelectorAll<HTMLElement>('*')) {
    if (
      isFocusable(element) &&
      element.tabIndex >= 0 &&
      element.checkVisibility({ visibilityProperty: true })
    ) {
      if (!isOtherRadio(element)) stops.push({ element, order: element.tabIndex });
    }
    if (element.shadowRoot) collectStops(element.shadowRoot, stops);
  }
}

/** Returns whether an element is an unchecked radio button in a group with a checked one. Only the checked button is a Tab stop. */
function isOtherRadio(element: Element): boolean {
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked) return false;
  const name = CSS.escape(element.name);
  const group: ParentNode = element.form ?? (element.getRootNode() as Document);
  return group.querySelector(`input[type=radio][name="${name}"]:checked`) !== null;
}
