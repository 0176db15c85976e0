import type { AgentEvent } from '../core/events.js';
import { FileWatchers } from '../core/file-watchers.js';

export type Listener = (event: AgentEvent) => void;

/** Maximum number of warnings stored for the first listener. */
const MAX_EARLY_WARNINGS = 20;

/** The listeners of a session, and the watchers of its files. */
export class EventListeners {
  readonly #listeners = new Set<Listener>();
  /** Warnings emitted before there was a listener: about data that was lost and restored, for example. */
  #waiting: AgentEvent[] = [];
  readonly #watchers = new FileWatchers();
  readonly watch = this.#watchers.watch;

  /** The newest message about a missing replica. */
  #missingReplica = '';

  /** Returns a function that removes the listener. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    const waiting = this.#waiting.splice(0);
    if (waiting.length > 0) queueMicrotask(() => waiting.forEach((event) => this.emit(event)));
    return () => this.#listeners.delete(listener);
  }

  /** Calls all listeners. Reports the error of a listener that throws, and continues with the others. */
  emit(event: AgentEvent): void {
    if (this.#listeners.size === 0 && event.type === 'warning')
      this.#waiting = [...this.#waiting, event].slice(-MAX_EARLY_WARNINGS);
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        reportError(error);
      }
    }
    if (event.type === 'file-changed') this.#watchers.tell(event, reportError);
  }

  /** Returns whether an earlier worker of the session has reported the same missing replica. */
  isRepeated(event: AgentEvent): boolean {
    if (event.type !== 'warning' || event.code !== 'storage-copy') return false;
    const isRepeated = event.message === this.#missingReplica;
    this.#missingReplica = event.message;
    return isRepeated;
  }

  /** Emits an error as a warning. */
  readonly warn = ({ code, message, detail }: Omit<AgentEvent<'warning'>, 'type'>): void => {
    this.emit({ type: 'warning', code, message, detail });
  };
}
