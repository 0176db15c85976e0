import { isClickListener } from '../page/listeners.js';
import { isEditingHost, nameOf } from './describe.js';
import { composedParent } from './dom.js';
import { describePlace } from './look.js';
import { collapse } from './quote.js';
import { MEANT_FOR_CLICKS } from './roles.js';

export function isClickable(element: Element, style: CSSStyleDeclaration): boolean {
  if (isClickListener(element)) return true;
  if (element instanceof HTMLElement && element.tabIndex >= 0 && element.hasAttribute('tabindex'))
    return true;
  const parent = composedParent(element);
  return style.cursor === 'pointer' && parent !== null && getComputedStyle(parent).cursor !== 'pointer';
}

/** Returns whether an element handles clicks for several descendants. */
export function isDelegate(element: Element, role: string): boolean {
  if (MEANT_FOR_CLICKS.has(role) || !isClickListener(element)) return false;
  return element.querySelectorAll('*').length > 1 && getComputedStyle(element).cursor !== 'pointer';
}

/** Returns whether an element decorates a field with a known name, such as the knob of a switch. */
export function isDecorOfLabel(element: Element): boolean {
  const control = element.closest('label')?.control;
  return control !== null && control !== undefined && nameOf(control) !== '';
}

/** Returns whether an element is one letter of a word whose letters are styled individually, for example rotated or colored. */
export function isOneLetter(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.display !== 'inline-block' || element.childElementCount > 0) return false;
  if (!/^\s*[\p{L}\p{N}]\s*$/u.test(element.textContent) || !(element instanceof HTMLElement)) return false;
  const room = ['paddingLeft', 'paddingRight', 'marginLeft', 'marginRight', 'borderLeftWidth'] as const;
  return (
    room.every((side) => parseFloat(style[side]) < 3) &&
    element.offsetWidth < 1.6 * parseFloat(style.fontSize)
  );
}

/** Returns whether a shape of a drawing is not drawn. */
export function isNowhere(shape: Element): boolean {
  const { width, height } = shape.getBoundingClientRect();
  return width === 0 && height === 0;
}

/** Returns whether an element is too flat to be seen or clicked. */
export function isFlat(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width <= 1 || height <= 1;
}

export function isField(element: Element): boolean {
  return /^(input|textarea|select|iframe|video|audio)$/.test(element.localName) || isEditingHost(element);
}

/** Returns the position of a checkbox or radio button. Without text, only its position identifies it. */
export function placeOfBox(element: Element): string[] {
  return element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)
    ? [describePlace(element)]
    : [];
}

/** Returns whether an element beside this one has the same name, so that only their signs tell them apart. */
export function isNamedAlike(element: Element, name: string): boolean {
  const beside = [...(element.parentElement?.children ?? [])];
  return beside.some((other) => other !== element && nameOf(other) === name);
}

/** Returns the name of an element without a role, if the page provides one. A tooltip of an element with text does not count. */
export function labelOf(element: Element): string {
  return collapse(element.getAttribute('aria-label') ?? (hasWords(element) ? '' : tipOf(element)));
}

export function tipOf(element: Element): string {
  return collapse(element.getAttribute('title') ?? '');
}

export function hasWords(element: Element): boolean {
  return element.textContent.trim() !== '';
}
