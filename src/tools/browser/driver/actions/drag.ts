import type { DriverRequest, Point } from '../../protocol.js';
import { sleep } from '../natives.js';
import { MESSAGE_LIMITS } from '../../limits.js';
import { closest, contains, deepElementAt, composedParent } from '../view/dom.js';
import { Refusal } from '../port.js';
import { collapse, quote } from '../view/quote.js';
import { pickValue } from './fields.js';
import type { Hands } from './hands.js';
import { bringIntoView, describeElement, reach, requireEnabled, type ReachedPlace } from './reach.js';
import { pointOfText } from './select-text.js';

const DRAG_STEPS = 10;
/** Maximum duration in ms of the pauses on a path. */
const LONGEST_PATH = 5_000;

type Drag = Omit<Extract<DriverRequest, { kind: 'drag' }>, 'kind' | 'element' | 'to'>;

/** What is dragged, and where the mouse takes hold of it: a point in it, by default its center. */
interface Grip {
  element: Element;
  at: Point | undefined;
  /** The point was given in the window, so it can be seen: the page must not be scrolled to it. */
  isInWindow: boolean;
}

/**
 * Drags an element to another element, to a point in another element, or by an offset in pixels. A text may take the place of each element,
 * and a point in the window as well.
 */
export async function drag(
  hands: Hands,
  given: Element | null,
  givenTarget: Element | null,
  request: Drag,
): Promise<string> {
  const { by, path, toText } = request;
  const grip = gripOf(given, request);
  const { element } = grip;
  requireEnabled(element);
  if (path && path.length > 0) return drawPath(hands, element, path);
  const aim = toText === undefined ? null : pointOfText(givenTarget ?? document.body, toText);
  const target = aim?.element ?? givenTarget;
  const at = aim?.at ?? request.at;
  if (target) bringIntoView(target);
  const start = grip.isInWindow ? pointIn(element, grip.at) : startOf(element, grip.at);
  const isToPoint = target === null && by === undefined && at !== undefined;
  const end = isToPoint ? placeAt(at.x, at.y) : dragEnd(element, target, at, by, start);
  const from = request.text === undefined ? grip.at : undefined;
  const to = isToPoint
    ? `to ${at.x},${at.y}`
    : target
      ? `to ${toText === undefined ? describeElement(target) : quote(toText)}`
      : `by ${by?.x ?? 0},${by?.y ?? 0}`;
  if (element instanceof HTMLInputElement && element.type === 'range') {
    slide(element, end.x);
    return `Moved ${describeElement(element)} to ${element.value}.`;
  }
  if (by && (from ? isResizeCorner(element, start) : element.localName === 'textarea')) {
    resize(element as HTMLElement, end.x - start.x, end.y - start.y);
    return `Resized ${describeElement(element)} ${to}.`;
  }
  hands.mouse.move(start);
  const isFree = hands.mouse.down('left');
  const source = isFree ? draggableOf(start.target) : null;
  if (source) await dragAndDrop(hands, source, start, end, target);
  else await dragByMouse(hands, start, end);
  return `Dragged ${describeElement(element)} ${to}.`;
}

/** @throws Refusal `unfit` if nothing is named, `not-found` if the page does not show the text. */
function gripOf(given: Element | null, { from, text }: Drag): Grip {
  if (text !== undefined) return { ...pointOfText(given ?? document.body, text), isInWindow: false };
  if (given !== null) return { element: given, at: from, isInWindow: false };
  const element = from && deepElementAt(from.x, from.y);
  if (!from || !element)
    throw new Refusal(
      'unfit',
      'Nothing is there to drag: name an element, a text, or a point in the window.',
    );
  const { left, top } = element.getBoundingClientRect();
  return { element, at: { x: from.x - left, y: from.y - top }, isInWindow: true };
}

/** Returns the place of a point in an element, wherever the page is scrolled. */
function pointIn(element: Element, { x, y }: Point = { x: 0, y: 0 }): ReachedPlace {
  const { left, top } = element.getBoundingClientRect();
  return placeAt(left + x, top + y);
}

function startOf(element: Element, from: Point | undefined): ReachedPlace {
  const box = element.getBoundingClientRect();
  const inView = box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  if (!inView) return reach(element, from);
  const [x, y] = from
    ? [box.left + from.x, box.top + from.y]
    : [box.left + box.width / 2, box.top + box.height / 2];
  const target = deepElementAt(x, y);
  return target && (from || closest(target, (node) => node === element))
    ? { target, x, y }
    : reach(element, from);
}

/** Presses the mouse on the first point of a path, moves along it, and releases it on the last point. Points are pixels in the element. */
async function drawPath(hands: Hands, element: Element, path: readonly Point[]): Promise<string> {
  const [first = { x: 0, y: 0 }, ...others] = path.slice(0, MESSAGE_LIMITS.path);
  let last = reach(element, first);
  const { left, top } = element.getBoundingClientRect();
  hands.mouse.move(last);
  hands.mouse.down('left');
  const pause = Math.min(10, LONGEST_PATH / (others.length * DRAG_STEPS));
  for (const point of others) {
    const next = placeAt(left + point.x, top + point.y);
    const count = Math.min(
      DRAG_STEPS,
      Math.max(1, Math.ceil(Math.hypot(next.x - last.x, next.y - last.y) / 8)),
    );
    for (const place of way(last, next, count)) {
      await sleep(pause);
      hands.mouse.move(place);
    }
    last = next;
  }
  hands.mouse.up('left');
  return `Dragged along ${others.length + 1} points in ${describeElement(element)}.`;
}

/** Returns the end of a drag. When reordering a list, an item must pass the center of the target item in the direction of movement. */
function dragEnd(
  element: Element,
  target: Element | null,
  at: Point | undefined,
  by: Point | undefined,
  start: ReachedPlace,
): ReachedPlace {
  if (!target) return placeAt(start.x + (by?.x ?? 0), start.y + (by?.y ?? 0));
  if (at) {
    const box = target.getBoundingClientRect();
    return placeAt(box.left + at.x, box.top + at.y);
  }
  const item = itemAt(element, target);
  const box = (item ?? target).getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  if (item === null) return placeAt(x, y);
  const past = (from: number, to: number, size: number) =>
    Math.abs(to - from) < size / 2 ? 0 : Math.sign(to - from) * size * 0.3;
  return placeAt(x + past(start.x, x, box.width), y + past(start.y, y, box.height));
}

/**
 * Returns the item of a list that the target is, or is the only content of. Null unless both are items of the same list: siblings in the
 * flow of the page, of the same kind and size. Boxes that can be dragged anywhere are no items.
 */
function itemAt(element: Element, target: Element): Element | null {
  const list = closest(element, (node) => node !== element && contains(node, target));
  const childWith = (part: Element) => closest(part, (node) => composedParent(node) === list);
  const [item, other] = [childWith(element), childWith(target)];
  if (!item || !other || item === other || item.localName !== other.localName) return null;
  const isWhole = (outer: Element, inner: Element) =>
    collapse(outer.textContent) === collapse(inner.textContent);
  if (!isWhole(item, element) || !isWhole(other, target)) return null;
  const isFree = (one: Element) =>
    /absolute|fixed/.test(getComputedStyle(one).position) || one.matches('.ui-draggable, .ui-droppable');
  const isAlike = (a: number, b: number) => Math.abs(a - b) <= Math.max(a, b) * 0.2;
  const [one, two] = [item.getBoundingClientRect(), other.getBoundingClientRect()];
  const hasSameSize = isAlike(one.width, two.width) || isAlike(one.height, two.height);
  return isFree(item) || isFree(other) || !hasSameSize ? null : other;
}

function placeAt(x: number, y: number): ReachedPlace {
  return { target: deepElementAt(x, y) ?? document.body, x, y };
}

function* way(start: ReachedPlace, end: ReachedPlace, steps = DRAG_STEPS): Generator<ReachedPlace> {
  for (let step = 1; step <= steps; step++)
    yield placeAt(start.x + ((end.x - start.x) * step) / steps, start.y + ((end.y - start.y) * step) / steps);
}

/** Moves the mouse with the button pressed. The page decides what the movement does. */
async function dragByMouse(hands: Hands, start: ReachedPlace, end: ReachedPlace): Promise<void> {
  // Some pages require a small initial movement.
  hands.mouse.move(
    placeAt(start.x + Math.sign(end.x - start.x) * 3, start.y + Math.sign(end.y - start.y) * 3),
  );
  for (const place of way(start, end)) {
    await sleep(10);
    hands.mouse.move(place);
  }
  await sleep(20);
  hands.mouse.move(placeAt(end.x, end.y));
  hands.mouse.up('left');
}

type DispatchDrag = (
  type: string,
  target: Element,
  at: ReachedPlace,
  relatedTarget?: Element | null,
) => boolean;

/** Returns a function that dispatches the events of one drag, with one DataTransfer. */
function dragEvents(source: Element): DispatchDrag {
  const data = new DataTransfer();
  const link = source.getAttribute('href') ?? source.getAttribute('src');
  if (link) data.setData('text/uri-list', link);
  return (type, target, { x, y }, relatedTarget = null) =>
    target.dispatchEvent(
      new DragEvent(type, {
        bubbles: true,
        cancelable: !/^drag(leave|end)$/.test(type),
        composed: true,
        view: window,
        clientX: x,
        clientY: y,
        screenX: screenX + x,
        screenY: screenY + y,
        buttons: 1,
        dataTransfer: data,
        relatedTarget,
      }),
    );
}

/** Performs native drag and drop. Synthetic mouse events do not start it, so all of its events are dispatched. */
async function dragAndDrop(
  hands: Hands,
  source: Element,
  start: ReachedPlace,
  end: ReachedPlace,
  wanted: Element | null,
): Promise<void> {
  const tell = dragEvents(source);
  if (!tell('dragstart', source, start)) {
    await dragByMouse(hands, start, end);
    return;
  }
  hands.mouse.cancel();
  let over: Element | null = null;
  let accepts = false;
  for (const place of way(start, end)) {
    await sleep(10);
    if (!source.isConnected) break;
    tell('drag', source, place);
    const { target } = place;
    if (target !== over) {
      tell('dragenter', target, place, over);
      if (over) tell('dragleave', over, place, target);
      over = target;
    }
    accepts = !tell('dragover', target, place);
  }
  const last = placeAt(end.x, end.y);
  // A list that makes space during the drag may have moved the target.
  if (wanted && last.target !== over && over) tell('dragleave', over, last, last.target);
  if (last.target !== over) tell('dragenter', last.target, last, over);
  accepts = !tell('dragover', last.target, last) || accepts;
  tell(accepts ? 'drop' : 'dragleave', last.target, last);
  if (source.isConnected) tell('dragend', source, last);
}

function draggableOf(element: Element): Element | null {
  return closest(element, (node) => node instanceof HTMLElement && node.draggable);
}

function slide(range: HTMLInputElement, x: number): void {
  const { left, width } = range.getBoundingClientRect();
  const min = Number(range.min || 0);
  const max = Number(range.max || 100);
  const share = Math.min(1, Math.max(0, (x - left) / width));
  pickValue(range, String(min + share * (max - min)));
}

/** Returns whether a point is in the corner that resizes a box. The browser handles this corner itself. */
function isResizeCorner(element: Element, start: ReachedPlace): boolean {
  if (!(element instanceof HTMLElement)) return false;
  const { resize: kind, overflow } = getComputedStyle(element);
  if (kind === 'none' || (overflow === 'visible' && element.localName !== 'textarea')) return false;
  const { right, bottom } = element.getBoundingClientRect();
  return right - start.x <= 18 && bottom - start.y <= 18;
}

function resize(element: HTMLElement, dx: number, dy: number): void {
  const { resize: kind } = getComputedStyle(element);
  if (kind !== 'vertical') element.style.width = `${element.offsetWidth + dx}px`;
  if (kind !== 'horizontal') element.style.height = `${element.offsetHeight + dy}px`;
}
