import { isRecord } from '../core/json.js';
import { hashOf } from './hash.js';

/** Occurrences of one word: the slots of the documents that contain it, and the count in each. */
export interface Postings {
  /** Ascending within `start` (inclusive) to `end` (exclusive). In a segment, entries outside this range belong to other words. */
  slots: Uint16Array | Uint32Array;
  counts: Uint8Array;
  start: number;
  end: number;
}

/** Documents and their words in flat arrays: plain data that can be stored and searched without conversion. */
export interface LexicalSegment {
  /** `documents[slot]` is the document number, ascending; `lengths[slot]` is its number of words. */
  documents: Float64Array;
  lengths: Uint32Array;
  /**
   * Per word, ordered by hash: its hash, the start of its postings, and the start of its text. The two start arrays have one extra entry.
   */
  hashes: Uint32Array;
  starts: Uint32Array;
  textStarts: Uint32Array;
  slots: Uint16Array;
  counts: Uint8Array;
  /** All words, concatenated. */
  text: string;
}

/** Maximum number of documents in a segment. */
export const MOST_DOCUMENTS = 65_536;

/** Builds a segment from documents and their words. */
export function segmentOf(
  documents: Float64Array,
  lengths: Uint32Array,
  words: ReadonlyMap<string, Postings>,
): LexicalSegment {
  const hashed = [...words].map(([word, postings]) => ({ word, postings, hash: hashOf(word) }));
  hashed.sort((one, other) => one.hash - other.hash);
  const total = hashed.reduce((sum, { postings }) => sum + postings.end - postings.start, 0);
  const segment: LexicalSegment = {
    documents,
    lengths,
    hashes: Uint32Array.from(hashed, ({ hash }) => hash),
    starts: new Uint32Array(hashed.length + 1),
    textStarts: new Uint32Array(hashed.length + 1),
    slots: new Uint16Array(total),
    counts: new Uint8Array(total),
    text: hashed.map(({ word }) => word).join(''),
  };
  let start = 0;
  let textStart = 0;
  for (const [place, { word, postings }] of hashed.entries()) {
    segment.slots.set(postings.slots.subarray(postings.start, postings.end), start);
    segment.counts.set(postings.counts.subarray(postings.start, postings.end), start);
    segment.starts[place + 1] = start += postings.end - postings.start;
    segment.textStarts[place + 1] = textStart += word.length;
  }
  return segment;
}

/** Validates a stored value as a segment. Returns null when it is invalid. */
export function readSegment(value: unknown): LexicalSegment | null {
  if (!isRecord(value)) return null;
  const { documents, lengths, hashes, starts, textStarts, slots, counts, text } = value;
  if (!(documents instanceof Float64Array && lengths instanceof Uint32Array)) return null;
  if (!(hashes instanceof Uint32Array && starts instanceof Uint32Array)) return null;
  if (!(textStarts instanceof Uint32Array && slots instanceof Uint16Array)) return null;
  if (!(counts instanceof Uint8Array && typeof text === 'string')) return null;
  const words = hashes.length;
  const fits =
    documents.length === lengths.length &&
    starts.length === words + 1 &&
    textStarts.length === words + 1 &&
    starts[words] === slots.length &&
    textStarts[words] === text.length &&
    slots.length === counts.length;
  return fits ? { documents, lengths, hashes, starts, textStarts, slots, counts, text } : null;
}

/** Returns the postings of a word with this hash, or null when the segment does not contain it. */
export function postingsIn(segment: LexicalSegment, word: string, hash: number): Postings | null {
  const { hashes, starts, textStarts, slots, counts, text } = segment;
  for (let place = firstPlace(hashes, hash); hashes[place] === hash; place++) {
    const start = textStarts[place] ?? 0;
    if (textStarts[place + 1] !== start + word.length || !text.startsWith(word, start)) continue;
    return { slots, counts, start: starts[place] ?? 0, end: starts[place + 1] ?? 0 };
  }
  return null;
}

/** Half the width of the range around the expected place of a hash in which the search for it begins. */
const NEAR = 64;

/** Does the same as `firstOf`. Hashes are evenly distributed, so it begins at their expected place. */
function firstPlace(hashes: Uint32Array, hash: number): number {
  const expected = Math.floor((hash / 2 ** 32) * hashes.length);
  for (let reach = NEAR; ; reach *= 4) {
    const start = Math.max(0, expected - reach);
    const end = Math.min(hashes.length, expected + reach);
    const isBefore = start > 0 && (hashes[start - 1] ?? 0) >= hash;
    const isAfter = end < hashes.length && (hashes[end] ?? 0) < hash;
    if (!isBefore && !isAfter) return firstOf(hashes, hash, start, end);
  }
}

/** Yields every word of a segment with its postings. */
export function* wordsIn(segment: LexicalSegment): Generator<[word: string, postings: Postings]> {
  const { hashes, starts, textStarts, slots, counts, text } = segment;
  for (let place = 0; place < hashes.length; place++) {
    yield [
      text.slice(textStarts[place], textStarts[place + 1]),
      { slots, counts, start: starts[place] ?? 0, end: starts[place + 1] ?? 0 },
    ];
  }
}

/** Returns true when a segment contains a document. */
export function hasDocument({ documents }: LexicalSegment, document: number): boolean {
  const last = documents.at(-1);
  if (last === undefined || document > last || document < (documents[0] ?? last)) return false; // fast path: most lookups are out of range
  return documents[firstOf(documents, document)] === document;
}

/** Returns the first index in [`start`, `end`) whose value is at least `value`, or `end` when there is none. */
export function firstOf(
  rising: Uint32Array | Uint16Array | Float64Array,
  value: number,
  start = 0,
  end = rising.length,
): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
