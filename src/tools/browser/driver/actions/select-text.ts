import type { Point } from '../../protocol.js';
import { Refusal } from '../port.js';
import { isEditingHost } from '../view/describe.js';
import { allElements, closest } from '../view/dom.js';
import { collapse, quote } from '../view/quote.js';
import { isTextField } from './fields.js';
import { moveFocus } from './focus.js';
import { bringIntoView, describeElement } from './reach.js';

/** Selects text in the same way as dragging the mouse over it. */
export function selectText(element: Element, text: string | undefined): string {
  bringIntoView(element);
  if (isTextField(element)) {
    const at = text === undefined ? 0 : element.value.indexOf(text);
    if (at < 0) throw textNotFound(element, text ?? '');
    moveFocus(element);
    element.setSelectionRange(at, at + (text ?? element.value).length);
    return `Selected ${quote(element.value.slice(at, at + (text ?? element.value).length))}.`;
  }
  const range = document.createRange();
  if (text === undefined) range.selectNodeContents(element);
  else if (!findText(element, text, range)) throw textNotFound(element, text);
  const [first] = range.getClientRects();
  const last = [...range.getClientRects()].at(-1);
  const press = (type: string, x: number, y: number, buttons: number) =>
    element.dispatchEvent(
      new MouseEvent(type, {
        bubbles: true,
        cancelable: true,
        composed: true,
        view: window,
        clientX: x,
        clientY: y,
        buttons,
        detail: 1,
      }),
    );
  if (first) press('mousedown', first.left, first.top + first.height / 2, 1);
  if (last) press('mousemove', last.right, last.top + last.height / 2, 1);
  const { commonAncestorContainer: within } = range;
  const editor = closest(within instanceof Element ? within : within.parentElement, isEditingHost);
  if (editor instanceof HTMLElement) moveFocus(editor);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
  if (last) press('mouseup', last.right, last.top + last.height / 2, 0);
  return `Selected ${quote(collapse(range.toString()).slice(0, 200))}.`;
}

/** Returns the element that contains a text directly, and the place of the text in it. */
export function pointOfText(within: Element, text: string): { element: Element; at: Point } {
  const range = document.createRange();
  const element = findText(within, text, range) ? range.startContainer.parentElement : null;
  if (!element) throw textNotFound(within, text);
  const { left, top } = element.getBoundingClientRect();
  const [box = new DOMRect()] = range.getClientRects();
  return { element, at: { x: box.left + box.width / 2 - left, y: box.top + box.height / 2 - top } };
}

function textNotFound(element: Element, text: string): Refusal {
  return new Refusal('not-found', `${describeElement(element)} does not hold the text ${quote(text)}.`);
}

/**
 * Sets the range to the first visible occurrence of a text, across elements and line breaks. Prefers an occurrence that is all of the text at
 * its place.
 */
function findText(element: Element, text: string, range: Range): boolean {
  const roots = [element, ...[...allElements(element)].flatMap((inner) => inner.shadowRoot ?? [])];
  return roots.some((root) => findIn(root, collapse(text), range));
}

function findIn(root: Node, wanted: string, range: Range): boolean {
  const places: { node: Node; offset: number }[] = [];
  let all = '';
  let exact: number | undefined;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.checkVisibility({ visibilityProperty: true }) === false) continue;
    const text = node.nodeValue ?? '';
    if (collapse(text) === wanted) exact ??= all.length;
    for (const [offset, sign] of Array.from(text).entries()) {
      const isBlank = /\s/.test(sign);
      if (isBlank && (all === '' || all.endsWith(' '))) continue;
      all += isBlank ? ' ' : sign;
      for (let unit = 0; unit < sign.length; unit++) places.push({ node, offset: offset + unit });
    }
  }
  const at = all.indexOf(wanted, exact);
  const start = places[at];
  const end = places[at + wanted.length - 1];
  if (at < 0 || !start || !end) return false;
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset + 1);
  return true;
}
