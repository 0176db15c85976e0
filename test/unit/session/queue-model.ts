import { expect } from 'vitest';
import type { Storage } from '../../../src/core/store.js';
import type { Session } from '../../../src/session/session.js';
import { dyingAt } from './storages.js';

/** The requests that should wait during a run, under random changes. */
export class QueueModel {
  #waiting: { messageId: string; content: string }[] = [];
  readonly #withdrawn: string[] = [];

  constructor(
    private readonly next: (limit: number) => number,
    private readonly text: () => string,
  ) {}

  /** Sends a request, or withdraws or revises one that waits. */
  async change(session: Session): Promise<void> {
    const { act, after } = this.#choose(session);
    await act();
    after();
    this.check(session);
  }

  /** Changes the queue once more, and kills the session meanwhile: that has happened as a whole, or not at all. */
  async kill(
    session: Session,
    storage: Storage,
    open: (storage: Storage) => Promise<{ session: Session }>,
  ): Promise<void> {
    await session.close();
    const { storage: dying, died } = dyingAt(storage, 1, this.next(2) === 0 ? 'before' : 'after');
    const { session: killed } = await open(dying);
    this.check(killed);
    if (this.#waiting.length === 0) return;
    const { act, after } = this.#choose(killed, true);
    await Promise.race([died, act().catch(() => undefined)]);
    const { session: again } = await open(storage);
    const before = [...this.#waiting];
    const shown = waitingIn(again);
    if (JSON.stringify(shown) !== JSON.stringify(before)) after();
    expect(shown).toEqual(this.#waiting);
    await again.close();
  }

  #choose(session: Session, isOld = false): { act: () => Promise<unknown>; after: () => void } {
    const text = this.text();
    const at = this.next(this.#waiting.length);
    const messageId = this.#waiting[at]?.messageId;
    const kind = this.next(isOld ? 2 : 3);
    if (messageId === undefined || kind === 2) {
      const id = `queued-${this.next(2 ** 30)}`;
      return {
        act: () => session.send(text, { id }),
        after: () => this.#waiting.push({ messageId: id, content: text }),
      };
    }
    if (kind === 0)
      return {
        act: () => session.withdraw(messageId),
        after: () => {
          this.#waiting.splice(at, 1);
          this.#withdrawn.push(messageId);
        },
      };
    return {
      act: () => session.revise(messageId, text),
      after: () => (this.#waiting[at] = { messageId, content: text }),
    };
  }

  check(session: Session): void {
    expect(waitingIn(session)).toEqual(this.#waiting);
  }

  /** After the run: all that waited is in the conversation once, in order, with its last words, and nothing that was withdrawn. */
  checkRead(session: Session): void {
    expect(session.queued).toEqual([]);
    const messages = session.messages().map(({ id: messageId, content }) => ({ messageId, content }));
    const ids = new Set([...this.#waiting.map(({ messageId }) => messageId), ...this.#withdrawn]);
    expect(messages.filter(({ messageId }) => ids.has(messageId))).toEqual(this.#waiting);
  }
}

function waitingIn(session: Session): { messageId: string; content: string }[] {
  return session.queued.map(({ messageId, content }) => ({ messageId, content }));
}
