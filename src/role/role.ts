import { checkModel } from '../base/check-model.js';
import { RoleZeroError, toRoleZeroError } from '../base/error.js';
import type { AgentEvent, Phase } from '../base/events.js';
import {
  Action,
  AIMessage,
  idOf,
  Message,
  MESSAGE_TO_SELF,
  messageFromRecord,
  UserMessage,
  UserRequirement,
  type MessageInit,
} from '../base/message.js';
import type { ChatModel, Purpose } from '../base/model.js';
import type { Write } from '../base/store.js';
import type { MemoryChange, MemoryItem } from '../base/long-term.js';
import type { LongTermMemory } from '../memory/long-term-memory.js';
import { itemOf } from '../memory/memory-item.js';
import { Memory, type MemoryListeners } from '../memory/memory.js';
import { addressedTo } from './addressed-to.js';
import { chosenStage } from './chosen-stage.js';
import { Conversation } from './conversation.js';
import { readTurn } from './turn.js';
import { deadLetterWarning, standaloneContext, type Delivery, type RoleContext } from './context.js';
import { budgetSpent, due, type Account, type Due } from './budget.js';
import { Dialogue, isYes } from './dialogue.js';
import { Inbox } from './inbox.js';
import { Journal, readRowKey, rowKey } from './journal.js';
import type { LongTermSource } from './long-term.js';
import type { GivenRule } from './matching-rules.js';
import { memoryAddition, memoryRemovals, memoryWrites } from './memory-writes.js';
import { ModelCall, NOTHING_USED, SHOWN, type DurableQuestion, type Reply } from './model-call.js';
import { failed, outcomeOf, type Outcome, type Run } from './outcome.js';
import { assertTransition } from './phase.js';
import type { ReactMode, RoleOptions } from './role-options.js';
import { thoughtOf } from '../agent/parse/thought-text.js';
import { Approvals } from './approvals.js';
import { addSources, initialState, readState, type RoleState } from './state.js';
import { newTurn, type Stage, type StoredReply, type Turn } from './turn-state.js';

const REACT_MODES: readonly ReactMode[] = ['react', 'by_order', 'plan_and_act'];

/** What a role is brought back from. */
export interface RoleSnapshot {
  state: unknown;
  /** The record of `approvalsKey`; undefined when there is none. */
  approvals: unknown;
  messages: readonly { key: string; value: unknown }[];
  turns: readonly { key: string; value: unknown }[];
  inbox: readonly { key: string; value: unknown }[];
}

/**
 * One agent: observes messages, thinks, acts (spec 5). Its state is plain data; every half-step is committed through its context,
 * so it can be brought back with `restore` after a crash and goes on where it was.
 *
 * Subclasses override `systemPrefix`, `think` and `act`; the loop that calls them is `react`.
 */
export class Role {
  static readonly id: string = 'Role';
  /** Whether the class knows how to work by a plan. */
  protected static readonly plans: boolean = false;

  readonly name: string;
  readonly profile: string;
  readonly goal: string;
  readonly constraints: string;
  readonly desc: string;
  readonly watch: ReadonlySet<string>;
  readonly observeAllMessages: boolean;
  readonly enableMemory: boolean;
  readonly isHuman: boolean;
  readonly reactMode: ReactMode;
  maxReactLoop: number;
  actions: Action[] = [];
  /** What the role remembers, oldest first. */
  memory: Memory;
  /** News of the last observation. */
  news: Message[] = [];
  /** What the last piece of work came to. */
  outcome: Outcome | null = null;

  protected state: RoleState = initialState();
  /** What the user has allowed this role. */
  protected readonly approvals = new Approvals();
  protected journal: Journal;
  protected readonly conversation: Conversation;
  /** Questions of the role to the person. */
  protected readonly dialogue: Dialogue;
  #context: RoleContext | null = null;
  readonly #model: ChatModel | undefined;
  readonly #modelCall: ModelCall;
  #addresses: Set<string>;
  readonly #inbox: Inbox;
  /** The piece of work under way; it never rejects. */
  #working: Promise<Outcome | null> | null = null;
  #nextMessage = 0;
  #messageKeys = new Map<string, string>();
  /** What is being remembered is stored already. */
  #restoring = false;
  readonly #longTermSource: LongTermSource | undefined;
  #longTerm: LongTermMemory | null = null;

  constructor(options: RoleOptions = {}, memoryK = 200, longTerm?: LongTermSource) {
    this.name = options.name ?? idOf(new.target);
    this.profile = options.profile ?? '';
    this.goal = options.goal ?? '';
    this.constraints = options.constraints ?? '';
    this.desc = options.desc ?? '';
    if (options.model !== undefined) checkModel(options.model, 'model');
    this.#model = options.model;
    this.maxReactLoop = options.maxReactLoop ?? 1;
    this.reactMode = options.reactMode ?? 'react';
    checkReactMode(this.reactMode, new.target.plans);
    this.observeAllMessages = options.observeAllMessages ?? false;
    this.enableMemory = options.enableMemory ?? true;
    this.isHuman = options.isHuman ?? false;
    const watch = options.watch ?? (this.observeAllMessages ? [] : [UserRequirement]);
    this.watch = new Set(watch.map(idOf));
    this.#addresses = new Set([idOf(new.target), this.name].filter((address) => address !== ''));
    this.setActions(options.actions ?? []);
    this.#inbox = new Inbox(this.name);
    this.journal = this.newJournal();
    this.#longTermSource = longTerm;
    this.memory = this.newMemory();
    this.conversation = new Conversation(
      () => this.model,
      {
        put: (number, turn) => this.journal.put('turns', rowKey(this.name, number), turn),
        remove: (number) => this.journal.remove('turns', rowKey(this.name, number)),
      },
      Math.max(2, memoryK),
    );
    this.dialogue = new Dialogue({
      name: this.name,
      state: () => this.state,
      turn: () => this.turn(),
      approvals: this.approvals,
      context: () => this.context,
      journal: () => this.journal,
      commit: () => this.commit(),
      enter: (phase) => this.enter(phase),
    });
    this.#modelCall = new ModelCall(
      () => this.model,
      this.conversation,
      () => this.name,
      () => this.context,
    );
  }

  /** The world it works in; one of its own, made when it is needed, until it is put into a session. */
  protected get context(): RoleContext {
    return (this.#context ??= standaloneContext());
  }

  /** @throws RoleZeroError `invalid` when the role was made without one. */
  get model(): ChatModel {
    if (this.#model === undefined) {
      throw new RoleZeroError(
        'invalid',
        `The role ${this.name} has no model. Give it one: { model: openai({ … }) }.`,
        {
          role: this.name,
        },
      );
    }
    return this.#model;
  }

  /** Where messages reach this role: its class's id and its name, until set otherwise (spec 1.6). */
  get addresses(): ReadonlySet<string> {
    return this.#addresses;
  }

  setAddresses(addresses: Iterable<string>): void {
    this.#addresses = new Set(addresses);
    this.context.bus?.addressesChanged(this.name, this.#addresses);
  }

  get phase(): Phase {
    return this.state.phase;
  }
  /** True when an interrupted piece of work can go on. */
  get resumable(): boolean {
    return this.state.turn !== null;
  }
  /** True when there is nothing to do: no work in hand and no message waiting. */
  get isIdle(): boolean {
    return this.state.turn === null && this.#inbox.empty;
  }
  /** True while a piece of work is in hand, or a message that will set one off waits. */
  get isBusy(): boolean {
    return this.resumable || this.#inbox.some((message) => this.concerns(message));
  }
  /** The same as `memory` when that has a long-term part, else null. */
  get longTermMemory(): LongTermMemory | null {
    return this.#longTerm;
  }
  /** The action in hand, or null. */
  get todo(): Action | null {
    return this.actions[this.state.actionIndex] ?? null;
  }
  /** Totals of everything this role has asked its model. */
  get usage(): RoleState['usage'] {
    return this.state.usage;
  }
  /** Milliseconds that all its calls to the model took. */
  get modelMs(): number {
    return this.state.modelMs;
  }
  /** How the last piece of work ended or was interrupted, also one before a reload. */
  get lastResult(): RoleState['lastResult'] {
    return this.state.lastResult;
  }
  /** The plan as plain data; empty for a role that makes none. */
  get planData(): RoleState['plan'] {
    return this.state.plan;
  }

  /** The rules it was given, and whether each may match a command of it; none for a role without commands. */
  givenRules(): GivenRule[] {
    return [];
  }

  /** Replaces all actions; a class is made an instance (spec 5.3). */
  setActions(actions: readonly (Action | (new () => Action))[]): void {
    this.actions = actions.map((action) => (action instanceof Action ? action : new action()));
  }

  /** Puts the role into a session. Its memory and state stay as they are. */
  attach(context: RoleContext): void {
    this.#context = context;
    this.journal = this.newJournal();
  }

  /** Brings back what the role is about, before it remembers anything: enough to tell how its work stands, and no more. */
  restoreState({ state, approvals, inbox }: Pick<RoleSnapshot, 'state' | 'approvals' | 'inbox'>): void {
    this.state = readState(state);
    this.approvals.restore(approvals);
    this.approvals.enterTurn(this.state.turn?.id ?? '');
    this.#inbox.restore(inbox);
  }

  /** Brings the role back to what was committed. @throws RoleZeroError `storage-…` when its older memories cannot be read. */
  async restore(snapshot: RoleSnapshot): Promise<void> {
    this.restoreState(snapshot);
    this.memory = this.newMemory();
    this.#messageKeys = new Map();
    this.#nextMessage = 0;
    await this.#longTerm?.restore();
    this.#restoring = true;
    for (const { key, value } of snapshot.messages) {
      this.#nextMessage = readRowKey(key).number;
      this.memory.add(messageFromRecord(value));
    }
    this.#restoring = false;
    this.conversation.restore(
      snapshot.turns.map(({ key, value }) => ({ number: readRowKey(key).number, turn: readTurn(value) })),
    );
    this.onRestored();
  }

  /** For subclasses that keep something derived from the state. */
  protected onRestored(): void {}

  /** Messages that have arrived, or are on their way, and are not observed yet. */
  get waitingMessages(): number {
    return this.#inbox.size;
  }

  /** @throws RoleZeroError `inbox-full` when 1,000 messages wait already: the newest is refused, none is dropped (R-226). */
  checkInbox(): void {
    this.#inbox.checkRoom();
  }

  /** Reserves the place of a message in the inbox: the row to store before `putMessage` is called with the same key. */
  inboxKey(): string {
    return this.#inbox.nextKey();
  }

  /**
   * Hands a message to the role; it is seen at the next observation. `key` when it is stored already.
   * @throws RoleZeroError `inbox-full`
   */
  putMessage(message: Message | null, key?: string): void {
    if (message === null) return;
    if (key === undefined) this.checkInbox();
    const row = key ?? this.#inbox.nextKey();
    if (key === undefined) this.journal.put('inbox', row, message.toData());
    this.#inbox.add(row, message);
  }

  /** Who the role is, in one line (spec 5.4). The same from step to step. */
  protected get prefix(): string {
    if (this.desc !== '') return this.desc;
    const constraints = this.constraints === '' ? '' : ` Your constraint is: ${this.constraints}.`;
    const described = this.context.bus?.description ?? '';
    const members = this.context.bus?.members ?? [];
    const others = members.map(({ name }) => name).filter((name) => name !== this.name);
    const among = others.length === 0 ? '' : ` together with the roles (${others.join(', ')})`;
    const place = described === '' ? '' : ` You are in ${described}${among}.`;
    return `You are a ${this.profile === '' ? 'role' : this.profile}, named ${this.name}, your goal is ${this.goal === '' ? 'to do what is asked of you' : this.goal}.${constraints}${place}`;
  }

  /** Whether a message sets the role to work: it is addressed to it by name, or of a cause it watches for. */
  concerns(message: Message): boolean {
    return this.watch.has(message.causeBy) || message.sendTo.has(this.name);
  }

  /**
   * Takes what has arrived (spec 5.5): news is what the role watches for or is addressed to and does not know yet. Returns how many.
   */
  protected observe(): number {
    if (this.#inbox.empty) {
      this.news = [];
      return 0;
    }
    const messages = this.#inbox.takeAll((key) => this.journal.remove('inbox', key));
    const unknown = this.enableMemory ? this.memory.findNews(messages) : messages;
    this.news = unknown.filter((message) => this.concerns(message));
    for (const message of this.observeAllMessages ? unknown : this.news) this.remember(message);
    return this.news.length;
  }

  /** Adds to memory; `told` when the model wrote it or has read it already. */
  protected remember(message: Message, told = false): Message {
    const before = this.state.unread.length;
    const { untrusted, private: secret } = message.metadata;
    if (Array.isArray(untrusted)) addSources(this.state, untrusted.map(String));
    if (secret === true) this.state.private = true;
    this.memory.add(message);
    if (told && this.state.unread.length > before) this.state.unread.pop();
    return message;
  }

  /** Forgets a message wherever it is remembered. Returns what is to be stored for it at once; nothing when it is not remembered. */
  forget(id: string): Write[] {
    const key = this.#messageKeys.get(id);
    const message = this.memory.storage.find((stored) => stored.id === id);
    if (message !== undefined) this.memory.delete(message);
    const number = this.#longTerm?.forget(id) ?? null;
    return [
      ...(key === undefined ? [] : [{ table: 'messages' as const, key, value: undefined }]),
      ...(number === null ? [] : memoryRemovals(this.name, number)),
    ];
  }

  /** Changes or pins an older memory; what is to be stored for it at once. Null when it is not there. */
  async changeMemory(
    id: string,
    change: MemoryChange,
  ): Promise<{ item: MemoryItem; writes: Write[] } | null> {
    const changed = (await this.#longTerm?.change(id, change)) ?? null;
    return changed === null ? null : { item: itemOf(changed), writes: memoryWrites(this.name, changed) };
  }

  /** Adds the older memories of an exported document: how many are new, and what is to be stored for it at once. */
  importMemories(document: unknown): { count: number; writes: Write[] } {
    const { added, gone } = this.#longTerm?.import(document) ?? { added: [], gone: [] };
    const writes = added.map((item) => memoryAddition(this.name, item));
    // What made room for them goes with them: a crash must not bring it back.
    return {
      count: added.length,
      writes: [...writes, ...gone.flatMap((one) => memoryRemovals(this.name, one))],
    };
  }

  /**
   * A message whose id follows from the session, so that making it again after a crash makes the same one. It is labelled with the sources
   * outside of the session that the role has read: whoever reads it has read them, too.
   */
  protected newMessage<Kind extends Message>(
    kind: new (content: string | MessageInit, init?: MessageInit) => Kind,
    init: MessageInit,
  ): Kind {
    const { untrusted } = this.state;
    init.id ??= this.context.runtime.newId(); // made for this call
    const message = new kind(init);
    if (untrusted !== undefined) message.addMetadata('untrusted', untrusted);
    return message;
  }

  /** Chooses the next action; false when there is nothing left to do (spec 5.6). */
  protected async think(run: Run): Promise<boolean> {
    if (this.actions.length === 0) return false;
    if (this.actions.length === 1) {
      this.state.actionIndex = 0;
      return true;
    }
    if (this.reactMode === 'by_order') {
      this.state.actionIndex += 1;
      return this.todo !== null;
    }
    const stages = this.actions.map(
      (action, index) => `${index}. ${action.name}${action.desc && `: ${action.desc}`}`,
    );
    const history = this.memory.get().map(String).join('\n');
    const reply = await this.ask(run, {
      purpose: 'stage',
      key: `stage:${this.turn().step}`,
      text: `What happened so far:\n${history}\n\nYour stages:\n${stages.join('\n')}\nPrevious stage: ${this.state.actionIndex}\nReply with the number of the next stage only, 0 to ${stages.length - 1}, or -1 if the goal is reached.`,
      apart: true,
    });
    this.state.actionIndex = chosenStage(reply.text, this.actions.length);
    return this.todo !== null;
  }

  /** Does the chosen action and remembers its result (spec 5.7). */
  protected async act(run: Run): Promise<Message> {
    const todo = this.todo;
    if (todo === null)
      throw new RoleZeroError('internal', `${this.name} has no action to take.`, { role: this.name });
    const { step } = this.turn();
    let asked = 0;
    const result = await todo.run(this.memory.get(), async (text) => {
      const key = `act:${step}:${asked++}`;
      return (await this.ask(run, { purpose: 'other', key, text, apart: true })).text;
    });
    const message =
      result instanceof Message
        ? result
        : this.newMessage(AIMessage, { content: result, causeBy: todo, sentFrom: this.name });
    return this.remember(message, true);
  }

  /** Works on the news until there is nothing left to do or the limit is reached (spec 5.8). */
  protected async react(run: Run): Promise<Outcome> {
    let message = this.newMessage(AIMessage, {
      content: 'No actions taken yet',
      causeBy: Action,
      sentFrom: this.name,
    });
    const turn = this.turn();
    const stage = this.procedure();
    const limit = this.reactMode === 'by_order' ? this.actions.length : this.maxReactLoop;
    while (turn.step < limit) {
      if (!stage.isActionChosen) {
        this.enter('thinking');
        if (!(await this.think(run))) break;
        stage.isActionChosen = true;
      }
      this.enter('acting');
      const acted = await this.act(run);
      message = acted instanceof AIMessage ? acted : message;
      stage.isActionChosen = false;
      this.endStep();
      await this.commit();
    }
    this.enter('ended');
    return { status: 'done', summary: message.content, message, error: null };
  }

  /** The stage of a fixed procedure; begins it when the turn has just started. */
  protected procedure(): Extract<Stage, { name: 'procedure' }> {
    const turn = this.turn();
    if (turn.stage.name === 'procedure') return turn.stage;
    const stage = { name: 'procedure' as const, isActionChosen: false };
    turn.stage = stage;
    return stage;
  }

  /** Counts a completed step. What was stored for it is used up. */
  protected endStep(): void {
    const turn = this.turn();
    turn.step += 1;
    turn.replies = {};
    turn.answers = {};
    this.approvals.endStep();
  }

  /**
   * Puts the message into the role's own inbox, works on it and publishes the result. A text counts as addressed to the role (R-113).
   *
   * @returns what was published; null when the message was no news, or the work is not finished: see `outcome`.
   * @throws RoleZeroError why the work failed, after its state was kept.
   */
  async run(
    input?: string | readonly string[] | Message,
    signal = new AbortController().signal,
  ): Promise<Message | null> {
    const message = typeof input === 'string' || input instanceof Message ? input : input?.join('\n');
    if (message !== undefined && message !== '') {
      this.putMessage(
        message instanceof Message
          ? addressedTo(this, message)
          : this.newMessage(UserMessage, { content: message, causeBy: UserRequirement, sendTo: [this.name] }),
      );
    }
    const outcome = await this.work({ id: this.context.runtime.newId(), signal });
    if (outcome?.error) throw outcome.error;
    return outcome?.message ?? null;
  }

  /**
   * Goes on with interrupted work, or begins on what has arrived. Never throws: every way out is an outcome, and the state is kept
   * first. Null when there was nothing to do. Called while the role is at work it waits for the end of that (R-262); an action must
   * not call it on its own role.
   */
  async work(run: Run): Promise<Outcome | null> {
    while (this.#working !== null) await this.#working;
    this.#working = this.workAlone(run);
    try {
      return await this.#working;
    } finally {
      this.#working = null;
    }
  }

  private async workAlone(run: Run): Promise<Outcome | null> {
    try {
      if (this.state.turn === null) {
        if (this.observe() === 0) {
          await this.commit();
          return null;
        }
        const trigger = this.news.at(-1);
        // Not the run's id: in one run a role may react more than once, and others do; call ids that are built on it must differ.
        const id = this.context.runtime.newId();
        this.state.turn = newTurn(id, trigger?.toData() ?? null, this.firstStage());
        this.approvals.enterTurn(id);
        this.state.lastResult = null;
        this.onRequirement();
      } else this.observeAgain();
      run.signal.throwIfAborted();
      this.outcome = await this.react(run);
      this.state.actionIndex = -1;
      this.state.turn = null;
      this.state.lastResult = { status: this.outcome.status, summary: this.outcome.summary, error: null };
      this.enter('idle');
      this.publishMessage(this.outcome.message);
      await this.commit();
    } catch (error) {
      this.outcome = await this.interrupted(error, run);
    }
    return this.outcome;
  }

  /** A role that failed forgot the message it failed on (spec 5.9), so that going on begins by observing it again. */
  protected observeAgain(): void {
    const { request } = this.turn();
    if (request === null || this.memory.get().some((message) => message.id === request.id)) return;
    this.news = [this.remember(messageFromRecord(request))];
  }

  /** Takes back the observation of the message that the work failed on; tolerant of its absence, and of work that was over (Q-11). */
  protected forgetTrigger(): void {
    const request = this.state.turn?.request;
    const observed = this.memory.get().find((message) => message.id === request?.id);
    if (observed !== undefined) this.memory.delete(observed);
  }

  /** Where a turn of this class begins. */
  protected firstStage(): Stage {
    return { name: 'procedure', isActionChosen: false };
  }

  /** For subclasses: a new request has arrived and its turn begins. */
  protected onRequirement(): void {}

  /** Drops interrupted work; what was remembered stays, the next message starts afresh. Returns what is to be stored for it. */
  abandon(): Write[] {
    const { question, turn } = this.state;
    if (turn === null && question === null) return [];
    this.state.question = null;
    this.state.turn = null;
    this.state.actionIndex = -1;
    if (this.state.phase !== 'idle') this.enter('idle');
    return [
      ...(question === null ? [] : [{ table: 'questions' as const, key: question.id, value: undefined }]),
      { table: 'roles', key: this.name, value: structuredClone(this.state) },
    ];
  }

  /**
   * Sends a message on (spec 5.10), together with the next commit. Without an environment only messages to the role itself arrive.
   * Returns the names of the roles that get it.
   */
  publishMessage(message: Message | null): string[] {
    if (message === null) return [];
    const self = idOf(this.constructor);
    if (message.sendTo.has(MESSAGE_TO_SELF)) {
      message.sendTo = [...message.sendTo].map((address) => (address === MESSAGE_TO_SELF ? self : address));
    }
    if (message.sentFrom === '' || message.sentFrom === MESSAGE_TO_SELF) message.sentFrom = self;
    if ([...message.sendTo].every((address) => address === self || address === this.name)) {
      this.putMessage(message);
      return [this.name];
    }
    return this.send(message)?.recipients ?? [];
  }

  /** Hands a message to the environment, to leave with the next commit; null without one. */
  protected send(message: Message): Delivery | null {
    if (this.context.bus === null) return null;
    if (this.state.private === true) message.addMetadata('private', true); // who hears of it knows it, too
    if (message instanceof AIMessage && message.agent === '')
      message.withAgent(`${this.name}(${this.profile})`);
    const delivery = this.context.bus.route(message);
    this.journal.add(delivery.writes);
    this.journal.then(() => delivery.deliver());
    if (delivery.undeliverable.length > 0) this.journal.tell(deadLetterWarning(this.name, delivery));
    return delivery;
  }

  /** Asks the model and stores the reply before it is used. Asked again after a crash, it returns the stored reply. */
  protected async ask(run: Run, question: DurableQuestion): Promise<StoredReply> {
    const turn = this.turn();
    const known = turn.replies[question.key];
    if (known !== undefined) return known;
    if (!this.isHuman && question.known === undefined) {
      for (const account of this.accounts()) {
        const asking = account ? due(account) : null;
        if (account && asking !== null) await this.settle(account, asking, run);
      }
    }
    const startedAt = this.context.runtime.now();
    const reply = this.isHuman
      ? await this.askPlayer(run, question)
      : await this.#modelCall.ask(question, run.signal);
    const stored = { text: reply.text, limit: reply.limit };
    turn.replies[question.key] = stored;
    question.onReply?.(reply);
    if (!this.isHuman) {
      const durationMs = Math.max(0, this.context.runtime.now() - startedAt);
      this.traceCall(turn, question.purpose, reply, startedAt, durationMs);
      if (question.known === undefined) this.count(turn, question.purpose, reply, durationMs);
    }
    if (SHOWN.has(question.purpose)) {
      this.journal.tell({
        type: 'thought-end',
        role: this.name,
        purpose: question.purpose,
        text: thoughtOf(reply.text, question.purpose),
      });
    }
    await this.commit();
    return stored;
  }

  /** The budgets that hold for the next call. */
  protected accounts(): (Account | null | undefined)[] {
    return [this.context.account?.((writes) => this.journal.add(writes))];
  }

  /**
   * Asks the person whether to go on where much of a budget, or all of it, is spent.
   * @throws RoleZeroError `budget` when nothing more may be spent, `aborted` when the person wants it to stop before.
   */
  private async settle(account: Account, { isSpent, question, allowed }: Due, run: Run): Promise<void> {
    const key = `budget:${account.whose}:${allowed.asked}:${isSpent}`;
    const answer = await this.dialogue.askPermission(run, key, {
      kind: 'question',
      text: question,
      options: ['yes', 'no'],
      lapses: true,
    });
    const goesOn = answer !== null && isYes(answer);
    this.approvals.removeAnswer(key); // resumed, it asks again
    if (!goesOn && isSpent) throw budgetSpent(account);
    if (answer !== null && !goesOn)
      throw new RoleZeroError('aborted', 'The person has stopped it for its budget.');
    account.decide(allowed);
    if (answer === null)
      this.emit({ type: 'warning', code: 'budget', message: question, detail: { ...account.spent } });
  }

  /** The person who plays this role answers in the model's place. */
  private async askPlayer(run: Run, { key, text }: DurableQuestion): Promise<Reply> {
    const question = typeof text === 'string' ? text : text(true).content;
    const answer = await this.dialogue.ask(run, `play:${key}`, { kind: 'question', text: question });
    if (answer !== null)
      return { text: answer, cut: false, limit: null, promptHash: '', left: null, usage: NOTHING_USED };
    throw new RoleZeroError('invalid', `${this.name} is played by a person, and nobody is there.`, {
      role: this.name,
    });
  }

  /** Stores everything that has changed since the last commit, as one. */
  protected commit(): Promise<void> {
    this.journal.put('roles', this.name, this.state); // the store copies it before anything changes it again
    const approvals = this.approvals.takeChanges();
    if (approvals !== null) this.journal.put('approvals', approvalsKey(this.name), approvals);
    return this.journal.commit();
  }

  protected enter(phase: Phase): void {
    if (phase === this.state.phase) return;
    assertTransition(this.state.phase, phase);
    this.state.phase = phase;
    const event: AgentEvent = { type: 'phase', role: this.name, phase };
    // What it is about to do is shown at once, like progress; how it ends, or that it waits, when that is stored.
    if (phase === 'classifying' || phase === 'thinking' || phase === 'acting') this.emit(event);
    else this.journal.tell(event);
  }

  protected emit(event: AgentEvent): void {
    this.context.emit(event);
  }

  /** The current turn. */
  protected turn(): Turn {
    if (this.state.turn === null) {
      throw new RoleZeroError('internal', `${this.name} is not in a turn.`, { role: this.name });
    }
    return this.state.turn;
  }

  private traceCall(
    { trace }: Turn,
    purpose: Purpose,
    reply: Reply,
    startedAt: number,
    durationMs: number,
  ): void {
    const { usage, promptHash, text, cut } = reply;
    trace.startedAt ||= startedAt;
    trace.calls.push({ purpose, promptHash, reply: text, cut, ...usage, durationMs });
  }

  private count(turn: Turn, purpose: Purpose, { usage: used }: Reply, durationMs: number): void {
    const total = this.state.usage;
    total.calls += 1;
    total.promptTokens += used.promptTokens;
    total.completionTokens += used.completionTokens;
    total.cachedPromptTokens += used.cachedPromptTokens;
    total.costUsd += used.costUsd;
    this.state.modelMs += durationMs;
    turn.usage.calls += 1;
    turn.usage.ms += durationMs;
    turn.usage.tokens += used.promptTokens + used.completionTokens;
    turn.usage.usd += used.costUsd;
    this.journal.tell({ type: 'usage', role: this.name, purpose, ...used, total: { ...total } });
  }

  /** Ends a run before the end of its turn. The state is stored, so the turn can be resumed. */
  private async interrupted(error: unknown, run: Run): Promise<Outcome> {
    const { refusal } = this.journal;
    const outcome = refusal === null ? outcomeOf(error, run) : failed(refusal.error); // also amid a stop: it is not stored
    if (outcome.status === 'failed') {
      this.enter('failed');
      this.forgetTrigger();
    }
    this.state.lastResult = {
      status: outcome.status,
      summary: outcome.summary,
      error: outcome.error?.toData() ?? null,
    };
    await this.tryCommit();
    return outcome;
  }

  /** A fault may be the store's own; then what was committed before stands, and the first error is the one to tell. */
  private async tryCommit(): Promise<void> {
    try {
      await this.commit();
    } catch (error) {
      this.emit({
        type: 'warning',
        code: toRoleZeroError(error, 'storage-failed').code,
        message: `The last state of ${this.name} could not be stored; the one before it stands.`,
        detail: { role: this.name },
      });
    }
  }

  private newJournal(): Journal {
    return new Journal(
      (writes) => this.context.commit(writes),
      (event) => this.context.emit(event),
    );
  }

  private newMemory(): Memory {
    const listeners: MemoryListeners = {
      onAdd: (message) => {
        const key = rowKey(this.name, this.#nextMessage++);
        this.#messageKeys.set(message.id, key);
        if (this.#restoring) return;
        this.journal.put('messages', key, message.toData());
        this.state.unread.push(message.id);
      },
      onRemove: (message) => {
        const key = this.#messageKeys.get(message.id);
        this.state.unread = this.state.unread.filter((id) => id !== message.id);
        if (key === undefined) return;
        this.journal.remove('messages', key);
        this.journal.then(() => {
          if (this.#messageKeys.get(message.id) === key) this.#messageKeys.delete(message.id);
        });
      },
    };
    this.#longTerm =
      this.#longTermSource?.memory({
        ...listeners,
        role: this.name,
        journal: () => this.journal,
        context: () => this.context,
        now: () => this.context.runtime.now(),
        warn: (message, error) => this.warn(message, error),
        isNeeded: ({ id }) => this.state.unread.includes(id), // the model has not read it yet
      }) ?? null;
    return this.#longTerm ?? new Memory(listeners);
  }

  /** Tells of a fault that the role goes on without. */
  protected warn(message: string, error: unknown): void {
    const { code, message: reason } = toRoleZeroError(error);
    this.emit({ type: 'warning', code, message, detail: { role: this.name, reason } });
  }
}

/** Key of the record with what the user has allowed a role, in the table `approvals`. */
export function approvalsKey(role: string): string {
  return `role/${role}`;
}

/** Working by a plan takes a planner, which a role that does not plan should not bring along: it is a class of its own. */
function checkReactMode(mode: ReactMode, plans: boolean): void {
  if (!REACT_MODES.includes(mode)) {
    throw new RoleZeroError(
      'invalid',
      `Unknown react mode "${mode}"; use one of ${REACT_MODES.join(', ')}.`,
      { mode },
    );
  }
  if (mode !== 'plan_and_act' || plans) return;
  throw new RoleZeroError('invalid', 'To work by plan_and_act, extend PlanningRole instead of Role.', {
    mode,
  });
}
