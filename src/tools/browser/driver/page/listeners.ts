/**
 * Detects which elements react to the mouse. Pages use arbitrary elements as buttons, and the platform has no API to list listeners. The
 * driver therefore records calls of `addEventListener`.
 */
import { replaceMethod } from '../natives.js';

const MOUSE_EVENTS =
  'click dblclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend'.split(' ');
const DRAG_EVENTS = ['mousedown', 'pointerdown', 'touchstart', 'dragstart'];

const TOUCH_EVENTS = ['touchstart', 'touchmove', 'touchend'];
const PRESS_EVENTS = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'];
const HOVER_EVENTS = ['mouseenter', 'mouseover', 'pointerenter', 'pointerover'];

/** An element that listens to this many event types is the root of a framework and listens for all of its descendants. */
const ROOT_LISTENERS = 20;

const heard = new WeakMap<Element, Set<string>>();

/** Must run before the page's scripts. */
export function watchListeners(): void {
  replaceMethod(EventTarget.prototype, 'addEventListener', (target, values, native) => {
    if (target instanceof Element) {
      const types = heard.get(target) ?? new Set<string>();
      heard.set(target, types.add(String(values[0])));
    }
    native();
  });
}

/**
 * Returns whether an element handles clicks. Frameworks that listen at the root mark the element: React with an empty `onclick`, Svelte and
 * Solid with a property.
 */
export function isClickListener(element: Element): boolean {
  return (
    listens(element, MOUSE_EVENTS) ||
    [
      'onclick',
      'onmousedown',
      'ondblclick',
      'onmouseup',
      'onpointerdown',
      'ontouchstart',
      '__click',
      '$$click',
    ].some((name) => has(element, name))
  );
}

export function isDragListener(element: Element): boolean {
  return listens(element, DRAG_EVENTS) || ['onmousedown', 'onpointerdown'].some((name) => has(element, name));
}

/** Returns whether something can be dropped on an element. */
export function isDropListener(element: Element): boolean {
  return listens(element, ['drop']) || has(element, 'ondrop');
}

/** Returns whether an element handles touch and no ancestor handles the mouse. Mouse actions are then dispatched as touch events. */
export function isTouchOnly(chain: readonly Element[]): boolean {
  return (
    chain.some(
      (element) => listens(element, TOUCH_EVENTS) || TOUCH_EVENTS.some((type) => has(element, `on${type}`)),
    ) &&
    !chain.some(
      (element) => listens(element, PRESS_EVENTS) || PRESS_EVENTS.some((type) => has(element, `on${type}`)),
    )
  );
}

/** Returns whether an element reacts when the mouse moves over it. */
export function isHoverListener(element: Element): boolean {
  return (
    listens(element, HOVER_EVENTS) ||
    ['onmouseenter', 'onmouseover', 'onpointerenter'].some((name) => has(element, name))
  );
}

function listens(element: Element, events: readonly string[]): boolean {
  const types = heard.get(element);
  return types !== undefined && types.size < ROOT_LISTENERS && events.some((type) => types.has(type));
}

function has(element: Element, name: string): boolean {
  return Boolean((element as unknown as Record<string, unknown>)[name]);
}
