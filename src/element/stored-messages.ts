import type { ClientSession } from '../client/session.js';
import { RoleZeroError } from '../core/error.js';
import type { MessageData } from '../core/message.js';

/**
 * The stored messages of a session, page by page from the newest: first those of the role's window, then those of its
 * long-term memory.
 */
export class StoredMessages {
  messages: readonly MessageData[] = [];
  hasOlder = true;
  /** Number of the newest memories that were read; 0 while there are messages in the window. */
  #memories = 0;

  constructor(
    private readonly session: ClientSession,
    private readonly page: number,
  ) {}

  /** Adds the next page before the known messages; the first one is the newest. */
  async readOlder(): Promise<void> {
    const older = await this.#inWindow();
    this.messages = [...older, ...this.messages];
    if (older.length < this.page)
      this.messages = [...(await this.#remembered(this.page - older.length)), ...this.messages];
  }

  async #inWindow(): Promise<readonly MessageData[]> {
    if (this.#memories > 0) return [];
    const [first] = this.messages;
    const before = first === undefined ? {} : { before: first.id };
    try {
      return await this.session.messages({ last: this.page, ...before });
    } catch (error) {
      if (error instanceof RoleZeroError && error.code === 'not-found' && first !== undefined) return []; // It is a memory by now.
      throw error;
    }
  }

  /** Reads at least `wanted` memories, unless there are fewer. Messages of the window may be among them. */
  async #remembered(wanted: number): Promise<readonly MessageData[]> {
    const known = new Set(this.messages.map(({ id }) => id));
    for (;;) {
      this.#memories += wanted;
      const items = await this.session.memory.list({ limit: this.#memories });
      this.hasOlder = items.length === this.#memories;
      const older = items.map(({ message }) => message).filter(({ id }) => !known.has(id));
      if (older.length > 0 || !this.hasOlder) return older;
    }
  }
}
