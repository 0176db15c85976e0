import { iconFileName, pictureFile, showsPicture } from './icons.js';
import { collapse, cut, quote } from './quote.js';
/** Common color names, with red, green and blue. */
const COLORS: readonly (readonly [string, number, number, number])[] = [
  ['black', 0, 0, 0],
  ['white', 255, 255, 255],
  ['gray', 128, 128, 128],
  ['silver', 192, 192, 192],
  ['red', 255, 0, 0],
  ['maroon', 128, 0, 0],
  ['orange', 255, 165, 0],
  ['yellow', 255, 255, 0],
  ['olive', 128, 128, 0],
  ['lime', 0, 255, 0],
  ['green', 0, 128, 0],
  ['cyan', 0, 255, 255],
  ['teal', 0, 128, 128],
  ['blue', 0, 0, 255],
  ['navy', 0, 0, 128],
  ['purple', 128, 0, 128],
  ['magenta', 255, 0, 255],
  ['pink', 255, 192, 203],
  ['brown', 165, 42, 42],
  ['gold', 255, 215, 0],
  ['indigo', 75, 0, 130],
  ['violet', 238, 130, 238],
  ['turquoise', 64, 224, 208],
  ['tomato', 255, 99, 71],
  ['skyblue', 135, 206, 235],
  ['beige', 245, 245, 220],
];

/** Hues, with their end in degrees. */
const HUES: readonly (readonly [end: number, name: string])[] = [
  [15, 'red'],
  [45, 'orange'],
  [70, 'yellow'],
  [165, 'green'],
  [195, 'cyan'],
  [255, 'blue'],
  [285, 'purple'],
  [335, 'magenta'],
  [360, 'red'],
];

/** Maximum number of siblings to compare; a larger group is a list, not a choice. */
const MAX_BESIDE = 42;

const SHAPE_NAMES = new Set([
  'circle',
  'ellipse',
  'rect',
  'polygon',
  'polyline',
  'path',
  'line',
  'text',
  'image',
]);

/** Classes that describe a state. */
const STATE_CLASS =
  /(?:^|[-_])(?:active|sel|selected|current|checked|chosen|highlight(?:ed)?|marked|done|completed?|finished|open(?:ed)?|closed|expanded|collapsed|on|off|hit|miss|correct|wrong|right|valid|invalid|error|success|failed|locked|full|empty|flag(?:ged)?|star(?:red)?|liked|favorite)$/i;

const MAX_CLASSES = 8;

/**
 * Describes the appearance of an element without text: `red 40x40 at 20,20`, which is its color, its size and its center. The center is in
 * pixels relative to the element `within`, or to the page.
 */
export function look(element: Element, within: Element | null): string[] {
  if (element instanceof HTMLTableCellElement && element.parentElement instanceof HTMLTableRowElement)
    return [
      `row ${element.parentElement.rowIndex + 1} column ${element.cellIndex + 1}`,
      ...describeColor(element),
    ];
  const box = element.getBoundingClientRect();
  const from = (within ?? document.documentElement).getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2 - from.left, box.top + box.height / 2 - from.top];
  const ends = lineEnds(element, from);
  if (ends) return [...describeColor(element), ends];
  const form = element instanceof HTMLElement && isRound(element) ? ['round'] : [];
  return [...describeColor(element), ...form, describeSize(element), `at ${round(x)},${round(y)}`];
}

/** Returns the center of an element, in pixels of the page. */
export function describePlace(element: Element): string {
  const box = element.getBoundingClientRect();
  return `at ${round(box.left + box.width / 2 + scrollX)},${round(box.top + box.height / 2 + scrollY)}`;
}

/** Returns the ends of a stroke: `from 10,20 to 90,60`. They are more useful than its bounding box. */
function lineEnds(element: Element, within: DOMRect): string | null {
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
 * Returns the background color of an element if few similar siblings have it. Often, only this color marks the selected entry or the
 * current day. Empty if the element looks like its siblings.
 */
export function standingOut(element: Element): string[] {
  const beside = [...(element.parentElement?.children ?? [])].filter(
    ({ localName }) => localName === element.localName,
  );
  if (beside.length < 2 || beside.length > MAX_BESIDE) return [];
  const own = getComputedStyle(element).backgroundColor;
  const name = colorName(own);
  if (name === '') return [];
  const same = beside.filter((other) => getComputedStyle(other).backgroundColor === own).length;
  return same === 1 || same <= beside.length / 3 ? [name] : [];
}

/** Returns the size in pixels: `150x120`. */
export function describeSize(element: Element): string {
  const { width, height } = element.getBoundingClientRect();
  return `${round(width)}x${round(height)}`;
}

/** Returns the color name of an element, and the file of its picture; `picture` if only that is known; or nothing. */
export function describeColor(element: Element): string[] {
  const style = getComputedStyle(element);
  if (element instanceof SVGElement && !(element instanceof SVGSVGElement))
    return [colorName(style.fill) || colorName(style.stroke)].filter(Boolean);
  const color = colorName(style.backgroundColor);
  const file = pictureFile(element, style);
  if (file !== '') return [...(color ? [color] : []), `picture: ${quote(file)}`];
  if (color) return [color];
  return style.backgroundImage === 'none' && !showsPicture(style) ? [] : ['picture'];
}

/** Returns the kind of shape of a drawing's element; empty if the element draws nothing itself. */
export function shapeOf(element: Element): string {
  const name = element.localName;
  if (!(element instanceof SVGElement) || !SHAPE_NAMES.has(name)) return '';
  if (name === 'rect') {
    const { width, height } = element.getBoundingClientRect();
    return Math.abs(width - height) < 1 ? 'square' : 'rectangle';
  }
  if (name !== 'polygon') return name;
  const corners = (element.getAttribute('points')?.match(/-?[\d.]+(e-?\d+)?/g)?.length ?? 0) / 2;
  return { 3: 'triangle', 4: 'quadrilateral', 5: 'pentagon', 6: 'hexagon' }[corners] ?? 'polygon';
}

/** Returns whether a drawing is more than an icon, so that each of its shapes gets a line. */
export function isDrawing(svg: SVGSVGElement): boolean {
  const { width, height } = svg.getBoundingClientRect();
  return width >= 40 && height >= 40 && !svg.closest('button, a, [role=button], [role=img][aria-label]');
}

/** Returns whether a box without text is visible: it has its own color and a sufficient size. */
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

/** Returns the author's name for an element without text: its id, name, file or classes. */
export function hintOf(element: Element): string[] {
  const given = givenName(element);
  return hint(
    given ??
      (iconFileName(element.getAttribute('src') ?? '') || collapse(element.getAttribute('class') ?? '')),
  );
}

/** Returns the author's name for an element, but not its file or its classes. */
export function nameHintOf(element: Element): string[] {
  return hint(givenName(element) ?? '');
}

/**
 * Returns the hint for an element that is described by its appearance. Omits single letters, the name of its color, and classes of shapes.
 */
export function hintBesideLook(element: Element): string[] {
  const hints = element instanceof SVGElement ? hint(givenName(element) ?? '') : hintOf(element);
  const [color = ''] = describeColor(element);
  return hints.filter((text) => text.length > "hint: 'x'".length && text !== `hint: ${quote(color)}`);
}

/**
 * Returns the classes of an element that not all similar siblings have. Often, only they show a state. For an element with its own text, only
 * classes that describe a state are returned.
 */
export function stateClasses(element: Element, hasText: boolean): string[] {
  if (!hasText && givenName(element) === undefined && !(element instanceof SVGElement)) return []; // its hint are its classes
  const own = [...element.classList].slice(0, MAX_CLASSES);
  const beside = [...(element.parentElement?.children ?? [])].filter(
    (other) => other !== element && other.localName === element.localName,
  );
  if (own.length === 0 || beside.length > MAX_BESIDE * 3) return [];
  const shown = own.filter(
    (name) =>
      (hasText ? STATE_CLASS.test(name) : name !== element.id) &&
      (beside.length === 0 || !beside.every(({ classList }) => classList.contains(name))),
  );
  return shown.length === 0 ? [] : [`class: ${quote(cut(shown.join(' '), 60))}`];
}

function givenName(element: Element): string | undefined {
  return ['data-testid', 'id', 'name'].map((name) => element.getAttribute(name) ?? '').find(Boolean);
}

function hint(name: string): string[] {
  return name ? [`hint: ${quote(cut(name, 60))}`] : [];
}

/**
 * Converts a CSS color to a name: `rgb(255, 0, 0)` → `red`. A color without its own name gets its hue and hexadecimal value: `red #e53030`.
 * Returns an empty text for a transparent color.
 */
export function colorName(css: string): string {
  const [red, green, blue, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number);
  if (red === undefined || green === undefined || blue === undefined || !/^rgb/.test(css)) return '';
  if (alpha < 0.1) return '';
  let best = '';
  let smallest = Infinity;
  for (const [name, r, g, b] of COLORS) {
    // Weighted by perception ("redmean").
    const mean = (red + r) / 2;
    const distance =
      (2 + mean / 256) * (red - r) ** 2 + 4 * (green - g) ** 2 + (2 + (255 - mean) / 256) * (blue - b) ** 2;
    if (distance < smallest) [best, smallest] = [name, distance];
  }
  if (smallest < 300) return best;
  return `${hueName(red, green, blue)} #${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function hueName(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const spread = most - least;
  if (most < 40) return 'black';
  if (spread < 24)
    return least > 235 ? 'white' : most < 90 ? 'dark gray' : least > 180 ? 'light gray' : 'gray';
  const sixth =
    most === red
      ? (green - blue) / spread
      : most === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread;
  const hue = (sixth * 60 + 360) % 360;
  const name = HUES.find(([end]) => hue <= end)?.[1] ?? 'red';
  return most < 130 ? `dark ${name}` : least > 150 ? `light ${name}` : name;
}
