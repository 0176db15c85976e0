/** Milliseconds: after a longer pause another conversation begins. */
const PAUSE = 3_600_000;
/** Messages: a conversation that goes on and on is looked at in stretches. */
const STRETCH = 50;

/** Tells in which stretch of conversation memories are, which come in the order of their numbers. */
export class Passages {
  #passage = 0;
  #inPassage = 0;
  #last = -Infinity;

  /** Of one that comes after all before, from this moment. */
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
