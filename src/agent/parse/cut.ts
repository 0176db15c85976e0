import type { JsonValue } from '../../core/json.js';

/** Objects and lists whose end, or the end of a string in them, is missing in the text. */
const cut = new WeakSet<object>();

/** Marks a value as incomplete: the parser had to close it, or a string in it. */
export function markCut(value: JsonValue): void {
  if (typeof value === 'object' && value !== null) cut.add(value);
}

/** Returns whether a part of a value is missing. */
export function isCut(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && (cut.has(value) || Object.values(value).some(isCut));
}
