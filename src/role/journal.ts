import type { AgentEvent } from '../base/events.js';
import type { Table, Write } from '../base/store.js';

/**
 * Collects what a half-step changes and stores it as one (architecture §5). Between two commits nothing happens that could not be
 * computed again from the last one, so a crash anywhere loses no more than time.
 */
export class Journal {
  /** By table and key: of several writes to one place the last one counts, and the others never leave here. */
  #writes = new Map<string, Write>();
  #events: AgentEvent[] = [];
  #then: (() => void)[] = [];
  #refusal: { error: unknown } | null = null;

  constructor(
    private readonly store: (writes: readonly Write[]) => Promise<void>,
    private readonly emit: (event: AgentEvent) => void,
  ) {}

  /** Why a commit was refused; null as long as none was. */
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

  /** To be told once it is true, that is: after the next commit. */
  tell(event: AgentEvent): void {
    this.#events.push(event);
  }

  /** To be done right after the next commit, before anything is told. */
  then(action: () => void): void {
    this.#then.push(action);
  }

  /**
   * Stores everything collected, then tells of it in order. When storing fails nothing is told, and nothing more is ever stored:
   * what is in memory is ahead of the store now, and storing later changes without these would tear the two apart.
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
      await this.store(writes);
    } catch (error) {
      this.#refusal = { error };
      throw error;
    }
    for (const action of actions) action();
    for (const event of events) this.emit(event);
  }
}

/** Row keys sort as numbers do. */
export function rowKey(owner: string, number: number): string {
  return `${owner}/${String(number).padStart(10, '0')}`;
}

/** The owner and number of a row key. */
export function readRowKey(key: string): { owner: string; number: number } {
  const slash = key.lastIndexOf('/');
  return { owner: key.slice(0, slash), number: Number(key.slice(slash + 1)) };
}
