/** A turn that waits for its model. */
interface Waiting {
  place: number;
  /** Resolves when the model has answered or failed. */
  answered: Promise<unknown>;
  proceed: () => void;
}

/**
 * Runs the turns of roles one at a time. While one waits for its model, the others go on. They continue in the order of their places, not of
 * the answers, so the order depends on what they do and not on how long it takes.
 */
export class Schedule {
  readonly #waiting = new Set<Waiting>();
  /** Ends the part of a turn that runs now. */
  #pause: () => void = () => {};
  #fail: (error: unknown) => void = () => {};

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Starts a turn. Resolves when it waits for its model, or is over. @throws what the turn throws, here or in `proceed`. */
  start(turn: () => Promise<void>): Promise<void> {
    return this.#run(() => {
      turn().then(
        () => this.#pause(),
        (error: unknown) => this.#fail(error),
      );
    });
  }

  /** Continues the waiting turn with the lowest place. Resolves when it waits again, or is over. */
  async proceed(): Promise<void> {
    const [next] = [...this.#waiting].toSorted((one, other) => one.place - other.place);
    if (next === undefined) return;
    this.#waiting.delete(next);
    await next.answered;
    await this.#run(next.proceed);
  }

  /** Lets other turns go on until a call of the turn that runs has ended. */
  async waitFor<Result>(call: Promise<Result>, place: number): Promise<Result> {
    const answered = call.catch(() => undefined);
    await new Promise<void>((proceed) => {
      this.#waiting.add({ place, answered, proceed });
      this.#pause();
    });
    return call;
  }

  #run(go: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pause = resolve;
      this.#fail = reject;
      go();
    });
  }
}
