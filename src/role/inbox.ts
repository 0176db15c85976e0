import { messageFromRecord, type Message } from '../base/message.js';
import { readRowKey, rowKey } from './journal.js';

/** Messages that were accepted for a role and not observed yet, each under the key of its stored row. */
export class Inbox {
  #waiting: { key: string; message: Message }[] = [];
  #next = 0;

  constructor(private readonly owner: string) {}

  restore(rows: readonly { key: string; value: unknown }[]): void {
    this.#waiting = rows.map(({ key, value }) => ({ key, message: messageFromRecord(value) }));
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

  /** The key of the next row; keys sort in the order of arrival. */
  nextKey(): string {
    return rowKey(this.owner, this.#next++);
  }

  add(key: string, message: Message): void {
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
