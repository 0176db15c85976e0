import { WordRanking } from '../memory/word-ranking.js';

/** Minimum weighted share of a query's words that a document must contain. Rare words weigh more. */
const LEAST_SHARE = 0.3;

/**
 * Finds documents about the topic of a query. A ranking always returns something; here a document must contain enough of the query's
 * significant words. Immutable.
 */
export class Relevance {
  readonly #ranking: WordRanking;
  readonly #words: readonly ReadonlySet<string>[];
  /** Number of documents that contain each word. */
  readonly #having = new Map<string, number>();

  constructor(documents: readonly (readonly string[])[]) {
    this.#ranking = new WordRanking(documents);
    this.#words = documents.map((words) => new Set(words));
    for (const words of this.#words) {
      for (const word of words) this.#having.set(word, (this.#having.get(word) ?? 0) + 1);
    }
  }

  /** Returns all documents, best match first; documents without a shared word come last. */
  ranked(query: readonly string[]): number[] {
    return [...new Set([...this.#ranking.search(query, this.#words.length), ...this.#words.keys()])];
  }

  /** Returns those of the documents that match the query, in the same order. */
  related(query: readonly string[], documents: readonly number[]): number[] {
    const weights = new Map([...new Set(query)].map((word) => [word, this.#weight(word)]));
    const least = LEAST_SHARE * sum(weights.values());
    return documents.filter((document) => {
      const words = this.#words[document];
      const shared = [...weights].filter(([word]) => words?.has(word)).map(([, weight]) => weight);
      return shared.length > 0 && sum(shared) >= least;
    });
  }

  /** Returns the weight of a word. A word in no document weighs most, because it shows that the query is about something else. */
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
