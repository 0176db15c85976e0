import { RoleZeroError, toRoleZeroError } from '../base/error.js';
import type {
  AgentEvent,
  AuditEntry,
  PlanData,
  RunResult,
  StepQuery,
  StepTrace,
  Usage,
} from '../base/events.js';
import { FileWatchers } from '../base/file-watchers.js';
import type { SessionFiles } from '../base/files.js';
import type { Human, Question } from '../base/human.js';
import type { Inspection } from '../base/inspection.js';
import type { SessionMemory } from '../base/long-term.js';
import {
  Message,
  MESSAGE_TO_ALL,
  UserMessage,
  UserRequirement,
  messageFromRecord,
  type MessageData,
  type MessageQuery,
  type SendOptions,
} from '../base/message.js';
import type { ChatRequest } from '../base/model.js';
import { SeededRuntime } from '../base/runtime.js';
import type { SessionSpace } from '../base/space.js';
import type {
  KeyRange,
  SessionExport,
  SessionPosition,
  SessionStore,
  Storage,
  Table,
  Write,
} from '../base/store.js';
import { Environment } from '../environment/environment.js';
import { USER } from '../environment/routing.js';
import { VirtualFiles, type VirtualFilesOptions } from '../files/virtual-files.js';
import { addressedTo } from '../role/addressed-to.js';
import { deadLetterWarning, type CallPage, type Delivery, type RoleContext } from '../role/context.js';
import { NO_GRANT, readGrant, type Account } from '../role/budget.js';
import type { Outcome, Run } from '../role/outcome.js';
import { approvalsKey } from '../role/agent-runtime.js';
import type { Role } from '../role/role.js';
import { readRowKey, rowKey } from '../role/journal.js';
import { idleRules } from './idle-rules.js';
import { sessionFiles } from './session-files.js';
import { sessionMemory } from './session-memory.js';
import { SpaceWatch } from './space-watch.js';
import { Person, type AskPerson } from './person.js';
import { auditOf } from '../base/audit.js';
import { resultOf } from './run-result.js';
import { everybody, type Team } from './team.js';

export interface SessionOptions extends Team {
  storage: Storage;
  name: string;
  /** Null when nobody is there: questions are then not asked at all. */
  askPerson: AskPerson | null;
  emit: (event: AgentEvent) => void;
  /** Reaches the parts of tools that stand on the page; without it there are none. */
  callPage?: CallPage;
  /** Milliseconds since 1970; default the machine's clock. */
  now?: () => number;
  /** Sees every request to a model; for traces. */
  onRequest?: (request: ChatRequest) => void;
  /** What commands outside the session came to when they were run before; for replays. */
  recorded?: RoleContext['recorded'];
  /** Take the session over from whoever holds it. */
  takeOver?: boolean;
  /** How far it had come when somebody looked; see `Storage.open`. */
  known?: readonly SessionPosition[];
  /** Until it aborts, whoever holds the session is waited for; see `Storage.open`. */
  wait?: AbortSignal;
}

/** A run in progress. `result` never rejects: what went wrong is part of it. */
export interface SessionRun {
  id: string;
  result: Promise<RunResult>;
}

/** Characters of one message to a session. */
const MAX_REQUEST = 1_000_000;
/** What tells how the work stands: a few small rows, however long the session. */
const OVERVIEW: readonly Table[] = ['roles', 'approvals', 'inbox', 'questions', 'team'];
const ALL: readonly Table[] = [...OVERVIEW, 'messages', 'turns', 'files', 'history', 'deliveries'];
/** The row that names whom the person spoke to last. */
const ASKED = 'asked';
/** Key of the record with what the user has allowed beyond the session's budget, in the table `approvals`. */
const BUDGET = 'budget';

/**
 * One session, held by this writer: its roles, files, questions and the store they are kept in. Opening it under the name of an
 * earlier one brings everything back; what was interrupted is `resumable`.
 */
export class Session {
  readonly files: SessionFiles;
  /** What roles remember beyond their windows. */
  readonly memory: SessionMemory;
  readonly environment: Environment;
  #store: SessionStore;
  #runtime: SeededRuntime;
  #workspace: VirtualFiles;
  #person: Person;
  readonly #watchers = new FileWatchers();
  readonly #space: SpaceWatch;
  /** Whom the person spoke to last. */
  #asked: string;
  #grant = NO_GRANT;
  #running: { id: string; controller: AbortController; result: Promise<RunResult> } | null = null;
  /** What is in memory may be ahead of the store and must be read again. */
  #stale = false;
  /** How the last run ended, where the store may not have taken that down. */
  #ended: RunResult | null = null;
  /** Nothing more is taken: it was closed, or taken over. */
  #closed = false;
  /** Another tab or worker took the session over. */
  #isFenced = false;
  #leaving: Promise<void> | null = null;
  /** From here on nobody wants to know what roles could not read any more. */
  #isOver = false;
  /** The reading of what `begin` has left; null until somebody needs it. */
  #loading: Promise<void> | null = null;
  #isLoaded = false;

  private constructor(
    private readonly options: SessionOptions,
    store: SessionStore,
  ) {
    const { leader, chat } = options;
    this.environment = new Environment({
      ...(leader === undefined ? {} : { leader }),
      ...(chat === undefined ? {} : { chat }),
    });
    this.#asked = everybody(options)[0]?.name ?? '';
    this.#store = store;
    this.#runtime = new SeededRuntime(store.random, options.now);
    this.#workspace = new VirtualFiles(this.filesOptions());
    this.#person = new Person(
      (question, signal) => options.askPerson?.(question, signal) ?? Promise.resolve(null),
      (writes) => this.commitApart(writes),
      options.now ?? Date.now,
    );
    this.files = sessionFiles({
      ready: () => this.ready(),
      workspace: () => this.#workspace,
      commit: (writes, how) => this.commitApart(writes, how),
      emit: (event) => this.emit(event),
      watchers: this.#watchers,
    });
    this.#space = new SpaceWatch({
      session: options.name,
      look: () => this.space(),
      emit: (event) => this.emit(event),
    });
    this.memory = sessionMemory({
      session: options.name,
      ready: () => this.ready(),
      roles: (name) => (name === undefined ? this.environment.roles : [this.role(name)]),
      forget: (ids, roles) => this.forget(ids, roles),
      store: (writes, options) => this.commitApart(writes, options),
    });
  }

  /** @throws RoleZeroError `session-busy`, `storage-…`, or `invalid` when there is no role or two of one name. */
  static open(options: SessionOptions): Promise<Session> {
    return Session.hold(options, (session) => session.loaded());
  }

  /**
   * Opens a session and reads no more of it than how its work stands: `waiting`, `resumable`, `lastRun`, `plan` and `usage` are right, and
   * `newest` has the end of its conversation. Everything else needs `loaded`. @throws RoleZeroError as `open`.
   */
  static begin(options: SessionOptions): Promise<Session> {
    const isTeam = everybody(options).length > 1; // what a team came to is read off its memories
    return Session.hold(options, (session) => (isTeam ? session.loaded() : session.load(OVERVIEW)));
  }

  private static async hold(
    options: SessionOptions,
    read: (session: Session) => Promise<void>,
  ): Promise<Session> {
    if (everybody(options).length === 0)
      throw new RoleZeroError('invalid', 'A session needs at least one role.', {});
    const store = await options.storage.open(options.name, {
      ...(options.takeOver ? { takeOver: true } : {}),
      ...(options.known === undefined ? {} : { known: options.known }),
      ...(options.wait === undefined ? {} : { wait: options.wait }),
    });
    try {
      const session = new Session(options, store);
      await read(session);
      void store.lost.then(() => session.onLost());
      store.listen?.((warning) => session.emit({ type: 'warning', ...warning }));
      const idle = idleRules(everybody(options));
      if (idle !== null) session.emit(idle);
      return session;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Resolves when all of the session is read, which it begins with unless it is under way. @throws RoleZeroError `storage-…`. */
  loaded(): Promise<void> {
    this.#loading ??= this.load(ALL).then(() => {
      this.#isLoaded = true;
      this.#space.look();
    });
    return this.#loading;
  }

  get name(): string {
    return this.options.name;
  }
  /** How far the session has come; null where its storage does not tell. */
  get position(): SessionPosition | null {
    return this.#store.position ?? null;
  }
  /** The question that is open, or null. */
  get waiting(): Question | null {
    return this.#person.waiting;
  }
  /** True when interrupted work can go on with `resume`. */
  get resumable(): boolean {
    return this.#running === null && !this.environment.isIdle;
  }
  /** The run in progress, or null. */
  get running(): SessionRun | null {
    return this.#running;
  }
  /** How the last run ended, also one of an earlier visit; null before the first and while one is under way. */
  get lastRun(): RunResult | null {
    if (this.#running !== null) return null;
    return this.#ended ?? resultOf(this.environment.roles, this.asked);
  }

  /**
   * Gives the leader, else the first role, something to do; with `to`, that role. While a run is in progress the message reaches it
   * between two steps; otherwise a run starts, and interrupted work that was not resumed is given up.
   *
   * @throws RoleZeroError `invalid` when it is empty or longer than a million characters, `not-found` when nobody is named `to`,
   *   `inbox-full` when 1,000 messages wait for that role already, `storage-…` when it could not be kept.
   */
  async send(input: string | Message, { to }: SendOptions = {}): Promise<SessionRun> {
    checkRequest(input instanceof Message ? input.content : input);
    await this.ready();
    const asked = this.role(to);
    asked.checkInbox();
    const starts = this.#running === null;
    try {
      const { leader, roles } = this.environment;
      const givenUp = starts
        ? [...roles.flatMap((role) => role.abandon()), ...this.environment.endDirectChats()]
        : [];
      const { delivery, content } = this.address(input, asked, to !== undefined);
      const whom = leader === null ? (delivery.recipients[0] ?? asked.name) : asked.name;
      const noted: Write[] = starts && roles.length > 1 ? [{ table: 'team', key: ASKED, value: whom }] : [];
      await this.commitApart([...givenUp, ...noted, ...delivery.writes]);
      if (starts) {
        this.#person.forgetAll();
        this.#asked = whom;
      }
      delivery.deliver();
      if (delivery.undeliverable.length > 0) this.emit(deadLetterWarning(USER, delivery));
      return this.#running ?? this.start(content, false);
    } catch (error) {
      this.#stale = true; // what was given up in memory is not given up in the store
      if (starts) await this.showStored();
      throw error;
    }
  }

  /** @throws RoleZeroError `invalid` when there is nothing to go on with. */
  async resume(): Promise<SessionRun> {
    await this.ready();
    if (this.#running !== null) return this.#running;
    if (!this.resumable)
      throw new RoleZeroError('invalid', 'Nothing was interrupted; send a message instead.', {});
    return this.start(this.asked.planData.goal, true);
  }

  /** @throws RoleZeroError `not-found` when no such question is open, `invalid` when the answer is longer than a million characters. */
  async answer(id: string, text: string): Promise<void> {
    await this.ready();
    await this.#person.answer(id, text);
  }

  /** Ends the run in progress at once: the model call, the tool, the question. What was committed stays; `resume` goes on. */
  stop(): void {
    this.#running?.controller.abort(new RoleZeroError('aborted', 'Stopped.', {}));
  }

  /**
   * What a role remembers, in order; the leader's memory, else the first role's, unless another is named.
   * @throws RoleZeroError `not-found` when there is no such role or message, `invalid` when `last` is no number of messages.
   */
  messages(query: string | MessageQuery = {}): MessageData[] {
    const { role, last, before } = checkQuery(query, 'messages');
    const all = this.role(role).memory.storage;
    const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
    if (end < 0)
      throw new RoleZeroError('not-found', `There is no message ${before} among those remembered.`, {
        before,
      });
    return all
      .slice(last === undefined ? 0 : Math.max(0, end - last), end)
      .map((message) => message.toData());
  }

  /** As `messages`; of a session that is not read yet, the newest are read alone. */
  async newest(query: string | MessageQuery = {}): Promise<MessageData[]> {
    const { role, last, before } = checkQuery(query, 'messages');
    if (this.#isLoaded || last === undefined || before !== undefined) {
      await this.loaded();
      return this.messages(query);
    }
    const { name } = this.role(role);
    const rows = await this.#store.load('messages', rowsOf(name), last);
    const own = rows.filter(({ key }) => readRowKey(key).owner === name);
    if (own.length < rows.length) return this.loaded().then(() => this.messages(query)); // names within names
    return own
      .slice(own.length - Math.min(last, own.length))
      .map(({ value }) => messageFromRecord(value).toData());
  }

  /** The plan of a role, chosen as for `messages`. @throws RoleZeroError `not-found`. */
  plan(role?: string): PlanData {
    return this.role(role).planData;
  }

  /** Which messages passed among the roles, who received them, and why who went to work. The newest 500. */
  inspect(): Inspection {
    return this.environment.inspect();
  }

  /**
   * What the steps of a role were, oldest first, the newest 2,000, or fewer with `last`; the role is chosen as for `messages`.
   * @throws RoleZeroError `not-found`, `invalid` when `last` is no number of steps.
   */
  async steps(query: string | StepQuery = {}): Promise<StepTrace[]> {
    const { role, last } = checkQuery(query, 'steps');
    const { name } = this.role(role);
    const ownOf = (rows: Awaited<ReturnType<SessionStore['load']>>): StepTrace[] =>
      rows.filter(({ key }) => readRowKey(key).owner === name).map(({ value }) => value as StepTrace);
    const rows = await this.#store.load('steps', rowsOf(name), last);
    const own = ownOf(rows);
    const all = own.length < rows.length ? ownOf(await this.#store.load('steps', rowsOf(name))) : own; // names within names
    return last === undefined ? all : all.slice(Math.max(0, all.length - last));
  }

  /** What commands a role was let run or refused, by whom and why, oldest first, of the newest 2,000 steps; the role as for `messages`. */
  async audit(role?: string): Promise<AuditEntry[]> {
    return auditOf(await this.steps(role));
  }

  usage(): Usage {
    const total: Usage = {
      calls: 0,
      promptTokens: 0,
      completionTokens: 0,
      cachedPromptTokens: 0,
      costUsd: 0,
    };
    for (const { usage } of this.environment.roles) {
      for (const key of Object.keys(total) as (keyof Usage)[]) total[key] += usage[key];
    }
    return total;
  }

  /** How much room there is, and what could go to make some; the warning `storage-low` tells when it nears its end. */
  async space(): Promise<SessionSpace> {
    await this.loaded();
    const storage = (await this.options.storage.usage?.()) ?? null;
    const memories: SessionSpace['memories'] = { count: 0, characters: 0, oldest: null, pinned: 0 };
    for (const { longTermMemory } of this.environment.roles) {
      if (longTermMemory === null) continue;
      const { count, characters, oldest, pinned } = longTermMemory.freeable;
      memories.count += count;
      memories.characters += characters;
      memories.pinned += pinned;
      if (oldest !== null) memories.oldest = Math.min(memories.oldest ?? oldest, oldest);
    }
    return { storage, memories, history: this.#workspace.history.freeable() };
  }

  private async forget(ids: readonly string[], roles: readonly Role[]): Promise<boolean> {
    const writes = roles.flatMap((role) => ids.flatMap((id) => role.forget(id)));
    if (writes.length === 0) return false;
    await this.commitApart(writes, { purge: true });
    return true;
  }

  /** One JSON document with everything; see `Storage.import`. */
  export(): Promise<SessionExport> {
    return this.options.storage.export(this.name);
  }

  /** Stops, waits for the last commit and gives the session back, also one that was taken over: its storage may outlive it. Idempotent. */
  close(): Promise<void> {
    this.#leaving ??= this.leave();
    return this.#leaving;
  }

  private async leave(): Promise<void> {
    this.#closed = true;
    this.stop();
    await this.#running?.result;
    this.#isOver = true;
    await this.#store.close();
  }

  /** The role of that name; without one the leader, else the first. */
  private role(name?: string): Role {
    const { roles, roleNames } = this.environment;
    const found = name === undefined ? roles[0] : this.environment.getRole(name);
    if (found) return found;
    throw new RoleZeroError(
      'not-found',
      `There is nobody named "${name}" in this session. The roles are ${roleNames.join(', ')}.`,
      { name, roles: roleNames },
    );
  }

  private get asked(): Role {
    return this.environment.getRole(this.#asked) ?? this.role();
  }

  /** A person's message on its way: through the leader when there is one, else straight into the hands of who is asked. */
  private address(
    input: string | Message,
    asked: Role,
    direct: boolean,
  ): { delivery: Delivery; content: string } {
    const { leader, roles } = this.environment;
    const overLeader = leader !== null && !direct;
    const message =
      input instanceof Message
        ? input
        : new UserMessage({
            content: input,
            causeBy: UserRequirement,
            sentFrom: USER,
            sendTo: overLeader ? [] : [asked.name],
          });
    const byAddress = leader !== null || (input instanceof Message && !direct && roles.length > 1);
    const isForAll = message.sendTo.size === 1 && message.sendTo.has(MESSAGE_TO_ALL);
    const delivery = byAddress
      ? this.environment.route(message, { direct })
      : this.environment.hand(isForAll ? addressedTo(asked, message) : message, asked);
    return { delivery, content: message.content };
  }

  private start(request: string, resumed: boolean): SessionRun {
    const id = this.#runtime.newId();
    const controller = new AbortController();
    const result = Promise.resolve().then(() => this.drive(id, controller.signal));
    this.#running = { id, controller, result };
    this.#ended = null;
    this.emit({ type: 'run-start', runId: id, request, resumed });
    return { id, result };
  }

  private async drive(id: string, signal: AbortSignal): Promise<RunResult> {
    const worked = await this.work(id, signal);
    const result: RunResult = this.#isFenced
      ? { status: 'failed', summary: '', error: this.fenced().toData() }
      : worked;
    if (this.#stale) {
      await this.showStored();
      this.#ended = result;
    }
    this.#running = null;
    this.emit({ type: 'run-end', runId: id, ...result });
    return result;
  }

  private async work(id: string, signal: AbortSignal): Promise<RunResult> {
    try {
      const outcome = await this.runUntilQuiet({ id, signal });
      const { roles } = this.environment;
      const nothing: RunResult = { status: 'done', summary: '', error: null };
      if (outcome === null) return (roles.length === 1 ? null : resultOf(roles, this.asked)) ?? nothing;
      const { status, summary } = outcome;
      const own: RunResult = { status, summary, error: outcome.error?.toData() ?? null };
      if (status === 'failed') this.#stale = true;
      return resultOf(roles, this.asked, roles.length === 1 || status === 'failed' ? own : undefined) ?? own;
    } catch (error) {
      this.#stale = true;
      return { status: 'failed', summary: '', error: toRoleZeroError(error).toData() };
    }
  }

  /** A role whose answer came while the others were still at work goes on before the run ends. */
  private async runUntilQuiet(run: Run): Promise<Outcome | null> {
    const heard = new Set<string>();
    for (;;) {
      const outcome = await this.environment.run(run);
      const answered = this.#person.answered.filter((id) => !heard.has(id));
      if (outcome?.status !== 'waiting' || answered.length === 0) return outcome;
      for (const id of answered) heard.add(id);
    }
  }

  /** Reads these tables from the store, and brings back what follows from them: `ALL` of the session, or an `OVERVIEW`. */
  private async load(names: readonly Table[]): Promise<void> {
    const loaded = await Promise.all(names.map((name) => this.#store.load(name)));
    const tables = new Map(names.map((name, index) => [name, loaded[index] ?? []]));
    const rows = (table: Table): { key: string; value: unknown }[] => tables.get(table) ?? [];
    this.#runtime = new SeededRuntime(this.#store.random, this.options.now);
    this.#workspace = VirtualFiles.restore(rows('files'), this.filesOptions());
    this.#workspace.history.restore(rows('history'));
    this.#person.restore(rows('questions'), rows('approvals'));
    this.environment.restore({ deliveries: rows('deliveries'), team: rows('team') });
    const asked = rows('team').find(({ key }) => key === ASKED)?.value;
    if (typeof asked === 'string') this.#asked = asked;
    const approved = (key: string): unknown => rows('approvals').find((row) => row.key === key)?.value;
    this.#grant = readGrant(approved(BUDGET));
    for (const role of everybody(this.options)) {
      this.environment.addRole(role, this.context());
      const own = (table: Table): { key: string; value: unknown }[] =>
        rows(table).filter(({ key }) => readRowKey(key).owner === role.name);
      const state = rows('roles').find(({ key }) => key === role.name)?.value;
      const approvals = approved(approvalsKey(role.name));
      const inbox = own('inbox');
      if (names === OVERVIEW) role.restoreState({ state, approvals, inbox });
      else await role.restore({ state, approvals, inbox, messages: own('messages'), turns: own('turns') });
    }
  }

  private async ready(): Promise<void> {
    if (this.#isFenced) throw this.fenced();
    if (this.#closed) throw new RoleZeroError('aborted', 'The session is closed.', { session: this.name });
    if (!this.#stale || this.#running !== null) return;
    await this.load(ALL);
    this.#stale = false;
  }

  /**
   * Puts what is stored in the place of what is ahead of it: a run whose last commit was refused is not over, and can be resumed. It
   * stays stale, for something may be written meanwhile.
   */
  private async showStored(): Promise<void> {
    if (this.#closed || !this.#stale) return;
    try {
      await this.load(ALL);
    } catch {
      // the store does not answer: the next use reads again, and tells
    }
  }

  private context(): Omit<RoleContext, 'bus'> {
    const human: Human | null = this.options.askPerson === null ? null : this.#person;
    return {
      session: this.name,
      runtime: this.#runtime,
      workspace: this.#workspace,
      human,
      commit: (writes) => this.commit(writes, this.#runtime.snapshot()),
      read: (table, keys) => this.#store.read(table, keys),
      load: (table, range) => this.#store.load(table, range),
      emit: (event) => {
        if (!this.#isOver) this.emit(event);
      },
      account: (store) => this.account(store),
      ...(this.options.callPage === undefined ? {} : { callPage: this.options.callPage }),
      ...(this.options.onRequest === undefined ? {} : { onRequest: this.options.onRequest }),
      ...(this.options.recorded === undefined ? {} : { recorded: this.options.recorded }),
    };
  }

  private account(store: (writes: readonly Write[]) => void): Account | null {
    const { budget } = this.options;
    if (budget === undefined) return null;
    const { calls, promptTokens, completionTokens, costUsd } = this.usage();
    const ms = this.environment.roles.reduce((sum, role) => sum + role.modelMs, 0);
    return {
      whose: 'session',
      budget,
      spent: { calls, tokens: promptTokens + completionTokens, usd: costUsd, ms },
      grant: this.#grant,
      advice: 'Raise the budget given beside its roles, then resume.',
      decide: (grant) => {
        this.#grant = grant;
        store([{ table: 'approvals', key: BUDGET, value: grant }]);
      },
    };
  }

  /**
   * A commit from outside the roles' own sequence. It must not move their generator on: a half-step that is under way and lost
   * would get other ids when it is done again.
   */
  private commitApart(writes: readonly Write[], options?: { purge?: boolean }): Promise<void> {
    return this.commit(writes, this.#store.random, options);
  }

  private async commit(...args: Parameters<SessionStore['commit']>): Promise<void> {
    try {
      await this.#store.commit(...args);
    } catch (error) {
      this.#stale = true; // what this was to store is in memory already
      this.#space.refused(error);
      throw error;
    }
    this.#space.committed();
  }

  /** A listener that throws must not break the agent; its error is the listener's own, and is reported as such. */
  private emit(event: AgentEvent): void {
    if (event.type === 'approval-request' || event.type === 'human-question')
      this.#person.opened(event.question); // who hears of it may look, and answer at once
    const call = (listen: () => void): void => {
      try {
        listen();
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    };
    call(() => this.options.emit(event));
    this.#watchers.tell(event, call);
  }

  private onLost(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#isFenced = true;
    const { code, message, detail } = this.fenced();
    this.emit({ type: 'warning', code, message, detail });
    this.stop();
  }

  private fenced(): RoleZeroError {
    return new RoleZeroError(
      'session-fenced',
      `Another tab or worker took over or removed session '${this.name}', so this one can no longer use it. Connect again to continue from what is stored: with { view: true } to watch, with { takeOver: true } to take it back.`,
      { session: this.name },
    );
  }

  private filesOptions(): VirtualFilesOptions {
    return {
      now: this.#runtime.now,
      limits: this.options.limits ?? {},
      contents: (hashes) => this.#store.read('contents', hashes),
    };
  }
}

function checkQuery(query: string | MessageQuery, what: string): MessageQuery {
  const wanted = typeof query === 'string' ? { role: query } : query;
  const { last } = wanted;
  if (last === undefined || (Number.isInteger(last) && last >= 0)) return wanted;
  throw new RoleZeroError('invalid', `The newest ${last} ${what} cannot be had: a whole number is needed.`, {
    last,
  });
}

/** Where the rows of a role are. */
function rowsOf(name: string): KeyRange {
  return { from: rowKey(name, 0), before: `${name}/~` }; // behind all digits
}

function checkRequest(text: string): void {
  if (text.trim() === '')
    throw new RoleZeroError('invalid', 'The message is empty; say what is to be done.', {});
  if (text.length <= MAX_REQUEST) return;
  throw new RoleZeroError(
    'invalid',
    `The message has ${text.length} characters, at most ${MAX_REQUEST} are taken. Put long material into a file and name it.`,
    { length: text.length },
  );
}
