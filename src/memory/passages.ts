/** In ms. A longer pause starts a new passage. */
const PAUSE = 3_600_000;
/** Maximum number of messages per passage, so that long conversations are split. */
const STRETCH = 50;

/** Assigns memories to passages (stretches of conversation). Memories must come in the order of their numbers. */
export class Passages {
  #passage = 0;
  #inPassage = 0;
  #last = -Infinity;
  #conversation = '';

  /** Returns the passage of the next memory, created at this time in this conversation. */
  next(createdAt: number, conversation = ''): number {
    if (createdAt - this.#last > PAUSE || this.#inPassage >= STRETCH || conversation !== this.#conversation) {
      this.#passage++;
      this.#inPassage = 0;
    }
    this.#inPassage++;
    this.#last = createdAt;
    this.#conversation = conversation;
    return this.#passage;
  }
}
