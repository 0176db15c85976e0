import { RoleZeroError } from '../core/error.js';
import {
  lowerBound,
  hasDocument,
  MAX_SEGMENT_DOCUMENTS,
  postingsIn,
  readSegment,
  wordsIn,
  type LexicalSegment,
  type Postings,
  LooseDocuments,
} from './lexical-segment.js';
import { hashOf } from './hash.js';
import { TopScores, type Scored } from './top-scores.js';

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
interface SearchedPart {
  documents: Float64Array;
  lengths: Uint32Array;
  postings(word: string, hash: number): Postings | null | undefined;
}

/**
 * Ranks documents by the words they share with a query (Okapi BM25). Documents can be added and removed at any time.
 *
 * The index stores words and numbers in flat arrays, not the documents. 100,000 messages take about 15 MB; a query takes a fraction of a
 * millisecond. Documents that rarely change can be sealed into segments, which the caller stores and later attaches without parsing.
 */
export class LexicalIndex {
  readonly #k1: number;
  readonly #b: number;
  readonly #loose = new LooseDocuments();
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
    if (this.#loose.has(document)) return true;
    const segment = this.#segmentOf(document);
    return segment !== undefined && this.#damaged.get(segment)?.has(document) !== true;
  }

  /** Adds a document. Replaces an existing document with the same number. */
  add(document: number, words: readonly string[]): void {
    this.remove(document);
    const slot = this.#loose.add(document, words.length);
    this.#documents++;
    this.#words += words.length;
    for (const word of words) this.#loose.count(word, slot);
  }

  /** Removes a document and every word that no other document has. Does nothing when the document does not exist. */
  remove(document: number): void {
    const words = this.#loose.remove(document);
    if (words !== null) {
      this.#documents--;
      this.#words -= words;
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
    const own: SearchedPart = {
      documents: this.#loose.documents,
      lengths: this.#loose.lengths,
      postings: (word) => this.#loose.postings(word),
    };
    const sealed = [...this.#segments].map((segment): SearchedPart => ({
      documents: segment.documents,
      lengths: segment.lengths,
      postings: (word, hash) => postingsIn(segment, word, hash),
    }));
    const found = [own, ...sealed].map((part) => ({
      part,
      lists: sought.map((word, at) => part.postings(word, hashes[at] ?? 0)),
    }));
    const weights = sought.map((_, at) => {
      const having = found.reduce((sum, { lists }) => sum + countOfPostings(lists[at]), 0);
      const idf = Math.log(1 + (this.#documents - having + 0.5) / (having + 0.5));
      return idf * (this.#k1 + 1);
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
    if (documents.length > MAX_SEGMENT_DOCUMENTS) {
      throw new RoleZeroError(
        'invalid',
        `A segment has at most ${MAX_SEGMENT_DOCUMENTS} documents, not ${documents.length}.`,
        { documents: documents.length },
      );
    }
    for (const document of documents) {
      const segment = this.#loose.has(document) ? undefined : this.#segmentOf(document);
      if (segment !== undefined) this.#open(segment);
    }
    this.#sweep();
    const segment = this.#loose.take(documents);
    if (segment.documents.length > 0) this.#segments.add(segment);
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
      if (
        rangesOverlap(documents, other.documents) &&
        documents.some((document) => hasDocument(other, document))
      )
        return false;
    if (this.#loose.size > 0 && documents.some((document) => this.#loose.has(document))) return false;
    this.#segments.add(segment);
    this.#documents += documents.length;
    for (let place = 0; place < lengths.length; place++) this.#words += lengths[place] ?? 0;
    return true;
  }

  #segmentOf(document: number): LexicalSegment | undefined {
    for (const segment of this.#segments) if (hasDocument(segment, document)) return segment;
    return undefined;
  }

  /** Opens damaged segments, and removes what is left of deleted documents. */
  #sweep(): void {
    for (const segment of [...this.#damaged.keys()]) this.#open(segment);
    this.#loose.sweep();
  }

  /** Moves the remaining documents of a segment back to the documents outside segments. */
  #open(segment: LexicalSegment): void {
    const gone = this.#damaged.get(segment);
    this.#damaged.delete(segment);
    this.#segments.delete(segment);
    const slots = Array.from(segment.documents, (document, place) =>
      gone?.has(document) ? null : this.#loose.add(document, segment.lengths[place] ?? 0),
    );
    for (const [word, postings] of wordsIn(segment)) {
      for (let at = postings.start; at < postings.end; at++) {
        const slot = slots[postings.slots[at] ?? 0] ?? null;
        if (slot !== null) this.#loose.count(word, slot, postings.counts[at]);
      }
    }
  }

  /**
   * Offers the documents of a part that contain one of the words, rarest words first. Once the remaining words alone cannot qualify a new
   * document, they are only looked up for the documents found so far. That set shrinks from word to word.
   */
  #offer(
    { documents, lengths }: SearchedPart,
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
      const at = lowerBound(slots, slot, start, end);
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

function countOfPostings(postings: Postings | null | undefined): number {
  return postings ? postings.end - postings.start : 0;
}

/** Returns true when the ranges of two ascending lists overlap. */
function rangesOverlap(one: Float64Array, other: Float64Array): boolean {
  const [last, otherLast] = [one.at(-1), other.at(-1)];
  if (last === undefined || otherLast === undefined) return false;
  return (one[0] ?? 0) <= otherLast && (other[0] ?? 0) <= last;
}

/** Ranks a fixed list of documents by the words they share with a query (Okapi BM25). */
export class WordRanking {
  readonly #index = new LexicalIndex();
  readonly #last: number;

  constructor(documents: readonly (readonly string[])[]) {
    this.#last = documents.length - 1;
    // For equal scores, the index returns the higher number first. Numbers count down, so that equal documents retain their order.
    for (const [place, words] of documents.entries()) this.#index.add(this.#last - place, words);
  }

  /** Returns the indexes of the best `count` documents that share a word with the query, best first. Equal documents retain their order. */
  search(words: readonly string[], count: number): number[] {
    return this.#index.search(words, count).map(({ document }) => this.#last - document);
  }
}
