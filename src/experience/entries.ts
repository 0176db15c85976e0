import type { Experience } from '../core/experience.js';
import type { Embedder } from '../core/model.js';
import { WordRanking } from '../memory/lexical-index.js';
import { wordsOf } from '../memory/words.js';
import { lengthOf, scoreOf } from './experience.js';

export interface EntryLimits {
  maxEntries: number;
  /** Maximum total characters of all entries. */
  maxTotalLength: number;
}

/** Maximum number of characters of a request that are indexed or searched. */
const MAX_REQUEST_CHARACTERS = 4_000;
/** Ids and digests identify a request but do not describe its topic. */
const DIGEST = /\b[0-9a-f]{32,64}\b/g;
/** Number of best matches by words that are compared by meaning. */
const RECALLED = 50;
/** Minimum cosine similarity of requests with a similar meaning. */
const MIN_SIMILARITY = 0.5;

/** Entries of one pool in memory, with search. */
export class Entries {
  readonly #entries = new Map<string, Experience>();
  readonly #words = new Map<string, readonly string[]>();
  readonly #vectors = new Map<string, Float32Array>();
  #index: { entries: readonly Experience[]; relevance: Relevance } | null = null;

  constructor(experiences: Iterable<Experience>) {
    for (const experience of experiences) this.put(experience);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns all entries, sorted by uuid. */
  all(): Experience[] {
    return [...this.#entries.values()].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  }

  get(uuid: string): Experience | null {
    return this.#entries.get(uuid) ?? null;
  }

  put(experience: Experience): void {
    if (!this.#entries.has(experience.uuid)) this.#index = null;
    else if (this.#index !== null) {
      // Equal uuids have equal requests, and only requests are searched.
      const { entries, relevance } = this.#index;
      this.#index = {
        entries: entries.map((entry) => (entry.uuid === experience.uuid ? experience : entry)),
        relevance,
      };
    }
    this.#entries.set(experience.uuid, experience);
  }

  delete(uuid: string): void {
    if (!this.#entries.delete(uuid)) return;
    this.#words.delete(uuid);
    this.#vectors.delete(uuid);
    this.#index = null;
  }

  clear(): void {
    for (const uuid of [...this.#entries.keys()]) this.delete(uuid);
  }

  /** Returns the uuids of entries to remove so that the rest is within the limits: lowest scores first, then oldest first. */
  surplus({ maxEntries, maxTotalLength }: EntryLimits): string[] {
    let total = 0;
    for (const entry of this.#entries.values()) total += lengthOf(entry);
    let count = this.#entries.size;
    if (count <= maxEntries && total <= maxTotalLength) return [];
    const worstFirst = [...this.#entries.values()].sort(
      (a, b) => (scoreOf(a) ?? 1) - (scoreOf(b) ?? 1) || a.timestamp - b.timestamp,
    );
    const gone: string[] = [];
    for (const entry of worstFirst) {
      if (count <= maxEntries && total <= maxTotalLength) break;
      gone.push(entry.uuid);
      count -= 1;
      total -= lengthOf(entry);
    }
    return gone;
  }

  /** Returns usable entries with similar requests, most similar first. */
  async similar(
    req: string,
    usable: (entry: Experience) => boolean,
    embedder: Embedder | undefined,
  ): Promise<Experience[]> {
    const { entries, relevance } = this.#currentIndex();
    const query = searched(req);
    const ranked = relevance.ranked(query).filter((place) => {
      const entry = entries[place];
      return entry !== undefined && usable(entry);
    });
    const of = (places: readonly number[]): Experience[] => places.flatMap((place) => entries[place] ?? []);
    if (embedder === undefined) return of(relevance.related(query, ranked));
    return this.#byMeaning(req, of(ranked.slice(0, RECALLED)), embedder);
  }

  async #byMeaning(req: string, entries: readonly Experience[], embedder: Embedder): Promise<Experience[]> {
    if (entries.length === 0) return [];
    const unknown = entries.filter((entry) => !this.#vectors.has(entry.uuid));
    const vectors = await embedder.embed([req, ...unknown.map((entry) => entry.req)].map(beginning));
    for (const [place, entry] of unknown.entries()) {
      const vector = vectors[place + 1];
      if (vector !== undefined && this.#entries.has(entry.uuid)) this.#vectors.set(entry.uuid, vector);
    }
    const asked = vectors[0] ?? new Float32Array();
    return entries
      .map((entry) => ({ entry, closeness: cosine(asked, this.#vectors.get(entry.uuid)) }))
      .filter(({ closeness }) => closeness >= MIN_SIMILARITY)
      .sort((a, b) => b.closeness - a.closeness)
      .map(({ entry }) => entry);
  }

  #currentIndex(): { entries: readonly Experience[]; relevance: Relevance } {
    if (this.#index === null) {
      const entries = this.all();
      this.#index = { entries, relevance: new Relevance(entries.map((entry) => this.#wordsOf(entry))) };
    }
    return this.#index;
  }

  #wordsOf({ uuid, req }: Experience): readonly string[] {
    const words = this.#words.get(uuid) ?? searched(req);
    this.#words.set(uuid, words);
    return words;
  }
}

function searched(req: string): string[] {
  return wordsOf(beginning(req));
}

function beginning(text: string): string {
  return text.slice(0, MAX_REQUEST_CHARACTERS).replaceAll(DIGEST, '');
}

function cosine(a: Float32Array, b: Float32Array | undefined): number {
  if (b?.length !== a.length) return 0;
  let [dot, lengthA, lengthB] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    lengthA += value * value;
    lengthB += other * other;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : dot / Math.sqrt(lengthA * lengthB);
}

/** Minimum weighted share of a query's words that a document must contain. Rare words weigh more. */
const MIN_SHARE = 0.3;

/**
 * Finds documents about the topic of a query. A ranking always returns something; here a document must contain enough of the query's
 * significant words. Immutable.
 */
class Relevance {
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
    const least = MIN_SHARE * sum(weights.values());
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
