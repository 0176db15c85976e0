import {
  describeColor,
  hintBesideLook,
  hintOf,
  look,
  nameHintOf,
  shapeOf,
  describeSize,
  standingOut,
  stateClasses,
} from './look.js';
import { ENTRIES } from './roles.js';
import { isField, placeOfBox } from './traits.js';

interface Facts {
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

/** States that a class would only repeat. */
const STATES = /^(selected|checked|pressed|current|expanded|collapsed|disabled)/;

/** Returns properties of the appearance of an element, if its name does not describe it. `known` are its other properties. */
export function appearanceOf(
  element: Element,
  { role, name, uses, isBare, isDrawn, hasIcon, owner }: Facts,
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
