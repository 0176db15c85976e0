import { RoleZeroError } from '../base/error.js';
import { messageFromRecord, type Message } from '../base/message.js';
import { readRowKey, rowKey } from './journal.js';

/** Messages that may wait for one role; one more is refused, never an older one dropped. */
export const MAX_WAITING = 1_000;

/** Messages that were accepted for a role and not observed yet, each under the key of its stored row. */
export class Inbox {
  #waiting: { key: string; message: Message }[] = [];
  /** Keys that were given out for messages still on their way. */
  #reserved = 0;
  #next = 0;

  constructor(private readonly owner: string) {}

  restore(rows: readonly { key: string; value: unknown }[]): void {
    this.#waiting = rows.map(({ key, value }) => ({ key, message: messageFromRecord(value) }));
    this.#reserved = 0;
    const last = rows.at(-1);
    this.#next = last === undefined ? 0 : readRowKey(last.key).number + 1;
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Whether one of the messages is such a one. */
  some(test: (message: Message) => boolean): boolean {
    return this.#waiting.some(({ message }) => test(message));
  }

  /** Messages that wait or are on their way. */
  get size(): number {
    return this.#waiting.length + this.#reserved;
  }

  /** @throws RoleZeroError `inbox-full` when nothing more is taken until the role has observed what waits. */
  checkRoom(): void {
    if (this.size < MAX_WAITING) return;
    throw new RoleZeroError(
      'inbox-full',
      `${this.size} messages wait for ${this.owner} already. Send more once it has worked on them; interrupted work has to go on first.`,
      { role: this.owner, waiting: this.size },
    );
  }

  /** The key of the next row, for a message that is then added; keys sort in the order of arrival. */
  nextKey(): string {
    this.#reserved += 1;
    return rowKey(this.owner, this.#next++);
  }

  add(key: string, message: Message): void {
    this.#reserved -= 1;
    this.#waiting.push({ key, message });
  }

  /** Everything, oldest first; `remove` is told each row that is done with. */
  takeAll(remove: (key: string) => void): Message[] {
    return this.#waiting.splice(0).map(({ key, message }) => {
      remove(key);
      return message;
    });
  }
}
