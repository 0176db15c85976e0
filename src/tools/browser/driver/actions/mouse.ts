import { replaceMethod } from '../natives.js';
import { isTouchOnly } from '../page/listeners.js';
import { closest, contains, composedParent } from '../view/dom.js';
import { focusFromPointer } from './focus.js';
import type { Modifiers } from './keys.js';
import type { ReachedPlace } from './reach.js';
import { markHovered } from './state-style.js';

type Button = 'left' | 'middle' | 'right';
const BUTTON_NUMBERS = { left: 0, middle: 1, right: 2 } as const;
const HELD_BUTTONS = { left: 1, middle: 4, right: 2 } as const;

/** Pointer id of the browser's own mouse; capturing it never fails. */
const POINTER = 1;

/** Mouse that moves from place to place and dispatches the events of a real one. */
export class Mouse {
  #over: Element | null = null;
  #x = 0;
  #y = 0;
  #held = 0;
  #captured: Element | null = null;
  /** Element on which a touch would have started. It receives all touch events until the touch ends. */
  #touched: Element | null = null;

  constructor() {
    this.#keepCaptures();
  }

  /** Element under the mouse. */
  get over(): Element | null {
    return this.#over?.isConnected ? this.#over : null;
  }

  /** Moves the mouse to a place. `modifiers` are keys held during the movement. */
  move({ target, x, y }: ReachedPlace, modifiers: Modifiers = {}): void {
    const before = this.over;
    const [movementX, movementY] = [x - this.#x, y - this.#y];
    [this.#x, this.#y] = [x, y];
    this.#over = target;
    const held = { ...modifiers, movementX, movementY };
    if (before !== target) this.#crossOver(before, target, held);
    const heir = this.#captured ?? target;
    this.#touch('touchmove', modifiers);
    this.#pointer('pointermove', heir, held);
    this.#mouse('mousemove', heir, held);
  }

  /** Presses a button. Returns false if the page prevented the default action, such as the start of a drag. */
  down(button: Button, modifiers: Modifiers = {}, count = 1): boolean {
    const target = this.#captured ?? this.#over;
    if (!target) return false;
    this.#held |= HELD_BUTTONS[button];
    const settings = { ...modifiers, button: BUTTON_NUMBERS[button] };
    if (button === 'left' && isTouchOnly(chain(target))) {
      this.#touched = target;
      this.#touch('touchstart', modifiers);
    }
    const isPointerFree = this.#pointer('pointerdown', target, settings);
    const isFree = !isPointerFree || this.#mouse('mousedown', target, { ...settings, detail: count });
    if (isFree) focusFromPointer(target);
    if (isFree && button === 'left' && count > 1) selectAround(this.#x, this.#y, count);
    return isFree;
  }

  up(button: Button, modifiers: Modifiers = {}, count = 1): void {
    const target = this.#captured ?? this.#over;
    this.#held &= ~HELD_BUTTONS[button];
    this.#touch('touchend', modifiers);
    this.#touched = null;
    if (!target) return;
    const settings = { ...modifiers, button: BUTTON_NUMBERS[button] };
    this.#pointer('pointerup', target, settings);
    this.#mouse('mouseup', target, { ...settings, detail: count });
    this.#release();
  }

  /**
   * Clicks `count` times at a place and dispatches the resulting events: `click`, `dblclick`, `contextmenu`. Returns false if the page
   * prevented the default action of the click.
   */
  click(place: ReachedPlace, button: Button = 'left', modifiers: Modifiers = {}, count = 1): boolean {
    this.move(place, modifiers);
    let isFree = true;
    const { target } = place;
    for (let time = 1; time <= count && isThere(target); time++) {
      this.down(button, modifiers, time);
      if (button === 'right') this.#mouse('contextmenu', target, { ...modifiers, button: 2 });
      isFree = this.lift(target, button, modifiers, time);
    }
    if (count > 1 && button === 'left' && isThere(target))
      this.#mouse('dblclick', target, { ...modifiers, detail: 2 });
    return isFree;
  }

  /**
   * Releases the button that was pressed on `target`. Dispatches a click unless the element is removed or disabled. Returns false if the
   * page prevented the default action.
   */
  lift(target: Element, button: Button, modifiers: Modifiers = {}, count = 1): boolean {
    this.up(button, modifiers, count);
    if (!isThere(target) || isDisabled(target)) return true;
    const settings = { ...modifiers, button: BUTTON_NUMBERS[button], detail: count };
    return this.#pointer(button === 'left' ? 'click' : 'auxclick', target, settings);
  }

  /** Cancels the pointer: a native drag takes the mouse away from the page. */
  cancel(): void {
    const target = this.#captured ?? this.#over;
    this.#held = 0;
    if (target) this.#pointer('pointercancel', target, {});
    this.#release();
  }

  #crossOver(before: Element | null, target: Element, settings: PointerEventInit): void {
    if (before) {
      const left = { ...settings, relatedTarget: target };
      this.#pointer('pointerout', before, left);
      this.#mouse('mouseout', before, left);
      for (const element of chain(before)) {
        if (contains(element, target)) break;
        this.#pointer('pointerleave', element, left, false);
        this.#mouse('mouseleave', element, left, false);
      }
    }
    markHovered(target);
    const entered = { ...settings, relatedTarget: before };
    this.#pointer('pointerover', target, entered);
    this.#mouse('mouseover', target, entered);
    for (const element of chain(target).reverse()) {
      if (before && contains(element, before)) continue;
      this.#pointer('pointerenter', element, entered, false);
      this.#mouse('mouseenter', element, entered, false);
    }
  }

  #pointer(type: string, target: Element, settings: PointerEventInit, bubbles = true): boolean {
    return target.dispatchEvent(
      new PointerEvent(type, {
        ...this.#common(bubbles),
        pointerId: POINTER,
        pointerType: 'mouse',
        isPrimary: true,
        pressure: this.#held ? 0.5 : 0,
        ...(/move|over|out|enter|leave/.test(type) ? { button: -1 } : {}),
        ...settings,
      }),
    );
  }

  #mouse(type: string, target: Element, settings: MouseEventInit, bubbles = true): boolean {
    return target.dispatchEvent(new MouseEvent(type, { ...this.#common(bubbles), ...settings }));
  }

  #touch(type: 'touchstart' | 'touchmove' | 'touchend', modifiers: Modifiers): void {
    const target = this.#touched;
    if (target === null) return;
    const point = {
      identifier: POINTER,
      target,
      clientX: this.#x,
      clientY: this.#y,
      pageX: scrollX + this.#x,
      pageY: scrollY + this.#y,
      screenX: screenX + this.#x,
      screenY: screenY + this.#y,
      radiusX: 5,
      radiusY: 5,
      force: 0.5,
    };
    const settings = { ...modifiers, bubbles: true, cancelable: true, composed: true, view: window };
    const touches = <T>(touch: T) => {
      const down = type === 'touchend' ? [] : [touch];
      return { touches: down, targetTouches: down, changedTouches: [touch] };
    };
    let event: Event;
    try {
      event = new TouchEvent(type, { ...settings, ...touches(new Touch(point)) });
    } catch {
      // Desktop versions of Firefox and Safari have no touch events. Pages read only their fields.
      event = Object.assign(new UIEvent(type, settings), touches(point));
    }
    target.dispatchEvent(event);
  }

  #common(bubbles: boolean): MouseEventInit {
    return {
      bubbles,
      cancelable: bubbles,
      composed: true,
      view: window,
      clientX: this.#x,
      clientY: this.#y,
      screenX: screenX + this.#x,
      screenY: screenY + this.#y,
      buttons: this.#held,
    };
  }

  /**
   * Replaces pointer capture. The browser captures only real pointers; this routes the events of the driver's mouse to the capturing
   * element.
   */
  #keepCaptures(): void {
    replaceMethod(Element.prototype, 'setPointerCapture', (element, [id], native) => {
      if (this.#held === 0 || id !== POINTER) return native();
      this.#capture(element as Element);
      return undefined;
    });
    replaceMethod(Element.prototype, 'releasePointerCapture', (element, [id], native) => {
      if (this.#captured === element) this.#release();
      else if (id !== POINTER) native();
    });
    replaceMethod(
      Element.prototype,
      'hasPointerCapture',
      (element, _values, native) => this.#captured === element || native(),
    );
  }

  #capture(element: Element): void {
    this.#captured = element;
    this.#pointer('gotpointercapture', element, {});
  }

  #release(): void {
    const element = this.#captured;
    this.#captured = null;
    if (element) this.#pointer('lostpointercapture', element, {});
  }
}

function chain(element: Element): Element[] {
  const found: Element[] = [];
  for (let node: Element | null = element; node instanceof Element; node = composedParent(node))
    found.push(node);
  return found;
}

function isDisabled(element: Element): boolean {
  return (
    closest(element, (node) => node.matches('button, input, select, textarea'))?.matches(':disabled') ?? false
  );
}

/** Returns whether an element is still in the document: any event handler of the page may remove it. */
function isThere(element: Element): boolean {
  return element.isConnected;
}

/** Selects the text under a double or triple click: the word or the paragraph. */
function selectAround(x: number, y: number, count: number): void {
  // oxlint-disable-next-line typescript/no-deprecated -- some browsers do not support its replacement yet
  const at = document.caretRangeFromPoint(x, y);
  const selection = getSelection();
  if (!at || !selection || at.startContainer.nodeType !== Node.TEXT_NODE) return;
  const { parentElement } = at.startContainer;
  if (!parentElement || getComputedStyle(parentElement).userSelect === 'none') return;
  if (count > 2) {
    selection.selectAllChildren(parentElement);
    return;
  }
  const { node, start, end } = wordAt(at.startContainer as Text, at.startOffset);
  selection.setBaseAndExtent(node, start, node, end);
}

function wordAt(node: Text, offset: number): { node: Text; start: number; end: number } {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(node.data);
  const { index, segment } = words.containing(Math.min(offset, node.data.length - 1)) ?? {
    index: offset,
    segment: '',
  };
  return { node, start: index, end: index + segment.length };
}
