/** Delivers items in order, one batch at a time: items that arrive during a batch form the next one. */
export class Outbox<Item> {
  #waiting: Item[] = [];
  #sending: Promise<void> | null = null;

  constructor(private readonly send: (items: Item[]) => Promise<void>) {}

  push(item: Item): void {
    this.#waiting.push(item);
    this.#sending ??= this.drain();
  }

  /** Resolves when everything has been delivered. */
  async empty(): Promise<void> {
    await this.#sending;
  }

  private async drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.send(this.#waiting.splice(0));
    } finally {
      this.#sending = null;
    }
  }
}
