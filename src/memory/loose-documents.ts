import { segmentOf, type LexicalSegment, type Postings } from './lexical-segment.js';

const MOST_COUNTED = 255;
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
    const segment = segmentOf(
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
    postings.counts[last] = Math.min(MOST_COUNTED, (postings.counts[last] ?? 0) + times);
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
