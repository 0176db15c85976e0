/** Tracks the page that a tab is loading, if any. */
export class Loading {
  #current: Promise<void> | null = null;

  get isRunning(): boolean {
    return this.#current !== null;
  }

  /** Resolves when nothing is loading, whether or not it succeeded. */
  async ended(): Promise<void> {
    await this.#current;
  }

  /** Tracks a new load instead of the current one. */
  start(loading: Promise<void>): void {
    const settled = loading.then(
      () => undefined,
      () => undefined,
    );
    this.#current = settled;
    void settled.then(() => {
      if (this.#current === settled) this.#current = null;
    });
  }
}
