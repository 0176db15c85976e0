import { RoleZeroError } from '../core/error.js';
import { TopScores, type Scored } from './top-scores.js';
import { hashOf } from './hash.js';
import {
  firstOf,
  hasDocument,
  MOST_DOCUMENTS,
  postingsIn,
  readSegment,
  segmentOf,
  wordsIn,
  type LexicalSegment,
  type Postings,
} from './lexical-segment.js';

export interface LexicalIndexOptions {
  /**
   * Term frequency saturation: lower values make repeated words count less.
   * @default 1.5
   */
  k1?: number;
  /**
   * Length normalization, 0 to 1: higher values penalize long documents more.
   * @default 0.75
   */
  b?: number;
}

/** A set of documents to search: the documents outside segments, or one segment. */
interface Part {
  documents: Float64Array;
  lengths: Uint32Array;
  postings(word: string, hash: number): Postings | null | undefined;
}

const MOST_COUNTED = 255;
const NONE = -1;

/**
 * Ranks documents by the words they share with a query (Okapi BM25). Documents can be added and removed at any time.
 *
 * The index stores words and numbers in flat arrays, not the documents. 100,000 messages take about 15 MB; a query takes a fraction of a
 * millisecond. Documents that rarely change can be sealed into segments, which the caller stores and later attaches without parsing.
 */
export class LexicalIndex {
  readonly #k1: number;
  readonly #b: number;
  /** Postings of the documents outside segments, by slot. A free slot has the number `NONE`. */
  readonly #postings = new Map<string, Postings>();
  #numbers = new Float64Array(64);
  #lengths = new Uint32Array(64);
  #slots = 0;
  readonly #slotOf = new Map<number, number>();
  /** True when postings of removed documents may remain. */
  #mustSweep = false;
  readonly #segments = new Set<LexicalSegment>();
  /** Segments with removed documents, and the documents removed from each. They are opened before the next search. */
  readonly #damaged = new Map<LexicalSegment, Set<number>>();
  #documents = 0;
  #words = 0;
  /** Scratch buffer for searches; all zero between searches. */
  #scores = new Float32Array(0);
  #touched = new Uint32Array(0);

  constructor({ k1 = 1.5, b = 0.75 }: LexicalIndexOptions = {}) {
    this.#k1 = k1;
    this.#b = b;
  }

  /** Number of indexed documents. */
  get size(): number {
    return this.#documents;
  }

  has(document: number): boolean {
    if (this.#slotOf.has(document)) return true;
    const segment = this.#segmentOf(document);
    return segment !== undefined && this.#damaged.get(segment)?.has(document) !== true;
  }

  /** Adds a document. Replaces an existing document with the same number. */
  add(document: number, words: readonly string[]): void {
    this.remove(document);
    const slot = this.#newSlot(document, words.length);
    this.#documents++;
    this.#words += words.length;
    for (const word of words) this.#count(word, slot);
  }

  /** Removes a document and every word that no other document has. Does nothing when the document does not exist. */
  remove(document: number): void {
    const slot = this.#slotOf.get(document);
    if (slot !== undefined) {
      this.#slotOf.delete(document);
      this.#numbers[slot] = NONE;
      this.#documents--;
      this.#words -= this.#lengths[slot] ?? 0;
      this.#mustSweep = true;
      return;
    }
    const segment = this.#segmentOf(document);
    if (segment === undefined) return;
    const gone = this.#damaged.get(segment) ?? new Set();
    if (gone.has(document)) return;
    this.#damaged.set(segment, gone.add(document));
    this.#documents--;
    this.#words -= segment.lengths[segment.documents.indexOf(document)] ?? 0;
  }

  /** Returns the best `count` documents that share a word with the query, best first. For equal scores, the higher number comes first. */
  search(words: readonly string[], count: number): Scored[] {
    this.#sweep();
    const sought = [...new Set(words)];
    const hashes = sought.map(hashOf);
    const own: Part = {
      documents: this.#numbers,
      lengths: this.#lengths,
      postings: (word) => this.#postings.get(word),
    };
    const sealed = [...this.#segments].map((segment): Part => ({
      documents: segment.documents,
      lengths: segment.lengths,
      postings: (word, hash) => postingsIn(segment, word, hash),
    }));
    const found = [own, ...sealed].map((part) => ({
      part,
      lists: sought.map((word, at) => part.postings(word, hashes[at] ?? 0)),
    }));
    const weights = sought.map((_, at) => {
      const having = found.reduce((sum, { lists }) => sum + lengthOf(lists[at]), 0);
      return Math.log(1 + (this.#documents - having + 0.5) / (having + 0.5)) * (this.#k1 + 1);
    });
    const rarestFirst = [...sought.keys()].sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));
    const best = new TopScores(Math.max(0, count));
    if (count > 0) for (const { part, lists } of found) this.#offer(part, lists, weights, rarestFirst, best);
    return best.take();
  }

  /**
   * Moves the existing documents among these into a segment: plain data that the caller can store and later pass to `attach`. Their ranking
   * does not change. Removing one of them opens the segment again.
   * @throws RoleZeroError `invalid` for more than 65,536 documents.
   */
  seal(documents: readonly number[]): LexicalSegment {
    if (documents.length > MOST_DOCUMENTS) {
      throw new RoleZeroError(
        'invalid',
        `A segment has at most ${MOST_DOCUMENTS} documents, not ${documents.length}.`,
        { documents: documents.length },
      );
    }
    for (const document of documents) {
      const segment = this.#slotOf.has(document) ? undefined : this.#segmentOf(document);
      if (segment !== undefined) this.#open(segment);
    }
    this.#sweep();
    const inOrder = documents.filter((document) => this.#slotOf.has(document));
    inOrder.sort((one, other) => one - other);
    const slots = inOrder.map((document) => this.#slotOf.get(document) ?? 0);
    const placeOf = new Map(slots.map((slot, place) => [slot, place]));
    const segment = segmentOf(
      Float64Array.from(inOrder),
      Uint32Array.from(slots, (slot) => this.#lengths[slot] ?? 0),
      taken(this.#postings, placeOf),
    );
    for (const slot of slots) {
      this.#slotOf.delete(this.#numbers[slot] ?? NONE);
      this.#numbers[slot] = NONE;
    }
    this.#mustSweep = true;
    if (inOrder.length > 0) this.#segments.add(segment);
    return segment;
  }

  /**
   * Adds a segment from `seal`. Returns false, and changes nothing, when the value is not a segment or contains an already indexed
   * document.
   */
  attach(value: unknown): boolean {
    const segment = readSegment(value);
    if (segment === null) return false;
    const { documents, lengths } = segment;
    for (const other of this.#segments)
      if (overlap(documents, other.documents) && documents.some((document) => hasDocument(other, document)))
        return false;
    if (this.#slotOf.size > 0 && documents.some((document) => this.#slotOf.has(document))) return false;
    this.#segments.add(segment);
    this.#documents += documents.length;
    for (let place = 0; place < lengths.length; place++) this.#words += lengths[place] ?? 0;
    return true;
  }

  #segmentOf(document: number): LexicalSegment | undefined {
    for (const segment of this.#segments) if (hasDocument(segment, document)) return segment;
    return undefined;
  }

  /** Moves the remaining documents of a segment back to the documents outside segments. */
  #open(segment: LexicalSegment): void {
    const gone = this.#damaged.get(segment);
    this.#damaged.delete(segment);
    this.#segments.delete(segment);
    const slots = Array.from(segment.documents, (document, place) =>
      gone?.has(document) ? NONE : this.#newSlot(document, segment.lengths[place] ?? 0),
    );
    for (const [word, postings] of wordsIn(segment)) {
      for (let at = postings.start; at < postings.end; at++) {
        const slot = slots[postings.slots[at] ?? 0] ?? NONE;
        if (slot !== NONE) this.#count(word, slot, postings.counts[at]);
      }
    }
  }

  #newSlot(document: number, words: number): number {
    const slot = this.#slots++;
    if (slot === this.#numbers.length) {
      this.#numbers = grown(this.#numbers, new Float64Array(2 * slot));
      this.#lengths = grown(this.#lengths, new Uint32Array(2 * slot));
    }
    this.#slotOf.set(document, slot);
    this.#numbers[slot] = document;
    this.#lengths[slot] = words;
    return slot;
  }

  /** Removes the postings of deleted documents and closes gaps. Runs for many deletions at once, because it visits every word. */
  #sweep(): void {
    for (const segment of [...this.#damaged.keys()]) this.#open(segment);
    if (!this.#mustSweep) return;
    this.#mustSweep = false;
    const places = new Int32Array(this.#slots).fill(NONE);
    let left = 0;
    for (let slot = 0; slot < this.#slots; slot++) {
      const document = this.#numbers[slot] ?? NONE;
      if (document === NONE) continue;
      this.#slotOf.set(document, left);
      this.#numbers[left] = document;
      this.#lengths[left] = this.#lengths[slot] ?? 0;
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

  #count(word: string, slot: number, times = 1): void {
    let postings = this.#postings.get(word);
    if (postings === undefined) {
      postings = { slots: new Uint32Array(1), counts: new Uint8Array(1), start: 0, end: 0 };
      this.#postings.set(word, postings);
    }
    append(postings, slot, times);
  }

  /**
   * Offers the documents of a part that contain one of the words, rarest words first. Once the remaining words alone cannot qualify a new
   * document, they are only looked up for the documents found so far. That set shrinks from word to word.
   */
  #offer(
    { documents, lengths }: Part,
    lists: readonly (Postings | null | undefined)[],
    weights: readonly number[],
    rarestFirst: readonly number[],
    best: TopScores,
  ): void {
    if (this.#scores.length < documents.length) {
      this.#scores = new Float32Array(documents.length);
      this.#touched = new Uint32Array(documents.length);
    }
    let found = 0;
    let rest = rarestFirst.reduce((sum, at) => sum + (weights[at] ?? 0), 0); // upper bound of what the remaining words can add to a score
    for (const at of rarestFirst) {
      const [postings, weight] = [lists[at], weights[at] ?? 0];
      const bringsIn = rest >= best.least;
      if (!bringsIn) found = this.#keep(found, best.least - rest);
      if (postings && bringsIn) found = this.#score(postings, weight, lengths, found);
      else if (postings) this.#add(postings, weight, lengths, found);
      rest -= weight;
    }
    const [scores, touched] = [this.#scores, this.#touched];
    for (let at = 0; at < found; at++) {
      const slot = touched[at] ?? 0;
      const score = scores[slot] ?? 0;
      if (score >= best.least) best.offer(documents[slot] ?? 0, score);
      scores[slot] = 0;
    }
  }

  /** Adds the score of a word to the documents that contain it. `found` is the number of documents with a score; returns the new number. */
  #score(
    { slots, counts, start, end }: Postings,
    weight: number,
    lengths: Uint32Array,
    found: number,
  ): number {
    const [scores, touched] = [this.#scores, this.#touched];
    const least = this.#k1 * (1 - this.#b);
    const perWord = this.#perWord;
    for (let at = start; at < end; at++) {
      const slot = slots[at] ?? 0;
      const frequency = counts[at] ?? 0;
      const before = scores[slot] ?? 0;
      if (before === 0) touched[found++] = slot;
      scores[slot] = before + (weight * frequency) / (frequency + least + perWord * (lengths[slot] ?? 0));
    }
    return found;
  }

  /** Like `#score`, but only for documents that already have a score. */
  #add({ slots, counts, start, end }: Postings, weight: number, lengths: Uint32Array, found: number): void {
    const [scores, touched] = [this.#scores, this.#touched];
    const least = this.#k1 * (1 - this.#b);
    const perWord = this.#perWord;
    for (let one = 0; one < found; one++) {
      const slot = touched[one] ?? 0;
      const at = firstOf(slots, slot, start, end);
      if (at === end || slots[at] !== slot) continue;
      const frequency = counts[at] ?? 0;
      scores[slot] =
        (scores[slot] ?? 0) + (weight * frequency) / (frequency + least + perWord * (lengths[slot] ?? 0));
    }
  }

  /** Drops found documents with a score below `least`. Returns how many remain. */
  #keep(found: number, least: number): number {
    const [scores, touched] = [this.#scores, this.#touched];
    let live = 0;
    for (let at = 0; at < found; at++) {
      const slot = touched[at] ?? 0;
      if ((scores[slot] ?? 0) >= least) touched[live++] = slot;
      else scores[slot] = 0;
    }
    return live;
  }

  get #perWord(): number {
    return (this.#k1 * this.#b * this.#documents) / this.#words;
  }
}

function lengthOf(postings: Postings | null | undefined): number {
  return postings ? postings.end - postings.start : 0;
}

/** Returns true when the ranges of two ascending lists overlap. */
function overlap(one: Float64Array, other: Float64Array): boolean {
  const [last, otherLast] = [one.at(-1), other.at(-1)];
  if (last === undefined || otherLast === undefined) return false;
  return (one[0] ?? 0) <= otherLast && (other[0] ?? 0) <= last;
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
function append(postings: Postings, slot: number, times: number): void {
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
