/** Ends a text at the first stop string, for engines without stop strings. Holds back text that may be the start of one. */
export class CutAtStop {
  readonly #stops: readonly string[];
  #pending = '';
  /** True once a stop string was found. */
  isOver = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** Adds text and returns the part that can be emitted. */
  add(text: string): string {
    if (this.isOver) return '';
    this.#pending += text;
    const ends = this.#stops.map((stop) => this.#pending.indexOf(stop)).filter((at) => at >= 0);
    if (ends.length === 0) return this.#take(this.#pending.length - this.#heldBack());
    this.isOver = true;
    return this.#take(Math.min(...ends));
  }

  /** Returns the remaining text after the engine has finished. */
  end(): string {
    return this.isOver ? '' : this.#take(this.#pending.length);
  }

  #take(size: number): string {
    const taken = this.#pending.slice(0, size);
    this.#pending = this.#pending.slice(size);
    return taken;
  }

  #heldBack(): number {
    const starts = this.#stops.map((stop) => {
      for (let size = Math.min(stop.length - 1, this.#pending.length); size > 0; size--)
        if (stop.startsWith(this.#pending.slice(-size))) return size;
      return 0;
    });
    return Math.max(0, ...starts);
  }
}
