/** In ms. A longer pause starts a new passage. */
const PAUSE = 3_600_000;
/** Maximum number of messages per passage, so that long conversations are split. */
const STRETCH = 50;

/** Assigns memories to passages (stretches of conversation). Memories must come in the order of their numbers. */
export class Passages {
  #passage = 0;
  #inPassage = 0;
  #last = -Infinity;

  /** Returns the passage of the next memory, created at this time. */
  next(createdAt: number): number {
    if (createdAt - this.#last > PAUSE || this.#inPassage >= STRETCH) {
      this.#passage++;
      this.#inPassage = 0;
    }
    this.#inPassage++;
    this.#last = createdAt;
    return this.#passage;
  }
}
