/** Who wants to know that something has changed, as `useSyncExternalStore` wants it. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  get size(): number {
    return this.#listeners.size;
  }

  add(listener: () => void): void {
    this.#listeners.add(listener);
  }

  remove(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
