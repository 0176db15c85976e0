import { readRowKey, replacedKey, rowKey } from './journal.js';

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
