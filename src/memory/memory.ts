import { RoleZeroError } from '../core/error.js';
import { idOf, type Message, type Named } from '../core/message.js';

/** Reports each change to the owner, so that only changes are written. Called after the change, in order. */
export interface MemoryListeners {
  onAdd?: (message: Message) => void;
  onRemove?: (message: Message) => void;
}

export interface MemoryInit extends MemoryListeners {
  /**
   * Sets the id of every message to `"0"`, so that messages that differ only in their id are equal.
   * @default false
   */
  ignoreId?: boolean;
}

/**
 * Messages that a role remembers, in the order they were added. An equal message is not added again. Equality is looked up by id, without
 * comparing all messages. Messages must not be changed while they are stored here.
 */
export class Memory {
  readonly ignoreId: boolean;
  readonly #messages: Message[] = [];
  /** Messages by id (by content with `ignoreId`). Equal messages share a list, which rarely has other entries. */
  readonly #alike = new Map<string, Message[]>();
  readonly #listeners: MemoryListeners;

  constructor({ ignoreId = false, ...listeners }: MemoryInit = {}) {
    this.ignoreId = ignoreId;
    this.#listeners = listeners;
  }

  /** All messages, oldest first. A live view. */
  get storage(): readonly Message[] {
    return this.#messages;
  }

  /** Messages by cause, oldest first. */
  get index(): ReadonlyMap<string, readonly Message[]> {
    const causes = new Set(this.#messages.map(({ causeBy }) => causeBy));
    return new Map([...causes].map((cause) => [cause, this.getByAction(cause)]));
  }

  /** Adds a message. Returns false when an equal one exists. With `ignoreId`, sets the message's id to `"0"`. */
  add(message: Message): boolean {
    if (this.ignoreId) message.id = '0';
    if (this.has(message)) return false;
    this.#messages.push(message);
    this.#addLikeness(message);
    this.#listeners.onAdd?.(message);
    return true;
  }

  /** Adds stored messages that are older than all others. Reports no change. */
  restoreOlder(messages: readonly Message[]): void {
    const newer = this.#messages.splice(0);
    for (const message of messages) {
      this.#messages.push(message);
      this.#addLikeness(message);
    }
    for (const message of newer) this.#messages.push(message);
  }

  /** Adds messages and returns how many were new. */
  addBatch(messages: Iterable<Message>): number {
    let added = 0;
    for (const message of messages) if (this.add(message)) added++;
    return added;
  }

  has(message: Message): boolean {
    return this.#stored(message) !== undefined;
  }

  /**
   * Returns the last `k` messages as a new array, or all messages when `k` is 0.
   *
   * @throws RoleZeroError `invalid` when `k` is negative or not an integer.
   */
  get(k = 0): Message[] {
    if (!Number.isInteger(k) || k < 0) {
      throw new RoleZeroError('invalid', `k must be 0 (all) or a positive integer, got ${k}.`, { k });
    }
    return k === 0 ? [...this.#messages] : this.#messages.slice(-k);
  }

  getByRole(role: string): Message[] {
    return this.#messages.filter((message) => message.role === role);
  }

  /** Returns the messages whose content contains the text. */
  getByContent(text: string): Message[] {
    return this.#messages.filter((message) => message.content.includes(text));
  }

  /** Same as `getByContent`; MetaGPT has both names. */
  tryRemember(keyword: string): Message[] {
    return this.getByContent(keyword);
  }

  getByAction(action: Named): Message[] {
    const cause = idOf(action);
    return this.#messages.filter(({ causeBy }) => causeBy === cause);
  }

  /** Returns the messages grouped by cause, in the order of `actions`. Within a cause, oldest first. */
  getByActions(actions: Iterable<Named>): Message[] {
    return [...new Set([...actions].map(idOf))].flatMap((action) => this.getByAction(action));
  }

  /** Returns the message at a position, or null. Negative positions count from the end. */
  getByPosition(position: number): Message | null {
    return this.#messages.at(position) ?? null;
  }

  /** Removes and returns the newest message. Returns null when there is none. */
  deleteNewest(): Message | null {
    const newest = this.#messages.pop();
    if (newest !== undefined) this.#forget(newest);
    return newest ?? null;
  }

  /** @throws RoleZeroError `not-found` when no equal message exists. */
  delete(message: Message): void {
    const stored = this.#stored(message);
    if (stored === undefined) {
      throw new RoleZeroError('not-found', `There is no message ${message.id} in this memory.`, {
        id: message.id,
      });
    }
    this.#messages.splice(this.#messages.lastIndexOf(stored), 1);
    this.#forget(stored);
  }

  clear(): void {
    const all = this.#messages.splice(0);
    this.#alike.clear();
    for (const message of all) this.#listeners.onRemove?.(message);
  }

  count(): number {
    return this.#messages.length;
  }

  /**
   * Returns the observed messages that are not among the last `k` messages (all messages when `k` is 0), in order.
   *
   * @throws RoleZeroError `invalid` when `k` is negative or not an integer.
   */
  findNews(observed: Iterable<Message>, k = 0): Message[] {
    if (k === 0) return [...observed].filter((message) => !this.has(message));
    const recent = new Set<Message | undefined>(this.get(k));
    return [...observed].filter((message) => !recent.has(this.#stored(message)));
  }

  #likeness(message: Message): string {
    return this.ignoreId ? message.content : message.id;
  }

  #addLikeness(message: Message): void {
    const likeness = this.#likeness(message);
    const alike = this.#alike.get(likeness);
    if (alike === undefined) this.#alike.set(likeness, [message]);
    else alike.push(message);
  }

  #stored(message: Message): Message | undefined {
    return this.#alike.get(this.#likeness(message))?.find((stored) => stored.equals(message));
  }

  #forget(message: Message): void {
    const likeness = this.#likeness(message);
    const others = (this.#alike.get(likeness) ?? []).filter((stored) => stored !== message);
    if (others.length === 0) this.#alike.delete(likeness);
    else this.#alike.set(likeness, others);
    this.#listeners.onRemove?.(message);
  }
}
