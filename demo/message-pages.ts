import { RoleZeroError, type MessageData, type Session, type StepTrace } from 'rolezero';
import type { Member } from './state/conversation.js';

/** Messages per page. */
const PAGE = 100;

/**
 * The messages and steps of a role, page by page from the newest: first the messages in its window, then those in its
 * long-term memory. Steps are loaded with their messages.
 */
export class MessagePages implements Member {
  messages: readonly MessageData[] = [];
  steps: readonly StepTrace[] = [];
  hasOlder = true;
  /** Number of the newest memories that were read; 0 while there are messages in the window. */
  #memories = 0;

  constructor(
    private readonly session: Session,
    readonly role: string,
  ) {}

  /** Adds the next page; the first one is the newest. `known`: steps that are known by now. */
  async older(known = 0): Promise<void> {
    const { session, role } = this;
    const steps = session.steps({ role, last: known + this.messages.length + PAGE });
    const atHand = await this.#atHand();
    this.messages = [...atHand, ...this.messages];
    if (atHand.length < PAGE)
      this.messages = [...(await this.#remembered(PAGE - atHand.length)), ...this.messages];
    this.steps = await steps;
  }

  async #atHand(): Promise<readonly MessageData[]> {
    if (this.#memories > 0) return [];
    const [first] = this.messages;
    const before = first === undefined ? {} : { before: first.id };
    try {
      return await this.session.messages({ role: this.role, last: PAGE, ...before });
    } catch (error) {
      if (error instanceof RoleZeroError && error.code === 'not-found' && first !== undefined) return []; // It is a memory by now.
      throw error;
    }
  }

  async #remembered(wanted: number): Promise<readonly MessageData[]> {
    const known = new Set(this.messages.map(({ id }) => id));
    for (;;) {
      this.#memories += wanted;
      const items = await this.session.memory.list({ role: this.role, limit: this.#memories });
      this.hasOlder = items.length === this.#memories;
      const older = items.map(({ message }) => message).filter(({ id }) => !known.has(id));
      if (older.length > 0 || !this.hasOlder) return older;
    }
  }
}
