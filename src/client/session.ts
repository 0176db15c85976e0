import type { RegenerateOptions, RewindOptions, RewindResult, SessionBranches } from '../core/branches.js';
import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type { AuditEntry, PlanData, StepQuery, StepTrace, Usage } from '../core/events.js';
import type { SessionFiles } from '../core/files.js';
import type { Question, SessionApprovals } from '../core/human.js';
import type { Inspection } from '../core/inspection.js';
import { archiveMemories, type SessionMemory } from '../core/long-term.js';
import type { MessageData, MessageQuery } from '../core/message.js';
import type { SentPrompt } from '../core/model.js';
import type { SessionNotes } from '../core/notes.js';
import type { OutputSchema } from '../core/output.js';
import { Outputs } from '../core/outputs.js';
import type { QueuedRequest } from '../core/queue.js';
import type { SessionSpace } from '../core/space.js';
import type { SessionExport } from '../core/store.js';
import { NOTHING_OPEN, type SessionView } from '../wire/protocol.js';
import {
  APPROVAL_METHODS,
  BRANCH_METHODS,
  FILE_METHODS,
  MEMORY_METHODS,
  NOTE_METHODS,
  type MethodArguments,
  type MethodName,
  type MethodResult,
} from '../wire/session-api.js';
import { readBatch } from './checked-page.js';
import { CommandVerbs } from './command-verbs.js';
import { checkConnectOptions, checkWorker, openOptions, type ConnectOptions } from './connect-options.js';
import { EventListeners, type Listener } from './event-listeners.js';
import { insecureContextWarning } from './insecure-context.js';
import {
  isWorkerLost,
  makeWorker,
  REPLACEMENT_START_MS,
  restartDelay,
  workerLost,
  workerRestarted,
} from './lost-worker.js';
import { Page } from './page.js';
import { persistenceRequest } from './persistence.js';
import { RunInProgress, sessionClosed } from './run-in-progress.js';
import { Run, toClient, type ClientRunResult } from './run.js';
import {
  isTyped,
  requestSender,
  type Send,
  type SendArguments,
  type RequestArguments,
  type TypedSendOptions,
} from './send.js';
import { checkTries, forgetPositions, forgetTries, rememberPosition } from './sentinel.js';
import { repairTornLog } from './torn-log.js';
import { remoteMethods, WorkerCalls, WorkerLink, type CallMethod } from './worker-link.js';

/**
 * A session on the page, created by `connect`. Calls wait while a lost worker is replaced (`restarts`), and those that were interrupted are
 * repeated. Methods reject with a `RoleZeroError`: `worker-lost` once the worker is gone and not replaced, `interrupted` when it was lost
 * during a change that may have been stored. When the page enters the back/forward cache the worker releases the session, and reopens it
 * when the page returns; calls wait for that, too.
 */
export class ClientSession {
  readonly files: SessionFiles;
  /** The memories of roles beyond their windows. */
  readonly memory: SessionMemory;
  /** The standing notes of roles with the option `notes`. */
  readonly notes: SessionNotes;
  /** What `rewind` and `regenerate` have left of the conversation. */
  readonly branches: SessionBranches;
  /** What the user has allowed the roles to do, and how to revoke it. */
  readonly approvals: SessionApprovals;
  /** @internal Called after a change without an event: another tab has answered the question of a run that has ended. */
  onViewChange = (): void => {};
  readonly #makeWorker: () => Worker;
  /** The session created the worker, and so terminates it. */
  readonly #ownsWorker: boolean;
  readonly #options: ConnectOptions;
  readonly #listeners = new EventListeners();
  readonly #request: (...args: RequestArguments) => Promise<string | null>;
  #link: WorkerLink | null = null;
  readonly #calls: WorkerCalls;
  #view: SessionView = NOTHING_OPEN;
  readonly #verbs = new CommandVerbs();
  readonly #current: RunInProgress;
  readonly #outputs = new Outputs();
  #page: Page;
  #state: 'open' | 'away' | 'closed' = 'open';
  readonly #askForPersistence: () => void;
  /** Number of replacement workers in a row. */
  #restarts = 0;
  /** The lost worker that had the session for writing, until it is replaced. */
  #lostWriter: WorkerLink | null = null;
  /** Incremented by every reconnect, page hide, and `close`; an older reconnect that is still running is then ignored. */
  #visits = 0;

  private constructor(makeWorker: () => Worker, ownsWorker: boolean, options: ConnectOptions) {
    this.#makeWorker = makeWorker;
    this.#ownsWorker = ownsWorker;
    this.#options = options;
    this.#calls = new WorkerCalls(this.name);
    this.#askForPersistence = persistenceRequest(options.persist, (event) => this.#listeners.emit(event));
    const stop = (): void => {
      this.#call('stop').catch((error: unknown) => this.#listeners.warn(toRoleZeroError(error)));
    };
    this.#current = new RunInProgress(this.name, stop, () => this.#view.lastRun);
    const call: CallMethod = (name, args) => this.#call(name, ...(args as MethodArguments<typeof name>));
    this.files = { ...remoteMethods('files', FILE_METHODS, call), watch: this.#listeners.watch };
    this.memory = {
      ...remoteMethods('memory', MEMORY_METHODS, call),
      archive: (options, keep) => archiveMemories(this.memory, options, keep),
    };
    this.notes = remoteMethods('notes', NOTE_METHODS, call);
    this.branches = remoteMethods('branches', BRANCH_METHODS, call);
    this.approvals = remoteMethods('approvals', APPROVAL_METHODS, call);
    const { files, name } = this;
    this.#request = requestSender(this.#send, {
      files,
      readers: options.readers,
      warn: this.#listeners.warn,
    });
    this.#page = new Page(options, name, files, this.#outputs);
  }

  /** @internal See `connect`. */
  static async open(worker: Worker | (() => Worker), options: ConnectOptions): Promise<ClientSession> {
    checkConnectOptions(options);
    const owns = typeof worker === 'function';
    const session = new ClientSession(owns ? worker : () => worker, owns, options);
    try {
      session.#calls.open(await session.#attachFirst());
    } catch (error) {
      session.#detach();
      session.#state = 'closed';
      throw error;
    }
    addEventListener('pagehide', session.#onPageHide);
    addEventListener('pageshow', session.#onPageShow);
    const insecure = insecureContextWarning(session.name);
    if (insecure !== null) session.#listeners.emit(insecure);
    return session;
  }

  get name(): string {
    return this.#options.session ?? 'default';
  }
  /** The open question, or null. Answer it with `answer`. */
  get waiting(): Question | null {
    return this.#view.waiting;
  }
  /** The requests that were sent during a run and that no role has read, oldest first. `withdraw` and `revise` change them. */
  get queued(): readonly QueuedRequest[] {
    return this.#view.queued ?? [];
  }
  /** True when interrupted work can be continued with `resume`. */
  get resumable(): boolean {
    return this.#view.resumable && this.#current.run === null;
  }
  /**
   * True when the session is read-only. Either another tab or worker owns it (see `ConnectOptions.view`), and writes reject with
   * `session-busy`; or the disk is full, and they reject with `storage-full`, except deletions. `session-held` reports that it is writable.
   */
  get viewing(): boolean {
    return this.#view.viewing;
  }
  /** The run in progress, or null. For a viewer, the run of the other page, which can be iterated and stopped here, too. */
  get running(): Run | null {
    return this.#current.run;
  }
  /** Result of the last run, including one before a reload; null before the first run. */
  get lastRun(): ClientRunResult | null {
    return this.#view.lastRun && toClient(this.#view.lastRun);
  }

  /**
   * Sends a request to the leader, else to the first role; with `to`, directly to the role of that name. While a run is in progress the
   * message reaches it between two steps, and the returned run ends with it. `accepted` of the run resolves when the request is stored.
   * When it is refused, `accepted` and the result reject with the reason, such as `not-found` when no role has that name.
   *
   * With `files`, the request has attachments: see `SendOptions`. With `output`, the result has a typed answer: see `TypedSendOptions`.
   *
   * @example
   * const { output } = await session.send('Rate the essay in /essay.md', { output: z.object({ grade: z.int() }) }).result();
   */
  readonly send: Send = (...args: SendArguments) =>
    isTyped(args)
      ? this.#sendTyped(...args)
      : this.#start(() => this.#request(...(args as RequestArguments)));

  /**
   * Continues interrupted work where it stopped. After three crashes of its tab or worker in a row at the same place, the run's result
   * rejects with `step-poisoned`; the next `resume` tries again. Reloading or leaving a page is no crash.
   */
  readonly resume: () => Run = (...args) => this.#start(() => this.#resume(...args));

  /**
   * Goes back to the state before a request: messages, plan, files, memories and the state of tools. What is left becomes a branch, to which
   * `branches.open` returns. Effects outside the session remain, and so do notes, shared memories and costs.
   *
   * @example
   * await session.rewind(message.id); // to change a request: go back, and send it again
   * session.send(changedText);
   * @throws RoleZeroError `not-found` when the message is not a request that started a run, or not among the last 100 of them; `invalid` while
   * a run is in progress; `conflict` when a file cannot be restored, see `RewindOptions`.
   */
  readonly rewind: (messageId: string, options?: RewindOptions) => Promise<RewindResult> = (...args) =>
    this.#calls.call('rewind', args, { head: this.#head });

  /**
   * Goes back to the state before a request, and sends it again with its files; with `fromStep`, only the work from that step on is new. The
   * result rejects as `rewind` does, and with `not-found` when the steps before are not stored.
   */
  readonly regenerate: (messageId: string, options?: RegenerateOptions) => Run = (...args) =>
    this.#start(() => this.#calls.call('regenerate', args, { head: this.#head }));

  /**
   * Answers an open question. A run that waits for it continues; after a reload, call `resume()`.
   * @throws RoleZeroError `not-found` when no such question is open.
   */
  readonly answer: (id: string, text: string) => Promise<void> = (...args) =>
    this.#calls.answer(args, this.#head);

  /**
   * Removes a request that was sent during a run and that no role has read, see `queued`. Its attached files stay.
   * @throws RoleZeroError `conflict` when a role has read it, `not-found` when no such request is waiting.
   */
  readonly withdraw: (messageId: string) => Promise<void> = (...args) => this.#call('withdraw', ...args);
  /**
   * Changes the words of a request that was sent during a run and that no role has read. It keeps its place, its files and its settings.
   * @throws RoleZeroError as `withdraw`, and `invalid` when the text is empty or longer than a million characters.
   */
  readonly revise: (messageId: string, text: string) => Promise<void> = (...args) =>
    this.#call('revise', ...args);

  /** Listens to all events, and to warnings emitted before the first listener. Returns a function that stops listening. */
  on(listener: Listener): () => void {
    return this.#listeners.add(listener);
  }

  /** Returns what a command does, such as "Writing" for `Editor.write`: to show commands of `steps`. Undefined for one that no role has. */
  readonly verbOf: (command: string) => string | undefined = this.#verbs.of;

  /**
   * Returns what a role remembers, in order. Default: the leader, else the first role. To show a long conversation sooner, request only its
   * newest messages: they are available before the rest of the session is read.
   *
   * @example
   * const shown = await session.messages({ last: 50 });
   * const older = await session.messages({ last: 50, before: shown[0].id });
   * @throws RoleZeroError `not-found` when there is no such role or message, `invalid` when `last` is not a valid number of messages.
   */
  readonly messages: (query?: string | MessageQuery) => Promise<MessageData[]> = (...args) =>
    this.#call('messages', ...args);
  /** Returns the plan of a role, selected as for `messages`. @throws RoleZeroError `not-found`. */
  readonly plan: (role?: string) => Promise<PlanData> = (...args) => this.#call('plan', ...args);
  /**
   * Returns the newest 500 messages among the roles, with their recipients and the reason why roles reacted. Long messages are shortened.
   */
  readonly inspect: () => Promise<Inspection> = (...args) => this.#call('inspect', ...args);
  /**
   * Returns the steps of a role: prompts by hash, commands, durations, tokens, cost, approvals. Returns the newest 2,000, or fewer with
   * `last`. @throws RoleZeroError `not-found` when there is no such role, `invalid` when `last` is not a valid number of steps.
   */
  readonly steps: (query?: string | StepQuery) => Promise<StepTrace[]> = (...args) =>
    this.#call('steps', ...args);
  /**
   * Returns the prompt of a model call, as it was sent: the hash is `promptHash` of a call of `steps`. Prompts are not stored: null when it
   * is not among the newest 100 since the session was opened.
   */
  readonly prompt: (promptHash: string) => Promise<SentPrompt | null> = (...args) =>
    this.#call('prompt', ...args);
  /** Returns the commands of `steps` one by one, with who allowed or denied each and why. */
  async audit(role?: string): Promise<AuditEntry[]> {
    return auditOf(await this.steps(role));
  }
  /**
   * Ends one command in progress, such as a search that takes too long: the id is in `command-start`. Its changes are discarded, the model reads
   * that the user canceled it, and the run continues. @throws RoleZeroError `not-found` when no such command runs.
   */
  readonly cancel: (callId: string) => Promise<void> = (...args) => this.#call('cancel', ...args);
  /**
   * Lets a model that runs in this browser load, and read the start of the next prompt, so that its first words come sooner: call it when
   * the user begins to write. Ends when a run starts. Does nothing for other models. Progress is reported by `model-progress`.
   * @throws RoleZeroError `model-…`.
   */
  readonly prepare: () => Promise<void> = () => this.#call('prepare');
  /** Returns the totals of the session. */
  readonly usage: () => Promise<Usage> = (...args) => this.#call('usage', ...args);
  /** Returns the available storage, and what could be removed. The warning `storage-low` reports when storage is nearly full. */
  readonly space: () => Promise<SessionSpace> = (...args) => this.#call('space', ...args);
  /** Returns a JSON document with the whole session; `sessions.import` restores it. */
  readonly export: () => Promise<SessionExport> = (...args) => this.#call('export', ...args);

  /**
   * Calls a method that a part of a role adds to the session; see the option `parts` of a role. Input and result are plain data.
   * @throws RoleZeroError `not-found` naming the part or method that does not exist.
   */
  readonly callPart: (part: string, method: string, input?: unknown) => Promise<unknown> = (...args) =>
    this.#call('callPart', ...args);

  /**
   * Stores the requests that were sent before, stops the run, waits for its last commit and releases the session. A worker passed to `connect` stays alive and may be used again; one
   * that `connect` created is terminated. Idempotent.
   */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    const away = this.#state === 'away';
    this.#state = 'closed';
    this.#visits += 1;
    if (!away) await this.#current.called();
    this.#calls.fail(sessionClosed(this.name));
    removeEventListener('pagehide', this.#onPageHide);
    removeEventListener('pageshow', this.#onPageShow);
    try {
      if (!away) await this.#link?.close();
    } catch (error) {
      if (toRoleZeroError(error).code !== 'worker-lost') throw error; // a dead worker holds nothing
    } finally {
      this.#current.fail(new RoleZeroError('aborted', 'The session was closed.', {}));
      this.#detach();
    }
  }

  /** Attaches the first worker. One that is lost while it starts is replaced like any other. */
  async #attachFirst(): Promise<WorkerLink> {
    for (;;) {
      try {
        return await this.#attach();
      } catch (error) {
        const fault = toRoleZeroError(error);
        if (!isWorkerLost(fault)) throw error;
        if (!this.#mayRestart)
          throw this.#restarts === 0 ? error : workerLost(this.name, this.#restarts, fault);
        this.#detach();
        this.#restarts += 1;
        this.#listeners.warn(workerRestarted(this.name, this.#restarts));
        await new Promise((resolve) => setTimeout(resolve, restartDelay(this.#restarts)));
      }
    }
  }

  /** Connects to the worker and opens the session in it. */
  async #attach(options = this.#options): Promise<WorkerLink> {
    const worker = checkWorker(makeWorker(this.#makeWorker), this.#ownsWorker);
    const isReplaceable = this.#restarts > 0 && this.#mayRestart;
    const starting = WorkerLink.open(
      worker,
      this.#ownsWorker,
      (data) => this.#receive(data),
      isReplaceable ? REPLACEMENT_START_MS : undefined,
    );
    const [link] = await Promise.all([starting, repairTornLog()]); // before anything is written
    this.#link = link;
    const onLost = (): void => this.#onWorkerLost(link);
    const { view, verbs } = await link
      .openSession(openOptions(this.name, options), this.#page, onLost, options.hungAfterMs)
      .catch((error: unknown) => {
        if (toRoleZeroError(error).code === 'storage-lost') forgetPositions(this.name); // reported once
        throw error;
      });
    this.#verbs.add(verbs);
    this.#updateView(view);
    this.#current.unfollow(view);
    return link;
  }

  #detach(): void {
    this.#page.cancelAll();
    this.#link?.disconnect();
    this.#link = null;
  }

  #call<Name extends MethodName>(name: Name, ...args: MethodArguments<Name>): Promise<MethodResult<Name>> {
    return this.#calls.call(name, args, { head: this.#head });
  }

  readonly #head = (): number | undefined => this.#view.position?.head;
  readonly #onceMore = { head: this.#head, onRepeat: () => checkTries(this.name, this.#view) };

  readonly #send = (...args: unknown[]): Promise<string | null> =>
    this.#calls.call('send', args as MethodArguments<'send'>, this.#onceMore);

  /** Starts a run with a typed answer. It joins no other run, which would not give that answer. */
  #sendTyped(text: string, { output: schema, ...options }: TypedSendOptions<OutputSchema>): Run {
    try {
      this.#current.checkIdle();
      const { wanted, readOutput } = this.#outputs.add(schema);
      return this.#start(() => this.#request(text, { ...options, output: wanted }), readOutput);
    } catch (error) {
      return Run.failed(toRoleZeroError(error));
    }
  }

  /** Starts or joins a run. `begin` returns its id. */
  #start(begin: () => Promise<string | null>, readOutput?: (value: unknown) => unknown): Run {
    if (this.#state === 'closed') return Run.failed(sessionClosed(this.name)); // a run that is ending now cannot be joined
    return this.#current.begin(begin, this.#listeners.warn, readOutput);
  }

  /** Asks the worker to resume, unless the same interrupted step has crashed it too often. */
  async #resume(...args: MethodArguments<'resume'>): Promise<string> {
    if (this.#link !== null) checkTries(this.name, this.#view); // a failure without a worker does not count as a try
    return this.#calls.call('resume', args, this.#onceMore);
  }

  #updateView(view: SessionView): void {
    const { position } = view;
    const before = this.#view.position;
    this.#view = { ...view, queued: view.queued ?? this.queued };
    this.#current.follow(view);
    if (position === null || position.head === before?.head) return;
    rememberPosition(this.name, position);
    if (before !== null && !view.viewing) this.#askForPersistence(); // on the first write
  }

  #receive(data: unknown): void {
    const batch = readBatch(data);
    this.#updateView(batch.view);
    if (batch.events.length === 0) this.onViewChange();
    for (const event of batch.events) {
      if (this.#listeners.isRepeated(event)) continue;
      this.#current.push(event, batch.view);
      if (event.type === 'run-end') {
        this.#restarts = 0;
        forgetTries(this.name);
      }
      if (event.type === 'warning' && event.code === 'storage-lost') forgetPositions(this.name); // reported now
      this.#verbs.learn(event);
      this.#listeners.emit(event);
    }
    this.#current.unfollow(this.#view);
  }

  #onWorkerLost(link: WorkerLink): void {
    if (this.#state !== 'open' || link !== this.#link) return;
    if (this.#restart()) return;
    const error = workerLost(this.name, this.#restarts);
    this.#current.fail(error);
    this.#detach();
    this.#calls.fail(error);
    this.#listeners.warn(error);
  }

  get #mayRestart(): boolean {
    return this.#ownsWorker && this.#restarts < (this.#options.restarts ?? 0);
  }

  /** Replaces a lost worker if that is allowed; returns whether it does. */
  #restart(): boolean {
    if (!this.#mayRestart) return false;
    this.#restarts += 1;
    this.#state = 'away';
    this.#calls.hold();
    if (!this.#view.viewing) this.#lostWriter ??= this.#link;
    this.#detach();
    this.#listeners.warn(workerRestarted(this.name, this.#restarts));
    const visit = ++this.#visits;
    setTimeout(() => {
      if (visit === this.#visits) void this.#reconnect();
    }, restartDelay(this.#restarts));
    return true;
  }

  /** A page in the back/forward cache would keep its session locked: it is released immediately, and a run is interrupted. */
  readonly #onPageHide = (): void => {
    if (this.#state === 'closed') return;
    if (this.#state === 'open' && this.#link !== null) forgetTries(this.name); // a crash emits no `pagehide`
    this.#state = 'away';
    this.#visits += 1; // also while a lost worker is being replaced
    this.#calls.hold();
    this.#detach();
  };

  readonly #onPageShow = (event: PageTransitionEvent): void => {
    if (!event.persisted || this.#state !== 'away') return;
    void this.#reconnect();
  };

  async #reconnect(): Promise<void> {
    const visit = ++this.#visits;
    try {
      this.#page = new Page(this.#options, this.name, this.files, this.#outputs);
      const link = await this.#attachAgain();
      if (visit !== this.#visits) {
        this.#detach(); // the session was closed, or the page was hidden again, meanwhile
        return;
      }
      this.#state = 'open';
      this.#lostWriter = null;
      await this.#continueRun(link);
      this.#calls.open(link);
    } catch (error) {
      if (this.#state === 'closed') this.#detach();
      if (visit !== this.#visits) return; // lost again and already reconnecting, or closed
      const link = this.#state === 'open' ? this.#link : null;
      if (link === null) this.#detach();
      const isLost = this.#state === 'away' && isWorkerLost(toRoleZeroError(error));
      if (isLost && this.#restart()) return;
      const reason = toRoleZeroError(error);
      const fault = isLost ? workerLost(this.name, this.#restarts, reason) : reason;
      this.#current.fail(fault);
      if (link === null) this.#calls.fail(fault);
      else this.#calls.open(link); // only the interrupted run cannot continue
      this.#listeners.warn(fault);
    }
  }

  /** Takes the session over from a lost worker that does not end. */
  async #attachAgain(): Promise<WorkerLink> {
    const lost = this.#lostWriter;
    try {
      const link = await this.#attach();
      if (lost === null || !this.#view.viewing || !(await lost.exists())) return link;
    } catch (error) {
      if (toRoleZeroError(error).code !== 'session-busy' || !(await lost?.exists())) throw error;
    }
    this.#detach();
    return this.#attach({ ...this.#options, takeOver: true });
  }

  /** Continues the interrupted run as the same `Run` objects. One without an id belongs to a call that waits to be repeated. */
  async #continueRun(link: WorkerLink): Promise<void> {
    const { run, isFollowed } = this.#current;
    if (run === null || isFollowed || run.id === null) return;
    if (this.#view.resumable) {
      checkTries(this.name, this.#view);
      this.#current.continue(await link.call('resume', []));
      return;
    }
    this.#current.finish();
  }
}

/** Returns the commands of some steps as audit entries, in order. */
export function auditOf(steps: readonly StepTrace[]): AuditEntry[] {
  return steps.flatMap(({ role, requirement, step, startedAt: at, replyId, observationId, commands }) =>
    commands.map((command) => ({ role, requirement, step, at, replyId, observationId, ...command })),
  );
}
