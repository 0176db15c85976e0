/** A document and its score; higher is better. */
export interface Scored {
  document: number;
  score: number;
}

/** Collects the best of many documents without sorting them all. For equal scores, the higher number wins. */
export class TopScores {
  readonly #most: number;
  /** Binary min-heap: each entry is at least as good as its parent, so the first entry is the worst. */
  readonly #documents: number[] = [];
  readonly #scores: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Minimum score that another document needs to be accepted. */
  get least(): number {
    if (this.#documents.length < this.#most) return -Infinity;
    return this.#scores[0] ?? Infinity;
  }

  offer(document: number, score: number): void {
    const size = this.#documents.length;
    if (size < this.#most) this.#rise(size, document, score);
    else if (size > 0 && this.#isBelow(0, document, score)) this.#sink(document, score);
  }

  /** Returns the collected documents, best first. */
  take(): Scored[] {
    return byScore(this.#documents.map((document, at) => ({ document, score: this.#scores[at] ?? 0 })));
  }

  /** Moves a new entry from the end of the heap up to its place. */
  #rise(from: number, document: number, score: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.#isBelow(above, document, score)) break;
      this.#move(above, place);
      place = above;
    }
    this.#put(place, document, score);
  }

  /** Replaces the worst entry and moves the new one down to its place. */
  #sink(document: number, score: number): void {
    const size = this.#documents.length;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= size) break;
      if (below + 1 < size && this.#isBelow(below + 1, this.#documents[below] ?? 0, this.#scores[below] ?? 0))
        below++;
      if (!this.#isBelow(below, document, score)) break;
      this.#move(below, place);
      place = below;
    }
    this.#put(place, document, score);
  }

  /** Returns true when the entry at `place` is worse than the given one. */
  #isBelow(place: number, document: number, score: number): boolean {
    const there = this.#scores[place] ?? 0;
    return there === score ? (this.#documents[place] ?? 0) < document : there < score;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#documents[from] ?? 0, this.#scores[from] ?? 0);
  }

  #put(place: number, document: number, score: number): void {
    this.#documents[place] = document;
    this.#scores[place] = score;
  }
}

/** Sorts in place, best first. For equal scores, the higher number comes first. */
export function byScore(found: Scored[]): Scored[] {
  return found.sort((one, other) => other.score - one.score || other.document - one.document);
}
