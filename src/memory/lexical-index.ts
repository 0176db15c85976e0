import { byScore, type Scored } from './fuse.js';

const K1 = 1.5;
const B = 0.75;

/** How often one word stands in the documents that have it: `documents[i]` has it `counts[i]` times. */
interface Postings {
  /** In rising order. */
  documents: number[];
  counts: number[];
}

/**
 * Ranks documents by the words they share with a query (Okapi BM25), and grows: documents come one by one and may be taken out again.
 * It holds words and numbers, not the documents.
 */
export class LexicalIndex {
  readonly #postings = new Map<string, Postings>();
  readonly #documents = new Map<number, { length: number; words: readonly string[] }>();
  #total = 0;

  /** A document's number must be greater than that of any before. */
  add(document: number, words: readonly string[]): void {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      const postings = this.#postings.get(word) ?? { documents: [], counts: [] };
      this.#postings.set(word, postings);
      postings.documents.push(document);
      postings.counts.push(count);
    }
    this.#documents.set(document, { length: words.length, words: [...counts.keys()] });
    this.#total += words.length;
  }

  /** Nothing of it stays; what is not there is passed over. */
  remove(document: number): void {
    const entry = this.#documents.get(document);
    if (entry === undefined) return;
    this.#documents.delete(document);
    this.#total -= entry.length;
    for (const word of entry.words) {
      const postings = this.#postings.get(word);
      const place = postings === undefined ? -1 : placeOf(postings.documents, document);
      if (postings === undefined || place < 0) continue;
      postings.documents.splice(place, 1);
      postings.counts.splice(place, 1);
      if (postings.documents.length === 0) this.#postings.delete(word);
    }
  }

  /** The best `count` documents that share a word with the query, best first; of equal ones the newer first. */
  search(words: readonly string[], count: number): Scored[] {
    const scores = new Map<number, number>();
    const average = this.#total / Math.max(1, this.#documents.size);
    for (const word of new Set(words)) {
      const postings = this.#postings.get(word);
      if (postings === undefined) continue;
      const having = postings.documents.length;
      const weight = Math.log(1 + (this.#documents.size - having + 0.5) / (having + 0.5));
      for (const [place, document] of postings.documents.entries()) {
        const frequency = postings.counts[place] ?? 0;
        const length = this.#documents.get(document)?.length ?? 0;
        const damping = K1 * (1 - B + (B * length) / average);
        const gain = (weight * frequency * (K1 + 1)) / (frequency + damping);
        scores.set(document, (scores.get(document) ?? 0) + gain);
      }
    }
    return byScore([...scores].map(([document, score]) => ({ document, score }))).slice(
      0,
      Math.max(0, count),
    );
  }
}

/** Where a number stands in a rising list; −1 when it does not. */
function placeOf(numbers: readonly number[], wanted: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = numbers[middle] ?? 0;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
