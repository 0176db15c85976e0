import type { StorageWarning } from '../base/store.js';

/** What people should know of a session's data, kept until somebody listens. */
export class Warnings {
  #waiting: StorageWarning[] = [];
  #listener: ((warning: StorageWarning) => void) | null = null;

  tell(warning: StorageWarning): void {
    if (this.#listener === null) this.#waiting = [...this.#waiting, warning].slice(-10);
    else this.#listener(warning);
  }

  listen(listener: (warning: StorageWarning) => void): void {
    this.#listener = listener;
    for (const warning of this.#waiting.splice(0)) listener(warning);
  }
}
