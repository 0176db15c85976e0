import { RoleZeroError } from '../../core/error.js';
import type { AgentEvent, CallTrace } from '../../core/events.js';
import type { Workspace } from '../../core/files.js';
import type { Human } from '../../core/human.js';
import type { Message } from '../../core/message.js';
import type { ChatRequest, Purpose } from '../../core/model.js';
import { SeededRuntime, type Runtime } from '../../core/runtime.js';
import type { KeyRange, SessionStore, Table, Write } from '../../core/store.js';
import { VirtualFiles } from '../../files/virtual-files.js';
import type { Account } from '../policy/budget.js';
import type { Turn } from './turn.js';

/** A message to deliver: the writes to commit, and what to do after the commit. */
export interface Delivery {
  /** Names of the roles that receive it; may be empty. */
  recipients: string[];
  /** Recipients that do not exist, and those in `full`. */
  undeliverable: string[];
  /** Recipients whose inbox is full. */
  full: string[];
  /** The role has just sent the same message and has no answer yet, so it is not sent again. */
  repeated: boolean;
  writes: Write[];
  deliver(): void;
}

/** A role as the other roles see it. */
export interface Member {
  readonly name: string;
  readonly profile: string;
  readonly goal: string;
}

/** An agent that calls its model. */
export interface CallingAgent {
  turn(): Pick<Turn, 'lastCall'>;
  /** See `AgentRuntime.log`. */
  log(what: 'command'): Promise<void>;
}

/** Connects a role with the others, by ids and messages and never by object. */
export interface MessageBus {
  readonly description: string;
  /** All roles, including this one. */
  readonly members: readonly Member[];
  /** Finds the recipients. The sender commits and delivers the message together with its own changes. */
  route(message: Message): Delivery;
  /** A role takes these messages out of its inbox. */
  read(role: string, messages: readonly Message[]): void;
  /** Makes a call of the role's model, which has this key in its turn; other roles may work meanwhile. */
  duringCall<Reply>(agent: CallingAgent, key: string, call: () => Promise<Reply>): Promise<Reply>;
}

/** Calls the page side of a tool; `callId` identifies the call. */
export type CallPage = (
  callId: string,
  name: string,
  input: unknown,
  signal: AbortSignal,
) => Promise<unknown>;

/** Everything outside of a role that it uses, injected. */
export interface RoleContext {
  session: string;
  runtime: Runtime;
  workspace: Workspace;
  /**
   * Resolves when the whole session is read, and starts that. The first prompt of a run may be made before: with the newest messages only,
   * and without the files. Absent where everything is in memory. @throws RoleZeroError `storage-…`.
   */
  whole?: () => Promise<void>;
  /** Null when no user is connected. */
  human: Human | null;
  /** The user is asked for approvals only: no question of the role or about its limits. */
  onlyApprovals?: true;
  /** Null for a role without a team. */
  bus: MessageBus | null;
  /** Runs changes of files, each until it is stored and applied, one after the other. Without it, only this role changes them. */
  inTurn?: (job: () => Promise<void>) => Promise<void>;
  /** Stores these records, all or none, as they are at the call. Resolves when they are durable. */
  commit(writes: readonly Write[]): Promise<void>;
  /** Appends records to a log until the next commit; false where there is none. See `SessionStore.log`. */
  log?: (writes: readonly Write[]) => Promise<boolean>;
  /** Reads stored records by key; undefined without a store. */
  read?: (table: Table, keys: readonly string[]) => Promise<{ key: string; value: unknown }[]>;
  /** Reads a range of stored records in key order; undefined without a store. */
  load?: (table: Table, range: KeyRange) => Promise<{ key: string; value: unknown }[]>;
  /** Loads records that sessions share; undefined where records cannot be shared. See `SessionStore.loadShared`. */
  loadShared?: NonNullable<SessionStore['loadShared']>;
  /** See `SessionStore.sharedKeys`. */
  sharedKeys?: NonNullable<SessionStore['sharedKeys']>;
  /** See `SessionStore.openFile`. */
  openFile?: NonNullable<SessionStore['openFile']>;
  emit: (event: AgentEvent) => void;
  /** Returns the budget of the session, if there is one. Decisions about it are stored with the next commit of the role. */
  account?: (store: (writes: readonly Write[]) => void) => Account | null;
  /** Returns the part of this name of all roles that have it. */
  parts?: (name: string) => readonly { readonly role: string; readonly part: object }[];
  /** The commands that run, of all roles and sub-agents of the session. */
  calls?: RunningCalls;
  /** Calls page sides of tools; undefined without a page. */
  callPage?: CallPage;
  /** Receives every request to the model just before it is sent; for traces. */
  onRequest?: (request: ChatRequest, origin: RequestOrigin) => void;
  /** Returns the reply that a call repeats; undefined to ask the model. */
  recordedReply?: (place: CallPlace) => RecordedReply | undefined;
  /** Returns the recorded result of a command with an outside effect, for replays; undefined to run the command. */
  recorded?: (command: RecordedCommand) => RecordedOutcome | undefined;
}

/** Where a request to a model comes from. */
export interface RequestOrigin {
  role: string;
  /** Id of the model. */
  model: string;
  /** See `CallTrace`. */
  promptHash: string;
}

/** The place of a model call: steps of a request and calls of a step count from 0. */
export interface CallPlace {
  role: string;
  /** Id of the message with the request. */
  requirement: string;
  step: number;
  call: number;
  purpose: Purpose;
}

/** A reply that a model gave before. */
export type RecordedReply = Pick<CallTrace, 'reply' | 'calls' | 'cut'>;

/** The place of a command: steps of a role and commands of a step count from 0. */
export interface RecordedCommand {
  role: string;
  step: number;
  index: number;
}

/** The result of a command; `output` is the observation, as the model reads it. */
export interface RecordedOutcome {
  ok: boolean;
  output: string;
  /** Untrusted sources of the output. */
  untrusted?: string[];
  /** See `CommandResult`. */
  composed?: true;
  /** See `CommandResult`. */
  addresses?: string[];
}

/** Warns about recipients that a message did not reach. The message is stored as a dead letter. */
export function deadLetterWarning(
  sender: string,
  { undeliverable, full }: Pick<Delivery, 'undeliverable' | 'full'>,
): AgentEvent {
  const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
  const unnamed = undeliverable.filter((name) => !full.includes(name));
  const reasons = [
    ...(unnamed.length === 0 ? [] : [`No role is named ${quoted(unnamed)}`]),
    ...(full.length === 0 ? [] : [`Too many messages wait for ${quoted(full)} already`]),
  ];
  return {
    type: 'warning',
    code: 'dead-letter',
    message: `${reasons.join('. ')}: the message from ${sender} was not delivered to them.`,
    detail: { sender, undeliverable },
  };
}

/** Returns a context for a role without a session: it stores nothing and has no listeners. */
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

/** The commands of a session that run and can be canceled, by the ids of their calls. */
export class RunningCalls {
  readonly #cancel = new Map<string, () => void>();

  /** Adds a call until the returned function is called. `cancel` ends it. */
  add(callId: string, cancel: () => void): () => void {
    this.#cancel.set(callId, cancel);
    return () => this.#cancel.delete(callId);
  }

  /** @throws RoleZeroError `not-found` when no such command runs. */
  cancel(callId: string): void {
    const cancel = this.#cancel.get(callId);
    if (cancel === undefined)
      throw new RoleZeroError(
        'not-found',
        `No command with the call ${JSON.stringify(callId)} is running. The event \`command-start\` has the id.`,
        { callId },
      );
    cancel();
  }
}
