import { jsonrepair } from 'jsonrepair';
import { describe } from '../base/error.js';
import { isRecord, type JsonValue } from '../base/json.js';
import { endCutOffJson } from './cut-off-json.js';
import { MAX_JSON_DEPTH, scanLeniently } from './lenient-scan.js';

/** Characters of structure (strings left out) that are repaired at most; the library's work grows faster than its input. */
const MAX_SKELETON = 32_768;
/** Objects, lists and what is in them. */
export const MAX_VALUES = 10_000;

export type ReadJson =
  | { ok: true; value: JsonValue; repaired: boolean }
  /** `error` is half a sentence for the model: what is wrong and where. */
  | { ok: false; error: string };

/**
 * Reads JSON the way it was meant (R-002). Valid JSON is taken as it is and never altered (R-004). Otherwise accepted: trailing and
 * missing commas, single and typographic quotes, triple quotes, comments, Python literals, raw line breaks and unescaped quotes in
 * strings, illegal escapes (R-131), the wrong kind of bracket, full-width punctuation, a cut-off tail, JSON inside a JSON string.
 * Never throws; linear in the text's length but for its structure, which is limited.
 */
export function readJson(text: string): ReadJson {
  const valid = readValid(text);
  if (valid !== null) return valid;
  const ended = endCutOffJson(text);
  if (ended !== null) return within(JSON.parse(ended) as JsonValue, true);
  if (/^[\s[{]{0,64}\\+"/.test(text)) {
    const unescaped = parse(`"${text.replace(/\r?\n/g, '\\n')}"`);
    if (typeof unescaped === 'string' && unescaped !== text) {
      const read = readJson(unescaped);
      if (read.ok) return { ...read, repaired: true };
    }
  }
  return repair(text);
}

/** The same for text that is valid JSON; null for any other. */
export function readValid(text: string): ReadJson | null {
  const strict = BEGINS_JSON.test(text) ? parse(text) : undefined;
  if (strict === undefined) return null;
  const nested = typeof strict === 'string' ? containerIn(strict) : undefined;
  const value = nested ?? strict;
  return within(value, nested !== undefined);
}

/** What cannot be JSON is not tried: to fail takes many times as long as to succeed. */
const BEGINS_JSON = /^\s*[[{"\-\dtfn]/;

/** The same as text: valid JSON unchanged, else the JSON it was meant to be; null when that cannot be told. Idempotent. */
export function repairJson(text: string): string | null {
  if (parse(text) !== undefined) return text;
  const read = readJson(text);
  return read.ok ? JSON.stringify(read.value) : null;
}

function repair(text: string): ReadJson {
  const scan = scanLeniently(text);
  if (scan.tooDeep) return tooDeep();
  if (scan.skeleton.length > MAX_SKELETON) {
    return {
      ok: false,
      error: 'it is not valid JSON and too long to be repaired; send fewer commands at once',
    };
  }
  let value: JsonValue;
  try {
    value = JSON.parse(jsonrepair(scan.skeleton)) as JsonValue;
  } catch (error) {
    const position = isRecord(error) && typeof error['position'] === 'number' ? error['position'] : 0;
    const reason = describe(error).replace(/ at position \d+$/, '');
    return { ok: false, error: `${lowerFirst(reason)} at ${place(text, scan.sourceOf(position))}` };
  }
  const whole = withStrings(value, scan.strings);
  const roots = scan.roots > 1 && Array.isArray(whole) ? whole.flat() : whole;
  return within(roots, true);
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The object or list that a string holds as JSON. */
function containerIn(text: string): JsonValue | undefined {
  const value = /^\s*[[{]/.test(text) ? parse(text) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}

function withStrings(value: JsonValue, strings: readonly string[]): JsonValue {
  if (typeof value === 'string') return fill(value, strings);
  if (Array.isArray(value)) return value.map((item) => withStrings(item, strings));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fill(key, strings), withStrings(item, strings)]),
  );
}

/** `#` never stands outside strings in a skeleton (it starts a comment), so placeholders cannot be mistaken. */
function fill(text: string, strings: readonly string[]): string {
  return text.replace(/#(\d+)#/g, (whole, index: string) => strings[Number(index)] ?? whole);
}

/** The value, unless it is nested or divided beyond reason: whoever gets it walks through all of it. */
function within(value: JsonValue, repaired: boolean): ReadJson {
  if (isTooDeep(value)) return tooDeep();
  if (countOf(value) <= MAX_VALUES) return { ok: true, value, repaired };
  return { ok: false, error: `it holds more than ${MAX_VALUES} values; send fewer at once` };
}

function isTooDeep(value: JsonValue, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= MAX_JSON_DEPTH) return true;
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, depth + 1));
  for (const name in value) if (isTooDeep(value[name] ?? null, depth + 1)) return true;
  return false;
}

function countOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const item of Array.isArray(value) ? value : Object.values(value)) count += countOf(item);
  return count;
}

function tooDeep(): ReadJson {
  return { ok: false, error: `its brackets are nested deeper than ${MAX_JSON_DEPTH} levels` };
}

function place(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  const near = text.slice(position, position + 24).split('\n')[0] ?? '';
  return `line ${line}, column ${column}${near === '' ? '' : ` (near ${JSON.stringify(near)})`}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
