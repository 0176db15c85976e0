import { jsonrepair } from 'jsonrepair';
import { describe } from '../../core/error.js';
import { isRecord, type JsonValue } from '../../core/json.js';
import { LIMITS } from './limits.js';

/** The value of JSON, or half a sentence for the model about what is wrong and where. */
export type ReadJson = { ok: true; value: JsonValue; repaired: boolean } | { ok: false; error: string };

/** JSON without its strings and comments. */
export interface Structure {
  /** Paired brackets, `"#0#"`, `"#1#"`, … for the strings, and the rest as it is; `at` is an index of the source. */
  tokens: readonly { text: string; at: number }[];
  strings: readonly string[];
  roots: number; // values that follow each other; several are read as one list
}

/** Makes a structure valid JSON and puts its strings back; null is a structure with too many levels. */
export function repair(source: string, structure: Structure | null): ReadJson {
  if (structure === null) return TOO_DEEP;
  const { tokens, strings, roots } = structure;
  const joined = tokens.map(({ text }) => text).join('');
  const json = roots > 1 ? `[${joined}]` : joined;
  if (json.length > LIMITS.structure) {
    const error = 'it is not valid JSON and too long to be repaired; send fewer commands at once';
    return { ok: false, error };
  }
  try {
    const value = withStrings(JSON.parse(jsonrepair(json)) as JsonValue, strings);
    return checked(roots > 1 && Array.isArray(value) ? value.flat() : value, true);
  } catch (error) {
    const position = isRecord(error) && typeof error['position'] === 'number' ? error['position'] : 0;
    let length = roots > 1 ? 1 : 0;
    const token = tokens.find(({ text }) => (length += text.length) > position) ?? tokens.at(-1);
    const reason = describe(error).replace(/ at position \d+$/, '');
    const where = place(source, token?.at ?? 0);
    return { ok: false, error: `${reason.charAt(0).toLowerCase()}${reason.slice(1)} at ${where}` };
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

function withStrings(value: JsonValue, strings: readonly string[]): JsonValue {
  // `#` is only in placeholders: elsewhere in the source it starts a comment.
  const fill = (text: string) => text.replace(/#(\d+)#/g, (_, index: string) => strings[Number(index)] ?? '');
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((item) => withStrings(item, strings));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fill(key), withStrings(item, strings)]),
  );
}

function place(text: string, index: number): string {
  const before = text.slice(0, index).split('\n');
  const near = text.slice(index, index + 24).split('\n')[0] ?? '';
  const where = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return near === '' ? where : `${where} (near ${JSON.stringify(near)})`;
}
