import { LexicalIndex } from './lexical-index.js';

/** Ranks a fixed list of documents by the words they share with a query (Okapi BM25). */
export class WordRanking {
  readonly #index = new LexicalIndex();
  readonly #last: number;

  constructor(documents: readonly (readonly string[])[]) {
    this.#last = documents.length - 1;
    // The index puts the higher number first among equals. Numbers count down, so that equal documents stay in their order.
    for (const [place, words] of documents.entries()) this.#index.add(this.#last - place, words);
  }

  /** Returns the places of the best `count` documents that share a word with the query, best first, equal ones in their order. */
  search(words: readonly string[], count: number): number[] {
    return this.#index.search(words, count).map(({ document }) => this.#last - document);
  }
}
