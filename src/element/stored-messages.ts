import type { ClientSession } from '../client/session.js';
import { RoleZeroError } from '../core/error.js';
import type { StepTrace } from '../core/events.js';
import type { MessageData } from '../core/message.js';
import type { Member } from './stored-conversation.js';

/** Number of messages that are read at a time. */
const PAGE = 100;

/**
 * The stored messages and steps of a role, page by page from the newest: first the messages of its window, then those of its long-term
 * memory. Steps are read with their messages.
 */
export class StoredMessages implements Member {
  messages: readonly MessageData[] = [];
  steps: readonly StepTrace[] = [];
  hasOlder = true;
  /** Number of the newest memories that were read; 0 while there are messages in the window. */
  #memories = 0;

  constructor(
    private readonly session: ClientSession,
    /** Null: the role that receives the requests. */
    private readonly name: string | null,
  ) {}

  /** Empty while it is not known. */
  get role(): string {
    return this.name ?? this.steps[0]?.role ?? '';
  }

  /** Adds the next page before the known messages; the first one is the newest. `known`: number of steps that are known by now. */
  async readOlder(known = 0): Promise<void> {
    const steps = this.session.steps({ ...this.#query, last: known + this.messages.length + PAGE });
    steps.catch(() => {}); // Reported below.
    const older = await this.#inWindow();
    this.messages = [...older, ...this.messages];
    if (older.length < PAGE)
      this.messages = [...(await this.#remembered(PAGE - older.length)), ...this.messages];
    this.steps = await steps;
  }

  get #query(): { role?: string } {
    return this.name === null ? {} : { role: this.name };
  }

  async #inWindow(): Promise<readonly MessageData[]> {
    if (this.#memories > 0) return [];
    const [first] = this.messages;
    const before = first === undefined ? {} : { before: first.id };
    try {
      return await this.session.messages({ ...this.#query, last: PAGE, ...before });
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
      const items = await this.session.memory.list({ ...this.#query, limit: this.#memories });
      this.hasOlder = items.length === this.#memories;
      const older = items.map(({ message }) => message).filter(({ id }) => !known.has(id));
      if (older.length > 0 || !this.hasOlder) return older;
    }
  }
}
