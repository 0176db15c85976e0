import { colorName } from './color.js';
import { collapse, cut, quote } from './quote.js';

/**
 * What is seen of an element that has no words: `red 40x40 at 20,20`, which is its colour, its size and its middle, in pixels of the element
 * `within`, or of the page without one.
 */
export function look(element: Element, within: Element | null): string[] {
  if (element instanceof HTMLTableCellElement && element.parentElement instanceof HTMLTableRowElement)
    return [`row ${element.parentElement.rowIndex + 1} column ${element.cellIndex + 1}`, ...colorOf(element)];
  const box = element.getBoundingClientRect();
  const from = (within ?? document.documentElement).getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2 - from.left, box.top + box.height / 2 - from.top];
  const ends = endsOf(element, from);
  if (ends) return [...colorOf(element), ends];
  const form = element instanceof HTMLElement && isRound(element) ? ['round'] : [];
  return [...colorOf(element), ...form, sizeOf(element), `at ${round(x)},${round(y)}`];
}

/** Where the middle of an element is, in pixels of the page. */
export function placeOf(element: Element): string {
  const box = element.getBoundingClientRect();
  return `at ${round(box.left + box.width / 2 + scrollX)},${round(box.top + box.height / 2 + scrollY)}`;
}

/** `from 10,20 to 90,60`: of a stroke the ends tell more than the box around it. */
function endsOf(element: Element, within: DOMRect): string | null {
  const isStroke =
    /^(line|polyline)$/.test(element.localName) ||
    (element.localName === 'path' && !/z\s*$/i.test(element.getAttribute('d') ?? ''));
  if (!isStroke || !(element instanceof SVGGeometryElement)) return null;
  const matrix = element.getScreenCTM();
  const isFilled = element.localName !== 'line' && colorName(getComputedStyle(element).fill) !== '';
  if (!matrix || isFilled) return null;
  const end = (length: number): string => {
    const { x, y } = element.getPointAtLength(length).matrixTransform(matrix);
    return `${round(x - within.left)},${round(y - within.top)}`;
  };
  return `from ${end(0)} to ${end(element.getTotalLength())}`;
}

function isRound(element: HTMLElement): boolean {
  const radius = getComputedStyle(element).borderTopLeftRadius;
  return radius.endsWith('%') ? parseFloat(radius) >= 50 : parseFloat(radius) * 2 >= element.offsetWidth;
}

/**
 * The colour behind an element that few of its kind beside it have: which entry is chosen, and which day is today, is often said by that
 * alone. Empty for what looks as the others do.
 */
export function standingOut(element: Element): string[] {
  const beside = [...(element.parentElement?.children ?? [])].filter(
    ({ localName }) => localName === element.localName,
  );
  if (beside.length < 2 || beside.length > MOST_BESIDE) return [];
  const own = getComputedStyle(element).backgroundColor;
  const name = colorName(own);
  if (name === '') return [];
  const same = beside.filter((other) => getComputedStyle(other).backgroundColor === own).length;
  return same === 1 || same <= beside.length / 3 ? [name] : [];
}

/** `150x120`, in pixels. */
export function sizeOf(element: Element): string {
  const { width, height } = element.getBoundingClientRect();
  return `${round(width)}x${round(height)}`;
}

/** Its colour by name, `picture` for what shows one, or nothing. */
export function colorOf(element: Element): string[] {
  const style = getComputedStyle(element);
  const isShape = element instanceof SVGElement && !(element instanceof SVGSVGElement);
  const color = isShape
    ? colorName(style.fill) || colorName(style.stroke)
    : colorName(style.backgroundColor) || (style.backgroundImage === 'none' ? '' : 'picture');
  return color ? [color] : [];
}

/** More entries than these are no choice but a list. */
const MOST_BESIDE = 42;

const SHAPES = new Set(['circle', 'ellipse', 'rect', 'polygon', 'polyline', 'path', 'line', 'text', 'image']);

/** What kind of shape an element of a drawing is; empty for what draws nothing by itself. */
export function shapeOf(element: Element): string {
  const name = element.localName;
  if (!(element instanceof SVGElement) || !SHAPES.has(name)) return '';
  if (name === 'rect') {
    const { width, height } = element.getBoundingClientRect();
    return Math.abs(width - height) < 1 ? 'square' : 'rectangle';
  }
  if (name !== 'polygon') return name;
  const corners = (element.getAttribute('points')?.match(/-?[\d.]+(e-?\d+)?/g)?.length ?? 0) / 2;
  return { 3: 'triangle', 4: 'quadrilateral', 5: 'pentagon', 6: 'hexagon' }[corners] ?? 'polygon';
}

/** A drawing that says more than an icon does: its shapes are worth a line each. */
export function isDrawing(svg: SVGSVGElement): boolean {
  const { width, height } = svg.getBoundingClientRect();
  return width >= 40 && height >= 40 && !svg.closest('button, a, [role=button], [role=img][aria-label]');
}

/** A box without words that is seen all the same: a colour of its own and a size worth noticing. */
export function isColoredBox(element: Element, style: CSSStyleDeclaration): boolean {
  if (element.childElementCount > 0 || !(element instanceof HTMLElement)) return false;
  const name = colorName(style.backgroundColor);
  if (!name || element.offsetWidth < 6 || element.offsetHeight < 6) return false;
  const { parentElement } = element;
  return !parentElement || name !== (colorName(getComputedStyle(parentElement).backgroundColor) || 'white');
}

function round(value: number): number {
  return Math.round(value);
}

/** What the page's author called an element that has no words: its id, name, file or classes. */
export function hintOf(element: Element): string[] {
  const given = givenName(element);
  const file = /([^/?#]+)([?#].*)?$/.exec(element.getAttribute('src') ?? 'data:')?.[1] ?? '';
  return hint(given ?? (file.startsWith('data:') ? collapse(element.getAttribute('class') ?? '') : file));
}

/** The same of what is known by its look: there a single letter says nothing, nor does the name of its colour, nor a shape's classes. */
export function hintBesideLook(element: Element): string[] {
  const said = element instanceof SVGElement ? hint(givenName(element) ?? '') : hintOf(element);
  const [color = ''] = colorOf(element);
  return said.filter((text) => text.length > "hint: 'x'".length && text !== `hint: ${quote(color)}`);
}

function givenName(element: Element): string | undefined {
  return ['data-testid', 'id', 'name'].map((name) => element.getAttribute(name) ?? '').find(Boolean);
}

function hint(name: string): string[] {
  return name ? [`hint: ${quote(cut(name, 60))}`] : [];
}
