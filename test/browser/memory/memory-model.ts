import type { MemoryChange, MemoryItem } from '../../../src/core/long-term.js';
import { byScore, type Scored } from '../../../src/memory/top-scores.js';
import { rankInContext, timesIn, type Circumstances } from '../../../src/memory/ranking.js';
import { Passages } from '../../../src/memory/memory-list.js';
import { memoryTerms } from '../../../src/memory/find-memories.js';
import { unitVector, type VectorIndexFactory } from '../../../src/memory/vector-index.js';
import { embedder, MOST_ITEMS, vectorOf, type Row } from './remembering.js';

/** Documents that words and meaning each contribute; see `Archive`. */
const CANDIDATES = 200;
const [K1, B] = [1.5, 0.75];

/** Reference model of long-term memory: a list that every query scans completely. */
export class MemoryModel {
  #rows: Row[] = [];
  readonly #passages = new Map<string, number>();
  #talk = new Passages();
  #next = 0;

  constructor(private readonly vectors: VectorIndexFactory | null) {}

  get rows(): readonly Row[] {
    return this.#rows;
  }

  get next(): number {
    return this.#next;
  }

  copy(): MemoryModel {
    const copy = new MemoryModel(this.vectors);
    copy.#open(this.#rows, this.#next);
    for (const [id, passage] of this.#passages) copy.#passages.set(id, passage);
    return copy;
  }

  /** Rebuilds the state as a reload does: passages are derived again from the remaining rows. */
  reopen(): void {
    this.#open(this.#rows, 1 + Math.max(-1, ...this.#rows.map(({ number }) => number)));
  }

  #open(rows: readonly Row[], next: number): void {
    [this.#rows, this.#talk, this.#next] = [[...rows], new Passages(), next];
    this.#passages.clear();
    for (const { id, createdAt } of rows) this.#passages.set(id, this.#talk.next(createdAt));
  }

  /** Adds new memories; removes the oldest unpinned ones beyond the limit. Returns the number added. */
  add(rows: readonly Omit<Row, 'number'>[]): number {
    const news = rows.filter(({ id }) => this.#rows.every((row) => row.id !== id));
    for (const row of news) {
      this.#rows.push({ ...row, number: this.#next++ });
      this.#passages.set(row.id, this.#talk.next(row.createdAt));
      const oldest = this.#rows.find(({ pinned }) => !pinned);
      if (this.#rows.length > MOST_ITEMS && oldest !== undefined) this.forget([oldest.id]);
    }
    return news.filter(({ id }) => this.#rows.some((row) => row.id === id)).length;
  }

  import(items: readonly MemoryItem[]): number {
    return this.add(
      items.map(({ id, createdAt, pinned = false, message: { sentFrom, content } }) => ({
        id,
        createdAt,
        pinned,
        sentFrom,
        content,
        reported: true,
      })),
    );
  }

  forget(ids: readonly string[]): void {
    this.#rows = this.#rows.filter(({ id }) => !ids.includes(id));
  }

  change(id: string, change: MemoryChange): void {
    this.#rows = this.#rows.map((row) => (row.id === id ? { ...row, ...change } : row));
  }

  search(query: string, limit: number, { own = true, byWords = false } = {}): string[] {
    const byNumber = new Map(this.#rows.map((row) => [row.number, row]));
    const circumstances = (number: number): Circumstances | undefined => {
      const row = byNumber.get(number);
      if (row === undefined) return undefined;
      const { id, createdAt, reported } = row;
      return {
        at: createdAt,
        fromOthers: reported,
        length: memoryTerms(row.content).length,
        passage: this.#passages.get(id) ?? 0,
      };
    };
    const found = {
      lexical: this.#byWords(query, Math.max(CANDIDATES, limit)),
      semantic: byWords ? [] : this.#byMeaning(query, Math.max(CANDIDATES, limit)),
    };
    const best = rankInContext(found, timesIn(query), circumstances, { limit, own });
    return best.map((number) => byNumber.get(number)?.id ?? '');
  }

  /** Okapi BM25 in the single precision of the index, so that equal scores compare equal. */
  #byWords(query: string, count: number): Scored[] {
    const documents = this.#rows.map((row) => ({ number: row.number, terms: termsOf(row) }));
    const total = documents.reduce((sum, { terms }) => sum + terms.length, 0);
    const sought = [...new Set(memoryTerms(query))].map((word) => {
      const having = documents.filter(({ terms }) => terms.includes(word)).length;
      const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
      const weight = rarity * (K1 + 1);
      return { word, weight };
    });
    const perWord = (K1 * B * documents.length) / total;
    const scored = documents.map(({ number, terms }): Scored => {
      const score = sought.reduce((sum, { word, weight }) => {
        const times = terms.filter((term) => term === word).length;
        const damped = times + K1 * (1 - B) + perWord * terms.length;
        return times === 0 ? sum : Math.fround(sum + (weight * times) / damped);
      }, 0);
      return { document: number, score };
    });
    return byScore(scored.filter(({ score }) => score > 0)).slice(0, count);
  }

  /** Computes every vector; stores none. */
  #byMeaning(query: string, count: number): Scored[] {
    if (this.vectors === null) return [];
    const index = this.vectors(embedder.dimensions);
    for (const { number, sentFrom, content } of this.#rows) {
      const text = sentFrom === '' ? content : `${sentFrom}: ${content}`;
      index.add(number, unitVector(vectorOf(text), embedder));
    }
    return index.search(unitVector(vectorOf(query), embedder), count);
  }
}

function termsOf({ sentFrom, content }: Row): string[] {
  return [...memoryTerms(sentFrom), ...memoryTerms(content)];
}
