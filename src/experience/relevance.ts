import { WordRanking } from '../memory/word-ranking.js';

/** The least share of a query's words, rare ones counting more, that a document has to have. */
const LEAST_SHARE = 0.3;

/**
 * Finds documents that are about what a query asks. A ranking alone always finds something: here a document must hold a good part of the
 * query's telling words, or it is not found. Fixed once it is made.
 */
export class Relevance {
  readonly #ranking: WordRanking;
  readonly #words: readonly ReadonlySet<string>[];
  /** In how many documents a word stands. */
  readonly #having = new Map<string, number>();

  constructor(documents: readonly (readonly string[])[]) {
    this.#ranking = new WordRanking(documents);
    this.#words = documents.map((words) => new Set(words));
    for (const words of this.#words) {
      for (const word of words) this.#having.set(word, (this.#having.get(word) ?? 0) + 1);
    }
  }

  /** All documents, those that share most with the query first, those that share no word last. */
  ranked(query: readonly string[]): number[] {
    return [...new Set([...this.#ranking.search(query, this.#words.length), ...this.#words.keys()])];
  }

  /** Of these documents the ones that are about the query, in the same order. */
  related(query: readonly string[], documents: readonly number[]): number[] {
    const weights = new Map([...new Set(query)].map((word) => [word, this.#weight(word)]));
    const least = LEAST_SHARE * sum(weights.values());
    return documents.filter((document) => {
      const words = this.#words[document];
      const shared = [...weights].filter(([word]) => words?.has(word)).map(([, weight]) => weight);
      return shared.length > 0 && sum(shared) >= least;
    });
  }

  /** A word that no document has weighs most: it tells that the query is about something else. */
  #weight(word: string): number {
    const having = this.#having.get(word) ?? 0;
    return Math.log(1 + (this.#words.length - having + 0.5) / (having + 0.5));
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
