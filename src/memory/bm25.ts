const K1 = 1.5;
const B = 0.75;
const EPSILON = 0.25;
/** What a common word weighs at least, so that a handful of documents can be told apart, too. */
const LEAST_WEIGHT = 0.01;

/** How often one word stands in the documents that have it: `documents[i]` has it `counts[i]` times. */
interface Postings {
  documents: number[];
  counts: number[];
}

/**
 * Ranks documents by the words they share with a query: Okapi BM25 with k1 = 1.5 and b = 0.75. A word that more than half of the
 * documents have would count against them; it counts a quarter of the average word instead (spec 13). Fixed once it is made.
 */
export class Bm25 {
  readonly #postings = new Map<string, Postings>();
  readonly #weights = new Map<string, number>();
  /** k1 · (1 − b + b · length / average length), for each document. */
  readonly #damping: Float64Array;

  constructor(documents: readonly (readonly string[])[]) {
    for (const [document, words] of documents.entries()) {
      for (const word of words) this.#count(word, document);
    }
    const total = documents.reduce((sum, words) => sum + words.length, 0);
    this.#damping = Float64Array.from(
      documents,
      (words) => K1 * (1 - B + (B * words.length * documents.length) / Math.max(total, 1)),
    );
    this.#weigh();
  }

  /**
   * The best `count` documents, best first, equal ones in their order; those that share no word come last. A word that a query repeats
   * counts once: a long request repeats "the" and "a" most of all.
   */
  search(words: readonly string[], count: number): number[] {
    const scores = new Float64Array(this.#damping.length);
    for (const word of new Set(words)) {
      const postings = this.#postings.get(word);
      const weight = this.#weights.get(word) ?? 0;
      if (postings === undefined) continue;
      for (const [place, document] of postings.documents.entries()) {
        const frequency = postings.counts[place] ?? 0;
        const gain = (weight * frequency * (K1 + 1)) / (frequency + (this.#damping[document] ?? 0));
        scores[document] = (scores[document] ?? 0) + gain;
      }
    }
    const score = (document: number): number => scores[document] ?? 0;
    const found: number[] = [];
    const others: number[] = [];
    for (const document of scores.keys()) (score(document) > 0 ? found : others).push(document);
    return [...found.sort((a, b) => score(b) - score(a)), ...others].slice(0, Math.max(0, count));
  }

  #count(word: string, document: number): void {
    const postings = this.#postings.get(word) ?? { documents: [], counts: [] };
    this.#postings.set(word, postings);
    const last = postings.documents.length - 1;
    if (postings.documents[last] === document) {
      postings.counts[last] = (postings.counts[last] ?? 0) + 1;
    } else {
      postings.documents.push(document);
      postings.counts.push(1);
    }
  }

  #weigh(): void {
    let sum = 0;
    for (const [word, { documents }] of this.#postings) {
      const having = documents.length;
      const weight = Math.log((this.#damping.length - having + 0.5) / (having + 0.5));
      this.#weights.set(word, weight);
      sum += weight;
    }
    const common = Math.max(LEAST_WEIGHT, (EPSILON * sum) / Math.max(this.#weights.size, 1));
    for (const [word, weight] of this.#weights) if (weight <= 0) this.#weights.set(word, common);
  }
}
