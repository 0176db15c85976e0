import * as s from '../../core/schema.js';
import type { Point } from './protocol.js';

/** Identifies an element of the page. Models also write its number with the brackets. */
export const elementId = s.converted<string>(
  s.id({ description: 'The number in brackets before the element in the newest view of the page.' }),
  (value) => (typeof value === 'string' ? value.trim().replace(/^\[|\]$/g, '') : value),
);
/** Aliases that models use for `element_id`. */
export const ELEMENT_ALIASES = {
  id: 'element_id',
  element: 'element_id',
  index: 'element_id',
  ref: 'element_id',
};
/** A number. Models also write it as a text, which fits `pattern`. */
export function numeric(pattern: string): s.Schema<number> {
  const written = new RegExp(pattern, 'u');
  return s.converted(s.either(s.number(), s.string({ pattern })), (value) =>
    typeof value === 'string' && written.test(value.trim()) ? Number(value) : value,
  );
}
/** Number of pixels. Models also write it as a string. */
export const pixels = numeric('^-?\\d+(\\.\\d+)?$');
/** A string, or a list of at most `most` strings. */
export const oneOrMore = (most: number) =>
  s.converted<string[]>(s.either(s.string(), s.list(s.string(), { minItems: 1, maxItems: most })), (value) =>
    typeof value === 'string' ? [value] : value,
  );
/** A point within an element, for drawings and maps whose parts have no lines of their own in the view. */
export const AT = {
  at_x: s.described(
    s.optional(pixels),
    'Where in the element: pixels from its left edge. Default for at_x and at_y: its middle.',
  ),
  at_y: s.described(s.optional(pixels), 'Pixels from its upper edge.'),
};
export const AT_NAMES = { ...ELEMENT_ALIASES, x: 'at_x', y: 'at_y' };

/** Returns the point for two coordinates. A single missing coordinate is 0; if both are missing, returns undefined. */
export function pointAt(x: number | undefined, y: number | undefined): Point | undefined {
  return x === undefined && y === undefined ? undefined : { x: x ?? 0, y: y ?? 0 };
}
