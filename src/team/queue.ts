import { attachedTo, filesInNote, withoutNote } from '../core/attached-files.js';
import { RoleZeroError } from '../core/error.js';
import { Message } from '../core/message.js';
import type { QueuedRequest } from '../core/queue.js';
import type { Write } from '../core/store.js';
import type { TeamRole } from '../agent/runtime/work.js';
import type { Memory } from '../memory/memory.js';
import { endOfDirectChat } from './routing.js';
import type { Ledger, LedgerEntry } from './ledger.js';

/** What a queue needs of its environment. */
interface QueueContext {
  readonly ledger: Ledger;
  readonly history: Memory;
  readonly roles: readonly TeamRole[];
  /** Name of the leader; null without one. */
  readonly leader: string | null;
  /** Returns those of the roles that answer the user directly. */
  directChats(names: readonly string[]): string[];
  endDirectChats(names: readonly string[]): void;
}

/** A change of a request: the writes to store, and what to do after the commit, or after it has failed. */
export interface QueueChange {
  writes: Write[];
  apply: () => void;
  cancel: () => void;
}

/** The requests that have joined a run and that no role has read. */
export class Queue {
  readonly #context: QueueContext;

  constructor(context: QueueContext) {
    this.#context = context;
  }

  /** Returns the requests in the order in which they were sent. */
  list(): QueuedRequest[] {
    // It is part of every batch of events: most of the time nothing waits.
    if (this.#context.roles.every(({ agent }) => agent.inbox.empty)) return [];
    return this.#context.ledger.queued
      .filter((entry) => this.#isWaiting(entry))
      .map((entry) => this.#shown(entry));
  }

  /** Returns which of these messages are requests that a role has read first: until now, they could be changed. */
  readFirst(role: string, messages: readonly Message[]): string[] {
    const ids = new Set(messages.map(({ id }) => id));
    return this.#context.ledger.queued.flatMap(({ trace: { message, recipients } }) => {
      if (!ids.has(message.id)) return [];
      return recipients.every((name) => name === role || this.#holds(name, message.id)) ? [message.id] : [];
    });
  }

  /**
   * Removes a request from all inboxes. Until the change is applied or canceled, no role reads it.
   *
   * @throws RoleZeroError `conflict` when a role has read it, `not-found` when it is not in the queue.
   */
  withdraw(id: string): QueueChange {
    const entry = this.#entry(id);
    const copies = this.#take(entry);
    const { ledger, history } = this.#context;
    const idle = copies.filter(({ role }) => !role.agent.isBusy).map(({ role }) => role.name);
    const ended = this.#context.directChats(idle); // only this request began them
    return {
      writes: [
        ...copies.map(({ key }): Write => ({ table: 'inbox', key, value: undefined })),
        ledger.removal(entry),
        ...ended.map(endOfDirectChat),
      ],
      apply: () => {
        ledger.remove(entry);
        this.#context.endDirectChats(ended);
        const message = history.storage.find((each) => each.id === id);
        if (message !== undefined) history.delete(message);
      },
      cancel: () => this.#putBack(copies),
    };
  }

  /** Like `withdraw`, but puts it back with other words. What else belongs to the request remains. */
  revise(id: string, text: string): QueueChange {
    const entry = this.#entry(id);
    const copies = this.#take(entry);
    const { ledger, history } = this.#context;
    const before = entry.trace.message;
    const note = attachedTo(before.metadata)?.note ?? null;
    const content = note === null ? text : `${text}\n\n${note}`;
    const changed = copies.map(({ role, key, message }) => {
      const head = message.content.slice(0, message.content.length - before.content.length); // the envelope
      return { role, key, message: withContent(message, head + content) };
    });
    const revised: LedgerEntry = { ...entry, trace: { ...entry.trace, message: { ...before, content } } };
    return {
      writes: [
        ...changed.map(({ key, message }): Write => ({ table: 'inbox', key, value: message.toData() })),
        ledger.write(revised),
      ],
      apply: () => {
        ledger.replace(entry, revised);
        const message = history.storage.find((each) => each.id === id);
        if (message !== undefined) {
          history.delete(message);
          history.add(withContent(message, content));
        }
        this.#putBack(changed);
      },
      cancel: () => this.#putBack(copies),
    };
  }

  #entry(id: string): LedgerEntry {
    const entry = this.#context.ledger.queued.findLast(({ trace }) => trace.message.id === id);
    if (entry === undefined)
      throw new RoleZeroError(
        'not-found',
        `No request with the id ${JSON.stringify(id)} is waiting. See session.queued; session.rewind takes back a request that started a run.`,
        { message: id },
      );
    if (this.#isWaiting(entry)) return entry;
    throw new RoleZeroError(
      'conflict',
      `The request ${JSON.stringify(id)} can no longer be changed: a role has read it. Send another one, or stop the run.`,
      { message: id },
    );
  }

  #take({ trace: { message, recipients } }: LedgerEntry): QueuedCopy[] {
    return recipients.flatMap((name) => {
      const role = this.#role(name);
      const taken = role?.agent.inbox.take(message.id);
      return role === undefined || taken === undefined ? [] : [{ role, ...taken }];
    });
  }

  #putBack(copies: readonly QueuedCopy[]): void {
    for (const { role, key, message } of copies) role.agent.inbox.putBack(key, message);
  }

  #shown({ trace: { message, recipients } }: LedgerEntry): QueuedRequest {
    const files = filesInNote(attachedTo(message.metadata)?.note ?? '');
    const named = message.sendTo.find((name) => this.#role(name) !== undefined);
    return {
      messageId: message.id,
      content: withoutNote(message.content, message.metadata),
      role: named ?? this.#context.leader ?? recipients[0] ?? '',
      ...(files.length === 0 ? {} : { files }),
    };
  }

  #isWaiting({ trace: { message, recipients } }: LedgerEntry): boolean {
    return recipients.length > 0 && recipients.every((name) => this.#holds(name, message.id));
  }

  #holds(role: string, id: string): boolean {
    return this.#role(role)?.agent.inbox.has(id) === true;
  }

  #role(name: string): TeamRole | undefined {
    return this.#context.roles.find((role) => role.name === name);
  }
}

/** A message in the inbox of a role. */
interface QueuedCopy {
  role: TeamRole;
  key: string;
  message: Message;
}

function withContent(message: Message, content: string): Message {
  const { instructContent: _structured, ...data } = message.toData();
  const changed = Message.fromData({ ...data, content });
  changed.instructContent = message.instructContent;
  return changed;
}
