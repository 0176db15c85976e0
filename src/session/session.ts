import { RoleZeroError, toRoleZeroError } from '../base/error.js';
import type { AgentEvent, PlanData, RunResult, StepTrace, Usage } from '../base/events.js';
import type { SessionFiles } from '../base/files.js';
import type { Human, Question } from '../base/human.js';
import { Message, UserMessage, UserRequirement, type MessageData } from '../base/message.js';
import type { ChatRequest } from '../base/model.js';
import { SeededRuntime } from '../base/runtime.js';
import type { SessionExport, SessionStore, Storage, Table, Write } from '../base/store.js';
import { Environment } from '../environment/environment.js';
import { VirtualFiles } from '../files/virtual-files.js';
import type { RoleContext } from '../role/context.js';
import type { Role } from '../role/role.js';
import { Person, type AskPerson } from './person.js';

export interface SessionOptions {
  storage: Storage;
  name: string;
  /** Makes the roles; the first one is spoken to. Called once. */
  roles: readonly Role[];
  /** Null when nobody is there: questions are then not asked at all. */
  askPerson: AskPerson | null;
  emit: (event: AgentEvent) => void;
  /** Milliseconds since 1970; default the machine's clock. */
  now?: () => number;
  /** Sees every request to a model; for traces. */
  onRequest?: (request: ChatRequest) => void;
  /** Take the session over from whoever holds it. */
  takeOver?: boolean;
}

/** A run in progress. `result` never rejects: what went wrong is part of it. */
export interface SessionRun {
  id: string;
  result: Promise<RunResult>;
}

/** Characters of one message to a session. */
const MAX_REQUEST = 1_000_000;

/**
 * One session, held by this writer: its roles, files, questions and the store they are kept in. Opening it under the name of an
 * earlier one brings everything back; what was interrupted is `resumable`.
 */
export class Session {
  readonly files: SessionFiles;
  readonly environment = new Environment();
  #store: SessionStore;
  #runtime: SeededRuntime;
  #workspace: VirtualFiles;
  #person: Person;
  #running: { id: string; controller: AbortController; result: Promise<RunResult> } | null = null;
  /** What is in memory may be ahead of the store and must be read again. */
  #stale = false;
  #closed = false;

  private constructor(
    private readonly options: SessionOptions,
    store: SessionStore,
  ) {
    this.#store = store;
    this.#runtime = new SeededRuntime(store.random, options.now);
    this.#workspace = new VirtualFiles({ now: this.#runtime.now });
    this.#person = new Person(
      (question, signal) => options.askPerson?.(question, signal) ?? Promise.resolve(null),
      (writes) => this.commitApart(writes),
    );
    this.files = this.filesOfPerson();
  }

  /** @throws RoleZeroError `session-busy`, `storage-…`, or `invalid` when there is no role or two of one name. */
  static async open(options: SessionOptions): Promise<Session> {
    if (options.roles.length === 0)
      throw new RoleZeroError('invalid', 'A session needs at least one role.', {});
    const store = await options.storage.open(options.name, options.takeOver ? { takeOver: true } : {});
    try {
      const session = new Session(options, store);
      await session.load();
      void store.lost.then(() => session.onLost());
      return session;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  get name(): string {
    return this.options.name;
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
    return this.speaker.lastResult;
  }

  /**
   * Gives the first role something to do. While a run is in progress the message reaches it between two steps; otherwise a run
   * starts, and interrupted work that was not resumed is given up.
   *
   * @throws RoleZeroError `invalid` when it is empty or longer than a million characters, `storage-…` when it could not be kept.
   */
  async send(input: string | Message): Promise<SessionRun> {
    checkRequest(input instanceof Message ? input.content : input);
    await this.ready();
    const role = this.speaker;
    const message =
      input instanceof Message
        ? input
        : new UserMessage({
            content: input,
            causeBy: UserRequirement,
            sentFrom: 'User',
            sendTo: [role.name],
          });
    const key = role.inboxKey();
    await this.commitApart([{ table: 'inbox', key, value: message.toData() }]);
    if (this.#running === null) {
      for (const each of this.environment.roles) each.abandon();
      this.#person.forgetAll();
    }
    role.putMessage(message, key);
    return this.#running ?? this.start(message.content, false);
  }

  /** @throws RoleZeroError `invalid` when there is nothing to go on with. */
  async resume(): Promise<SessionRun> {
    await this.ready();
    if (this.#running !== null) return this.#running;
    if (!this.resumable)
      throw new RoleZeroError('invalid', 'Nothing was interrupted; send a message instead.', {});
    return this.start(this.speaker.planData.goal, true);
  }

  /** @throws RoleZeroError `not-found` when no such question is open. */
  async answer(id: string, text: string): Promise<void> {
    await this.ready();
    await this.#person.answer(id, text);
  }

  /** Ends the run in progress at once: the model call, the tool, the question. What was committed stays; `resume` goes on. */
  stop(): void {
    this.#running?.controller.abort(new RoleZeroError('aborted', 'Stopped.', {}));
  }

  messages(): MessageData[] {
    return this.speaker.memory.get().map((message) => message.toData());
  }

  plan(): PlanData {
    return this.speaker.planData;
  }

  /** What the steps of a role were, oldest first; of the last 2,000 of them. Default: the role that is spoken to. */
  async steps(role = this.speaker.name): Promise<StepTrace[]> {
    const rows = await this.#store.load('steps');
    return rows.map(({ value }) => value as StepTrace).filter((trace) => trace.role === role);
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

  /** One JSON document with everything; see `Storage.import`. */
  export(): Promise<SessionExport> {
    return this.options.storage.export(this.name);
  }

  /** Stops, waits for the last commit and gives the session back. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.stop();
    await this.#running?.result;
    await this.#store.close();
  }

  private get speaker(): Role {
    const [role] = this.environment.roles;
    if (role === undefined) throw new RoleZeroError('internal', 'The session has no role.', {});
    return role;
  }

  private start(request: string, resumed: boolean): SessionRun {
    const id = this.#runtime.newId();
    const controller = new AbortController();
    const result = Promise.resolve().then(() => this.drive(id, controller.signal));
    this.#running = { id, controller, result };
    this.emit({ type: 'run-start', runId: id, request, resumed });
    return { id, result };
  }

  private async drive(id: string, signal: AbortSignal): Promise<RunResult> {
    const result = await this.work(id, signal);
    this.#running = null;
    this.emit({ type: 'run-end', runId: id, ...result });
    return result;
  }

  private async work(id: string, signal: AbortSignal): Promise<RunResult> {
    try {
      const outcome = await this.environment.run({ id, signal });
      if (outcome === null) return { status: 'done', summary: '', error: null };
      if (outcome.status === 'failed') this.#stale = true;
      return { status: outcome.status, summary: outcome.summary, error: outcome.error?.toData() ?? null };
    } catch (error) {
      this.#stale = true;
      return { status: 'failed', summary: '', error: toRoleZeroError(error).toData() };
    }
  }

  /** Reads everything from the store. */
  private async load(): Promise<void> {
    const names: Table[] = ['roles', 'messages', 'turns', 'inbox', 'questions', 'files'];
    const loaded = await Promise.all(names.map((name) => this.#store.load(name)));
    const tables = new Map(names.map((name, index) => [name, loaded[index] ?? []]));
    const rows = (table: Table): { key: string; value: unknown }[] => tables.get(table) ?? [];
    this.#runtime = new SeededRuntime(this.#store.random, this.options.now);
    this.#workspace = VirtualFiles.restore(rows('files'), { now: this.#runtime.now });
    this.#person.restore(rows('questions'));
    for (const role of this.options.roles) {
      this.environment.addRole(role, this.context());
      const own = (table: Table): { key: string; value: unknown }[] =>
        rows(table).filter(({ key }) => key.slice(0, key.lastIndexOf('/')) === role.name);
      role.restore({
        state: rows('roles').find(({ key }) => key === role.name)?.value,
        messages: own('messages'),
        turns: own('turns'),
        inbox: own('inbox'),
      });
    }
  }

  private async ready(): Promise<void> {
    if (this.#closed) throw new RoleZeroError('aborted', 'The session is closed.', { session: this.name });
    if (!this.#stale || this.#running !== null) return;
    await this.load();
    this.#stale = false;
  }

  private context(): Omit<RoleContext, 'bus'> {
    const human: Human | null = this.options.askPerson === null ? null : this.#person;
    return {
      session: this.name,
      runtime: this.#runtime,
      workspace: this.#workspace,
      human,
      commit: (writes) => this.#store.commit(writes, this.#runtime.snapshot()),
      emit: (event) => this.emit(event),
      ...(this.options.onRequest === undefined ? {} : { onRequest: this.options.onRequest }),
    };
  }

  /**
   * A commit from outside the roles' own sequence. It must not move their generator on: a half-step that is under way and lost
   * would get other ids when it is done again.
   */
  private commitApart(writes: readonly Write[]): Promise<void> {
    return this.#store.commit(writes, this.#store.random);
  }

  /** A listener that throws must not break the agent; its error is the listener's own, and is reported as such. */
  private emit(event: AgentEvent): void {
    try {
      this.options.emit(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  private onLost(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.emit({
      type: 'warning',
      code: 'session-fenced',
      message: 'This session was taken over elsewhere; nothing more is written here.',
      detail: { session: this.name },
    });
    this.stop();
  }

  private filesOfPerson(): SessionFiles {
    const change = async (
      edit: (files: ReturnType<VirtualFiles['stage']>) => Promise<void>,
    ): Promise<void> => {
      await this.ready();
      const stage = this.#workspace.stage();
      await edit(stage);
      await this.commitApart(stage.changes());
      const effects = stage.effects();
      stage.apply();
      for (const effect of effects) this.emit({ type: 'file-changed', ...effect, by: 'person' });
    };
    return {
      read: (path) => this.#workspace.read(path),
      readBytes: (path) => this.#workspace.readBytes(path),
      list: (path = '/') => this.#workspace.list(path, { recursive: true }),
      stat: (path) => this.#workspace.stat(path),
      write: (path, content) => change((files) => files.write(path, content)),
      remove: (path) => change((files) => files.remove(path)),
      move: (from, to) => change((files) => files.move(from, to)),
    };
  }
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
