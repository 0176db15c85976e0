import type { AgentEvent } from '../../core/events.js';
import type { Table, Write } from '../../core/store.js';

/**
 * Collects changes and stores them in one commit. Everything between two commits can be computed again from the first one, so a crash
 * loses only time.
 */
export class Journal {
  readonly #store: (writes: readonly Write[]) => Promise<void>;
  readonly #emit: (event: AgentEvent) => void;
  /** Writes by table and key; only the last write to a key is stored. */
  #writes = new Map<string, Write>();
  #events: AgentEvent[] = [];
  #then: (() => void)[] = [];
  #refusal: { error: unknown } | null = null;

  constructor(store: (writes: readonly Write[]) => Promise<void>, emit: (event: AgentEvent) => void) {
    this.#store = store;
    this.#emit = emit;
  }

  /** Why a commit failed; null while none has. */
  get refusal(): { readonly error: unknown } | null {
    return this.#refusal;
  }

  put(table: Table, key: string, value: unknown): void {
    this.#writes.set(`${table}/${key}`, { table, key, value });
  }

  remove(table: Table, key: string): void {
    this.put(table, key, undefined);
  }

  add(writes: readonly Write[]): void {
    for (const write of writes) this.#writes.set(`${write.table}/${write.key}`, write);
  }

  /** Emits the event after the next commit. */
  tell(event: AgentEvent): void {
    this.#events.push(event);
  }

  /** Calls the action after the next commit, before its events are emitted. */
  then(action: () => void): void {
    this.#then.push(action);
  }

  /**
   * Stores the collected changes, then emits their events in order. After a failure it emits nothing and never stores again: memory is
   * ahead of the store, and later changes without these would be inconsistent.
   */
  async commit(): Promise<void> {
    if (this.#refusal !== null) throw this.#refusal.error;
    const writes = [...this.#writes.values()];
    this.#writes.clear();
    const actions = this.#then;
    const events = this.#events;
    this.#then = [];
    this.#events = [];
    try {
      await this.#store(writes);
    } catch (error) {
      this.#refusal = { error };
      throw error;
    }
    for (const action of actions) action();
    for (const event of events) this.#emit(event);
  }
}

/** Returns a row key; keys sort like their numbers. */
export function rowKey(owner: string, number: number): string {
  return `${owner}/${String(number).padStart(10, '0')}`;
}

/** Returns the owner and the number of a row key. */
export function readRowKey(key: string): { owner: string; number: number } {
  const slash = key.lastIndexOf('/');
  return { owner: key.slice(0, slash), number: Number(key.slice(slash + 1)) };
}
