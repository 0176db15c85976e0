import { LexicalIndex } from './lexical-index.js';

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
