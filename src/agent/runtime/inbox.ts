import { RoleZeroError } from '../../core/error.js';
import { messageFromRecord, type Message } from '../../core/message.js';
import { readRowKey, rowKey } from './journal.js';

/** Maximum number of waiting messages of one role. One more is rejected; older ones are never dropped. */
export const MAX_WAITING = 1_000;

/** Messages that a role has received and not observed yet, by the key of their stored rows. */
export class Inbox {
  readonly #owner: string;
  #waiting: { key: string; message: Message }[] = [];
  /** Number of keys that are reserved for messages on their way. */
  #reserved = 0;
  #next = 0;
  /** The messages that were taken last: until the next commit, their rows are still stored. */
  #taken = this.#waiting;

  constructor(owner: string) {
    this.#owner = owner;
  }

  restore(rows: readonly { key: string; value: unknown }[]): void {
    this.#waiting = rows.map(({ key, value }) => ({ key, message: messageFromRecord(value) }));
    this.#reserved = 0;
    const last = rows.at(-1);
    this.#next = last === undefined ? 0 : readRowKey(last.key).number + 1;
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Returns whether one of the messages passes the test. */
  some(test: (message: Message) => boolean): boolean {
    return this.#waiting.some(({ message }) => test(message));
  }

  /** Number of messages that are waiting or on their way. */
  get size(): number {
    return this.#waiting.length + this.#reserved;
  }

  /** @throws RoleZeroError `inbox-full` when no message is accepted until the role has observed the waiting ones. */
  checkRoom(): void {
    if (this.size < MAX_WAITING) return;
    throw new RoleZeroError(
      'inbox-full',
      `${this.size} messages wait for ${this.#owner}. Resume its work before you send more.`,
      { role: this.#owner, waiting: this.size },
    );
  }

  /** Reserves the key of the next row. Keys sort in the order of arrival. */
  nextKey(): string {
    this.#reserved += 1;
    return rowKey(this.#owner, this.#next++);
  }

  add(key: string, message: Message): void {
    this.#reserved -= 1;
    this.#waiting.push({ key, message });
  }

  /** Takes all messages, oldest first. `remove` is called with the key of each row. */
  takeAll(remove: (key: string) => void): Message[] {
    this.#taken = this.#waiting.splice(0);
    return this.#taken.map(({ key, message }) => {
      remove(key);
      return message;
    });
  }

  /** Returns whether a message with this id is waiting. */
  has(id: string): boolean {
    return this.some((message) => message.id === id);
  }

  /** Takes one message; undefined when it is not waiting. The caller removes its row, or puts it back. */
  take(id: string): { key: string; message: Message } | undefined {
    const at = this.#waiting.findIndex(({ message }) => message.id === id);
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  /** Puts a message that `take` has returned, or a changed one, back in its place. */
  putBack(key: string, message: Message): void {
    const at = this.#waiting.findIndex((other) => other.key > key);
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, { key, message });
  }

  /** Returns the key of a message that was taken last; undefined for another one. */
  takenKey(id: string): string | undefined {
    return this.#taken.find(({ message }) => message.id === id)?.key;
  }
}
