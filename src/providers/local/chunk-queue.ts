/** Passes chunks to one reader. It never slows the writer down. */
export class ChunkQueue<Chunk> {
  readonly #chunks: Chunk[] = [];
  #isOver = false;
  #wake = (): void => {};

  add(chunk: Chunk): void {
    this.#chunks.push(chunk);
    this.#wake();
  }

  /** Ends the iteration after the chunks that were added. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Ends when `work` settles. Returns the same promise. */
  until<Value>(work: Promise<Value>): Promise<Value> {
    const end = (): void => this.end();
    work.then(end, end);
    return work;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk, void> {
    for (;;) {
      const next = this.#chunks.shift();
      if (next !== undefined) yield next;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
