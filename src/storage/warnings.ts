import type { StorageWarning } from '../core/store.js';

type WarningListener = (warning: StorageWarning) => void;

const MAX_WAITING_WARNINGS = 10;

/** Warnings about the data of each session, stored until someone with the session open listens. */
export class Warnings {
  readonly #waiting = new Map<string, StorageWarning[]>();
  readonly #listeners = new Map<string, WarningListener>();

  tell(session: string, warning: StorageWarning): void {
    const listener = this.#listeners.get(session);
    if (listener !== undefined) listener(warning);
    else
      this.#waiting.set(
        session,
        [...(this.#waiting.get(session) ?? []), warning].slice(-MAX_WAITING_WARNINGS),
      );
  }

  /** Replaces the listener of a session; returns a function that stops listening. */
  listen(session: string, listener: WarningListener): () => void {
    this.#listeners.set(session, listener);
    const waiting = this.#waiting.get(session) ?? [];
    this.#waiting.delete(session);
    for (const warning of waiting) listener(warning);
    return () => {
      if (this.#listeners.get(session) === listener) this.#listeners.delete(session);
    };
  }
}
