import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { DeadLetter, Inspection, MessageTrace } from '../core/inspection.js';
import { Message, type MessageData } from '../core/message.js';
import { numberKey } from '../core/number-key.js';
import { deliveryRow } from '../core/shape.js';
import type { Write } from '../core/store.js';

/** Maximum number of stored messages; the oldest are removed first. */
export const MAX_TRACES = 500;
/** Maximum number of characters of a message in an inspection. */
const MAX_INSPECTED_TEXT = 2_000;

/** A published message, with the number of its row. */
export interface LedgerEntry extends StoredEntry {
  number: number;
}

interface StoredEntry {
  trace: MessageTrace;
  undeliverable: string[];
  /** It is a request that joined a run in progress. */
  isQueued?: true;
}

/**
 * The newest messages published in an environment, with the result of each delivery. Stores one row per message, so that each is stored
 * once.
 */
export class Ledger {
  #entries: LedgerEntry[] = [];
  #next = 0;
  /** The last message of each role, until a message arrives that the role reacts to. */
  readonly #unanswered = new Map<string, string>();

  /** Restores the stored messages and returns them, oldest first. */
  restore(rows: readonly { key: string; value: unknown }[]): Message[] {
    this.#entries = [];
    this.#unanswered.clear();
    this.#next = Number(rows.at(-1)?.key ?? -1) + 1;
    return rows.map(({ key, value }) => {
      const { message, entry } = readLedgerEntry(key, value);
      this.#enter(entry);
      return message;
    });
  }

  /** The requests that have joined a run, oldest first, also those that were read. */
  get queued(): readonly LedgerEntry[] {
    return this.#entries.filter(({ isQueued }) => isQueued === true);
  }

  remove(entry: LedgerEntry): void {
    const entries = this.#entries.filter((other) => other !== entry);
    this.#entries = [];
    this.#unanswered.clear();
    for (const other of entries) this.#enter(other);
  }

  replace(entry: LedgerEntry, changed: LedgerEntry): void {
    this.#entries = this.#entries.map((other) => (other === entry ? changed : other));
  }

  /** Returns the write that stores an entry. */
  write({ number, ...value }: LedgerEntry): Write {
    return { table: 'deliveries', key: numberKey(number), value };
  }

  /** Returns the write that removes the row of an entry. */
  removal({ number }: LedgerEntry): Write {
    return { table: 'deliveries', key: numberKey(number), value: undefined };
  }

  /** Returns whether a role repeats its last message without having received a message that it reacts to. */
  repeats(message: Message): boolean {
    return this.#unanswered.get(message.sentFrom) === messageFingerprint(message);
  }

  /** Reserves an entry. Returns the writes to store for it, and a function that adds it after they are stored. */
  reserve(
    message: Message,
    traced: Omit<MessageTrace, 'message'>,
    undeliverable: string[],
    isQueued = false,
  ): { writes: Write[]; add: () => void } {
    const number = this.#next++;
    const trace: MessageTrace = { message: message.toData(), ...traced };
    const entry: LedgerEntry = { number, trace, undeliverable, ...(isQueued ? { isQueued } : {}) };
    const writes = [this.write(entry)];
    if (number >= MAX_TRACES) {
      writes.push({ table: 'deliveries', key: numberKey(number - MAX_TRACES), value: undefined });
    }
    return { writes, add: () => this.#enter(entry) };
  }

  inspect(): Inspection {
    const shown = this.#entries.map(({ trace, undeliverable }) => {
      return { trace: { ...structuredClone(trace), message: withShortText(trace.message) }, undeliverable };
    });
    const deadLetters = shown
      .filter(({ undeliverable }) => undeliverable.length > 0)
      .map(({ trace: { message }, undeliverable }): DeadLetter => {
        return { message, undeliverable: [...undeliverable] };
      });
    return { messages: shown.map(({ trace }) => trace), deadLetters };
  }

  #enter(entry: LedgerEntry): void {
    const { message, reactions } = entry.trace;
    for (const { role, reacts } of reactions) {
      if (role === message.sentFrom) this.#unanswered.set(role, messageFingerprint(message));
      else if (reacts) this.#unanswered.delete(role);
    }
    this.#entries.push(entry);
    if (this.#entries.length > MAX_TRACES) this.#entries.shift();
  }
}

function messageFingerprint({
  content,
  causeBy,
  sendTo,
}: Pick<MessageData, 'content' | 'causeBy'> & { sendTo: Iterable<string> }): string {
  return JSON.stringify([causeBy, [...sendTo].sort(), content]);
}

/** Shortens a message for display in a list. */
function withShortText(message: MessageData): MessageData {
  const { instructContent: _structured, content, metadata, ...rest } = message;
  const agent = metadata['agent'];
  const left = content.length - MAX_INSPECTED_TEXT;
  return {
    ...rest,
    sendTo: [...rest.sendTo],
    content: left > 0 ? `${content.slice(0, MAX_INSPECTED_TEXT)}… ${left} characters more` : content,
    metadata: agent === undefined ? {} : { agent },
  };
}

function readLedgerEntry(key: string, value: unknown): { message: Message; entry: LedgerEntry } {
  if (deliveryRow(value) !== null)
    throw new RoleZeroError('storage-corrupt', 'A stored delivery of a message cannot be read.', { key });
  const { trace, undeliverable, isQueued } = value as StoredEntry;
  const { recipients, reactions } = trace;
  const message = Message.fromData(trace.message);
  return {
    message,
    entry: {
      number: Number(key),
      trace: { message: message.toData(), recipients, reactions },
      undeliverable,
      ...defined({ isQueued }),
    },
  };
}
