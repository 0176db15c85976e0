import { MAX_JSON_DEPTH } from './lenient-scan.js';

/**
 * Valid JSON that was cut off, ended at the cut: an open string and open brackets are closed, half a key or half a word is left out.
 * Everything complete before the cut is exactly what it was, which no lenient reading can promise. Null for any other text, also for
 * whole JSON. Linear.
 */
export function endCutOffJson(text: string): string | null {
  const open: ('}' | ']')[] = [];
  /** Where the current entry of the innermost object or list starts, and where its key ends. */
  let entry = 0;
  let keyEnd = 0;
  let keyed = false;
  let stringFrom = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') {
      const close = stringEnd(text, at + 1);
      if (close < 0) {
        stringFrom = at;
        break;
      }
      at = close;
      if (!keyed) keyEnd = close + 1;
    } else if (char === '{' || char === '[') {
      if (open.length >= MAX_JSON_DEPTH) return null;
      open.push(char === '{' ? '}' : ']');
    } else if (char === '}' || char === ']') {
      if (open.pop() !== char) return null;
      if (open.length === 0) return null;
      keyed = true; // the entry it belongs to has its value
    } else if (char === ':') keyed = true;
    if (char === '{' || char === '[' || char === ',') {
      entry = at + 1;
      keyEnd = entry;
      keyed = false;
    }
  }
  if (open.length === 0) return null;
  const inObject = open.at(-1) === '}';
  const brackets = open.reverse().join('');
  if (stringFrom >= 0 && (keyed || !inObject))
    return valid(`${withoutCutEscape(text, stringFrom)}"${brackets}`);
  const kept = `${text.slice(0, entry).replace(/,$/, '')}${brackets}`;
  if (stringFrom >= 0) return text.slice(entry, stringFrom).trim() === '' ? valid(kept) : null; // half a key
  const whole = inObject && keyEnd > entry && !keyed ? null : valid(text + brackets);
  if (whole !== null) return whole;
  return HALF_A_VALUE.test(text.slice(inObject ? keyEnd : entry)) ? valid(kept) : null;
}

const HALF_A_VALUE = /^\s*:?\s*(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-?(?:\d+(?:\.\d*)?(?:[eE][+-]?)?)?)$/;

/** Where the closing quote of a string stands whose inside begins at `from`; -1 when there is none. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return at;
    if (char === '\\') at++;
  }
  return -1;
}

/** The text up to the last whole character of its open string; brackets at the very end are taken for those of a forgotten quote. */
function withoutCutEscape(text: string, stringFrom: number): string {
  const whole = text.slice(0, stringFrom + 1) + text.slice(stringFrom + 1).replace(CUT_ESCAPE, '$1');
  let end = whole.length;
  while (end > stringFrom + 1 && /[\s}\]`]/.test(whole.charAt(end - 1))) end--;
  return /[}\]]/.test(whole.slice(end)) ? whole.slice(0, end) : whole;
}

/** Whole escapes before the cut one are kept, so that `\\` is not taken for half of one. */
const CUT_ESCAPE = /((?:^|[^\\])(?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/;

function valid(json: string): string | null {
  try {
    JSON.parse(json);
    return json;
  } catch {
    return null;
  }
}
