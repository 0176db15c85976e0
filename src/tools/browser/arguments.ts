import * as z from 'zod/mini';
import type { Point } from './protocol.js';

/** Identifies an element of the page. Models also write its number with the brackets. */
export const element = z
  .pipe(
    z.union([z.number(), z.string()]),
    z.transform((id) =>
      String(id)
        .trim()
        .replace(/^\[|\]$/g, ''),
    ),
  )
  .check(z.describe('The number in brackets before the element in the newest view of the page.'));
/** Aliases that models use for `element_id`. */
export const NAMES = { id: 'element_id', element: 'element_id', index: 'element_id', ref: 'element_id' };
/** Number of pixels. Models also write it as a string. */
export const pixels = z.pipe(
  z.union([z.number(), z.string().check(z.trim(), z.regex(/^-?\d+(\.\d+)?$/))]),
  z.transform(Number),
);
/** A string, or a list of at most `most` strings. */
export const oneOrMore = (most: number) =>
  z.union([
    z.pipe(
      z.string(),
      z.transform((one) => [one]),
    ),
    z.array(z.string()).check(z.minLength(1), z.maxLength(most)),
  ]);
/** A point within an element, for drawings and maps whose parts have no lines of their own in the view. */
export const AT = {
  at_x: z
    .optional(pixels)
    .check(
      z.describe('Where in the element: pixels from its left edge. Default for at_x and at_y: its middle.'),
    ),
  at_y: z.optional(pixels).check(z.describe('Pixels from its upper edge.')),
};
export const AT_NAMES = { ...NAMES, x: 'at_x', y: 'at_y' };

/** Returns the point for two coordinates. A single missing coordinate is 0; if both are missing, returns undefined. */
export function pointAt(x: number | undefined, y: number | undefined): Point | undefined {
  return x === undefined && y === undefined ? undefined : { x: x ?? 0, y: y ?? 0 };
}
