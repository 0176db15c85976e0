import type { RoleZeroError } from '../../core/error.js';
import type { AgentEvent, StepTrace } from '../../core/events.js';
import type { StepSituation } from '../../core/experience.js';
import type { JsonSchema, JsonValue } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { ChatModel, Purpose } from '../../core/model.js';
import type { Freeable } from '../../core/space.js';
import type { Table, Write } from '../../core/store.js';
import type { Tool } from '../../core/tool.js';
import type { Memory, MemoryListeners } from '../../memory/memory.js';
import type { ToolRegistry } from '../../tools/registry.js';
import type { PolicyRule } from '../policy/policy.js';
import type { ConversationMessage } from '../prompt/conversation-message.js';
import type { Prompts } from '../prompt/prompts.js';
import type { RoleContext } from './context.js';
import type { Journal, MessageRows } from './journal.js';
import type { MemorySnapshot, RoleState } from './state.js';
import type { Turn } from './turn.js';

/**
 * A feature of an agent that its core does not know. The agent asks its parts, in their order, wherever a feature can have something to add:
 * commands, a section of the prompt, rows to store, methods of the session. A part without a member is not asked.
 */
export interface AgentPart {
  /** Unique in a role. Its data is stored under this name in the state of the role, as `agent.state.parts[name]`. */
  readonly name: string;
  /** Its commands. */
  readonly tools?: readonly Tool[];
  /** Groups of commands that it adds to the registry later, in `beforeStep`. */
  readonly groups?: readonly string[];
  /** Tables that contain one row for each of its items, with keys such as `<role>/0000000001`: a checkpoint stores how many there are. */
  readonly tables?: readonly Table[];
  /** Creates the memory of the agent, in place of the plain one; at most one part of an agent has it. Called again before each restore. */
  createMemory?(listeners: MemoryListeners): Memory;
  /** Set when `restore` needs all messages of the role. Otherwise the older ones may be restored later. */
  readonly needsAllMessages?: true;
  /** Restores it from what is stored, before the messages of the role are restored. @throws RoleZeroError `storage-…`. */
  restore?(stored: StoredPart): void | Promise<void>;
  /** Called when a turn begins with a request of the user. */
  onRequest?(request: Message): void;
  /** Returns advice for the model at the start of the work. */
  advice?(): readonly string[];
  /** Called when the work of a turn is done. Returns what the request wants besides words; null for nothing. Only one part may answer. */
  answer?(closing: Closing): Promise<TypedAnswer | null>;
  /** Called before the model is asked for the commands of a step, and when a turn begins or continues. It may change the registry. */
  beforeStep?(signal: AbortSignal): Promise<void>;
  /** Returns its section of the next message to the model; null for none. Must not reject for errors that the agent can work without. */
  section?(occasion: Occasion): Section | null | Promise<Section | null>;
  /** Called with each message that is about to be remembered. */
  onRemember?(message: Message): void;
  /** Returns what it knows about a step before the model is asked for its commands; null for nothing. Must not reject. */
  recall?(situation: () => StepSituation): Promise<Recalled | null>;
  /** Called when the result of a step is stored. Must not reject. */
  onStepResult?(result: StepResult): Promise<void>;
  /** Called when a turn ends before its request is done, because no step is left. Must not reject. */
  onExhausted?(): Promise<void>;
  /** Called with the record of each step before it is stored. */
  onStep?(trace: StepTrace): void;
  /** Called when a turn has ended, or was interrupted, before that is stored. */
  onTurnEnd?(): void;
  /** Summarizes messages that a compaction removes from the prompt; null when that failed. The first part that has it is asked. */
  summarize?(leaving: Leaving): Promise<string | null>;
  /** Called when a compaction has removed the messages up to this one from the prompt. */
  onCompaction?(messageId: string): void;
  /** Called before each commit: what it changes in the state is part of it. */
  onCommit?(): void;
  /** Returns the rows that the next commit stores, and removes where `value` is undefined; called before each commit. */
  rows?(): readonly PartRow[];
  /** Returns texts in the prompt that come from untrusted sources and are no messages. */
  untrusted?(): readonly string[];
  /** Returns what a reply could see that no command shows: the same commands in another view are no repetition. Plain data. */
  seen?(): Partial<Seen>;
  /**
   * Creates the methods that it adds to a session, for all roles that have it; called on that of one role. The page calls them as
   * `session.callPart(name, method, input)`. Inputs and results are plain data; check the inputs.
   */
  session?(access: PartAccess): object;
  /** Reads what other sessions have changed. @throws RoleZeroError `storage-…`. */
  refresh?(): Promise<unknown>;
  /** Forgets a message for the user. Returns the writes that must be stored at once. */
  forget?(messageId: string): readonly Write[];
  /** Returns the size of what the user could remove from this part of all roles; called on that of one role. */
  space?(parts: readonly OwnedPart[]): Freeable['memories'];
}

/** A row of a part. The value is plain data. */
export interface PartRow {
  readonly key: string;
  readonly value: unknown;
}

/** What a part is restored from. */
interface StoredPart extends MemorySnapshot {
  /** Reads its rows, in the order of their keys. */
  readonly rows: () => Promise<readonly PartRow[]>;
}

/** Creates a part for an agent: the value of an option of a role. It is called before the tools of the role are registered. */
export type PartFactory = (agent: PartAgent) => AgentPart;

/** What a part sees of its agent. */
export interface PartAgent {
  readonly name: string;
  /** False when a user plays the role. */
  readonly isMetered: boolean;
  /** The session: its storage, files, clock, and ids. */
  readonly context: RoleContext;
  readonly model: ChatModel;
  /** What the next commit stores. */
  readonly journal: Pick<Journal, 'add' | 'put' | 'remove' | 'tell' | 'then'>;
  readonly memory: Memory;
  /** The keys of the messages in memory. */
  readonly messageRows: Pick<MessageRows, 'keyOf' | 'replacedKeyOf'>;
  readonly registry: ToolRegistry;
  /** Name of the role whose rules apply: a sub-agent has those of its caller. */
  readonly ruleName: string;
  readonly settings: { readonly prompts: Prompts; readonly rules: readonly PolicyRule[] };
  /** Plain data, stored with each commit. Another object after a restore. */
  readonly state: Pick<
    RoleState,
    'notes' | 'output' | 'parts' | 'private' | 'secrets' | 'seenFiles' | 'tools' | 'unread' | 'untrusted'
  >;
  turn(): Pick<Turn, 'id' | 'request' | 'experience'>;
  /** Messages in memory that are not in the prompt yet. */
  unread(): Message[];
  /** Reports an error that the agent can work without. */
  warn(message: string, error: unknown): void;
  emit(event: AgentEvent): void;
}

/** The message that a section is for. */
export interface Occasion {
  /** It asks for commands. Otherwise it ends with a question, such as for a report. */
  readonly asksForCommands: boolean;
  /** Asks the model apart from the conversation. The reply is stored under this purpose for this message. */
  readonly ask: (purpose: Purpose, text: string) => Promise<string>;
}

/** What a reply could see that no command shows. */
export interface Seen {
  /** Number of the last change of files. */
  files: number;
  /** Serial of the shown page. */
  page: number;
  /** The open file and the place in it, as JSON. */
  window: string;
}

/** The end of a turn whose work is done. */
export interface Closing {
  readonly signal: AbortSignal;
  /** Asks the model in the conversation. The reply is stored before it is returned, so that after a crash it is not paid twice. */
  readonly ask: (question: ClosingQuestion) => Promise<string>;
}

interface ClosingQuestion {
  readonly purpose: Purpose;
  /** Unique in the turn. */
  readonly key: string;
  readonly text: string;
  readonly responseSchema?: JsonSchema;
}

/** A typed answer to the request of a turn, or the error that makes the turn fail. */
export type TypedAnswer = { value: JsonValue } | { error: RoleZeroError };

/** Messages that leave the prompt. */
export interface Leaving {
  readonly messages: readonly Pick<ConversationMessage, 'role' | 'content'>[];
  /** Maximum size of the summary. */
  readonly tokens: number;
  /** Asks the model for it, at the end of the conversation or, when there is no room, apart from it. Stored as other replies are. */
  readonly ask: (text: (isApart: boolean) => string) => Promise<string>;
}

/** What a part knows about a step that is about to begin. */
export interface Recalled {
  /** A reply to exactly this step, which is used in place of a call of the model; null for none. */
  readonly reply: string | null;
  /** Advice for the prompt, such as similar steps; empty for none. */
  readonly advice: string;
  /** Called when the step has its reply. Changes of the state are committed with it. */
  markTaken?(): void;
}

/** What became of the reply of a step. */
export interface StepResult {
  /** The reply whose commands ran; null when it is incomplete, was not run, or the step was interrupted. */
  readonly reply: string | null;
  /** Why it failed; null when all commands succeeded. */
  readonly failure: string | null;
}

/** What a part adds to the next message to the model. */
export interface Section {
  /** Returns its text; empty when there is nothing new. `fresh`: the prompt has lost the earlier sections. */
  text(fresh: boolean): string;
  /** Images for the message, as data URLs. */
  readonly images?: readonly string[];
  /** The text remains when the message is shortened to make room. Default: it is dropped then. */
  readonly remains?: true;
  /** Called when the model has received the message. Changes of the state are committed with the reply. */
  markSent?(): void;
}

/** What the methods of a part use of the session. */
export interface PartAccess {
  /** Name of the session. */
  readonly session: string;
  /** Resolves with this part of the role of this name, or of all roles that have it, when the session may be read, changed, or freed of data. */
  readonly parts: (
    role: string | undefined,
    purpose: 'read' | 'write' | 'free',
  ) => Promise<readonly OwnedPart[]>;
  /** Stores changes of the user. With `purge`, also removes what they replace from the replica. */
  readonly commit: (writes: readonly Write[], options?: { purge?: boolean }) => Promise<void>;
  readonly emit: (event: AgentEvent) => void;
}

/** A part and the name of its role. */
export interface OwnedPart {
  readonly role: string;
  readonly part: AgentPart;
}
