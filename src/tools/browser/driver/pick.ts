import type { PickResult } from '../protocol.js';
import { MESSAGE_LIMITS } from '../limits.js';
import { listen } from './natives.js';
import { closest, deepElementAt, composedParent } from './view/dom.js';
import { collapse, cut } from './view/quote.js';

/** Maximum characters of the text of an element. */
const MAX_PICKED_TEXT = 100;
/** Maximum number of elements that a selector names. */
const MAX_PICKED_DEPTH = 4;
/** How many of the first questions make sure that the layer has the focus: a frame of another process can lose it to an earlier change that arrives late. */
const FOCUSING_READS = 3;
const OUTLINE =
  'all:initial;position:fixed;pointer-events:none;border:2px solid #4f46e5;background:rgb(79 70 229 / 15%);border-radius:3px;box-sizing:border-box';
const GLASS =
  'all:initial;position:fixed;inset:0;width:100vw;height:100vh;z-index:2147483647;cursor:crosshair;outline:none;touch-action:none';

/**
 * Lets the user point at an element. A layer above the page takes the mouse and the keyboard, so that the page does not react. A click or Enter
 * picks the outlined element, arrow keys move to its parent, child and siblings, and Escape ends.
 */
export class Picker {
  #glass: HTMLElement | null = null;
  #outline: HTMLElement | null = null;
  #current: Element | null = null;
  #picked: Element | null = null;
  #reads = 0;

  /** Returns whether the user is pointing, and once what was picked. */
  answer(step: 'start' | 'read' | 'stop'): PickResult {
    if (step === 'start') this.#start();
    if (step === 'stop') this.#end();
    if (step === 'read' && this.#reads++ < FOCUSING_READS) this.#focus();
    const picked = this.#picked;
    this.#picked = null;
    return { isPointing: this.#glass !== null, picked: picked === null ? null : pickedOf(picked) };
  }

  #start(): void {
    this.#end();
    this.#picked = null;
    const glass = document.createElement('rolezero-glass');
    const outline = document.createElement('div');
    glass.style.cssText = GLASS;
    outline.style.cssText = OUTLINE;
    glass.tabIndex = 0;
    glass.append(outline);
    listen(glass, 'pointermove', (event) => this.#pointAt(event as PointerEvent));
    listen(glass, 'pointerdown', (event) => this.#pointAt(event as PointerEvent));
    listen(glass, 'click', (event) => {
      if (event.isTrusted) this.#pick();
    });
    listen(glass, 'keydown', (event) => this.#press(event as KeyboardEvent));
    for (const type of ['wheel', 'touchmove']) listen(glass, type, (event) => event.preventDefault());
    document.documentElement.append(glass);
    [this.#glass, this.#outline] = [glass, outline];
    this.#reads = 0;
    this.#focus();
    this.#show(document.body.firstElementChild ?? document.body);
  }

  #focus(): void {
    if (this.#glass === null || (document.activeElement === this.#glass && document.hasFocus())) return;
    window.focus();
    this.#glass.focus({ preventScroll: true });
  }

  #end(): void {
    this.#glass?.remove();
    [this.#glass, this.#outline, this.#current] = [null, null, null];
  }

  #pointAt({ clientX, clientY }: PointerEvent): void {
    const glass = this.#glass;
    if (glass === null) return;
    glass.style.pointerEvents = 'none';
    const element = deepElementAt(clientX, clientY);
    glass.style.pointerEvents = 'auto';
    if (element !== null && element !== document.documentElement) this.#show(element);
  }

  #press(event: KeyboardEvent): void {
    const { key, isTrusted } = event;
    const element = this.#current;
    if (!isTrusted || element === null || key === 'Tab') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (key === 'Escape') this.#end();
    else if (key === 'Enter') this.#pick();
    else this.#show(besideOf(element, key) ?? element);
  }

  #show(element: Element): void {
    this.#current = element;
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const style = this.#outline?.style;
    if (style === undefined) return;
    [style.left, style.top] = [`${left}px`, `${top}px`];
    [style.width, style.height] = [`${width}px`, `${height}px`];
  }

  #pick(): void {
    const element = this.#current;
    this.#end();
    this.#picked = element;
  }
}

/** The element to which an arrow key moves. */
function besideOf(element: Element, key: string): Element | null {
  const parent = composedParent(element);
  switch (key) {
    case 'ArrowUp':
      return parent === document.documentElement ? null : parent;
    case 'ArrowDown':
      return [...element.children].find(isSeen) ?? null;
    case 'ArrowRight':
      return siblings(element).find((other) => isAfter(element, other)) ?? null;
    case 'ArrowLeft':
      return siblings(element).findLast((other) => isAfter(other, element)) ?? null;
    default:
      return null;
  }
}

function siblings(element: Element): Element[] {
  return [...(element.parentElement?.children ?? [])].filter((other) => other !== element && isSeen(other));
}

function isAfter(element: Element, other: Element): boolean {
  return (element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.localName !== 'rolezero-glass';
}

function pickedOf(element: Element): NonNullable<PickResult['picked']> {
  const text = element instanceof HTMLElement ? element.innerText : element.textContent;
  return {
    name: cut(elementSelector(element), MESSAGE_LIMITS.title),
    selector: cut(selectorOf(element), MESSAGE_LIMITS.message),
    text: cut(collapse(text), MAX_PICKED_TEXT),
    tag: element.localName,
    id: cut(element.id, MESSAGE_LIMITS.title),
    classes: cut(element.getAttribute('class') ?? '', MESSAGE_LIMITS.title),
  };
}

/** A tag with its id, or else its classes: `button.primary`. */
function elementSelector(element: Element): string {
  const tag = element.localName;
  if (element.id !== '') return `${tag}#${CSS.escape(element.id)}`;
  return [tag, ...[...element.classList].slice(0, 3).map((name) => CSS.escape(name))].join('.');
}

/** A selector from the nearest element with an id on. */
function selectorOf(element: Element): string {
  const parts: string[] = [];
  for (
    let at: Element | null = element;
    at !== null && parts.length < MAX_PICKED_DEPTH;
    at = at.parentElement
  ) {
    parts.unshift(elementSelector(at) + positionAmongSiblings(at));
    if (at.id !== '' || at === document.body) break;
  }
  const shadow = closest(element, (each) => each.shadowRoot !== null && each !== element);
  return (shadow === null ? '' : `${elementSelector(shadow)} (in its shadow root) `) + parts.join(' > ');
}

/** Which one it is among siblings that look the same. */
function positionAmongSiblings(element: Element): string {
  const same = [...(element.parentElement?.children ?? [])].filter(
    ({ localName }) => localName === element.localName,
  );
  const isUnique = same.filter((other) => elementSelector(other) === elementSelector(element)).length === 1;
  return isUnique ? '' : `:nth-of-type(${same.indexOf(element) + 1})`;
}
