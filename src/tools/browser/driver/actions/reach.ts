import { getAriaDisabled } from 'ivya/utils';
import type { Point } from '../../protocol.js';
import { Refusal } from '../port.js';
import { areasOf, closest, contains, deepElementAt, composedParent } from '../view/dom.js';
import { nameOf, roleOf } from '../view/describe.js';
import { collapse, cut, quote } from '../view/quote.js';

/** A point in the window where the mouse reaches an element. */
export interface ReachedPlace {
  /** Element at that point: the element itself or a part of it. */
  target: Element;
  /** CSS pixels in the window. */
  x: number;
  y: number;
}

/** Returns the element's role and name as the model sees them: `button 'Save'`. */
export function describeElement(element: Element): string {
  const role = roleOf(element) || element.localName;
  const name = nameOf(element) || cut(collapse(element.textContent), 60);
  return name ? `${role} ${quote(name)}` : role;
}

/** Scrolls the element to the vertical center of the window. */
export function bringIntoView(element: Element): void {
  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
}

/**
 * Rejects a disabled element.
 *
 * @throws Refusal `disabled`
 */
export function requireEnabled(element: Element): void {
  if (getAriaDisabled(element)) throw new Refusal('disabled', `${describeElement(element)} is disabled.`);
}

/**
 * Returns the point where the mouse reaches the element. This is its center or the point `at`, or another part that nothing covers. For a
 * hidden field, this is a point on its label.
 *
 * @throws Refusal if the element is hidden, takes no clicks, or is covered by another element, which the message names.
 */
export function reach(element: Element, at?: Point): ReachedPlace {
  const image = [...document.images].find((found) => areasOf(found).includes(element as HTMLAreaElement));
  if (image) return reachArea(image, element as HTMLAreaElement);
  bringIntoView(element);
  const boxes = boxesOf(element);
  const [box] = boxes;
  if (!box) {
    const label = labelElement(element);
    if (label && boxesOf(label).length > 0) return reach(label);
    throw new Refusal('hidden', `${describeElement(element)} is not visible: it takes no room on the page.`);
  }
  if (at) {
    const outer = element.getBoundingClientRect();
    const [x, y] = [outer.left + at.x, outer.top + at.y];
    const target = deepElementAt(x, y);
    if (!target)
      throw new Refusal('hidden', `The point ${at.x},${at.y} of ${describeElement(element)} cannot be seen.`);
    if (!belongs(element, target)) throw covered(element, target);
    return { target, x, y };
  }
  let cover: Element | null = null;
  for (const [x, y] of pointsOf(box)) {
    const target = deepElementAt(x, y);
    if (target && belongs(element, target)) return { target, x, y };
    cover ??= target;
  }
  const label = labelElement(element);
  if (label && !contains(label, element) && boxesOf(label).length > 0) return reach(label);
  if (!cover)
    throw new Refusal('hidden', `${describeElement(element)} is outside of what can be scrolled into view.`);
  throw covered(element, cover);
}

/** Returns the center of an area of an image map. The area counts as hit, as Firefox finds the image at that point. */
function reachArea(image: Element, area: HTMLAreaElement): ReachedPlace {
  const numbers = area.coords.split(',').map(Number);
  if (numbers.length % 2 === 1) numbers.pop(); // radius of a circle
  const mean = (first: number): number =>
    numbers.reduce((sum, number, index) => sum + (index % 2 === first ? 2 * number : 0), 0) / numbers.length;
  return { ...reach(image, { x: mean(0) || 0, y: mean(1) || 0 }), target: area };
}

function covered(element: Element, cover: Element): Refusal {
  if (getComputedStyle(element).pointerEvents === 'none')
    return new Refusal('disabled', `${describeElement(element)} takes no clicks (pointer-events: none).`);
  const owner =
    closest(cover, (node) =>
      /^(dialog|alertdialog|menu|listbox|tooltip|banner|region)$/.test(roleOf(node)),
    ) ?? cover;
  return new Refusal(
    'covered',
    `${describeElement(element)} is covered by ${describeElement(owner)}. Close or move what covers it first.`,
  );
}

/** Returns whether a hit counts for the element: it is in the element, in its label, or in its container if it has `display: contents`. */
function belongs(element: Element, target: Element): boolean {
  if (contains(element, target) || areasOf(element).includes(target as HTMLAreaElement)) return true;
  const label = closest(target, (node) => node instanceof HTMLLabelElement) as HTMLLabelElement | null;
  if (label?.control === element) return true;
  const { display } = getComputedStyle(element);
  // An element with `display: contents` has no box of its own, so the surrounding element counts as well.
  return display === 'contents' && contains(target, element);
}

function labelElement(element: Element): HTMLLabelElement | null {
  return (element as Partial<HTMLInputElement>).labels?.[0] ?? null;
}

function boxesOf(element: Element): DOMRect[] {
  const style = getComputedStyle(element);
  if (style.visibility !== 'visible' || !element.checkVisibility()) return [];
  // A horizontal or vertical line has a stroke but no height or width.
  const hasRoom = ({ width, height }: DOMRect): boolean =>
    element instanceof SVGElement ? width > 0 || height > 0 : width > 0 && height > 0;
  const boxes = [...element.getClientRects()].filter(hasRoom);
  if (boxes.length > 0) return boxes;
  return [...element.children].flatMap((child) =>
    composedParent(child) === element && style.display !== 'none' ? boxesOf(child) : [],
  );
}

function pointsOf({ left, top, width, height }: DOMRect): [number, number][] {
  const at = (x: number, y: number): [number, number] => [left + width * x, top + height * y];
  return [at(0.5, 0.5), at(0.25, 0.5), at(0.75, 0.5), at(0.5, 0.2), at(0.5, 0.8), at(0.1, 0.1), at(0.9, 0.9)];
}
