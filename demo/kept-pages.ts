import { RoleZeroError, type MessageData, type Session, type StepTrace } from 'rolezero';
import type { Member } from './state/conversation.js';

/** Messages that are asked for at once. */
const PAGE = 100;

/**
 * What a role was told and did, page by page from the newest: the messages it has at hand, and before them those that went to its long-term
 * memory. Steps come with their messages.
 */
export class KeptPages implements Member {
  messages: readonly MessageData[] = [];
  steps: readonly StepTrace[] = [];
  hasOlder = true;
  /** So many of the newest memories were asked for; 0 as long as there are messages at hand. */
  #memories = 0;

  constructor(
    private readonly session: Session,
    readonly role: string,
  ) {}

  /** Adds the next page; the first one is that of the newest. `known`: steps that are known by now and may have come since. */
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
      if (error instanceof RoleZeroError && error.code === 'not-found' && first !== undefined) return []; // it is a memory by now
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
