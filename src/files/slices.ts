import { Content, type ContentRows, type Slice } from './content.js';

/** Maximum number of slices. A content with more is stored as a whole. */
const MAX_SLICES = 64;
/** The rows of a content may be this many times as long as it. */
const MAX_WEIGHT = 2;

/** What a content has in common with a former one. */
interface Sliced {
  rows: ContentRows;
  /** The content in the form of the rows: a text or bytes. */
  content: Content;
  /** What is new, to store under `key`; null when the former content has it all. */
  added: string | Uint8Array | null;
}

/**
 * Describes a content by the rows of a former one and what is new in it: one part, from the first to the last difference. Returns null when
 * it should be stored as a whole.
 */
export function slicedFrom(
  former: { content: Content; rows: ContentRows },
  content: Content,
  key: string,
): Sliced | null {
  const before = former.content.stored;
  const after = sameKind(content, before);
  if (after === null) return null;
  const { start, end } = commonEnds(before, after);
  const added = after.slice(start, after.length - end);
  const weight = ('weight' in former.rows ? former.rows.weight : before.length) + added.length;
  if (weight > MAX_WEIGHT * after.length) return null;
  const all = slicesOf(former.rows, before.length);
  const slices = [
    ...slicesBetween(all, 0, start),
    ...(added.length === 0 ? [] : [[key, 0, added.length] as const]),
    ...slicesBetween(all, before.length - end, before.length),
  ];
  if (slices.length > MAX_SLICES) return null;
  return {
    rows: { slices, weight },
    content: after === content.stored ? content : new Content(after),
    added: added.length === 0 ? null : added,
  };
}

/** Returns the content as a text if `before` is one, else as bytes; null when it is no text. */
function sameKind(content: Content, before: string | Uint8Array): string | Uint8Array | null {
  return typeof before === 'string' ? content.textOrNull() : content.bytes();
}

/** Returns the number of equal units at the start and at the end. */
function commonEnds(before: string | Uint8Array, after: string | Uint8Array): { start: number; end: number } {
  const at =
    typeof before === 'string' || typeof after === 'string'
      ? (index: number, other: number) =>
          (before as string).charCodeAt(index) === (after as string).charCodeAt(other)
      : (index: number, other: number) => before[index] === after[other];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && at(start, start)) start += 1;
  let end = 0;
  while (end < most - start && at(before.length - 1 - end, after.length - 1 - end)) end += 1;
  return { start, end };
}

/** Returns the slices of the units from `from` to `to`. */
function slicesBetween(slices: readonly Slice[], from: number, to: number): Slice[] {
  const found: Slice[] = [];
  let at = 0;
  for (const [key, begin, length] of slices) {
    const first = Math.max(from, at);
    const last = Math.min(to, at + length);
    if (first < last) found.push([key, begin + first - at, last - first]);
    at += length;
  }
  return found;
}

function slicesOf(rows: ContentRows, length: number): readonly Slice[] {
  return 'key' in rows ? [[rows.key, 0, length]] : rows.slices;
}

/** Returns the keys of the rows, each once. */
export function keysOf(rows: ContentRows): readonly string[] {
  return 'key' in rows ? [rows.key] : [...new Set(rows.slices.map(([key]) => key))];
}

/** Puts a content together from the values of its rows. Returns null when one is missing or of another kind. */
export function joined(rows: ContentRows, valueOf: (key: string) => unknown): string | Uint8Array | null {
  if ('key' in rows) {
    const value = valueOf(rows.key);
    return typeof value === 'string' || value instanceof Uint8Array ? value : null;
  }
  const texts: string[] = [];
  const bytes: Uint8Array[] = [];
  for (const [key, from, length] of rows.slices) {
    const value = valueOf(key);
    if (typeof value === 'string') texts.push(value.slice(from, from + length));
    else if (value instanceof Uint8Array) bytes.push(value.subarray(from, from + length));
    else return null;
  }
  if (bytes.length === 0) return texts.join('');
  return texts.length === 0 ? concatenated(bytes) : null;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of parts) {
    all.set(each, at);
    at += each.length;
  }
  return all;
}

/** Reads the rows of a content from a stored record; null when it names none. */
export function readRows({ key, slices, weight }: Record<string, unknown>): ContentRows | null {
  if (typeof key === 'string') return { key };
  if (!Array.isArray(slices) || !slices.every(isSlice)) return null;
  return { slices, weight: typeof weight === 'number' ? weight : Infinity };
}

function isSlice(value: unknown): value is Slice {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [key, from, length] = value as unknown[];
  return typeof key === 'string' && isCount(from) && isCount(length);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
