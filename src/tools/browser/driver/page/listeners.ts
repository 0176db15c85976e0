/**
 * Which elements react to the mouse. Nothing in the platform tells, so the driver listens to who listens: pages make buttons of anything.
 */
import { replaceMethod } from '../natives.js';

const MOUSE_EVENTS =
  'click dblclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend'.split(' ');
const DRAG_EVENTS = ['mousedown', 'pointerdown', 'touchstart', 'dragstart'];

const TOUCH_EVENTS = ['touchstart', 'touchmove', 'touchend'];
const PRESS_EVENTS = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'];
const HOVER_EVENTS = ['mouseenter', 'mouseover', 'pointerenter', 'pointerover'];

/** Who listens to this many kinds of events does it for all that is inside: the root of a framework. */
const ROOT = 20;

const heard = new WeakMap<Element, Set<string>>();

/** Has to run before the page's scripts. */
export function watchListeners(): void {
  replaceMethod(EventTarget.prototype, 'addEventListener', (target, values, native) => {
    if (target instanceof Element) {
      const types = heard.get(target) ?? new Set<string>();
      heard.set(target, types.add(String(values[0])));
    }
    native();
  });
}

/** Frameworks that listen at the root leave a mark at the element: React an empty `onclick`, Svelte and Solid a property. */
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

/** Listens to fingers, and so does nobody around it to a mouse: what a mouse does here it is told of as a finger. */
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

/** Shows something, or does, when the mouse comes over it. */
export function isHoverListener(element: Element): boolean {
  return (
    listens(element, HOVER_EVENTS) ||
    ['onmouseenter', 'onmouseover', 'onpointerenter'].some((name) => has(element, name))
  );
}

function listens(element: Element, events: readonly string[]): boolean {
  const types = heard.get(element);
  return types !== undefined && types.size < ROOT && events.some((type) => types.has(type));
}

function has(element: Element, name: string): boolean {
  return Boolean((element as unknown as Record<string, unknown>)[name]);
}
