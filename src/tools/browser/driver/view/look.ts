import { colorName } from './color.js';
import { collapse, cut, quote } from './quote.js';

/** What is seen of an element that has no words: its colour, size and place, as properties of its line. */
export function look(element: Element, within: Element | null): string[] {
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const isShape = element instanceof SVGElement && !(element instanceof SVGSVGElement);
  const color = isShape
    ? colorName(style.fill) || colorName(style.stroke)
    : colorName(style.backgroundColor) || (style.backgroundImage === 'none' ? '' : 'picture');
  const properties = color ? [`color: ${color}`] : [];
  properties.push(`size: ${round(box.width)}x${round(box.height)}`);
  const from = within?.getBoundingClientRect();
  if (from)
    properties.push(
      `at: ${round(box.left + box.width / 2 - from.left)},${round(box.top + box.height / 2 - from.top)}`,
    );
  return properties;
}

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
export function hintOf(element: Element, isShape = false): string[] {
  const given = ['data-testid', 'id', 'name'].map((name) => element.getAttribute(name)).find(Boolean);
  const file = /([^/?#]+)([?#].*)?$/.exec(element.getAttribute('src') ?? 'data:')?.[1] ?? '';
  const hint = given ?? (file.startsWith('data:') ? collapse(element.getAttribute('class') ?? '') : file);
  return hint && !(isShape && !given) ? [`hint: ${quote(cut(hint, 60))}`] : [];
}
