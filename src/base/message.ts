import { RoleZeroError } from './error.js';
import { isRecord, sortedKeys, type JsonValue } from './json.js';
import { newId } from './new-id.js';
import { loadStructured, dumpStructured, type StructuredContent } from './structured-content.js';

export const MESSAGE_TO_ALL = '<all>';
export const MESSAGE_TO_NONE = '<none>';
export const MESSAGE_TO_SELF = '<self>';

/** Anything that can name the cause, the sender or a recipient of a message: an id, a class with a static `id`, or its instance. */
export type Named = string | { readonly id: string } | object;

/**
 * Something a role can do, and the name of what caused a message (spec 4). A subclass gives itself a static `id` that never
 * changes: messages and stored sessions name it.
 */
export class Action {
  static readonly id: string = 'Action';
  /** Shown to the model when it chooses between actions. */
  desc = '';

  get name(): string {
    return idOf(this);
  }

  /**
   * Does it, given everything the role remembers. `ask` puts a question to the role's model.
   * @returns the content of a message, or a message.
   */
  async run(
    _history: readonly Message[],
    _ask: (prompt: string) => Promise<string>,
  ): Promise<string | Message> {
    throw new RoleZeroError('internal', `The action ${this.name} does not implement run().`, {
      action: this.name,
    });
  }
}
/** The cause of what a person asks for. */
export class UserRequirement extends Action {
  static override readonly id: string = 'UserRequirement';
}
/** The cause of everything a command said or did. */
export class RunCommand extends Action {
  static override readonly id: string = 'RunCommand';
}
/** The cause of an answer given without working (spec 6.6). */
export const QUICK_THINK = 'QuickThink';

/** A string as it is; a class by its static `id` (else its name); an instance by its class (spec 0.2). */
export function idOf(value: Named): string {
  if (typeof value === 'string') return value;
  const type: unknown = typeof value === 'function' ? value : value.constructor;
  const id = (type as { id?: unknown }).id;
  return typeof id === 'string' ? id : (type as { name: string }).name;
}

/** A message as plain data: what is stored, sent across threads and shown. */
export interface MessageData {
  id: string;
  content: string;
  role: string;
  causeBy: string;
  sentFrom: string;
  sendTo: string[];
  metadata: Record<string, JsonValue>;
  instructContent?: JsonValue;
}

export interface MessageInit {
  id?: string;
  content?: string;
  role?: string;
  causeBy?: Named | null;
  sentFrom?: Named | null;
  sendTo?: Named | Iterable<Named> | null;
  metadata?: Record<string, JsonValue>;
  instructContent?: StructuredContent | null;
}

/** Which of the messages a role remembers are wanted. */
export interface MessageQuery {
  /** Whose memory; default the leader's, else the first role's. */
  role?: string;
  /** The newest so many; default all. */
  last?: number;
  /** Only those that came before the message of this id, as for the page before the one that begins with it. */
  before?: string;
}

/** How a person's message is sent. */
export interface SendOptions {
  /** Speak to this role instead of the leader: it answers the person, and the leader only overhears it. */
  to?: string;
}

/**
 * One message between people, roles and the world (spec 1). Cause, sender and recipients accept classes and instances and are
 * kept as strings. A message without recipients goes to all, one without a cause is a user requirement.
 */
export class Message {
  id: string;
  content: string;
  role: string;
  instructContent: StructuredContent | null;
  metadata: Record<string, JsonValue>;
  #causeBy = UserRequirement.id;
  #sentFrom = '';
  #sendTo: Set<string>;

  constructor(content: string | MessageInit = {}, init: MessageInit = {}) {
    const given = typeof content === 'string' ? init : content;
    this.id = given.id === undefined || given.id === '' ? newId() : given.id;
    this.content = typeof content === 'string' ? content : (content.content ?? '');
    this.role = given.role ?? 'user';
    this.metadata = { ...given.metadata };
    this.instructContent = given.instructContent ?? null;
    this.causeBy = given.causeBy ?? '';
    this.sentFrom = given.sentFrom ?? '';
    this.#sendTo = recipients(given.sendTo ?? []);
  }

  get causeBy(): string {
    return this.#causeBy;
  }
  set causeBy(value: Named) {
    const id = idOf(value);
    this.#causeBy = id === '' ? UserRequirement.id : id;
  }

  get sentFrom(): string {
    return this.#sentFrom;
  }
  set sentFrom(value: Named) {
    this.#sentFrom = idOf(value);
  }

  get sendTo(): Set<string> {
    return this.#sendTo;
  }
  set sendTo(value: Named | Iterable<Named>) {
    this.#sendTo = recipients(value);
  }

  get isUserMessage(): boolean {
    return this.role === 'user';
  }
  get isAiMessage(): boolean {
    return this.role === 'assistant';
  }
  /** What a search over messages looks at. */
  get ragKey(): string {
    return this.content;
  }
  /** The role that spoke, as `withAgent` recorded it; empty when nobody did. */
  get agent(): string {
    const agent = this.metadata['agent'];
    return typeof agent === 'string' ? agent : '';
  }

  withAgent(name: string): this {
    return this.addMetadata('agent', name);
  }

  addMetadata(key: string, value: JsonValue): this {
    this.metadata[key] = value;
    return this;
  }

  /** Whether one of these addresses, or the one, is meant. */
  isSendTo(addresses: Iterable<string>): boolean {
    if (this.#sendTo.has(MESSAGE_TO_ALL)) return true;
    if (typeof addresses === 'string') return this.#sendTo.has(addresses);
    for (const address of addresses) if (this.#sendTo.has(address)) return true;
    return false;
  }

  /** The form a language model gets: role and content only. */
  toDict(): { role: string; content: string } {
    return { role: this.role, content: this.content };
  }

  toString(): string {
    const said = this.instructContent === null ? this.content : JSON.stringify(this.instructContent.value);
    return `${this.role}: ${said}`;
  }

  /** Equal in every field and of the same kind (spec 1.1). Two messages of equal content are two messages. */
  equals(other: Message): boolean {
    if (this === other) return true;
    return (
      this.id === other.id &&
      this.constructor === other.constructor &&
      JSON.stringify(this.#comparable()) === JSON.stringify(other.#comparable())
    );
  }

  toData(): MessageData {
    return {
      id: this.id,
      content: this.content,
      role: this.role,
      causeBy: this.causeBy,
      sentFrom: this.sentFrom,
      sendTo: [...this.sendTo],
      metadata: this.metadata,
      ...(this.instructContent === null ? {} : { instructContent: dumpStructured(this.instructContent) }),
    };
  }

  /** All fields that are set, as JSON text. */
  dump(): string {
    return JSON.stringify(this.toData());
  }

  /**
   * The message a text written by `dump` describes, as the kind its role names. Unknown keys are ignored, snake_case names accepted.
   *
   * @returns null when the text is not JSON or not an object.
   * @throws RoleZeroError `invalid` when its structured content names a type without saying how to find it (spec 1.5).
   */
  static load(text: string): Message | null {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return null;
    }
    return isRecord(value) ? Message.fromData(value) : null;
  }

  /** Like `load`, from an object already read. */
  static fromData(data: Partial<MessageData> | Record<string, unknown>): Message {
    const read = (camel: string, snake = camel): unknown =>
      (data as Record<string, unknown>)[camel] ?? (data as Record<string, unknown>)[snake];
    const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
    const sendTo = read('sendTo', 'send_to');
    const metadata = read('metadata');
    const structured = read('instructContent', 'instruct_content');
    const role = text(read('role')) ?? 'user';
    const init: MessageInit = {
      id: text(read('id')) ?? '',
      content: text(read('content')) ?? '',
      role,
      causeBy: text(read('causeBy', 'cause_by')) ?? '',
      sentFrom: text(read('sentFrom', 'sent_from')) ?? '',
      sendTo: Array.isArray(sendTo) ? sendTo.map(String) : (text(sendTo) ?? []),
      metadata: isRecord(metadata) ? (metadata as Record<string, JsonValue>) : {},
      instructContent:
        structured === undefined || structured === null ? null : loadStructured(structured as JsonValue),
    };
    const Kind = KINDS[role] ?? Message;
    return new Kind(init);
  }

  #comparable(): unknown {
    return sortedKeys({ ...this.toData(), sendTo: [...this.sendTo].sort() });
  }
}

/** A message whose role is always `user`. */
export class UserMessage extends Message {
  constructor(content: string | MessageInit = {}, init: MessageInit = {}) {
    super(content, init);
    this.role = 'user';
  }
}
/** A message whose role is always `system`. */
export class SystemMessage extends Message {
  constructor(content: string | MessageInit = {}, init: MessageInit = {}) {
    super(content, init);
    this.role = 'system';
  }
}
/** A message whose role is always `assistant`. */
export class AIMessage extends Message {
  constructor(content: string | MessageInit = {}, init: MessageInit = {}) {
    super(content, init);
    this.role = 'assistant';
  }
}

const KINDS: Partial<Record<string, new (init: MessageInit) => Message>> = {
  user: UserMessage,
  system: SystemMessage,
  assistant: AIMessage,
};

/** The names that are meant, all when there are none. */
function recipients(value: Named | Iterable<Named>): Set<string> {
  const names = new Set<string>();
  const many = typeof value === 'object' && Symbol.iterator in value ? value : [value];
  for (const name of many) {
    const id = idOf(name);
    if (id !== '') names.add(id);
  }
  return names.size === 0 ? names.add(MESSAGE_TO_ALL) : names;
}

/** Reads one stored message, naming what is wrong when it cannot be one. */
export function messageFromRecord(value: unknown): Message {
  if (!isRecord(value) || typeof value['id'] !== 'string') {
    throw new RoleZeroError('storage-corrupt', 'A stored message has no id.', { value: String(value) });
  }
  return Message.fromData(value);
}
