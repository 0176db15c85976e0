import { askModel } from './ask-model.js';
import { checkModel } from '../base/check-model.js';
import { RoleZeroError, toRoleZeroError } from '../base/error.js';
import type { Phase } from '../base/events.js';
import type { MemoryChange, MemoryItem } from '../base/long-term.js';
import {
  Action,
  AIMessage,
  idOf,
  Message,
  MESSAGE_TO_SELF,
  messageFromRecord,
  UserMessage,
  UserRequirement,
} from '../base/message.js';
import type { ChatModel } from '../base/model.js';
import type { Write } from '../base/store.js';
import type { LongTermMemory } from '../memory/long-term-memory.js';
import type { Memory } from '../memory/memory.js';
import { addressedTo } from './addressed-to.js';
import { AgentRuntime, type AgentSettings, type RoleSnapshot } from './agent-runtime.js';
import { chosenStage } from './chosen-stage.js';
import { deadLetterWarning, type Delivery, type RoleContext } from './context.js';
import type { GivenRule } from './matching-rules.js';
import { failed, outcomeOf, type Outcome, type Run } from './outcome.js';
import type { ReactMode, RoleOptions } from './role-options.js';
import type { RoleState } from './state.js';
import { newTurn, type Stage } from './turn-state.js';

export type { RoleSnapshot } from './agent-runtime.js';

const REACT_MODES: readonly ReactMode[] = ['react', 'by_order', 'plan_and_act'];

/**
 * One agent: observes messages, thinks, acts. Its state is plain data and every change is committed through its context, so `restore`
 * brings it back after a crash and it resumes where it was.
 *
 * Subclasses override `think` and `act`, which `react` calls in a loop.
 */
export class Role {
  static readonly id: string = 'Role';
  /** Whether the class supports the react mode `plan_and_act`. */
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
  readonly maxReactLoop: number;
  actions: Action[] = [];
  /** Messages that the last observation found. */
  news: Message[] = [];
  /** Outcome of the last turn. */
  outcome: Outcome | null = null;

  protected readonly agent: AgentRuntime;
  #addresses: Set<string>;
  /** The current work; it never rejects. */
  #working: Promise<Outcome | null> | null = null;

  constructor(options: RoleOptions = {}) {
    this.name = options.name ?? idOf(new.target);
    this.profile = options.profile ?? '';
    this.goal = options.goal ?? '';
    this.constraints = options.constraints ?? '';
    this.desc = options.desc ?? '';
    if (options.model !== undefined) checkModel(options.model, 'model');
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
    const { name, isHuman, observeAllMessages, enableMemory } = this;
    this.agent = this.newAgent(
      {
        name,
        model: options.model,
        isHuman,
        concerns: (message) => this.concerns(message),
        observeAllMessages,
        enableMemory,
        memoryK: 200,
        longTerm: undefined,
        budget: undefined,
      },
      options,
    );
  }

  /** Creates the runtime. Called by the constructor, before the fields of a subclass exist. */
  protected newAgent(settings: AgentSettings, _options: RoleOptions): AgentRuntime {
    return new AgentRuntime(settings);
  }

  /** @throws RoleZeroError `invalid` when the role was created without one. */
  get model(): ChatModel {
    return this.agent.model;
  }

  /** What the role remembers, oldest first. */
  get memory(): Memory {
    return this.agent.memory;
  }

  /** Addresses of this role. Default: the id of its class, and its name. */
  get addresses(): ReadonlySet<string> {
    return this.#addresses;
  }

  setAddresses(addresses: Iterable<string>): void {
    this.#addresses = new Set(addresses);
    this.agent.context.bus?.addressesChanged(this.name, this.#addresses);
  }

  get phase(): Phase {
    return this.agent.state.phase;
  }
  /** True when an interrupted turn can be resumed. */
  get resumable(): boolean {
    return this.agent.state.turn !== null;
  }
  /** True when there is no turn and no message is waiting. */
  get isIdle(): boolean {
    return this.agent.state.turn === null && this.agent.inbox.empty;
  }
  /** True during a turn, and while a message is waiting that will start one. */
  get isBusy(): boolean {
    return this.resumable || this.agent.inbox.some((message) => this.concerns(message));
  }
  /** The same as `memory` when that has a long-term part, else null. */
  get longTermMemory(): LongTermMemory | null {
    return this.agent.longTerm;
  }
  /** The current action, or null. */
  get todo(): Action | null {
    return this.actions[this.agent.state.actionIndex] ?? null;
  }
  /** Total usage of the model by this role. */
  get usage(): RoleState['usage'] {
    return this.agent.state.usage;
  }
  /** Total duration of its model calls, in milliseconds. */
  get modelMs(): number {
    return this.agent.state.modelMs;
  }
  /** How the last turn ended or was interrupted, also before a reload. */
  get lastResult(): RoleState['lastResult'] {
    return this.agent.state.lastResult;
  }
  /** The plan as plain data; empty for a role without one. */
  get planData(): RoleState['plan'] {
    return this.agent.state.plan;
  }

  /** Returns the policy rules of the role, and whether each can match one of its commands. */
  givenRules(): GivenRule[] {
    return [];
  }

  /** Replaces all actions. Classes are instantiated. */
  setActions(actions: readonly (Action | (new () => Action))[]): void {
    this.actions = actions.map((action) => (action instanceof Action ? action : new action()));
  }

  /** Puts the role into a session. Its memory and state stay as they are. */
  attach(context: RoleContext): void {
    this.agent.attach(context);
  }

  /** Restores state and inbox, without memory: enough to show how far the work is. */
  restoreState(snapshot: Pick<RoleSnapshot, 'state' | 'approvals' | 'inbox'>): void {
    this.agent.restoreState(snapshot);
  }

  /** Restores what was committed. @throws RoleZeroError `storage-…` when older memories cannot be read. */
  async restore(snapshot: RoleSnapshot): Promise<void> {
    await this.agent.restore(snapshot);
    this.onRestored();
  }

  /** For subclasses: called after a restore, to update what is derived from the state. */
  protected onRestored(): void {}

  /** Number of messages that have arrived or are on their way, and are not observed yet. */
  get waitingMessages(): number {
    return this.agent.inbox.size;
  }

  /** @throws RoleZeroError `inbox-full` when 1,000 messages are waiting. None is dropped. */
  checkInbox(): void {
    this.agent.inbox.checkRoom();
  }

  /** Reserves an inbox key. The caller stores the message under it, then calls `putMessage` with the key. */
  inboxKey(): string {
    return this.agent.inbox.nextKey();
  }

  /**
   * Puts a message into the inbox; the next observation reads it.
   *
   * @param key Key of the stored message; without it, the message is stored with the next commit.
   * @throws RoleZeroError `inbox-full`
   */
  putMessage(message: Message | null, key?: string): void {
    if (message === null) return;
    if (key === undefined) this.checkInbox();
    const row = key ?? this.agent.inbox.nextKey();
    if (key === undefined) this.agent.journal.put('inbox', row, message.toData());
    this.agent.inbox.add(row, message);
  }

  /** Describes the role in one line; the same in every step. */
  protected get prefix(): string {
    if (this.desc !== '') return this.desc;
    const constraints = this.constraints === '' ? '' : ` Your constraint is: ${this.constraints}.`;
    const described = this.agent.context.bus?.description ?? '';
    const members = this.agent.context.bus?.members ?? [];
    const others = members.map(({ name }) => name).filter((name) => name !== this.name);
    const among = others.length === 0 ? '' : ` together with the roles (${others.join(', ')})`;
    const place = described === '' ? '' : ` You are in ${described}${among}.`;
    return `You are a ${this.profile === '' ? 'role' : this.profile}, named ${this.name}, your goal is ${this.goal === '' ? 'to do what is asked of you' : this.goal}.${constraints}${place}`;
  }

  /** Returns whether a message starts a turn: it names the role, or the role watches for its cause. */
  concerns(message: Message): boolean {
    return this.watch.has(message.causeBy) || message.sendTo.has(this.name);
  }

  /** Reads the inbox. Messages that concern the role and are not in memory yet become `news`. Returns their number. */
  protected observe(): number {
    this.news = this.agent.observe();
    return this.news.length;
  }

  /** Forgets a message wherever it is remembered. Returns the writes to store at once; none when it is not remembered. */
  forget(id: string): Write[] {
    return this.agent.forget(id);
  }

  /** Changes or pins an older memory. Returns it with the writes to store at once; null when it does not exist. */
  changeMemory(id: string, change: MemoryChange): Promise<{ item: MemoryItem; writes: Write[] } | null> {
    return this.agent.changeMemory(id, change);
  }

  /** Adds the older memories of an exported document. Returns how many are new and the writes to store at once. */
  importMemories(document: unknown): { count: number; writes: Write[] } {
    return this.agent.importMemories(document);
  }

  /** Chooses the next action; false when there is none. */
  protected async think(run: Run): Promise<boolean> {
    if (this.actions.length === 0) return false;
    if (this.actions.length === 1) {
      this.agent.state.actionIndex = 0;
      return true;
    }
    if (this.reactMode === 'by_order') {
      this.agent.state.actionIndex += 1;
      return this.todo !== null;
    }
    const stages = this.actions.map(
      (action, index) => `${index}. ${action.name}${action.desc && `: ${action.desc}`}`,
    );
    const history = this.memory.get().map(String).join('\n');
    const reply = await askModel(this.agent, run, {
      purpose: 'stage',
      key: `stage:${this.agent.turn().step}`,
      text: `What happened so far:\n${history}\n\nYour stages:\n${stages.join('\n')}\nPrevious stage: ${this.agent.state.actionIndex}\nReply with the number of the next stage only, 0 to ${stages.length - 1}, or -1 if the goal is reached.`,
      apart: true,
    });
    this.agent.state.actionIndex = chosenStage(reply.text, this.actions.length);
    return this.todo !== null;
  }

  /** Runs the chosen action and remembers its result. */
  protected async act(run: Run): Promise<Message> {
    const todo = this.todo;
    if (todo === null)
      throw new RoleZeroError('internal', `${this.name} has no action to take.`, { role: this.name });
    const { step } = this.agent.turn();
    let asked = 0;
    const result = await todo.run(this.memory.get(), async (text) => {
      const key = `act:${step}:${asked++}`;
      return (await askModel(this.agent, run, { purpose: 'other', key, text, apart: true })).text;
    });
    const message =
      result instanceof Message
        ? result
        : this.agent.newMessage(AIMessage, { content: result, causeBy: todo, sentFrom: this.name });
    return this.agent.remember(message, true);
  }

  /** Works on the current turn to its end. */
  protected react(run: Run): Promise<Outcome> {
    return this.runProcedure(run);
  }

  /** Thinks and acts until there is no action left or the limit is reached. */
  protected async runProcedure(run: Run): Promise<Outcome> {
    let message = this.agent.newMessage(AIMessage, {
      content: 'No actions taken yet',
      causeBy: Action,
      sentFrom: this.name,
    });
    const turn = this.agent.turn();
    const stage = this.procedure();
    const limit = this.reactMode === 'by_order' ? this.actions.length : this.maxReactLoop;
    while (turn.step < limit) {
      if (!stage.isActionChosen) {
        this.agent.enter('thinking');
        if (!(await this.think(run))) break;
        stage.isActionChosen = true;
      }
      this.agent.enter('acting');
      const acted = await this.act(run);
      message = acted instanceof AIMessage ? acted : message;
      stage.isActionChosen = false;
      this.agent.endStep();
      await this.agent.commit();
    }
    this.agent.enter('ended');
    return { status: 'done', summary: message.content, message, error: null };
  }

  /** The stage of a fixed procedure; begins it when the turn has just started. */
  protected procedure(): Extract<Stage, { name: 'procedure' }> {
    const turn = this.agent.turn();
    if (turn.stage.name === 'procedure') return turn.stage;
    const stage = { name: 'procedure' as const, isActionChosen: false };
    turn.stage = stage;
    return stage;
  }

  /**
   * Puts a message into the inbox, works on it, and publishes the result. A string counts as addressed to the role.
   *
   * @returns The published message; null when the message was known already or the turn is not finished: see `outcome`.
   * @throws RoleZeroError the reason of a failure. The state is stored before.
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
          : this.agent.newMessage(UserMessage, {
              content: message,
              causeBy: UserRequirement,
              sendTo: [this.name],
            }),
      );
    }
    const outcome = await this.work({ id: this.agent.context.runtime.newId(), signal });
    if (outcome?.error) throw outcome.error;
    return outcome?.message ?? null;
  }

  /**
   * Resumes an interrupted turn, or starts one for the messages in the inbox. Never throws: failures are outcomes too, and the state is
   * stored first. Returns null when there was nothing to do. While the role is working, it waits for the end of that work, so an action
   * must not call it on its own role.
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
      if (this.agent.state.turn === null) {
        if (this.observe() === 0) {
          await this.agent.commit();
          return null;
        }
        const trigger = this.news.at(-1);
        // Not the id of the run: one run may have several turns, and call ids start with this id.
        const id = this.agent.context.runtime.newId();
        this.agent.enterTurn(newTurn(id, trigger?.toData() ?? null, this.firstStage()));
        this.agent.state.lastResult = null;
        this.onRequirement();
      } else this.observeAgain();
      run.signal.throwIfAborted();
      this.outcome = await this.react(run);
      this.agent.state.actionIndex = -1;
      this.agent.state.turn = null;
      this.agent.state.lastResult = {
        status: this.outcome.status,
        summary: this.outcome.summary,
        error: null,
      };
      this.agent.enter('idle');
      this.publishMessage(this.outcome.message);
      await this.agent.commit();
    } catch (error) {
      this.outcome = await this.interrupted(error, run);
    }
    return this.outcome;
  }

  /** Observes the request again: a role that failed has forgotten it, see `forgetTrigger`. */
  protected observeAgain(): void {
    const { request } = this.agent.turn();
    if (request === null || this.memory.get().some((message) => message.id === request.id)) return;
    this.news = [this.agent.remember(messageFromRecord(request))];
  }

  /** Forgets the request of a failed turn. Does nothing when it is not in memory or the turn is over. */
  protected forgetTrigger(): void {
    const request = this.agent.state.turn?.request;
    const observed = this.memory.get().find((message) => message.id === request?.id);
    if (observed !== undefined) this.memory.delete(observed);
  }

  /** Where a turn of this class begins. */
  protected firstStage(): Stage {
    return { name: 'procedure', isActionChosen: false };
  }

  /** For subclasses: a new request has arrived and its turn begins. */
  protected onRequirement(): void {}

  /** Drops an interrupted turn; memory stays. Returns the writes to store. */
  abandon(): Write[] {
    const { question, turn } = this.agent.state;
    if (turn === null && question === null) return [];
    this.agent.state.question = null;
    this.agent.state.turn = null;
    this.agent.state.actionIndex = -1;
    if (this.agent.state.phase !== 'idle') this.agent.enter('idle');
    return [
      ...(question === null ? [] : [{ table: 'questions' as const, key: question.id, value: undefined }]),
      { table: 'roles', key: this.name, value: structuredClone(this.agent.state) },
    ];
  }

  /**
   * Sends a message with the next commit. Without an environment, only messages to the role itself arrive.
   *
   * @returns Names of the roles that receive it.
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

  /** Routes a message through the environment, to be delivered with the next commit; null without an environment. */
  protected send(message: Message): Delivery | null {
    if (this.agent.context.bus === null) return null;
    if (this.agent.state.private === true) message.addMetadata('private', true); // its readers know private data too
    if (message instanceof AIMessage && message.agent === '')
      message.withAgent(`${this.name}(${this.profile})`);
    const delivery = this.agent.context.bus.route(message);
    this.agent.journal.add(delivery.writes);
    this.agent.journal.then(() => delivery.deliver());
    if (delivery.undeliverable.length > 0) this.agent.journal.tell(deadLetterWarning(this.name, delivery));
    return delivery;
  }

  /** Ends a run before the end of its turn. The state is stored, so the turn can be resumed. */
  private async interrupted(error: unknown, run: Run): Promise<Outcome> {
    const { refusal } = this.agent.journal;
    const outcome = refusal === null ? outcomeOf(error, run) : failed(refusal.error); // also during a stop: the state is not stored
    if (outcome.status === 'failed') {
      this.agent.enter('failed');
      this.forgetTrigger();
    }
    this.agent.state.lastResult = {
      status: outcome.status,
      summary: outcome.summary,
      error: outcome.error?.toData() ?? null,
    };
    await this.tryCommit();
    return outcome;
  }

  /** Commits the state of an interrupted turn. A storage error is only a warning, because the first error is reported. */
  private async tryCommit(): Promise<void> {
    try {
      await this.agent.commit();
    } catch (error) {
      this.agent.emit({
        type: 'warning',
        code: toRoleZeroError(error, 'storage-failed').code,
        message: `The last state of ${this.name} could not be stored; the one before it stands.`,
        detail: { role: this.name },
      });
    }
  }
}

/** Rejects unknown modes, and `plan_and_act` for other classes than `PlanningRole`, which has the planner. */
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
