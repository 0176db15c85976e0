import { RoleZeroError } from '../core/error.js';
import type { DeadLetter, Inspection, MessageTrace } from '../core/inspection.js';
import { Message, type MessageData } from '../core/message.js';
import { deliveryRow } from '../core/row-shapes.js';
import type { Write } from '../core/store.js';

/** Maximum number of stored messages; the oldest are removed first. */
export const MAX_TRACES = 500;
/** Maximum number of characters of a message in an inspection. */
const MAX_SHOWN = 2_000;

interface Entry {
  trace: MessageTrace;
  undeliverable: string[];
}

/**
 * The newest messages published in an environment, with the result of each delivery. Stores one row per message, so that each is stored
 * once.
 */
export class Ledger {
  #entries: Entry[] = [];
  #next = 0;
  /** The last message of each role, until a message arrives that the role reacts to. */
  readonly #unanswered = new Map<string, string>();

  /** Restores the stored messages and returns them, oldest first. */
  restore(rows: readonly { key: string; value: unknown }[]): Message[] {
    this.#entries = [];
    this.#unanswered.clear();
    this.#next = Number(rows.at(-1)?.key ?? -1) + 1;
    return rows.map(({ key, value }) => {
      const { message, entry } = readEntry(key, value);
      this.#enter(message, entry);
      return message;
    });
  }

  /** Returns whether a role repeats its last message without having received a message that it reacts to. */
  repeats(message: Message): boolean {
    return this.#unanswered.get(message.sentFrom) === fingerprint(message);
  }

  /** Reserves an entry. Returns the writes to store for it, and a function that adds it after they are stored. */
  reserve(
    message: Message,
    traced: Omit<MessageTrace, 'message'>,
    undeliverable: string[],
  ): { writes: Write[]; add: () => void } {
    const number = this.#next++;
    const entry: Entry = { trace: { message: message.toData(), ...traced }, undeliverable };
    const writes: Write[] = [{ table: 'deliveries', key: keyOf(number), value: entry }];
    if (number >= MAX_TRACES) {
      writes.push({ table: 'deliveries', key: keyOf(number - MAX_TRACES), value: undefined });
    }
    return { writes, add: () => this.#enter(message, entry) };
  }

  inspect(): Inspection {
    const shown = this.#entries.map(({ trace, undeliverable }) => {
      return { trace: { ...structuredClone(trace), message: shortened(trace.message) }, undeliverable };
    });
    const deadLetters = shown
      .filter(({ undeliverable }) => undeliverable.length > 0)
      .map(({ trace: { message }, undeliverable }): DeadLetter => {
        return { message, undeliverable: [...undeliverable] };
      });
    return { messages: shown.map(({ trace }) => trace), deadLetters };
  }

  #enter(message: Message, entry: Entry): void {
    for (const { role, reacts } of entry.trace.reactions) {
      if (role === message.sentFrom) this.#unanswered.set(role, fingerprint(message));
      else if (reacts) this.#unanswered.delete(role);
    }
    this.#entries.push(entry);
    if (this.#entries.length > MAX_TRACES) this.#entries.shift();
  }
}

function fingerprint({ content, causeBy, sendTo }: Message): string {
  return JSON.stringify([causeBy, [...sendTo].sort(), content]);
}

function keyOf(number: number): string {
  return String(number).padStart(10, '0');
}

/** Shortens a message for display in a list. */
function shortened(message: MessageData): MessageData {
  const { instructContent: _structured, content, metadata, ...rest } = message;
  const agent = metadata['agent'];
  const left = content.length - MAX_SHOWN;
  return {
    ...rest,
    sendTo: [...rest.sendTo],
    content: left > 0 ? `${content.slice(0, MAX_SHOWN)}… ${left} characters more` : content,
    metadata: agent === undefined ? {} : { agent },
  };
}

function readEntry(key: string, value: unknown): { message: Message; entry: Entry } {
  if (deliveryRow(value) !== null)
    throw new RoleZeroError('storage-corrupt', 'A stored delivery of a message cannot be read.', { key });
  const { trace, undeliverable } = value as Entry;
  const { recipients, reactions } = trace;
  const message = Message.fromData(trace.message);
  return { message, entry: { trace: { message: message.toData(), recipients, reactions }, undeliverable } };
}
