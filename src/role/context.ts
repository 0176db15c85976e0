import type { AgentEvent } from '../base/events.js';
import type { Workspace } from '../base/files.js';
import type { Human } from '../base/human.js';
import type { Message } from '../base/message.js';
import type { ChatRequest } from '../base/model.js';
import { SeededRuntime, type Runtime } from '../base/runtime.js';
import type { KeyRange, Table, Write } from '../base/store.js';
import { VirtualFiles } from '../files/virtual-files.js';
import type { Account } from './budget.js';

/** A message on its way: what to store for it, and what to do once that is stored. */
export interface Delivery {
  /** Names of the roles that will get it; empty when nobody is meant. */
  recipients: string[];
  /** Recipients that nobody here has the name of, and those in `full`. */
  undeliverable: string[];
  /** Recipients who take no more until they have worked on what waits for them. */
  full: string[];
  /** The role has just said the same, and nobody has answered: it is not said again. */
  repeated: boolean;
  writes: Write[];
  deliver(): void;
}

/** A role as the others know it. */
export interface Member {
  readonly name: string;
  readonly profile: string;
  readonly goal: string;
}

/** How a role reaches the others: by ids and messages, never by object. */
export interface MessageBus {
  readonly description: string;
  /** Everybody here, the role itself included. */
  readonly members: readonly Member[];
  /** Finds who is meant; the sender stores and delivers it together with its own change. */
  route(message: Message): Delivery;
  addressesChanged(role: string, addresses: ReadonlySet<string>): void;
}

/** Calls the part of a tool on the page; `callId` names this one call. */
export type CallPage = (
  callId: string,
  name: string,
  input: unknown,
  signal: AbortSignal,
) => Promise<unknown>;

/** The world of a role: everything it may touch, injected. */
export interface RoleContext {
  session: string;
  runtime: Runtime;
  workspace: Workspace;
  /** Null when nobody is there to talk to. */
  human: Human | null;
  /** Null when the role stands alone. */
  bus: MessageBus | null;
  /** Stores these records, all or none, as they are when it is called. Resolves when they are safe. */
  commit(writes: readonly Write[]): Promise<void>;
  /** Records that are stored, by their keys; missing where nothing is. */
  read?: (table: Table, keys: readonly string[]) => Promise<{ key: string; value: unknown }[]>;
  /** Records of a part of a table that are stored, in key order; missing where nothing is. */
  load?: (table: Table, range: KeyRange) => Promise<{ key: string; value: unknown }[]>;
  emit(event: AgentEvent): void;
  /** The budget that all roles share, if there is one. What is decided about it is stored with the role's next commit. */
  account?: (store: (writes: readonly Write[]) => void) => Account | null;
  /** The part of a tool that stands on the page; absent where there is no page. */
  callPage?: CallPage;
  /** Sees every request to the model just before it is sent; for traces. */
  onRequest?: (request: ChatRequest) => void;
  /** What a command outside the session came to when it was run before; for replays. Undefined: it is run. */
  recorded?: (command: RecordedCommand) => RecordedOutcome | undefined;
}

/** A command by its place: steps of a role and commands of a step are counted from 0. */
export interface RecordedCommand {
  role: string;
  step: number;
  index: number;
}

/** What a command came to; `output` is the observation, as the model reads it. */
export interface RecordedOutcome {
  ok: boolean;
  output: string;
  /** Where it came from, when that was outside of the session. */
  untrusted?: string[];
  /** See `CommandResult`. */
  composed?: true;
}

/** Tells people whom a message did not reach: it is kept as a dead letter. */
export function deadLetterWarning(
  sender: string,
  { undeliverable, full }: Pick<Delivery, 'undeliverable' | 'full'>,
): AgentEvent {
  const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
  const strangers = undeliverable.filter((name) => !full.includes(name));
  const reasons = [
    ...(strangers.length === 0 ? [] : [`Nobody here is named ${quoted(strangers)}`]),
    ...(full.length === 0 ? [] : [`Too many messages wait for ${quoted(full)} already`]),
  ];
  return {
    type: 'warning',
    code: 'dead-letter',
    message: `${reasons.join('. ')}: the message from ${sender} did not arrive there.`,
    detail: { sender, undeliverable },
  };
}

/** A world of its own for a role that nobody has put into a session: nothing is stored, nobody listens. */
export function standaloneContext(): RoleContext {
  const runtime = SeededRuntime.fresh();
  return {
    session: 'standalone',
    runtime,
    workspace: new VirtualFiles({ now: runtime.now }),
    human: null,
    bus: null,
    commit: async () => {},
    emit: () => {},
  };
}
