import type { RegenerateOptions, RewindOptions, RewindResult, SessionBranches } from '../core/branches.js';
import { defined } from '../core/defined.js';
import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type { PlanData, RunResult, StepQuery, StepTrace, Usage } from '../core/events.js';
import type { SessionFiles } from '../core/files.js';
import type { Question, SessionApprovals } from '../core/human.js';
import type { Inspection } from '../core/inspection.js';
import type { SessionMemory } from '../core/long-term.js';
import { Message, type MessageData, type MessageQuery } from '../core/message.js';
import type { SentPrompt } from '../core/model.js';
import type { SessionNotes } from '../core/notes.js';
import type { RequestOptions } from '../core/output.js';
import type { QueuedRequest } from '../core/queue.js';
import { checkRequestSettings } from '../core/request-settings.js';
import { checkSessionRecord } from '../core/session-record-check.js';
import type { SessionSpace } from '../core/space.js';
import type { SessionExport, SessionPosition, Write } from '../core/store.js';
import { deadLetterWarning } from '../agent/runtime/context.js';
import { factsOf } from '../agent/runtime/facts.js';
import { sessionLeft, type Outcome, type Run } from '../agent/runtime/outcome.js';
import type { Environment } from '../team/environment.js';
import { USER } from '../team/routing.js';
import { abandon } from './abandon.js';
import { sessionBranches } from './branches.js';
import { newCheckpoint } from './checkpoints.js';
import { QueueChanges } from './queue-changes.js';
import { recordedReplies } from './recorded-replies.js';
import { applyStaged, sessionFiles, stageAttached } from './session-files.js';
import type { SessionOptions } from './session-options.js';
import { callPart, sessionApprovals, sessionMemory, sessionNotes } from './session-parts.js';
import {
  newestMessages,
  rememberedMessages,
  resultAfter,
  runResult,
  loadSteps,
  totalUsage,
} from './session-queries.js';
import { ASKED, SessionState } from './session-state.js';
import { idleRules, rolesOf } from './team.js';
import { addressUserMessage, checkOutput, checkQuery, checkRequest } from './user-message.js';

export type { SessionOptions } from './session-options.js';

/** A run in progress. `result` never rejects: an error is part of it. */
export interface SessionRun {
  id: string;
  result: Promise<RunResult>;
}

/**
 * One session, owned by this writer: its roles, files, questions, and the store that holds them. Opening it again under the same name
 * restores everything; interrupted work is `resumable`.
 */
export class Session {
  readonly files: SessionFiles;
  /** The memories of roles beyond their windows. */
  readonly memory: SessionMemory;
  readonly notes: SessionNotes;
  readonly branches: SessionBranches;
  readonly #rewind: ReturnType<typeof sessionBranches>['rewind'];
  readonly approvals: SessionApprovals;
  readonly #state: SessionState;
  readonly #queued: QueueChanges;
  /** Result of the last run, set where the store may not have recorded it. */
  #ended: RunResult | null = null;
  /** Ends the preparation of the model. */
  #preparing: AbortController | null = null;
  #leaving: Promise<void> | null = null;

  private constructor(state: SessionState) {
    this.#state = state;
    this.#queued = new QueueChanges(state);
    this.files = sessionFiles(state);
    this.memory = sessionMemory(state);
    this.notes = sessionNotes(state);
    const { rewind, ...branches } = sessionBranches(state, () => (this.#ended = null));
    this.branches = branches;
    this.#rewind = rewind;
    this.approvals = sessionApprovals(state);
  }

  /** @throws RoleZeroError `session-busy`, `storage-…`, or `invalid` when there is no role or two have the same name. */
  static open(options: SessionOptions): Promise<Session> {
    return Session.#hold(options, (state) => state.load('all'));
  }

  /**
   * Opens a session and reads only the state of its work. `waiting`, `resumable`, `lastRun`, `plan` and `usage` are correct, `newest`
   * returns the end of its conversation, and `send` and `resume` start a run, which reads the rest. Everything else needs `loaded`, or
   * `filesLoaded`. @throws RoleZeroError as `open`.
   */
  static begin(options: SessionOptions): Promise<Session> {
    const isTeam = rolesOf(options).length > 1; // the result of a team depends on its memories
    return Session.#hold(options, (state) => state.load(isTeam ? 'all' : 'overview'));
  }

  static async #hold(
    options: SessionOptions,
    read: (state: SessionState) => Promise<void>,
  ): Promise<Session> {
    if (rolesOf(options).length === 0)
      throw new RoleZeroError('invalid', 'A session needs at least one role.', {});
    const { name, storage, takeOver, known, wait } = options;
    const given = { takeOver: takeOver || undefined, known, wait, check: checkSessionRecord };
    const store = await storage.open(name, defined(given));
    try {
      const state = new SessionState(options, store);
      const session = new Session(state);
      await read(state);
      void store.lost.then((why) => session.#onLost(why ?? null));
      store.listen?.((warning) => state.emit({ type: 'warning', ...warning }));
      state.watchForSpace();
      const idle = idleRules(rolesOf(options));
      if (idle !== null) state.emit(idle);
      return session;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Resolves when the whole session is read. Starts reading unless that is in progress. @throws RoleZeroError `storage-…`. */
  loaded(): Promise<void> {
    return this.#state.loaded();
  }

  /** As `loaded`, but reads nothing while a run prepares its first call of the model. */
  loadedBehind(): Promise<void> {
    return this.#state.loadedBehind();
  }

  /** Resolves when the files are read; starts that as `loaded` does. @throws RoleZeroError `storage-…`. */
  filesLoaded(): Promise<void> {
    return this.#state.filesLoaded();
  }

  get environment(): Environment {
    return this.#state.environment;
  }
  get name(): string {
    return this.#state.options.name;
  }
  /** The position of the session; null where its storage does not report it. */
  get position(): SessionPosition | null {
    return this.#state.store.position ?? null;
  }
  /**
   * True while the session is read-only, because there was no space to record its writer. It can be read, exported and freed of data, and
   * becomes writable as soon as there is space.
   */
  get isReadOnly(): boolean {
    return this.#state.isReadOnly;
  }
  /** The open question, or null. */
  get waiting(): Question | null {
    return this.#state.questions.waiting;
  }
  /** The requests that were sent during a run and that no role has read. `withdraw` and `revise` change them. */
  get queued(): readonly QueuedRequest[] {
    return this.environment.queue.list();
  }
  /** True when interrupted work can be continued with `resume`. */
  get resumable(): boolean {
    return this.#state.running === null && !this.environment.isIdle;
  }
  /** The run in progress, or null. */
  get running(): SessionRun | null {
    return this.#state.running;
  }
  /** Result of the last run, including one before a reload; null before the first run and while a run is in progress. */
  get lastRun(): RunResult | null {
    if (this.#state.running !== null) return null;
    return this.#ended ?? runResult(this.environment.roles, this.#state.asked);
  }

  /**
   * Sends a request to the leader, else to the first role; with `to`, to that role. While a run is in progress the message reaches the role
   * between two steps. Otherwise a run starts, and interrupted work that was not resumed is given up: the run first gives each
   * command of its last reply an observation. With `output`, the result has a typed answer; such a request starts a run of its own. Its files are stored in the same transaction.
   *
   * @throws RoleZeroError `invalid` when it is empty or longer than a million characters, when a file exceeds a limit, when the schema of
   * `output` cannot be used, and when it wants a typed answer while a run is in progress; `not-found` when no role is named `to`,
   * `conflict` when a file exists with other content, `inbox-full` when 1,000 messages already wait for that role, `storage-…` when it
   * could not be stored.
   */
  async send(input: string | Message, options: RequestOptions = {}): Promise<SessionRun> {
    checkRequest(input instanceof Message ? input.content : input);
    checkRequestSettings('send()', options);
    if (options.attached !== undefined) await this.#state.filesLoaded();
    return this.#state.inTurn(() => this.#send(input, options));
  }

  async #send(input: string | Message, options: RequestOptions): Promise<SessionRun> {
    const { to, output, attached, id, ...settings } = options;
    await this.#state.readyInTurn();
    if (output !== undefined) checkOutput(output, this.#state.running !== null);
    const asked = this.#state.role(to);
    asked.agent.inbox.checkRoom();
    const uploads = attached && stageAttached(this.#state, attached);
    const starts = this.#state.running === null;
    const checkpoint = starts ? await newCheckpoint(this.#state) : null;
    try {
      const { leader, roles } = this.environment;
      const givenUp = starts ? this.#giveUp() : [];
      const { delivery, message } = addressUserMessage(this.environment, input, asked, {
        isDirect: to !== undefined,
        isQueued: !starts,
        ...defined({ ...settings, output, attached, id }),
      });
      const whom = leader === null ? (delivery.recipients[0] ?? asked.name) : asked.name;
      const noted: Write[] = starts && roles.length > 1 ? [{ table: 'team', key: ASKED, value: whom }] : [];
      const stored = uploads?.changes({ by: 'user', name: 'attach' }) ?? [];
      const before = checkpoint?.({
        message: message.toData(),
        ...defined({ to, isAttached: stored.length > 0 ? (true as const) : undefined }),
      });
      await this.#state.commitApart([...givenUp, ...noted, ...delivery.writes, ...stored, ...(before ?? [])]);
      if (uploads !== undefined) applyStaged(this.#state, uploads);
      if (starts) {
        this.#state.questions.forgetAll();
        this.#state.askedName = whom;
        for (const role of roles) delete role.agent.state.senders; // the result was for those of the last run
      }
      delivery.deliver();
      if (!starts) this.#state.emit({ type: 'queue-changed', change: 'waiting', messageIds: [message.id] });
      if (delivery.undeliverable.length > 0) this.#state.emit(deadLetterWarning(USER, delivery));
      this.#state.checkOpen(); // it may have been closed while the message was stored
      return this.#state.running ?? this.#start(message.content, message.id);
    } catch (error) {
      this.#state.isStale = true; // the memory abandoned work that the store did not
      if (starts) await this.#state.showStored(null);
      throw error;
    }
  }

  /**
   * Goes back to the state before a request: messages, plan, files, memories and the state of tools. What is left becomes a branch. Effects
   * outside the session remain, and so do notes, shared memories and costs.
   *
   * @throws RoleZeroError `not-found` when the message is not a request that started a run, or is older than the last 100 of them;
   * `invalid` while a run is in progress; `conflict` when a file cannot be restored.
   */
  async rewind(messageId: string, options?: RewindOptions): Promise<RewindResult> {
    const { request: _, ...result } = await this.#rewind(messageId, options);
    return result;
  }

  /**
   * Goes back to the state before a request, and sends it again with its files. With `fromStep`, the replies of the steps before are
   * repeated. @throws RoleZeroError as `rewind` and `send`, and `not-found` when these steps are not stored.
   */
  async regenerate(
    messageId: string,
    { fromStep = 0, ...options }: RegenerateOptions = {},
  ): Promise<SessionRun> {
    const { replies, store } = this.#state;
    const roles = fromStep === 0 ? [] : this.environment.roleNames;
    const steps = await Promise.all(roles.map((role) => loadSteps(store, role)));
    const recorded = recordedReplies(messageId, steps.flat(), fromStep);
    const { request } = await this.#rewind(messageId, options, true);
    replies.set(messageId, recorded);
    return this.send(Message.fromData(request.message), defined({ to: request.to }));
  }

  /**
   * Removes a request that joined a run and that no role has read. Its attached files stay.
   *
   * @throws RoleZeroError `conflict` when a role has read it, `not-found` when no such request is waiting, `storage-…`.
   */
  async withdraw(messageId: string): Promise<void> {
    await this.#queued.change('withdrawn', messageId, (queue) => queue.withdraw(messageId));
  }

  /**
   * Changes the words of a request that joined a run and that no role has read. It keeps its place, its files and its settings.
   *
   * @throws RoleZeroError as `withdraw`, and `invalid` when the text is empty or longer than a million characters.
   */
  async revise(messageId: string, text: string): Promise<void> {
    checkRequest(text);
    await this.#queued.change('revised', messageId, (queue) => queue.revise(messageId, text));
  }

  /** Returns whether the message with this id is among the newest ones that were sent. */
  hasMessage(id: string): boolean {
    return this.environment.history.storage.some((message) => message.id === id);
  }

  /** Drops interrupted work. Returns the writes to store for it. */
  #giveUp(): Write[] {
    const { roles } = this.environment;
    return [
      ...roles.flatMap((role) => abandon(role.agent)),
      ...this.#state.questions.removals(),
      ...this.environment.endDirectChats(),
    ];
  }

  /** Continues interrupted work. @throws RoleZeroError `invalid` when there is none. */
  async resume(): Promise<SessionRun> {
    await this.#state.ready();
    this.#state.checkOpen(); // it may have been closed meanwhile
    if (this.#state.running !== null) return this.#state.running;
    if (!this.resumable)
      throw new RoleZeroError('invalid', 'Nothing was interrupted; send a message instead.', {});
    return this.#start(this.#state.asked.agent.state.plan.goal);
  }

  /**
   * Answers an open question. @throws RoleZeroError `not-found` when it is not open, `invalid` when the answer exceeds a million
   * characters.
   */
  async answer(id: string, text: string): Promise<void> {
    await this.#state.ready();
    await this.#state.questions.answer(id, text);
  }

  /**
   * Lets the model of the leader, or else of the first role, load and read the start of the next prompt, where it runs on this machine.
   * Ends when a run starts, and does nothing during one. @throws RoleZeroError of the model.
   */
  async prepare(): Promise<void> {
    if (this.#state.running !== null || this.#preparing !== null) return;
    const preparing = new AbortController();
    this.#preparing = preparing;
    try {
      await this.#state.ready();
      if (!preparing.signal.aborted) await this.#state.role().agent.behavior.prepare?.(preparing.signal);
    } catch (error) {
      if (!preparing.signal.aborted) throw error;
    } finally {
      this.#preparing = null;
    }
  }

  /** Ends the run in progress immediately: the model call, the tool, the question. Committed work remains; `resume` continues. */
  stop(): void {
    this.#abort(new RoleZeroError('aborted', 'Stopped.', {}));
  }

  /**
   * Ends one command in progress. Its changes are discarded, the model reads that the user canceled it, and the run continues.
   *
   * @throws RoleZeroError `not-found` when no command with this call id runs.
   */
  cancel(callId: string): void {
    this.#state.calls.cancel(callId);
  }

  #abort(reason: RoleZeroError): void {
    this.#state.running?.controller.abort(reason);
  }

  /**
   * Returns what a role remembers, in order. Default: the leader, else the first role.
   * @throws RoleZeroError `not-found` when there is no such role or message, `invalid` when `last` is not a valid number of messages.
   */
  messages(query: string | MessageQuery = {}): MessageData[] {
    const { role, ...range } = checkQuery(query, 'messages');
    return rememberedMessages(this.#state.role(role), range);
  }

  /** Like `messages`. While the session is not fully read, reads only the newest messages. */
  async newest(query: string | MessageQuery = {}): Promise<MessageData[]> {
    const { role, last, before } = checkQuery(query, 'messages');
    const { isLoaded, store } = this.#state;
    if (!isLoaded && last !== undefined && before === undefined) {
      const newest = await newestMessages(store, this.#state.role(role).name, last);
      if (newest !== null) return newest;
    }
    await this.loaded();
    return this.messages(query);
  }

  /** Returns the plan of a role, selected as for `messages`. @throws RoleZeroError `not-found`. */
  plan(role?: string): PlanData {
    return this.#state.role(role).agent.state.plan;
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
    return loadSteps(this.#state.store, this.#state.role(role).name, last);
  }

  usage(): Usage {
    return totalUsage(this.environment.roles);
  }

  /** Returns a prompt of a model call by its hash; null when it is not among the newest 100 of this worker, in which they are stored only. */
  prompt(promptHash: string): SentPrompt | null {
    return this.#state.prompts.find(promptHash);
  }

  /** Returns the available storage, and what could be removed. The warning `storage-low` reports when storage is nearly full. */
  space(): Promise<SessionSpace> {
    return this.#state.space();
  }

  /** Returns a JSON document with the whole session; see `Storage.import`. */
  async export(): Promise<SessionExport> {
    await this.#state.store.settle?.();
    return this.#state.options.storage.export(this.name);
  }

  /** Calls a method that a part of a role adds to the session; see `AgentPart.session`. @throws RoleZeroError `not-found`. */
  callPart(part: string, method: string, input?: unknown): Promise<unknown> {
    return callPart(this.#state, part, method, input);
  }

  /** Stops, waits for the last commit, and releases the session, also one that was taken over: its storage may outlive it. Idempotent. */
  close(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  async #leave(): Promise<void> {
    if (this.#state.status === 'open') this.#state.status = 'closed';
    this.#abort(sessionLeft());
    this.#preparing?.abort();
    await this.running?.result;
    await this.#state.close();
  }

  /** @param messageId of a new request; without it, work is resumed. */
  #start(request: string, messageId?: string): SessionRun {
    this.#preparing?.abort();
    const id = this.#state.runtime.newId();
    const controller = new AbortController();
    const result = Promise.resolve().then(() => this.#drive(id, controller.signal));
    this.#state.running = { id, controller, result };
    this.#ended = null;
    const resumed = messageId === undefined;
    this.#state.emit({ type: 'run-start', runId: id, request, resumed, ...defined({ messageId }) });
    return { id, result };
  }

  async #drive(id: string, signal: AbortSignal): Promise<RunResult> {
    const worked = await this.#work(id, signal);
    const result: RunResult =
      this.#state.status === 'fenced'
        ? { status: 'failed', summary: '', error: this.#state.fencedError().toData() }
        : worked;
    if (this.#state.isStale) {
      // A change of files that is stored meanwhile would be missing.
      await this.#state.inTurn(() => this.#state.showStored(this.#state.running));
      this.#ended = result;
    }
    this.#state.beginRest();
    this.#state.running = null;
    const facts = factsOf(this.#state.asked.agent) ?? undefined;
    this.#state.emit({ type: 'run-end', runId: id, ...result, ...defined({ facts }) });
    return result;
  }

  async #work(id: string, signal: AbortSignal): Promise<RunResult> {
    try {
      await this.#state.begun();
      const outcome = await this.#runUntilQuiet({ id, signal });
      if (outcome?.status === 'failed') this.#state.isStale = true;
      return resultAfter(outcome, this.environment.roles, this.#state.asked);
    } catch (error) {
      this.#state.isStale = true;
      return { status: 'failed', summary: '', error: toRoleZeroError(error).toData() };
    }
  }

  /** A role continues before the run ends when its answer arrived while other roles were working, or a request of its own was being changed. */
  async #runUntilQuiet(run: Run): Promise<Outcome | null> {
    const heard = new Set<string>();
    for (;;) {
      const outcome = await this.environment.run(run);
      const wasChanging = await this.#queued.changed();
      if (wasChanging && isFinished(outcome) && !this.environment.isIdle) continue;
      const answered = this.#state.questions.answered.filter((id) => !heard.has(id));
      if (outcome?.status !== 'waiting' || answered.length === 0) return outcome;
      for (const id of answered) heard.add(id);
    }
  }

  #onLost(why: RoleZeroError | null): void {
    const state = this.#state;
    if (state.status !== 'open') return;
    state.status = 'fenced';
    state.loss = why;
    const { code, message, detail } = state.fencedError();
    state.emit({ type: 'warning', code, message, detail });
    this.stop();
  }
}

/** Returns whether the run can continue with other work. */
function isFinished(outcome: Outcome | null): boolean {
  return outcome === null || outcome.status === 'done';
}
