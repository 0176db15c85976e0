import { RoleZeroError, toRoleZeroError } from '../../core/error.js';
import type { AgentEvent, Phase } from '../../core/events.js';
import { messageFromRecord, type Message, type MessageInit } from '../../core/message.js';
import type { ChatModel } from '../../core/model.js';
import type { Write } from '../../core/store.js';
import type { Temperature } from '../../core/request-settings.js';
import { Memory, type MemoryListeners } from '../../memory/memory.js';
import { Approvals, approvalsKey } from '../policy/approvals.js';
import type { Budget } from '../policy/budget.js';
import type { AgentBehavior } from './hooks.js';
import { standaloneContext, type RoleContext } from './context.js';
import { Conversation, type CompactionLimits } from '../prompt/conversation.js';
import { Inbox } from './inbox.js';
import { Journal, readRowKey, replacedKey, rowKey, MessageRows } from './journal.js';
import type { GivenRule } from '../policy/policy.js';
import type { StepSettings } from './role-zero-options.js';
import { ModelCall, type DurableQuestion, type Reply } from './model-call.js';
import type { Outcome, Run } from './outcome.js';
import type { AgentPart } from './part.js';
import {
  addSender,
  addSources,
  assertTransition,
  initialState,
  readState,
  type MemorySnapshot,
  type RoleSnapshot,
  type RoleState,
} from './state.js';
import { readConversationMessage } from '../prompt/conversation-message.js';
import { ToolRows, loadPartRows, partWrites } from './rows.js';
import type { Turn } from './turn.js';

/** Fixed properties of an agent. */
export interface AgentSettings {
  name: string;
  /** Id of the class of its role. */
  kind: string;
  profile: string;
  model: ChatModel | undefined;
  /** Answers in place of the model; null for none. */
  player: Player | null;
  /** Causes whose messages start a turn. */
  watch: ReadonlySet<string>;
  /** Remembers all messages, also those that do not concern the agent. */
  observeAllMessages: boolean;
  enableMemory: boolean;
  compaction: CompactionLimits;
  /** Limits of one turn. */
  budget: Budget | undefined;
  /** Randomness of replies. @default that of the model */
  temperature?: Temperature | undefined;
}

/** Answers the questions to the model in its place. */
export interface Player {
  /** What prompts are made for. */
  model: ChatModel;
  ask(agent: AgentRuntime, run: Run, question: DurableQuestion): Promise<Reply>;
}

/**
 * Everything an agent works with: its state, memory, conversation, inbox, and the journal that stores them. The stages of a turn are
 * functions over it. Its state is plain data; every change is committed through the journal, so it can be restored after a crash.
 */
export class AgentRuntime {
  readonly name: string;
  readonly fixed: AgentSettings;
  /** Replies come from a model, and are counted. */
  readonly isMetered: boolean;
  readonly behavior: AgentBehavior;
  /** Messages that the last observation found. */
  news: Message[] = [];
  /** Outcome of the last turn. */
  outcome: Outcome | null = null;
  /** True when nothing but the core, which waits for `context.whole`, uses its memory and the files before the first call of the model. */
  startsEarly = false;
  /** The current work; it never rejects. */
  working: Promise<Outcome | null> | null = null;
  state: RoleState = initialState();
  journal: Journal;
  memory: Memory;
  readonly messageRows: MessageRows;
  readonly #toolRows: ToolRows;
  /** Its features, in the order of their sections in a prompt. */
  parts: readonly AgentPart[] = [];
  readonly approvals = new Approvals();
  readonly conversation: Conversation;
  readonly modelCall: ModelCall;
  /** Settings of the current step; see the option `prepareStep`. */
  step: StepSettings = {};
  readonly inbox: Inbox;
  /** The session it works in. Outside of a session it has a context of its own. */
  context: RoleContext = standaloneContext();
  /** Addresses of its role. Default: the id of its class, and its name. */
  addresses: ReadonlySet<string>;
  /** Messages that are remembered are stored already. */
  #isRestoring = false;

  constructor(settings: AgentSettings, behavior: AgentBehavior) {
    this.fixed = settings;
    this.behavior = behavior;
    this.name = settings.name;
    this.isMetered = settings.player === null;
    this.addresses = new Set([settings.kind, this.name].filter((address) => address !== ''));
    this.inbox = new Inbox(this.name);
    this.journal = this.#newJournal();
    this.messageRows = new MessageRows(this.name);
    this.#toolRows = new ToolRows(this.name);
    this.memory = this.newMemory();
    this.conversation = new Conversation(
      () => this.model,
      {
        put: (number, turn) => this.journal.put('turns', rowKey(this.name, number), turn),
        remove: (number) => this.journal.remove('turns', rowKey(this.name, number)),
        replaced: (number, turn, next) =>
          this.journal.put('checkpoints', replacedKey('turns', this.name, next, number), turn),
      },
      settings.compaction,
    );
    this.modelCall = new ModelCall(this, this.conversation);
  }

  /** Puts the agent into a session. Its memory and state stay as they are. */
  attach(context: RoleContext): void {
    this.context = context;
    this.journal = this.#newJournal();
  }

  /** @throws RoleZeroError `invalid` when the role was created without a model. */
  get model(): ChatModel {
    const { player } = this.fixed;
    const model = player === null ? (this.step.model ?? this.fixed.model) : player.model;
    if (model !== undefined) return model;
    throw new RoleZeroError(
      'invalid',
      `The role ${this.name} has no model. Give it one: { model: openai({ … }) }.`,
      { role: this.name },
    );
  }

  /** The current turn. */
  turn(): Turn {
    if (this.state.turn !== null) return this.state.turn;
    throw new RoleZeroError('internal', `${this.name} is not in a turn.`, { role: this.name });
  }

  /**
   * Puts a message into the inbox; the next observation reads it.
   *
   * @param key Key of the stored message; without it, the message is stored with the next commit.
   * @throws RoleZeroError `inbox-full` when 1,000 messages are waiting. None is dropped.
   */
  putMessage(message: Message, key?: string): void {
    if (key === undefined) this.inbox.checkRoom();
    const row = key ?? this.inbox.nextKey();
    if (key === undefined) this.journal.put('inbox', row, message.toData());
    this.inbox.add(row, message);
  }

  /** True when an interrupted turn can be resumed. */
  get isResumable(): boolean {
    return this.state.turn !== null;
  }

  /** True when there is no turn and no message is waiting. */
  get isIdle(): boolean {
    return this.state.turn === null && this.inbox.empty;
  }

  /** True during a turn that is not given up, and while a message is waiting that will start one. */
  get isBusy(): boolean {
    const { turn } = this.state;
    return (
      (turn !== null && turn.isGivenUp === undefined) ||
      this.inbox.some((message) => this.behavior.concerns(message))
    );
  }

  /** Returns the policy rules of the agent, and whether each can match one of its commands. */
  givenRules(): GivenRule[] {
    return [];
  }

  /** Returns the writes that store its state now. */
  stateWrites(): Write[] {
    return structuredClone(this.#toolRows.stateWrites(this.state));
  }

  /** Emits transient phases immediately, and waiting and final phases after the commit. */
  enter(phase: Phase): void {
    if (phase === this.state.phase) return;
    assertTransition(this.state.phase, phase);
    this.state.phase = phase;
    const event: AgentEvent = { type: 'phase', role: this.name, phase };
    if (phase === 'classifying' || phase === 'thinking' || phase === 'acting') this.emit(event);
    else this.journal.tell(event);
  }

  emit(event: AgentEvent): void {
    this.context.emit(event);
  }

  /** Reports an error that the agent can work without. */
  warn(message: string, error: unknown): void {
    const { code, message: reason } = toRoleZeroError(error);
    this.emit({ type: 'warning', code, message, detail: { role: this.name, reason } });
  }

  /** Stores everything that has changed since the last commit, as one. */
  commit(): Promise<void> {
    this.#collect();
    return this.journal.commit();
  }

  /**
   * Logs it until the next commit, see `Journal.log`; commits it where there is no log. A `reply` is only logged when nothing else is, so
   * that a power cut, or a writer that has lost the session without noticing, costs at most one.
   */
  log(what: 'reply' | 'command'): Promise<void> {
    return this.context.log === undefined ? this.commit() : this.#log(what);
  }

  async #log(what: 'reply' | 'command'): Promise<void> {
    this.#collect();
    const isReply = what === 'reply';
    if ((isReply && this.journal.hasLogged) || !(await this.journal.log(isReply))) await this.commit();
  }

  #collect(): void {
    for (const part of this.parts) {
      part.onCommit?.();
      if (part.rows !== undefined) this.journal.add(partWrites(this.name, part.name, part.rows()));
    }
    this.journal.add(this.#toolRows.stateWrites(this.state)); // the store copies them before anything changes them again
    const approvals = this.approvals.takeChanges();
    if (approvals !== null) this.journal.put('approvals', approvalsKey(this.name), approvals);
  }

  /**
   * Creates a message whose id follows from the session, so that doing it again after a crash creates the same one. It is labelled with
   * the untrusted sources that the agent has read.
   */
  newMessage<Kind extends Message>(
    kind: new (content: string | MessageInit, init?: MessageInit) => Kind,
    init: MessageInit,
  ): Kind {
    const { untrusted } = this.state;
    init.id ??= this.context.runtime.newId(); // made for this call
    const message = new kind(init);
    if (untrusted !== undefined) message.addMetadata('untrusted', untrusted);
    return message;
  }

  /**
   * Adds a message to memory.
   *
   * @param isRead The model wrote it or has read it already. Default false.
   */
  remember(message: Message, isRead = false): Message {
    for (const part of this.parts) part.onRemember?.(message);
    const before = this.state.unread.length;
    const { untrusted, private: secret } = message.metadata;
    if (Array.isArray(untrusted)) addSources(this.state, untrusted.map(String));
    if (secret === true) this.state.private = true;
    addSender(this.state, message);
    this.memory.add(message);
    if (isRead && this.state.unread.length > before) this.state.unread.pop();
    return message;
  }

  /** Messages in memory that are not in the prompt yet. */
  unread(): Message[] {
    const { unread } = this.state;
    if (unread.length === 0) return [];
    const newest = this.memory.storage.at(-1);
    if (unread.length === 1 && newest?.id === unread[0] && newest !== undefined) return [newest]; // the results of a step
    const ids = new Set(unread);
    // Unread messages are recent: at most one message of the agent itself is between two of them.
    return this.memory.get(ids.size * 2 + 8).filter(({ id }) => ids.has(id));
  }

  /** Restores state and inbox, without memory: enough to show how far the work is, and to receive messages. */
  restoreState({ state, approvals, inbox, tools }: RoleSnapshot): void {
    this.state = readState(state);
    this.state.tools = this.#toolRows.restore(tools, this.state.tools);
    this.approvals.restore(approvals);
    this.approvals.enterTurn(this.state.turn?.id ?? '');
    this.inbox.restore(inbox);
  }

  /** Restores what it remembers. @throws RoleZeroError `storage-…` when older memories cannot be read. */
  async restoreMemory({ messages, turns }: MemorySnapshot): Promise<void> {
    this.memory = this.newMemory();
    this.messageRows.clear();
    await Promise.all(
      this.parts.map(async (part) =>
        part.restore?.({ messages, turns, rows: () => loadPartRows(this.context, this.name, part.name) }),
      ),
    );
    this.#isRestoring = true;
    for (const { key, value } of messages) {
      this.messageRows.continueAt(key);
      this.memory.add(messageFromRecord(value));
    }
    this.#isRestoring = false;
    this.conversation.restore(
      turns.map(({ key, value }) => ({
        number: readRowKey(key).number,
        turn: readConversationMessage(value),
      })),
    );
  }

  #newJournal(): Journal {
    const { context } = this;
    return new Journal(
      (writes) => context.commit(writes),
      context.emit,
      (writes) => context.log?.(writes) ?? Promise.resolve(false),
    );
  }

  /** Creates an empty memory. */
  protected newMemory(): Memory {
    const listeners: MemoryListeners = {
      onAdd: (message) => {
        const key = this.messageRows.add(message.id);
        if (this.#isRestoring) return;
        this.journal.put('messages', key, message.toData());
        this.state.unread.push(message.id);
      },
      onRemove: (message) => {
        const key = this.messageRows.keyOf(message.id);
        this.state.unread = this.state.unread.filter((id) => id !== message.id);
        if (key === undefined) return;
        this.journal.remove('messages', key);
        this.journal.then(() => this.messageRows.remove(message.id, key));
      },
    };
    const part = this.parts.find((each) => each.createMemory !== undefined);
    return part?.createMemory?.(listeners) ?? new Memory(listeners);
  }
}
