import { Refusal } from '../port.js';
import { isEditingHost } from '../view/describe.js';
import { allElements, closest } from '../view/dom.js';
import { collapse, quote } from '../view/quote.js';
import { isTextField } from './fields.js';
import { moveFocus } from './focus.js';
import { bringIntoView, describe } from './reach.js';

/** Selects text in the same way as dragging the mouse over it. */
export function selectText(element: Element, text: string | undefined): string {
  bringIntoView(element);
  if (isTextField(element)) {
    const at = text === undefined ? 0 : element.value.indexOf(text);
    if (at < 0) throw absent(element, text ?? '');
    moveFocus(element);
    element.setSelectionRange(at, at + (text ?? element.value).length);
    return `Selected ${quote(element.value.slice(at, at + (text ?? element.value).length))}.`;
  }
  const range = document.createRange();
  if (text === undefined) range.selectNodeContents(element);
  else if (!findText(element, text, range)) throw absent(element, text);
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

function absent(element: Element, text: string): Refusal {
  return new Refusal('not-found', `${describe(element)} does not hold the text ${quote(text)}.`);
}

/** Sets the range to the first occurrence of a text, across elements and line breaks. */
function findText(element: Element, text: string, range: Range): boolean {
  const roots = [element, ...[...allElements(element)].flatMap((inner) => inner.shadowRoot ?? [])];
  return roots.some((root) => findIn(root, collapse(text), range));
}

function findIn(root: Node, wanted: string, range: Range): boolean {
  const places: { node: Node; offset: number }[] = [];
  let all = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const [offset, sign] of Array.from(node.nodeValue ?? '').entries()) {
      const isBlank = /\s/.test(sign);
      if (isBlank && (all === '' || all.endsWith(' '))) continue;
      all += isBlank ? ' ' : sign;
      for (let unit = 0; unit < sign.length; unit++) places.push({ node, offset: offset + unit });
    }
  }
  const at = all.indexOf(wanted);
  const start = places[at];
  const end = places[at + wanted.length - 1];
  if (at < 0 || !start || !end) return false;
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset + 1);
  return true;
}
