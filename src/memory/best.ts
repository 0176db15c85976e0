/** A document and how well it fits; more is better. */
export interface Scored {
  document: number;
  score: number;
}

/** Keeps the best of many without sorting them all: of equal ones the higher number. */
export class Best {
  /** Best first. */
  readonly #kept: Scored[] = [];

  constructor(private readonly most: number) {}

  offer(document: number, score: number): void {
    if (this.#kept.length >= this.most) {
      const last = this.#kept.at(-1);
      if (last === undefined || !isBetter(document, score, last)) return;
      this.#kept.pop();
    }
    this.#kept.splice(this.#place(document, score), 0, { document, score });
  }

  /** Best first. */
  take(): Scored[] {
    return this.#kept;
  }

  #place(document: number, score: number): number {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = this.#kept[middle];
      if (there !== undefined && !isBetter(document, score, there)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBetter(document: number, score: number, than: Scored): boolean {
  return score === than.score ? document > than.document : score > than.score;
}

/** Best first; of equal ones the higher number. */
export function byScore(found: Scored[]): Scored[] {
  return found.sort((one, other) => other.score - one.score || other.document - one.document);
}
