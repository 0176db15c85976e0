import type { JsonValue } from '../../core/json.js';
import { LIMITS } from './limits.js';
import { readTokens, UnreadableToken, type Token } from './read-tokens.js';

/** The value of JSON, or half a sentence for the model about what is wrong and where. */
export type ReadJson = { ok: true; value: JsonValue; repaired: boolean } | { ok: false; error: string };

/** The tokens of JSON, with paired brackets. */
export interface Structure {
  tokens: readonly Token[];
  roots: number; // values that follow each other; several are read as one list
}

/** Reads the value of a structure; null is a structure with too many levels. */
export function repair(source: string, structure: Structure | null): ReadJson {
  if (structure === null) return TOO_DEEP;
  const { tokens, roots } = structure;
  try {
    const values = readTokens(source, tokens);
    const value = roots > 1 || values.length > 1 ? values.flat() : values[0];
    return value === undefined ? { ok: false, error: 'it holds no value' } : checked(value, true);
  } catch (error) {
    if (!(error instanceof UnreadableToken)) throw error;
    return { ok: false, error: `${error.message} at ${place(source, error.at)}` };
  }
}

/** Refuses a value with too many levels or values: every later step walks through all of it. */
export function checked(value: JsonValue, repaired: boolean): ReadJson {
  const count = countOf(value);
  if (count === Infinity) return TOO_DEEP;
  if (count <= LIMITS.values) return { ok: true, value, repaired };
  return { ok: false, error: `it holds more than ${LIMITS.values} values; send fewer at once` };
}

const TOO_DEEP: ReadJson = { ok: false, error: `its brackets are nested deeper than ${LIMITS.depth} levels` };

/** The number of values; Infinity if they have too many levels. */
function countOf(value: JsonValue, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (depth >= LIMITS.depth) return Infinity;
  let count = 1;
  for (const item of Array.isArray(value) ? value : Object.values(value)) count += countOf(item, depth + 1);
  return count;
}

function place(text: string, index: number): string {
  const before = text.slice(0, index).split('\n');
  const near = text.slice(index, index + 24).split('\n')[0] ?? '';
  const where = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return near === '' ? where : `${where} (near ${JSON.stringify(near)})`;
}
