import type { AgentEvent } from '../../core/events.js';
import { numberKey } from '../../core/number-key.js';
import type { Table, Write } from '../../core/store.js';

/**
 * Collects changes and stores them in one commit. Everything between two commits can be computed again from the first one, so a crash
 * loses only time.
 */
export class Journal {
  readonly #store: (writes: readonly Write[]) => Promise<void>;
  readonly #append: (writes: readonly Write[]) => Promise<boolean>;
  readonly #emit: (event: AgentEvent) => void;
  /** Writes by table and key; only the last write to a key is stored. */
  #writes = new Map<string, Write>();
  #events: AgentEvent[] = [];
  #then: (() => void)[] = [];
  #hasLogged = false;
  /** The log call in progress. */
  #appending: Promise<boolean> | null = null;
  #refusal: { error: unknown } | null = null;

  /** `append` appends writes to a log until the next commit; it returns false where there is none. */
  constructor(
    store: (writes: readonly Write[]) => Promise<void>,
    emit: (event: AgentEvent) => void,
    append: (writes: readonly Write[]) => Promise<boolean> = async () => false,
  ) {
    this.#store = store;
    this.#append = append;
    this.#emit = emit;
  }

  /** Why a commit failed; null while none has. */
  get refusal(): { readonly error: unknown } | null {
    return this.#refusal;
  }

  /** Something is in the log that is not committed. */
  get hasLogged(): boolean {
    return this.#hasLogged;
  }

  put(table: Table, key: string, value: unknown): void {
    this.#writes.set(`${table}/${key}`, { table, key, value });
  }

  remove(table: Table, key: string): void {
    this.put(table, key, undefined);
  }

  /** With `isStored`, the writes are stored apart: they only replace older ones to the same keys, which would undo them. */
  add(writes: readonly Write[], isStored = false): void {
    for (const write of writes) {
      const key = `${write.table}/${write.key}`;
      if (!isStored || this.#appending !== null || this.#writes.has(key)) this.#writes.set(key, write);
    }
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
   * Logs the collected changes: they survive a killed tab and are stored by the next commit. Their events are emitted now when `emits` is
   * set, else after that commit. Returns false, and leaves them to the next commit, where there is no log.
   */
  async log(emits: boolean): Promise<boolean> {
    if (this.#refusal !== null) throw this.#refusal.error;
    if (this.#appending !== null) await this.#logged();
    // Other sessions do not see the log.
    if ([...this.#writes.values()].some(({ shared }) => shared !== undefined)) return false;
    const taken = this.#writes;
    const actions = this.#then;
    const events = this.#events;
    this.#writes = new Map();
    this.#then = [];
    this.#events = [];
    const appending = this.#append([...taken.values()]);
    this.#appending = appending;
    try {
      if (!(await appending)) {
        this.#writes = new Map([...taken, ...this.#writes]);
        this.#then.unshift(...actions);
        this.#events.unshift(...events);
        return false;
      }
    } catch (error) {
      this.#refusal = { error };
      throw error;
    } finally {
      this.#appending = null;
    }
    this.#hasLogged = true;
    for (const action of actions) action();
    if (emits) for (const event of events) this.#emit(event);
    else this.#events.unshift(...events);
    return true;
  }

  /**
   * Stores the collected changes, then emits their events in order. After a failure it emits nothing and never stores again: memory is
   * ahead of the store, and later changes without these would be inconsistent.
   */
  async commit(): Promise<void> {
    if (this.#appending !== null) await this.#logged();
    if (this.#refusal !== null) throw this.#refusal.error;
    this.#hasLogged = false;
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

  /** Waits for log calls in progress: where there is no log, their changes belong to the next commit. */
  async #logged(): Promise<void> {
    while (this.#appending !== null) await this.#appending.catch(() => false);
  }
}

/** Returns a row key; keys sort like their numbers. */
export function rowKey(owner: string, number: number): string {
  return `${owner}/${numberKey(number)}`;
}

/** Returns the owner and the number of a row key. */
export function readRowKey(key: string): { owner: string; number: number } {
  const slash = key.lastIndexOf('/');
  return { owner: key.slice(0, slash), number: Number(key.slice(slash + 1)) };
}

/**
 * Returns the key in `checkpoints` of a row of a role that is removed or replaced.
 *
 * @param next number of the next row of the table: later checkpoints do not need this one.
 */
export function replacedKey(table: 'messages' | 'turns', role: string, next: number, number: number): string {
  return `${rowKey(`${table}/${role}`, next)}/${number}`;
}

/** Keys of the stored messages in a role's memory. They sort in the order in which the messages were added. */
export class MessageRows {
  readonly #role: string;
  readonly #keys = new Map<string, string>();
  #next = 0;

  constructor(role: string) {
    this.#role = role;
  }

  clear(): void {
    this.#keys.clear();
    this.#next = 0;
  }

  /** Returns the key for a message that is added to memory. */
  add(id: string): string {
    const key = rowKey(this.#role, this.#next++);
    this.#keys.set(id, key);
    return key;
  }

  /** Restores the key of a message that is older than the others. */
  restoreOlder(id: string, key: string): void {
    if (!this.#keys.has(id)) this.#keys.set(id, key);
  }

  /** Gives this stored key to the next message. */
  continueAt(key: string): void {
    this.#next = readRowKey(key).number;
  }

  /** Returns the key of a message; undefined when it is not stored. */
  keyOf(id: string): string | undefined {
    return this.#keys.get(id);
  }

  /** Returns the key under which a message is stored for earlier checkpoints when it leaves the memory. */
  replacedKeyOf(key: string): string {
    return replacedKey('messages', this.#role, this.#next, readRowKey(key).number);
  }

  /** Forgets the key of a removed message, unless the message was added again under another key. */
  remove(id: string, key: string): void {
    if (this.#keys.get(id) === key) this.#keys.delete(id);
  }
}
