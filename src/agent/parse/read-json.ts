import type { JsonValue } from '../../core/json.js';
import { LIMITS } from './limits.js';

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
  return Object.values(value).reduce((sum: number, item) => sum + countOf(item, depth + 1), 1);
}
