import { RoleZeroError } from '../base/error.js';
import { idOf, type Message, type Named } from '../base/message.js';

/** What the owner wants to know, so that only what changed is written. Called after the change, in order. */
export interface MemoryListeners {
  onAdd?: (message: Message) => void;
  onRemove?: (message: Message) => void;
}

export interface MemoryInit extends MemoryListeners {
  /** Messages get the id `"0"`, so that those equal in everything else are one. Default false. */
  ignoreId?: boolean;
}

/**
 * What a role remembers, in the order it came to know it (spec 2). A message equal to one already there is not added again.
 * Whether it is there is known by its id, without a look at the others. Messages must not be changed while they are in here.
 */
export class Memory {
  readonly ignoreId: boolean;
  readonly #messages: Message[] = [];
  /** Equal messages are in the same list, and hardly any others. */
  readonly #alike = new Map<string, Message[]>();
  readonly #byCause = new Map<string, Message[]>();
  readonly #listeners: MemoryListeners;

  constructor({ ignoreId = false, ...listeners }: MemoryInit = {}) {
    this.ignoreId = ignoreId;
    this.#listeners = listeners;
  }

  /** Everything, oldest first; a view that changes with the memory. */
  get storage(): readonly Message[] {
    return this.#messages;
  }

  /** The messages of every cause, oldest first; a view that changes with the memory. */
  get index(): ReadonlyMap<string, readonly Message[]> {
    return this.#byCause;
  }

  /** Whether it was new. With `ignoreId` the message's id is set to `"0"`. */
  add(message: Message): boolean {
    if (this.ignoreId) message.id = '0';
    if (this.has(message)) return false;
    this.#messages.push(message);
    listIn(this.#alike, this.#likeness(message)).push(message);
    listIn(this.#byCause, message.causeBy).push(message);
    this.#listeners.onAdd?.(message);
    return true;
  }

  /** How many of them were new. */
  addBatch(messages: Iterable<Message>): number {
    let added = 0;
    for (const message of messages) if (this.add(message)) added++;
    return added;
  }

  has(message: Message): boolean {
    return this.#stored(message) !== undefined;
  }

  /**
   * The last `k` messages, all of them with 0, as a new list.
   *
   * @throws RoleZeroError `invalid` when k is negative or not whole.
   */
  get(k = 0): Message[] {
    if (!Number.isInteger(k) || k < 0) {
      throw new RoleZeroError(
        'invalid',
        `Cannot get the last ${k} messages: 0 (all) or a positive number is needed.`,
        { k },
      );
    }
    return k === 0 ? [...this.#messages] : this.#messages.slice(-k);
  }

  getByRole(role: string): Message[] {
    return this.#messages.filter((message) => message.role === role);
  }

  /** Those whose content contains the text. */
  getByContent(text: string): Message[] {
    return this.#messages.filter((message) => message.content.includes(text));
  }

  /** The same as `getByContent`; MetaGPT has both names. */
  tryRemember(keyword: string): Message[] {
    return this.getByContent(keyword);
  }

  getByAction(action: Named): Message[] {
    return [...(this.#byCause.get(idOf(action)) ?? [])];
  }

  /** One cause after the other; within a cause in the order they came. */
  getByActions(actions: Iterable<Named>): Message[] {
    return [...new Set([...actions].map(idOf))].flatMap((action) => this.getByAction(action));
  }

  /** Counted from the end when negative; null when there is none. */
  getByPosition(position: number): Message | null {
    return this.#messages.at(position) ?? null;
  }

  /** Removes the message that came last and returns it; null when there is none. */
  deleteNewest(): Message | null {
    const newest = this.#messages.pop();
    if (newest === undefined) return null;
    this.#forget(newest);
    return newest;
  }

  /** @throws RoleZeroError `not-found` when no equal message is there. */
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
    this.#byCause.clear();
    for (const message of all) this.#listeners.onRemove?.(message);
  }

  count(): number {
    return this.#messages.length;
  }

  /**
   * The observed messages that are not among the last `k` (all with 0), in order.
   *
   * @throws RoleZeroError `invalid` when k is negative or not whole.
   */
  findNews(observed: Iterable<Message>, k = 0): Message[] {
    if (k === 0) return [...observed].filter((message) => !this.has(message));
    const recent = new Set(this.get(k));
    return [...observed].filter((message) => {
      const stored = this.#stored(message);
      return stored === undefined || !recent.has(stored);
    });
  }

  #likeness(message: Message): string {
    return this.ignoreId ? message.content : message.id;
  }

  #stored(message: Message): Message | undefined {
    return this.#alike.get(this.#likeness(message))?.find((stored) => stored.equals(message));
  }

  #forget(message: Message): void {
    dropFrom(this.#alike, this.#likeness(message), message);
    dropFrom(this.#byCause, message.causeBy, message);
    this.#listeners.onRemove?.(message);
  }
}

function listIn(lists: Map<string, Message[]>, key: string): Message[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function dropFrom(lists: Map<string, Message[]>, key: string, message: Message): void {
  const list = lists.get(key);
  const at = list?.lastIndexOf(message) ?? -1;
  if (list === undefined || at < 0) return;
  list.splice(at, 1);
  if (list.length === 0) lists.delete(key);
}
