import { isClickListener } from '../page/listeners.js';
import { isEditingHost, nameOf } from './describe.js';
import { composedParent } from './dom.js';
import {
  describeColor,
  describePlace,
  describeSize,
  hintBesideLook,
  hintOf,
  look,
  nameHintOf,
  shapeOf,
  standingOut,
  stateClasses,
} from './look.js';
import { collapse } from './quote.js';

/** Tags that the view leaves out. */
export const HIDDEN_TAGS = wordSet(
  'script style template noscript head link meta title base datalist colgroup defs clipPath mask marker symbol pattern linearGradient radialGradient filter desc metadata',
);

/** Containers that are omitted without a name or a state; their content moves up. */
export const DROPPED = wordSet(
  'img list listitem strong emphasis paragraph banner navigation region contentinfo main complementary article group document term definition insertion deletion form caption mark search rowgroup figure code time subscript superscript blockquote separator note legend cell gridcell columnheader rowheader feed math',
);

/** Roles whose text is their name. */
export const NAMED_BY_CONTENT = wordSet(
  'button link heading tab option menuitem menuitemcheckbox menuitemradio checkbox radio switch treeitem tooltip summary',
);

/** Roles that are known to be clickable. */
export const MEANT_FOR_CLICKS = wordSet(
  'button link checkbox radio switch textbox searchbox combobox listbox option tab menuitem menuitemcheckbox menuitemradio treeitem slider spinbutton summary iframe video audio',
);

/** Roles that often occur in groups of alternatives. */
const ENTRIES = wordSet('listitem option cell gridcell tab treeitem link button');

export const CELLS = wordSet('cell gridcell columnheader rowheader');

/** Roles whose content is their value. */
export const LEAVES = wordSet('textbox searchbox slider progressbar canvas video audio spinbutton');

/** States that a class would only repeat. */
const STATES = /^(selected|checked|pressed|current|expanded|collapsed|disabled)/;

interface ElementFacts {
  role: string;
  name: string;
  uses: readonly string[];
  /** It has neither a name nor content. */
  isBare: boolean;
  /** It is a control without a name, with content other than text, such as the shapes of an icon. */
  isDrawn: boolean;
  hasIcon: boolean;
  /** Nearest ancestor with its own line. */
  owner: Element | null;
}

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

function isField(element: Element): boolean {
  return /^(input|textarea|select|iframe|video|audio)$/.test(element.localName) || isEditingHost(element);
}

/** Returns the position of a checkbox or radio button. Without text, only its position identifies it. */
function placeOfBox(element: Element): string[] {
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

/** Returns properties of the appearance of an element, if its name does not describe it. `known` are its other properties. */
export function appearanceOf(
  element: Element,
  { role, name, uses, isBare, isDrawn, hasIcon, owner }: ElementFacts,
  known: readonly string[],
): string[] {
  if (shapeOf(element))
    return [
      ...look(element, element.closest('svg')),
      ...hintBesideLook(element),
      ...stateClasses(element, false),
    ];
  if (element instanceof SVGSVGElement) return [...describeColor(element), describeSize(element)];
  if (!name && isField(element)) return [...hintOf(element), ...placeOfBox(element)];
  if (name && (role ? ENTRIES.has(role) : uses.length > 0)) {
    const hasState = known.some((property) => STATES.test(property));
    return [...standingOut(element), ...(hasState ? [] : stateClasses(element, true))];
  }
  if (isBare && hasIcon) return nameHintOf(element);
  // Points of a drawing are given in pixels.
  if (name && element.localName === 'canvas') return [describeSize(element)];
  if (isBare) return [...look(element, owner), ...hintBesideLook(element), ...stateClasses(element, false)];
  if (isDrawn && element.querySelector('svg') !== null) return hintOf(element);
  // The size matters for the point where a drag starts.
  return !role && !name && uses.includes('draggable') ? [describeSize(element)] : [];
}

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
