/** A terminal sends Ctrl+C to npm and to this process, and npm passes it on: within this many ms both count as one. */
const SAME_PRESS = 300;

/** Handles Ctrl+C: the first requests a stop, the second quits. SIGTERM and a closed terminal quit as well. */
export class Interrupts {
  /** Resolves when the user wants to quit. */
  readonly quit: Promise<void>;
  #resolve: () => void = () => {};
  #first: number | null = null;

  /** @param stop requests a graceful stop; false when there is nothing to stop */
  constructor(private readonly stop: () => boolean) {
    this.quit = new Promise((resolve) => (this.#resolve = resolve));
    process.on('SIGINT', this.press);
    process.on('SIGTERM', this.#resolve);
    process.on('SIGHUP', this.#resolve);
    process.stdout.on('error', this.#resolve); // The reader has closed: try … | head
  }

  readonly press = (): void => {
    const now = performance.now();
    if (this.#first !== null && now - this.#first < SAME_PRESS) return;
    if (this.#first === null && this.stop()) this.#first = now;
    else this.#resolve();
  };

  close(): void {
    process.off('SIGINT', this.press);
    process.off('SIGTERM', this.#resolve);
    process.off('SIGHUP', this.#resolve);
  }
}
