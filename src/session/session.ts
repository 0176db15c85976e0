import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type {
  AgentEvent,
  AuditEntry,
  PlanData,
  RunResult,
  StepQuery,
  StepTrace,
  Usage,
} from '../core/events.js';
import { FileWatchers } from '../core/file-watchers.js';
import type { SessionFiles } from '../core/files.js';
import type { Human, Question } from '../core/human.js';
import type { Inspection } from '../core/inspection.js';
import type { SessionMemory } from '../core/long-term.js';
import {
  Message,
  MESSAGE_TO_ALL,
  UserMessage,
  UserRequirement,
  messageFromRecord,
  type MessageData,
  type MessageQuery,
  type SendOptions,
} from '../core/message.js';
import type { ChatRequest } from '../core/model.js';
import { SeededRuntime } from '../core/runtime.js';
import type { SessionSpace } from '../core/space.js';
import type {
  KeyRange,
  SessionExport,
  SessionPosition,
  SessionStore,
  Storage,
  Table,
  Write,
} from '../core/store.js';
import { Environment } from '../team/environment.js';
import { USER } from '../team/routing.js';
import { VirtualFiles, type VirtualFilesOptions } from '../files/virtual-files.js';
import { addressedTo } from '../agent/runtime/addressed-to.js';
import {
  deadLetterWarning,
  type CallPage,
  type Delivery,
  type RoleContext,
} from '../agent/runtime/context.js';
import { NO_GRANT, readGrant, type Account } from '../agent/policy/budget.js';
import type { Outcome, Run } from '../agent/runtime/outcome.js';
import { approvalsKey } from '../agent/runtime/agent-runtime.js';
import type { TeamRole } from '../agent/runtime/team-role.js';
import { readRowKey, rowKey } from '../agent/runtime/journal.js';
import { idleRules } from './idle-rules.js';
import { sessionFiles } from './session-files.js';
import { sessionMemory } from './session-memory.js';
import { SpaceWatch } from './space-watch.js';
import { Person, type AskPerson } from './person.js';
import { auditOf } from '../core/audit.js';
import { resultOf } from './run-result.js';
import { everybody, type Team } from './team.js';

export interface SessionOptions extends Team {
  storage: Storage;
  name: string;
  /** Null when no user is connected: questions are then not asked at all. */
  askPerson: AskPerson | null;
  emit: (event: AgentEvent) => void;
  /** Calls the page side of tools; absent when there is none. */
  callPage?: CallPage;
  /** Returns milliseconds since 1970; default the system clock. */
  now?: () => number;
  /** Called with every request to a model; for traces. */
  onRequest?: (request: ChatRequest) => void;
  /** Recorded results of commands outside the session; for replays. */
  recorded?: RoleContext['recorded'];
  /** Takes the session over from its current owner. */
  takeOver?: boolean;
  /** Earlier observed positions of the session; see `Storage.open`. */
  known?: readonly SessionPosition[];
  /** Waits until the current owner releases the session or the signal aborts; see `Storage.open`. */
  wait?: AbortSignal;
}

/** A run in progress. `result` never rejects: an error is part of it. */
export interface SessionRun {
  id: string;
  result: Promise<RunResult>;
}

/** Maximum number of characters of one message to a session. */
const MAX_REQUEST = 1_000_000;
/** The tables that describe the state of the work: a few small rows, however long the session. */
const OVERVIEW: readonly Table[] = ['roles', 'approvals', 'inbox', 'questions', 'team'];
const ALL: readonly Table[] = [...OVERVIEW, 'messages', 'turns', 'files', 'history', 'deliveries'];
/** Key of the row that names the role the user addressed last. */
const ASKED = 'asked';
/** Key of the record with what the user has allowed beyond the session's budget, in the table `approvals`. */
const BUDGET = 'budget';

/**
 * One session, owned by this writer: its roles, files, questions, and the store that holds them. Opening it again under the same name
 * restores everything; interrupted work is `resumable`.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly files: SessionFiles;
  /** The memories of roles beyond their windows. */
  readonly memory: SessionMemory;
  readonly environment: Environment;
  #store: SessionStore;
  #runtime: SeededRuntime;
  #workspace: VirtualFiles;
  #person: Person;
  readonly #watchers = new FileWatchers();
  readonly #space: SpaceWatch;
  /** Name of the role that the user addressed last. */
  #askedName: string;
  #grant = NO_GRANT;
  #running: { id: string; controller: AbortController; result: Promise<RunResult> } | null = null;
  /** The memory may be ahead of the store and must be read again. */
  #stale = false;
  /** Result of the last run, set where the store may not have recorded it. */
  #ended: RunResult | null = null;
  /** Set when no more calls are accepted: the session was closed or taken over. */
  #closed = false;
  /** Another tab or worker took the session over. */
  #isFenced = false;
  #leaving: Promise<void> | null = null;
  /** Set at the end of `close`: events of roles, such as failed reads, are no longer emitted. */
  #isOver = false;
  /** Loads the data that `begin` left out; null until it is needed. */
  #loading: Promise<void> | null = null;
  #isLoaded = false;

  private constructor(options: SessionOptions, store: SessionStore) {
    this.#options = options;

    const { leader, chat } = options;
    this.environment = new Environment({
      ...(leader === undefined ? {} : { leader }),
      ...(chat === undefined ? {} : { chat }),
    });
    this.#askedName = everybody(options)[0]?.name ?? '';
    this.#store = store;
    this.#runtime = new SeededRuntime(store.random, options.now);
    this.#workspace = new VirtualFiles(this.#filesOptions());
    this.#person = new Person(
      (question, signal) => options.askPerson?.(question, signal) ?? Promise.resolve(null),
      (writes) => this.#commitApart(writes),
      options.now ?? Date.now,
    );
    this.files = sessionFiles({
      ready: () => this.#ready(),
      workspace: () => this.#workspace,
      commit: (writes, how) => this.#commitApart(writes, how),
      emit: (event) => this.#emit(event),
      watchers: this.#watchers,
    });
    this.#space = new SpaceWatch({
      session: options.name,
      look: () => this.space(),
      emit: (event) => this.#emit(event),
    });
    this.memory = sessionMemory({
      session: options.name,
      ready: () => this.#ready(),
      roles: (name) => (name === undefined ? this.environment.roles : [this.#role(name)]),
      forget: (ids, roles) => this.#forget(ids, roles),
      store: (writes, options) => this.#commitApart(writes, options),
    });
  }

  /** @throws RoleZeroError `session-busy`, `storage-…`, or `invalid` when there is no role or two have the same name. */
  static open(options: SessionOptions): Promise<Session> {
    return Session.#hold(options, (session) => session.loaded());
  }

  /**
   * Opens a session and reads only the state of its work. `waiting`, `resumable`, `lastRun`, `plan` and `usage` are correct, and `newest`
   * returns the end of its conversation. Everything else needs `loaded`. @throws RoleZeroError as `open`.
   */
  static begin(options: SessionOptions): Promise<Session> {
    const isTeam = everybody(options).length > 1; // the result of a team depends on its memories
    return Session.#hold(options, (session) => (isTeam ? session.loaded() : session.#load(OVERVIEW)));
  }

  static async #hold(options: SessionOptions, read: (session: Session) => Promise<void>): Promise<Session> {
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
      void store.lost.then(() => session.#onLost());
      store.listen?.((warning) => session.#emit({ type: 'warning', ...warning }));
      const idle = idleRules(everybody(options));
      if (idle !== null) session.#emit(idle);
      return session;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Resolves when the whole session is read. Starts reading unless that is in progress. @throws RoleZeroError `storage-…`. */
  loaded(): Promise<void> {
    this.#loading ??= this.#load(ALL).then(() => {
      this.#isLoaded = true;
      this.#space.look();
    });
    return this.#loading;
  }

  get name(): string {
    return this.#options.name;
  }
  /** The position of the session; null where its storage does not report it. */
  get position(): SessionPosition | null {
    return this.#store.position ?? null;
  }
  /** The open question, or null. */
  get waiting(): Question | null {
    return this.#person.waiting;
  }
  /** True when interrupted work can be continued with `resume`. */
  get resumable(): boolean {
    return this.#running === null && !this.environment.isIdle;
  }
  /** The run in progress, or null. */
  get running(): SessionRun | null {
    return this.#running;
  }
  /** Result of the last run, including one before a reload; null before the first run and while a run is in progress. */
  get lastRun(): RunResult | null {
    if (this.#running !== null) return null;
    return this.#ended ?? resultOf(this.environment.roles, this.#asked);
  }

  /**
   * Sends a request to the leader, else to the first role; with `to`, to that role. While a run is in progress the message reaches the role
   * between two steps. Otherwise a run starts, and interrupted work that was not resumed is abandoned.
   *
   * @throws RoleZeroError `invalid` when it is empty or longer than a million characters, `not-found` when no role is named `to`,
   * `inbox-full` when 1,000 messages already wait for that role, `storage-…` when it could not be stored.
   */
  async send(input: string | Message, { to }: SendOptions = {}): Promise<SessionRun> {
    checkRequest(input instanceof Message ? input.content : input);
    await this.#ready();
    const asked = this.#role(to);
    asked.agent.inbox.checkRoom();
    const starts = this.#running === null;
    try {
      const { leader, roles } = this.environment;
      const givenUp = starts
        ? [...roles.flatMap((role) => role.agent.abandon()), ...this.environment.endDirectChats()]
        : [];
      const { delivery, content } = this.#address(input, asked, to !== undefined);
      const whom = leader === null ? (delivery.recipients[0] ?? asked.name) : asked.name;
      const noted: Write[] = starts && roles.length > 1 ? [{ table: 'team', key: ASKED, value: whom }] : [];
      await this.#commitApart([...givenUp, ...noted, ...delivery.writes]);
      if (starts) {
        this.#person.forgetAll();
        this.#askedName = whom;
      }
      delivery.deliver();
      if (delivery.undeliverable.length > 0) this.#emit(deadLetterWarning(USER, delivery));
      return this.#running ?? this.#start(content, false);
    } catch (error) {
      this.#stale = true; // the memory abandoned work that the store did not
      if (starts) await this.#showStored();
      throw error;
    }
  }

  /** Continues interrupted work. @throws RoleZeroError `invalid` when there is none. */
  async resume(): Promise<SessionRun> {
    await this.#ready();
    if (this.#running !== null) return this.#running;
    if (!this.resumable)
      throw new RoleZeroError('invalid', 'Nothing was interrupted; send a message instead.', {});
    return this.#start(this.#asked.agent.state.plan.goal, true);
  }

  /**
   * Answers an open question. @throws RoleZeroError `not-found` when it is not open, `invalid` when the answer exceeds a million
   * characters.
   */
  async answer(id: string, text: string): Promise<void> {
    await this.#ready();
    await this.#person.answer(id, text);
  }

  /** Ends the run in progress immediately: the model call, the tool, the question. Committed work remains; `resume` continues. */
  stop(): void {
    this.#running?.controller.abort(new RoleZeroError('aborted', 'Stopped.', {}));
  }

  /**
   * Returns what a role remembers, in order. Default: the leader, else the first role.
   * @throws RoleZeroError `not-found` when there is no such role or message, `invalid` when `last` is not a valid number of messages.
   */
  messages(query: string | MessageQuery = {}): MessageData[] {
    const { role, last, before } = checkQuery(query, 'messages');
    const all = this.#role(role).agent.memory.storage;
    const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
    if (end < 0)
      throw new RoleZeroError('not-found', `There is no stored message ${before}.`, {
        before,
      });
    return all
      .slice(last === undefined ? 0 : Math.max(0, end - last), end)
      .map((message) => message.toData());
  }

  /** Like `messages`. While the session is not fully read, reads only the newest messages. */
  async newest(query: string | MessageQuery = {}): Promise<MessageData[]> {
    const { role, last, before } = checkQuery(query, 'messages');
    if (this.#isLoaded || last === undefined || before !== undefined) {
      await this.loaded();
      return this.messages(query);
    }
    const { name } = this.#role(role);
    const rows = await this.#store.load('messages', rowsOf(name), last);
    const own = rows.filter(({ key }) => readRowKey(key).owner === name);
    if (own.length < rows.length) return this.loaded().then(() => this.messages(query)); // a role name may contain another role's name
    return own
      .slice(own.length - Math.min(last, own.length))
      .map(({ value }) => messageFromRecord(value).toData());
  }

  /** Returns the plan of a role, selected as for `messages`. @throws RoleZeroError `not-found`. */
  plan(role?: string): PlanData {
    return this.#role(role).agent.state.plan;
  }

  /** Returns the newest 500 messages among the roles, with their recipients and the reason why roles reacted. */
  inspect(): Inspection {
    return this.environment.inspect();
  }

  /**
   * Returns the steps of a role, oldest first: the newest 2,000, or fewer with `last`. The role is selected as for `messages`.
   * @throws RoleZeroError `not-found`, `invalid` when `last` is not a valid number of steps.
   */
  async steps(query: string | StepQuery = {}): Promise<StepTrace[]> {
    const { role, last } = checkQuery(query, 'steps');
    const { name } = this.#role(role);
    const ownOf = (rows: Awaited<ReturnType<SessionStore['load']>>): StepTrace[] =>
      rows.filter(({ key }) => readRowKey(key).owner === name).map(({ value }) => value as StepTrace);
    const rows = await this.#store.load('steps', rowsOf(name), last);
    const own = ownOf(rows);
    const all = own.length < rows.length ? ownOf(await this.#store.load('steps', rowsOf(name))) : own; // a role name may contain another role's name
    return last === undefined ? all : all.slice(Math.max(0, all.length - last));
  }

  /**
   * Returns the commands of a role's newest 2,000 steps, oldest first, with who allowed or denied each and why. The role is selected as for
   * `messages`.
   */
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
    for (const { agent } of this.environment.roles) {
      for (const key of Object.keys(total) as (keyof Usage)[]) total[key] += agent.state.usage[key];
    }
    return total;
  }

  /** Returns the available storage, and what could be removed. The warning `storage-low` reports when storage is nearly full. */
  async space(): Promise<SessionSpace> {
    await this.loaded();
    const storage = (await this.#options.storage.usage?.()) ?? null;
    const memories: SessionSpace['memories'] = { count: 0, characters: 0, oldest: null, pinned: 0 };
    for (const { agent } of this.environment.roles) {
      const longTermMemory = agent.longTerm;
      if (longTermMemory === null) continue;
      const { count, characters, oldest, pinned } = longTermMemory.freeable;
      memories.count += count;
      memories.characters += characters;
      memories.pinned += pinned;
      if (oldest !== null) memories.oldest = Math.min(memories.oldest ?? oldest, oldest);
    }
    return { storage, memories, history: this.#workspace.history.freeable() };
  }

  async #forget(ids: readonly string[], roles: readonly TeamRole[]): Promise<boolean> {
    const writes = roles.flatMap((role) => ids.flatMap((id) => role.agent.forget(id)));
    if (writes.length === 0) return false;
    await this.#commitApart(writes, { purge: true });
    return true;
  }

  /** Returns a JSON document with the whole session; see `Storage.import`. */
  export(): Promise<SessionExport> {
    return this.#options.storage.export(this.name);
  }

  /** Stops, waits for the last commit, and releases the session, also one that was taken over: its storage may outlive it. Idempotent. */
  close(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  async #leave(): Promise<void> {
    this.#closed = true;
    this.stop();
    await this.#running?.result;
    this.#isOver = true;
    await this.#store.close();
  }

  /** Returns the role with that name; without one the leader, else the first role. */
  #role(name?: string): TeamRole {
    const { roles, roleNames } = this.environment;
    const found = name === undefined ? roles[0] : this.environment.getRole(name);
    if (found) return found;
    throw new RoleZeroError(
      'not-found',
      `There is no role named "${name}" in this session. The roles are ${roleNames.join(', ')}.`,
      { name, roles: roleNames },
    );
  }

  get #asked(): TeamRole {
    return this.environment.getRole(this.#askedName) ?? this.#role();
  }

  /** Addresses a message of the user: through the leader if there is one, else directly to the role that was asked. */
  #address(
    input: string | Message,
    asked: TeamRole,
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
      : this.environment.hand(isForAll ? addressedTo(asked.agent, message) : message, asked);
    return { delivery, content: message.content };
  }

  #start(request: string, resumed: boolean): SessionRun {
    const id = this.#runtime.newId();
    const controller = new AbortController();
    const result = Promise.resolve().then(() => this.#drive(id, controller.signal));
    this.#running = { id, controller, result };
    this.#ended = null;
    this.#emit({ type: 'run-start', runId: id, request, resumed });
    return { id, result };
  }

  async #drive(id: string, signal: AbortSignal): Promise<RunResult> {
    const worked = await this.#work(id, signal);
    const result: RunResult = this.#isFenced
      ? { status: 'failed', summary: '', error: this.#fenced().toData() }
      : worked;
    if (this.#stale) {
      await this.#showStored();
      this.#ended = result;
    }
    this.#running = null;
    this.#emit({ type: 'run-end', runId: id, ...result });
    return result;
  }

  async #work(id: string, signal: AbortSignal): Promise<RunResult> {
    try {
      const outcome = await this.#runUntilQuiet({ id, signal });
      const { roles } = this.environment;
      const nothing: RunResult = { status: 'done', summary: '', error: null };
      if (outcome === null) return (roles.length === 1 ? null : resultOf(roles, this.#asked)) ?? nothing;
      const { status, summary } = outcome;
      const own: RunResult = { status, summary, error: outcome.error?.toData() ?? null };
      if (status === 'failed') this.#stale = true;
      return resultOf(roles, this.#asked, roles.length === 1 || status === 'failed' ? own : undefined) ?? own;
    } catch (error) {
      this.#stale = true;
      return { status: 'failed', summary: '', error: toRoleZeroError(error).toData() };
    }
  }

  /** A role whose answer arrived while other roles were working continues before the run ends. */
  async #runUntilQuiet(run: Run): Promise<Outcome | null> {
    const heard = new Set<string>();
    for (;;) {
      const outcome = await this.environment.run(run);
      const answered = this.#person.answered.filter((id) => !heard.has(id));
      if (outcome?.status !== 'waiting' || answered.length === 0) return outcome;
      for (const id of answered) heard.add(id);
    }
  }

  /** Loads these tables and restores the state derived from them: `ALL` for the whole session, or an `OVERVIEW`. */
  async #load(names: readonly Table[]): Promise<void> {
    const loaded = await Promise.all(names.map((name) => this.#store.load(name)));
    const tables = new Map(names.map((name, index) => [name, loaded[index] ?? []]));
    const rows = (table: Table): { key: string; value: unknown }[] => tables.get(table) ?? [];
    this.#runtime = new SeededRuntime(this.#store.random, this.#options.now);
    this.#workspace = VirtualFiles.restore(rows('files'), this.#filesOptions());
    this.#workspace.history.restore(rows('history'));
    this.#person.restore(rows('questions'), rows('approvals'));
    this.environment.restore({ deliveries: rows('deliveries'), team: rows('team') });
    const asked = rows('team').find(({ key }) => key === ASKED)?.value;
    if (typeof asked === 'string') this.#askedName = asked;
    const approved = (key: string): unknown => rows('approvals').find((row) => row.key === key)?.value;
    this.#grant = readGrant(approved(BUDGET));
    for (const role of everybody(this.#options)) {
      this.environment.addRole(role, this.#context());
      const own = (table: Table): { key: string; value: unknown }[] =>
        rows(table).filter(({ key }) => readRowKey(key).owner === role.name);
      const state = rows('roles').find(({ key }) => key === role.name)?.value;
      const approvals = approved(approvalsKey(role.name));
      const inbox = own('inbox');
      if (names === OVERVIEW) role.agent.restoreState({ state, approvals, inbox });
      else
        await role.agent.restore({ state, approvals, inbox, messages: own('messages'), turns: own('turns') });
    }
  }

  async #ready(): Promise<void> {
    if (this.#isFenced) throw this.#fenced();
    if (this.#closed) throw new RoleZeroError('aborted', 'The session is closed.', { session: this.name });
    if (!this.#stale || this.#running !== null) return;
    await this.#load(ALL);
    this.#stale = false;
  }

  /**
   * Replaces memory that is ahead of the store by the stored state. A run whose last commit was rejected is then not over, and can be
   * resumed. The session stays stale, because something may be written meanwhile.
   */
  async #showStored(): Promise<void> {
    if (this.#closed || !this.#stale) return;
    try {
      await this.#load(ALL);
    } catch {
      // the store does not respond: the next use reads again, and reports the error
    }
  }

  #context(): Omit<RoleContext, 'bus'> {
    const human: Human | null = this.#options.askPerson === null ? null : this.#person;
    return {
      session: this.name,
      runtime: this.#runtime,
      workspace: this.#workspace,
      human,
      commit: (writes) => this.#commit(writes, this.#runtime.snapshot()),
      read: (table, keys) => this.#store.read(table, keys),
      load: (table, range) => this.#store.load(table, range),
      emit: (event) => {
        if (!this.#isOver) this.#emit(event);
      },
      account: (store) => this.#account(store),
      ...(this.#options.callPage === undefined ? {} : { callPage: this.#options.callPage }),
      ...(this.#options.onRequest === undefined ? {} : { onRequest: this.#options.onRequest }),
      ...(this.#options.recorded === undefined ? {} : { recorded: this.#options.recorded }),
    };
  }

  #account(store: (writes: readonly Write[]) => void): Account | null {
    const { budget } = this.#options;
    if (budget === undefined) return null;
    const { calls, promptTokens, completionTokens, costUsd } = this.usage();
    const ms = this.environment.roles.reduce((sum, role) => sum + role.agent.state.modelMs, 0);
    return {
      whose: 'session',
      budget,
      spent: { calls, tokens: promptTokens + completionTokens, usd: costUsd, ms },
      grant: this.#grant,
      advice: 'Raise the budget of the team, then resume.',
      decide: (grant) => {
        this.#grant = grant;
        store([{ table: 'approvals', key: BUDGET, value: grant }]);
      },
    };
  }

  /**
   * Commits from outside the roles' own sequence. It must not advance their random generator: a partial step that is lost and repeated
   * would get other ids.
   */
  #commitApart(writes: readonly Write[], options?: { purge?: boolean }): Promise<void> {
    return this.#commit(writes, this.#store.random, options);
  }

  async #commit(...args: Parameters<SessionStore['commit']>): Promise<void> {
    try {
      await this.#store.commit(...args);
    } catch (error) {
      this.#stale = true; // the memory already contains what this commit should have stored
      this.#space.refused(error);
      throw error;
    }
    this.#space.committed();
  }

  /** An error thrown by a listener must not break the agent; it is reported as an uncaught error instead. */
  #emit(event: AgentEvent): void {
    if (event.type === 'approval-request' || event.type === 'human-question')
      this.#person.opened(event.question); // a listener may read the question and answer it immediately
    const call = (listen: () => void): void => {
      try {
        listen();
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    };
    call(() => this.#options.emit(event));
    this.#watchers.tell(event, call);
  }

  #onLost(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#isFenced = true;
    const { code, message, detail } = this.#fenced();
    this.#emit({ type: 'warning', code, message, detail });
    this.stop();
  }

  #fenced(): RoleZeroError {
    return new RoleZeroError(
      'session-fenced',
      `Another tab or worker took over or removed session '${this.name}', so this one can no longer use it. Connect again to continue from what is stored: with { view: true } to watch, with { takeOver: true } to take it back.`,
      { session: this.name },
    );
  }

  #filesOptions(): VirtualFilesOptions {
    return {
      now: this.#runtime.now,
      limits: this.#options.limits ?? {},
      contents: (hashes) => this.#store.read('contents', hashes),
    };
  }
}

function checkQuery(query: string | MessageQuery, what: string): MessageQuery {
  const wanted = typeof query === 'string' ? { role: query } : query;
  const { last } = wanted;
  if (last === undefined || (Number.isInteger(last) && last >= 0)) return wanted;
  throw new RoleZeroError(
    'invalid',
    `Cannot return the newest ${what}: \`last\` must be a non-negative integer, got ${last}.`,
    {
      last,
    },
  );
}

/** Returns the key range of a role's rows. */
function rowsOf(name: string): KeyRange {
  return { from: rowKey(name, 0), before: `${name}/~` }; // sorts after all digits
}

function checkRequest(text: string): void {
  if (text.trim() === '')
    throw new RoleZeroError('invalid', 'The message is empty. Describe what to do.', {});
  if (text.length <= MAX_REQUEST) return;
  throw new RoleZeroError(
    'invalid',
    `The message has ${text.length} characters, at most ${MAX_REQUEST} are accepted. Put long text into a file and name the file.`,
    { length: text.length },
  );
}
