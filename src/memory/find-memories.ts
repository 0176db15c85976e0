import type { StoredMemory } from '../core/long-term.js';
import type { LexicalIndex } from './lexical-index.js';
import type { MemoryList } from './memory-list.js';
import { rankInContext, timesIn } from './ranking.js';
import type { Scored } from './top-scores.js';
import { termsOf } from './words.js';

/** Minimum number of candidates from each of the two searches: by words and by meaning. */
const MIN_CANDIDATES = 200;
/** Maximum number of characters of a message or query that are indexed or searched. */
const MAX_SEARCHED_CHARACTERS = 20_000;
/** Maximum number of letters of a term. */
const STEM = 6;
const NO_NUMBERS: ReadonlySet<number> = new Set();

/** The indexes that a search reads. */
export interface SearchedIndexes {
  list: MemoryList;
  words: LexicalIndex;
  /** Returns up to `count` memories whose meaning is similar to the query. */
  similar: (count: number) => Promise<Scored[]>;
}

export interface MemorySearchOptions {
  /**
   * Returns only memories that match by themselves, not through their neighbors.
   * @default false
   */
  own?: boolean;
  /**
   * Excludes memories that come from an untrusted source. They do not use up places in the result.
   * @default false
   */
  unasked?: boolean;
  /** Numbers of memories to exclude. They do not use up places, either. */
  without?: ReadonlySet<number>;
}

/** Returns the numbers of the best `limit` memories for a query, best first. */
export async function findMemories(
  query: string,
  limit: number,
  { list, words, similar }: SearchedIndexes,
  { own = false, unasked = false, without = NO_NUMBERS }: MemorySearchOptions,
): Promise<number[]> {
  const excluded = new Set([...(unasked ? list.touched : NO_NUMBERS), ...without]);
  const count = Math.max(MIN_CANDIDATES, limit) + excluded.size;
  const isIncluded = ({ document }: Scored): boolean => !excluded.has(document);
  const circumstances = (document: number) =>
    excluded.has(document) ? undefined : list.circumstances(document);
  const lexical = words.search(memoryTerms(query), count).filter(isIncluded);
  const semantic = (await similar(count)).filter(isIncluded);
  return rankInContext({ lexical, semantic }, timesIn(query), circumstances, { limit, own });
}

/**
 * Returns the terms by which the word index finds a memory, those of its speaker and its content, and the number of those of the content.
 */
export function termsOfMemory({ message: { sentFrom, content } }: StoredMemory): {
  terms: string[];
  length: number;
} {
  const terms = memoryTerms(content);
  return { terms: [...memoryTerms(sentFrom), ...terms], length: terms.length };
}

/**
 * Returns the search terms of a memory or a query. Cuts long stems, so that "organize" and "organization" or "bewässert" and "Bewässerung"
 * match: the ends of long words are mostly endings, in English and in its relatives.
 */
export function memoryTerms(text: string): string[] {
  return termsOf(text.slice(0, MAX_SEARCHED_CHARACTERS)).map((term) => term.slice(0, STEM));
}
