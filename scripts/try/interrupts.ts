/** A terminal sends Ctrl+C to npm and to this process alike, and npm passes it on: within these milliseconds both are one. */
const SAME_PRESS = 300;

/** Ctrl+C: the first time asks to stop, the second time to quit. Being told to end, or losing the
 * terminal, is quitting too. */
export class Interrupts {
  /** Resolves when the user wants to quit. */
  readonly quit: Promise<void>;
  #resolve: () => void = () => {};
  #first: number | null = null;

  /** @param stop asks for a graceful end; false when there is nothing to stop */
  constructor(private readonly stop: () => boolean) {
    this.quit = new Promise((resolve) => (this.#resolve = resolve));
    process.on('SIGINT', this.press);
    process.on('SIGTERM', this.#resolve);
    process.on('SIGHUP', this.#resolve);
    process.stdout.on('error', this.#resolve); // nobody reads any more: try … | head
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
