import type { JsonValue } from '../../core/json.js';
import { checked, LIMITS, markCut, type ReadJson } from './value.js';

/** Parses valid JSON; undefined for any other text. */
export function parseStrictly(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Reads a text that is valid JSON and nothing else, or a JSON string that contains such a text; null for any other. */
export function readValid(text: string): ReadJson | null {
  // A failing parse takes many times as long as a successful one.
  const value = /^\s*[[{"\-\dtfn]/.test(text) ? parseStrictly(text) : undefined;
  if (value === undefined) return null;
  const inner = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseStrictly(value) : undefined;
  return checked(inner ?? value, inner !== undefined);
}

/**
 * Reads the object or list at the start of a text if it is valid JSON, complete or cut off by the end of the text; null otherwise. All
 * before the cut is exact: open strings and brackets are closed, half a key or half a word is dropped. `end` is the index after it. Linear.
 */
export function scanStrictly(
  text: string,
  isEnded = false,
): { value: JsonValue; end: number; isClosed: boolean } | null {
  const closers: string[] = [];
  let entry = 0;
  let quote = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') {
      quote = at++;
      while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
      if (at < text.length) quote = -1;
    } else if (char === '{' || char === '[' || char === ',') {
      if (char !== ',') closers.push(char === '{' ? '}' : ']');
      entry = at + 1;
    } else if (char === '}' || char === ']') {
      if (closers.pop() !== char) return null;
      if (closers.length > 0) continue;
      const value = parseStrictly(text.slice(0, at + 1));
      return value === undefined ? null : { value, end: at + 1, isClosed: true };
    }
  }
  if (closers.length === 0 || closers.length > LIMITS.depth) return null;
  const value = parseCutOff(text, entry, quote, closers.reverse().join(''));
  if (value === undefined) return null;
  if (!isEnded || quote >= 0) markOpen(value, closers.length);
  return { value, end: text.length, isClosed: false };
}

/** Marks the objects and lists that are open at the end of the text: each is the last value in the one before. */
function markOpen(value: JsonValue, levels: number): void {
  if (levels === 0 || typeof value !== 'object' || value === null) return;
  markCut(value);
  const items = Object.entries(value);
  // The order of numbers as keys is not that of the text.
  const isOrdered = Array.isArray(value) || !items.some(([key]) => /^\d+$/.test(key));
  for (const [, item] of isOrdered ? items.slice(-1) : items) markOpen(item, levels - 1);
}

const KEYS = /^(?:[^":}\]]*"(?:[^"\\]|\\[^])*")+/;
const HALF_A_VALUE = /^\s*:?\s*(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-?(?:\d+(?:\.\d*)?(?:[eE][+-]?)?)?)$/;

/** Parses cut-off JSON whose last entry starts at `entry`; `quote` is the index of a quote that is not closed, or -1. */
function parseCutOff(text: string, entry: number, quote: number, closers: string): JsonValue | undefined {
  const whole = parseStrictly((quote < 0 ? text : closedString(text, quote)) + closers);
  if (whole !== undefined) return whole;
  const isInObject = closers.startsWith('}');
  const rest = isInObject ? text.slice(entry).replace(KEYS, '') : text.slice(entry);
  const isHalfAKey = isInObject && text.slice(entry, quote).trim() === '';
  if (quote < 0 ? !HALF_A_VALUE.test(rest) : !isHalfAKey) return undefined;
  return parseStrictly(text.slice(0, entry).replace(/,$/, '') + closers);
}

/** Consumes complete escapes first, so that `\\` is not read as half of one. */
const CUT_ESCAPE = /((?:^|[^\\])(?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/;

/** Closes the open string after its last complete character, or before the brackets at the end. */
function closedString(text: string, quote: number): string {
  const whole = text.slice(0, quote + 1) + text.slice(quote + 1).replace(CUT_ESCAPE, '$1');
  return `${whole.slice(0, endOfString(whole, quote + 1))}"`;
}

/** Index where a string ends that starts at `from` and has no closing quote: before the brackets at the end of the text, if any. */
export function endOfString(text: string, from: number): number {
  let end = text.length;
  while (end > from && /[\s}\]`]/.test(text.charAt(end - 1))) end--;
  return /[}\]]/.test(text.slice(end)) ? end : text.length;
}
