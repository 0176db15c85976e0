/** A document and how well it fits; more is better. */
export interface Scored {
  document: number;
  score: number;
}

/** Keeps the best of many without sorting them all: of equal ones the higher number. */
export class Best {
  readonly #most: number;
  /** A heap: each is at least as good as the one at half its place, so that the worst is the first. */
  readonly #documents: number[] = [];
  readonly #scores: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** What another one has to score at least to come in. */
  get least(): number {
    if (this.#documents.length < this.#most) return -Infinity;
    return this.#scores[0] ?? Infinity;
  }

  offer(document: number, score: number): void {
    const size = this.#documents.length;
    if (size < this.#most) this.#rise(size, document, score);
    else if (size > 0 && this.#isBelow(0, document, score)) this.#sink(document, score);
  }

  /** Best first. */
  take(): Scored[] {
    return byScore(this.#documents.map((document, at) => ({ document, score: this.#scores[at] ?? 0 })));
  }

  /** From a new last place up to where it belongs. */
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

  /** In the place of the worst, from there down to where it belongs. */
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

  /** Whether what is in a place is worse than this. */
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

/** Best first; of equal ones the higher number. */
export function byScore(found: Scored[]): Scored[] {
  return found.sort((one, other) => other.score - one.score || other.document - one.document);
}
