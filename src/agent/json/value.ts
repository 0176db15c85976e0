import type { JsonValue } from '../../core/json.js';

/** Limits of reading JSON. They bound the work and the memory that a reply can cause, whatever the model sends. */
export const LIMITS = {
  depth: 64, // levels of nested brackets
  values: 10_000, // objects, lists, and what they contain
  missingQuotes: 8, // to look for: each costs another pass over the rest of the text
  comment: 200, // characters, between a quote that may end a string and what follows
} as const;

/** The value of JSON, or half a sentence for the model about what is wrong and where. */
export type ReadJson = { ok: true; value: JsonValue; repaired: boolean } | { ok: false; error: string };

export const TOO_DEEP: ReadJson = {
  ok: false,
  error: `its brackets are nested deeper than ${LIMITS.depth} levels`,
};

/** Refuses a value with too many levels or values: every later step walks through all of it. */
export function checked(value: JsonValue, repaired: boolean): ReadJson {
  const count = countOf(value);
  if (count === Infinity) return TOO_DEEP;
  if (count <= LIMITS.values) return { ok: true, value, repaired };
  return { ok: false, error: `it holds more than ${LIMITS.values} values; send fewer at once` };
}

/** The number of values; Infinity if they have too many levels. */
function countOf(value: JsonValue, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (depth >= LIMITS.depth) return Infinity;
  let count = 1;
  for (const item of Object.values(value)) count += typeof item === 'object' ? countOf(item, depth + 1) : 1;
  return count;
}

/** Objects and lists whose end, or the end of a string in them, is missing in the text. */
const cut = new WeakSet<object>();

/** Marks a value as incomplete: the parser had to close it, or a string in it. */
export function markCut(value: JsonValue): void {
  if (typeof value === 'object' && value !== null) cut.add(value);
}

/** Returns whether a part of a value is missing. */
export function isCut(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return cut.has(value) || Object.values(value).some(isCut);
}
