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
export const MAX_SEGMENT_DOCUMENTS = 65_536;

/** Builds a segment from documents and their words. */
function buildSegment(
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

/** Does the same as `lowerBound`. Hashes are evenly distributed, so it begins at their expected place. */
function firstPlace(hashes: Uint32Array, hash: number): number {
  const expected = Math.floor((hash / 2 ** 32) * hashes.length);
  for (let reach = NEAR; ; reach *= 4) {
    const start = Math.max(0, expected - reach);
    const end = Math.min(hashes.length, expected + reach);
    const isBefore = start > 0 && (hashes[start - 1] ?? 0) >= hash;
    const isAfter = end < hashes.length && (hashes[end] ?? 0) < hash;
    if (!isBefore && !isAfter) return lowerBound(hashes, hash, start, end);
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
  return documents[lowerBound(documents, document)] === document;
}

/** Returns the first index in [`start`, `end`) whose value is at least `value`, or `end` when there is none. */
export function lowerBound(
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

const MAX_COUNT = 255;
/** Document number of a free slot. */
const NONE = -1;

/** The documents of an index that are outside segments, and their words, in flat arrays. */
export class LooseDocuments {
  /** Document numbers by slot. Postings of a removed document may remain until `sweep`. */
  documents = new Float64Array(64);
  /** Numbers of words by slot. */
  lengths = new Uint32Array(64);
  readonly #postings = new Map<string, Postings>();
  readonly #slotOf = new Map<number, number>();
  #slots = 0;
  /** True when postings of removed documents may remain. */
  #mustSweep = false;

  /** Number of documents. */
  get size(): number {
    return this.#slotOf.size;
  }

  has(document: number): boolean {
    return this.#slotOf.has(document);
  }

  postings(word: string): Postings | undefined {
    return this.#postings.get(word);
  }

  /** Adds a document of this number of words, which `count` adds one by one. Returns its slot. */
  add(document: number, words: number): number {
    const slot = this.#slots++;
    if (slot === this.documents.length) {
      this.documents = grown(this.documents, new Float64Array(2 * slot));
      this.lengths = grown(this.lengths, new Uint32Array(2 * slot));
    }
    this.#slotOf.set(document, slot);
    this.documents[slot] = document;
    this.lengths[slot] = words;
    return slot;
  }

  /** Counts a word of the document in this slot. */
  count(word: string, slot: number, times = 1): void {
    let postings = this.#postings.get(word);
    if (postings === undefined) {
      postings = { slots: new Uint32Array(1), counts: new Uint8Array(1), start: 0, end: 0 };
      this.#postings.set(word, postings);
    }
    appendPosting(postings, slot, times);
  }

  /** Removes a document. Returns its number of words, or null when it does not exist. */
  remove(document: number): number | null {
    const slot = this.#slotOf.get(document);
    if (slot === undefined) return null;
    this.#slotOf.delete(document);
    this.documents[slot] = NONE;
    this.#mustSweep = true;
    return this.lengths[slot] ?? 0;
  }

  /** Moves the existing documents among these into a segment. */
  take(documents: readonly number[]): LexicalSegment {
    const inOrder = documents.filter((document) => this.#slotOf.has(document));
    inOrder.sort((one, other) => one - other);
    const slots = inOrder.map((document) => this.#slotOf.get(document) ?? 0);
    const placeOf = new Map(slots.map((slot, place) => [slot, place]));
    const segment = buildSegment(
      Float64Array.from(inOrder),
      Uint32Array.from(slots, (slot) => this.lengths[slot] ?? 0),
      taken(this.#postings, placeOf),
    );
    for (const document of inOrder) this.remove(document);
    return segment;
  }

  /** Removes the postings of deleted documents and closes gaps. Runs for many deletions at once, because it visits every word. */
  sweep(): void {
    if (!this.#mustSweep) return;
    this.#mustSweep = false;
    const places = new Int32Array(this.#slots).fill(NONE);
    let left = 0;
    for (let slot = 0; slot < this.#slots; slot++) {
      const document = this.documents[slot] ?? NONE;
      if (document === NONE) continue;
      this.#slotOf.set(document, left);
      this.documents[left] = document;
      this.lengths[left] = this.lengths[slot] ?? 0;
      places[slot] = left++;
    }
    this.#slots = left;
    for (const [word, postings] of this.#postings) {
      let live = 0;
      for (let at = 0; at < postings.end; at++) {
        const place = places[postings.slots[at] ?? 0] ?? NONE;
        if (place === NONE) continue;
        postings.slots[live] = place;
        postings.counts[live++] = postings.counts[at] ?? 0;
      }
      postings.end = live;
      if (live === 0) this.#postings.delete(word);
    }
  }
}

/** Returns the postings of the given slots only, with each slot replaced by its new number. */
function taken(
  words: ReadonlyMap<string, Postings>,
  placeOf: ReadonlyMap<number, number>,
): Map<string, Postings> {
  const some = new Map<string, Postings>();
  for (const [word, { slots, counts, start, end }] of words) {
    const chosen: { place: number; times: number }[] = [];
    for (let at = start; at < end; at++) {
      const place = placeOf.get(slots[at] ?? 0);
      if (place !== undefined) chosen.push({ place, times: counts[at] ?? 0 });
    }
    if (chosen.length === 0) continue;
    chosen.sort((one, other) => one.place - other.place); // documents may have been added in another order
    some.set(word, {
      slots: Uint16Array.from(chosen, ({ place }) => place),
      counts: Uint8Array.from(chosen, ({ times }) => times),
      start: 0,
      end: chosen.length,
    });
  }
  return some;
}

/** Adds `times` occurrences of a word. Calls for the same document must follow each other. */
function appendPosting(postings: Postings, slot: number, times: number): void {
  const last = postings.end - 1;
  if (last >= 0 && postings.slots[last] === slot) {
    postings.counts[last] = Math.min(MAX_COUNT, (postings.counts[last] ?? 0) + times);
    return;
  }
  if (postings.end === postings.slots.length) {
    const size = Math.max(4, 2 * postings.end);
    postings.slots = grown(postings.slots, new Uint32Array(size));
    postings.counts = grown(postings.counts, new Uint8Array(size));
  }
  postings.slots[postings.end] = slot;
  postings.counts[postings.end] = times;
  postings.end++;
}

function grown<Kind extends Float64Array | Uint32Array | Uint16Array | Uint8Array, Larger extends Kind>(
  from: Kind,
  to: Larger,
): Larger {
  to.set(from);
  return to;
}
