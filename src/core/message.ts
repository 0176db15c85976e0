import { RoleZeroError } from './error.js';
import { isRecord, sortedKeys, type JsonValue } from './json.js';
import { newId } from './new-id.js';
import type { RequestSettings } from './request-settings.js';
import { loadStructured, dumpStructured, type StructuredContent } from './structured-content.js';

export const MESSAGE_TO_ALL = '<all>';
export const MESSAGE_TO_NONE = '<none>';
export const MESSAGE_TO_SELF = '<self>';

/** Name of the metadata of a request that the user has not sent: who did. */
export const SENDER = 'sender';

/** Names the cause, the sender or a recipient of a message: an id, a class with a static `id`, or an instance of it. */
export type Named = string | { readonly id: string } | object;

/**
 * An action of a role, and the name of what caused a message. A subclass defines a static `id` that never changes, because messages and
 * stored sessions refer to it.
 */
export class Action {
  static readonly id: string = 'Action';
  /** Shown to the model when it chooses between actions. */
  desc = '';

  get name(): string {
    return idOf(this);
  }

  /**
   * Runs the action with everything the role remembers. `ask` sends a prompt to the role's model.
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
/** The cause of requests by the user. */
export class UserRequirement extends Action {
  static override readonly id: string = 'UserRequirement';
}
/** The cause of messages with results of commands. */
export class RunCommand extends Action {
  static override readonly id: string = 'RunCommand';
}
/** The cause of an answer given without working on a task. */
export const QUICK_THINK = 'QuickThink';

/** Returns a string unchanged, the static `id` of a class (else its name), or the id of the class of an instance. */
export function idOf(value: Named): string {
  if (typeof value === 'string') return value;
  const type: unknown = typeof value === 'function' ? value : value.constructor;
  const id = (type as { id?: unknown }).id;
  return typeof id === 'string' ? id : (type as { name: string }).name;
}

/** A message as plain data: the form that is stored, sent across threads and shown. */
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

/** Returns the commands of a reply, as they are stored with its message; none for another message. */
export function commandsIn(message: Pick<MessageData, 'metadata'> | undefined): Record<string, unknown>[] {
  const commands: unknown = message?.metadata['commands'];
  return Array.isArray(commands) ? commands.filter(isRecord) : [];
}

/** Returns the results that an observation reports, as they are stored with it: those of the first commands; null for another message. */
export function resultsIn(
  message: Pick<MessageData, 'metadata'> | undefined,
): Record<string, unknown>[] | null {
  const results: unknown = message?.metadata['results'];
  return Array.isArray(results) ? results.filter(isRecord) : null;
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

/** Selects messages that a role remembers. */
export interface MessageQuery {
  /** Name of the role; default the leader, else the first role. */
  role?: string;
  /** Number of newest messages; default all. */
  last?: number;
  /** Id of a message: returns only messages before it, such as the page before the one that starts with it. */
  before?: string;
}

/** Options for sending a message of the user. */
export interface SendOptions extends RequestSettings {
  /** Sends to this role instead of the leader. The role answers the user directly. The leader receives copies in `public` chat only. */
  to?: string;
  /**
   * Who wrote the request, when it is not the user: another agent, or a page. The role then counts as having read untrusted content. The
   * result of the run is for that sender: it contains private data only when the user releases it, and an answer that the user does not
   * release says so. Up to 200 characters.
   */
  untrusted?: string;
  /**
   * Id of the message, for an interface that has one. A request with an id that the conversation has already is not sent again.
   *
   * @default a random id
   */
  id?: string;
  /**
   * Files of the request: a `File` or `Blob`, or the path of a file of the session. They are stored in `/uploads`, in one transaction with
   * the request, which names them with type and size. Models with vision receive images, scaled down where they are large. The text of a
   * document is stored beside it, if the option `readers` of `connect` can read it. At most 20 files with 64 MiB; of text or of a single
   * stored file 8 MiB. Other files beyond that are only named.
   */
  files?: readonly (Blob | string)[];
  /**
   * True when the application vouches for the contents and names of `files`. Default false: a role that receives them counts as having read
   * untrusted content. Paths keep the sources of their files.
   */
  trusted?: boolean;
}

/**
 * One message between users, roles and the outside. Cause, sender and recipients accept classes and instances and are stored as strings. A
 * message without recipients goes to all. A message without a cause is a request by the user.
 */
export class Message {
  id: string;
  content: string;
  role: string;
  instructContent: StructuredContent | null;
  metadata: Record<string, JsonValue>;
  #causeBy: string;
  #sentFrom: string;
  #sendTo: Set<string>;

  constructor(content: string | MessageInit = {}, init: MessageInit = {}) {
    const given = typeof content === 'string' ? init : content;
    this.id = given.id === undefined || given.id === '' ? newId() : given.id;
    this.content = typeof content === 'string' ? content : (content.content ?? '');
    this.role = given.role ?? 'user';
    this.metadata = { ...given.metadata };
    this.instructContent = given.instructContent ?? null;
    this.#causeBy = idOf(given.causeBy ?? '') || UserRequirement.id;
    this.#sentFrom = idOf(given.sentFrom ?? '');
    this.#sendTo = recipients(given.sendTo ?? []);
  }

  get causeBy(): string {
    return this.#causeBy;
  }
  set causeBy(value: Named) {
    this.#causeBy = idOf(value) || UserRequirement.id;
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
  /** The text that a search over messages uses. */
  get ragKey(): string {
    return this.content;
  }
  /** The role that wrote the message, as `withAgent` recorded it; empty when there is none. */
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

  /** Returns whether the message is sent to one of these addresses, or to the given one. */
  isSendTo(addresses: Iterable<string>): boolean {
    if (this.#sendTo.has(MESSAGE_TO_ALL)) return true;
    if (typeof addresses === 'string') return this.#sendTo.has(addresses);
    for (const address of addresses) if (this.#sendTo.has(address)) return true;
    return false;
  }

  /** Returns the form for a language model: role and content only. */
  toDict(): { role: string; content: string } {
    return { role: this.role, content: this.content };
  }

  toString(): string {
    const text = this.instructContent === null ? this.content : JSON.stringify(this.instructContent.value);
    return `${this.role}: ${text}`;
  }

  /** Returns whether every field and the class are equal. Two messages with equal content but different ids are not equal. */
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
      causeBy: this.#causeBy,
      sentFrom: this.#sentFrom,
      sendTo: [...this.#sendTo],
      metadata: this.metadata,
      ...(this.instructContent === null ? {} : { instructContent: dumpStructured(this.instructContent) }),
    };
  }

  /** Returns all defined fields as JSON text. */
  dump(): string {
    return JSON.stringify(this.toData());
  }

  /**
   * Parses a text written by `dump` and returns the class that its role names. Ignores unknown keys and accepts snake_case names.
   *
   * @returns null when the text is not JSON or not an object.
   * @throws RoleZeroError `invalid` when its structured content names a type without stating how to find it.
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

  /** Like `load`, from a parsed object. */
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
    const Kind = MESSAGE_CLASSES[role] ?? Message;
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

const MESSAGE_CLASSES: Partial<Record<string, new (init: MessageInit) => Message>> = {
  user: UserMessage,
  system: SystemMessage,
  assistant: AIMessage,
};

/** Returns the names of the recipients, or `MESSAGE_TO_ALL` when there are none. */
function recipients(value: Named | Iterable<Named>): Set<string> {
  const names = new Set<string>();
  const many = typeof value === 'object' && Symbol.iterator in value ? value : [value];
  for (const name of many) {
    const id = idOf(name);
    if (id !== '') names.add(id);
  }
  return names.size === 0 ? names.add(MESSAGE_TO_ALL) : names;
}

/** Reads one stored message. @throws RoleZeroError `storage-corrupt` when it is not a message. */
export function messageFromRecord(value: unknown): Message {
  if (!isRecord(value) || typeof value['id'] !== 'string') {
    throw new RoleZeroError('storage-corrupt', 'A stored message has no id.', { value: String(value) });
  }
  return Message.fromData(value);
}
