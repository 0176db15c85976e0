import { RoleZeroError, toRoleZeroError } from '../base/error.js';
import { auditOf } from '../base/audit.js';
import type { AuditEntry, PlanData, StepQuery, StepTrace, Usage } from '../base/events.js';
import type { SessionFiles } from '../base/files.js';
import type { Question } from '../base/human.js';
import type { Inspection } from '../base/inspection.js';
import { archiveMemories, type SessionMemory } from '../base/long-term.js';
import type { MessageData, MessageQuery, SendOptions } from '../base/message.js';
import type { SessionSpace } from '../base/space.js';
import type { SessionExport } from '../base/store.js';
import type { SessionView } from '../wire/protocol.js';
import {
  FILE_METHODS,
  MEMORY_METHODS,
  type MethodArguments,
  type MethodName,
  type MethodResult,
} from '../wire/session-api.js';
import { readBatch } from './checked-page.js';
import { checkOptions, checkWorker, openOptions, type ConnectOptions } from './connect-options.js';
import { EventListeners, type Listener } from './event-listeners.js';
import { insecureContextWarning } from './insecure-context.js';
import { Page } from './page.js';
import { remoteMethods, type CallMethod } from './remote-methods.js';
import { toClient, type ClientRunResult, type Run } from './run.js';
import { RunInProgress, workerLost } from './run-in-progress.js';
import { askForPersistence } from './persistence.js';
import { countTry, forgetPositions, forgetTries, rememberPosition } from './sentinel.js';
import { mendTornLog } from './torn-log.js';
import { WorkerLink } from './worker-link.js';

/** Times in a row that interrupted work may end its tab or worker at the same place. */
const MAX_TRIES = 3;

/**
 * A session as the page sees it; made by `connect`. Methods reject with a `RoleZeroError`: `worker-lost` once the worker is gone.
 * When the page goes into the back/forward cache the worker lets the session go, and takes it up again when the page comes back.
 */
export class ClientSession {
  readonly files: SessionFiles;
  /** What roles remember beyond their windows. */
  readonly memory: SessionMemory;
  readonly #makeWorker: () => Worker;
  /** The session created the worker, and so ends it. */
  readonly #ownsWorker: boolean;
  readonly #options: ConnectOptions;
  readonly #listeners = new EventListeners();
  #link: WorkerLink | null = null;
  #view: SessionView = {
    waiting: null,
    resumable: false,
    running: null,
    viewing: false,
    lastRun: null,
    position: null,
  };
  readonly #current: RunInProgress;
  #page: Page;
  #state: 'open' | 'away' | 'closed' = 'open';
  #hasAskedToKeep = false;
  /** Workers in a row that were made in the place of lost ones. */
  #restarts = 0;
  /** Grows with every return to the session; an older one that is still under way has nothing more to say. */
  #visits = 0;

  private constructor(makeWorker: () => Worker, ownsWorker: boolean, options: ConnectOptions) {
    this.#makeWorker = makeWorker;
    this.#ownsWorker = ownsWorker;
    this.#options = options;
    this.#current = new RunInProgress(this.name, () => {
      this.#call('stop').catch((error: unknown) => this.#listeners.warn(toRoleZeroError(error)));
    });
    const call: CallMethod = (name, args) => this.#call(name, ...(args as MethodArguments<typeof name>));
    this.files = { ...remoteMethods('files', FILE_METHODS, call), watch: this.#listeners.watch };
    this.memory = {
      ...remoteMethods('memory', MEMORY_METHODS, call),
      archive: (options, keep) => archiveMemories(this.memory, options, keep),
    };
    this.#page = new Page(this.#options, this.name, this.files);
  }

  /** @internal See `connect`. */
  static async open(worker: Worker | (() => Worker), options: ConnectOptions): Promise<ClientSession> {
    checkOptions(options);
    const owns = typeof worker === 'function';
    const session = new ClientSession(owns ? worker : () => worker, owns, options);
    try {
      await session.#attach();
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
  /** The question that is open, or null: answer it with `answer`. */
  get waiting(): Question | null {
    return this.#view.waiting;
  }
  /** True when interrupted work can go on with `resume`. */
  get resumable(): boolean {
    return this.#view.resumable && this.#current.run === null;
  }
  /** Another tab or worker holds the session, and this page looks on: whatever writes rejects with `session-busy`. See `ConnectOptions`. */
  get viewing(): boolean {
    return this.#view.viewing;
  }
  /** The run in progress, or null; while the page looks on, the other page's: it may be iterated and stopped here, too. */
  get running(): Run | null {
    return this.#current.run;
  }
  /** How the last run ended, also one of an earlier visit; null before the first. */
  get lastRun(): ClientRunResult | null {
    return this.#view.lastRun && toClient(this.#view.lastRun);
  }

  /**
   * Asks the leader, else the first role, for something; with `to` a role of that name, directly. While a run is in progress the
   * message reaches it, and the run returned is that one. Its result rejects with `not-found` when nobody has that name.
   */
  send(text: string, options: SendOptions = {}): Run {
    return this.#start(() => this.#call('send', text, options));
  }

  /**
   * Goes on with interrupted work where it was. Work that has crashed its tab or worker three times in a row at the same place is not tried
   * a fourth time: the run's result rejects with `step-poisoned`, once; whoever resumes again has asked for it. A page that is reloaded or
   * left has not crashed.
   */
  resume(): Run {
    return this.#start(this.#resume);
  }

  /**
   * Answers an open question. A run that waits for it goes on by itself; after a reload, `resume()`.
   * @throws RoleZeroError `not-found` when no such question is open.
   */
  answer(id: string, text: string): Promise<void> {
    return this.#call('answer', id, text);
  }

  /** Listens to everything that happens, and to the warnings that came before anybody did; returns how to stop listening. */
  on(listener: Listener): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * What a role remembers, in order: the leader, else the first role, unless another is named. A long conversation is on screen soonest
   * with its newest messages alone: those are there before the rest of the session is read.
   *
   * @example
   * const shown = await session.messages({ last: 50 });
   * const older = await session.messages({ last: 50, before: shown[0].id });
   * @throws RoleZeroError `not-found` when there is no such role or message, `invalid` when `last` is no number of messages.
   */
  messages(query?: string | MessageQuery): Promise<MessageData[]> {
    return this.#call('messages', query);
  }
  /** The plan of a role, chosen as for `messages`. @throws RoleZeroError `not-found`. */
  plan(role?: string): Promise<PlanData> {
    return this.#call('plan', role);
  }
  /** Which messages passed among the roles, who received each, and why who went to work on it. The newest 500, long ones shortened. */
  inspect(): Promise<Inspection> {
    return this.#call('inspect');
  }
  /**
   * What each step of a role was: prompts by hash, commands, durations, tokens, cost, who allowed it; the newest 2,000, or fewer with
   * `last`. @throws RoleZeroError `not-found` when there is no such role, `invalid` when `last` is no number of steps.
   */
  steps(query?: string | StepQuery): Promise<StepTrace[]> {
    return this.#call('steps', query);
  }
  /** What commands a role was let run or refused, by whom and why: `steps`, command by command. */
  async audit(role?: string): Promise<AuditEntry[]> {
    return auditOf(await this.steps(role));
  }
  /** Totals of the session. */
  usage(): Promise<Usage> {
    return this.#call('usage');
  }
  /** How much room there is, and what could go to make some; the warning `storage-low` tells when it nears its end. */
  space(): Promise<SessionSpace> {
    return this.#call('space');
  }
  /** One JSON document with everything; `sessions.import` brings it back. */
  export(): Promise<SessionExport> {
    return this.#call('export');
  }

  /**
   * Stops the run, waits for its last commit and gives the session back. A worker given to `connect` stays alive and may be used
   * again; one that `connect` made is ended. Idempotent.
   */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    const away = this.#state === 'away';
    this.#state = 'closed';
    removeEventListener('pagehide', this.#onPageHide);
    removeEventListener('pageshow', this.#onPageShow);
    try {
      if (!away) await this.#link?.close();
    } catch (error) {
      if (toRoleZeroError(error).code !== 'worker-lost') throw error; // a dead worker holds nothing any more
    } finally {
      this.#current.run?.fail(new RoleZeroError('aborted', 'The session was closed.', {}));
      this.#detach();
    }
  }

  /** Connects to the worker and opens the session in it. */
  async #attach(): Promise<void> {
    const owns = this.#ownsWorker;
    const worker = checkWorker(this.#makeWorker(), owns);
    const starting = WorkerLink.open(worker, owns, (data) => this.#receive(data));
    const [link] = await Promise.all([starting, mendTornLog()]); // before anything is written
    this.#link = link;
    const { hungAfterMs } = this.#options;
    const onLost = (): void => this.#onWorkerLost(link);
    const view = await link
      .openSession(openOptions(this.name, this.#options), this.#page, onLost, hungAfterMs)
      .catch((error: unknown) => {
        if (toRoleZeroError(error).code === 'storage-lost') forgetPositions(this.name); // reported once
        throw error;
      });
    this.#updateView(view);
    this.#current.unfollow(view);
  }

  #detach(): void {
    this.#page.cancelAll();
    this.#link?.disconnect();
    this.#link = null;
  }

  async #call<Name extends MethodName>(
    name: Name,
    ...args: MethodArguments<Name>
  ): Promise<MethodResult<Name>> {
    return this.#openLink().call(name, args);
  }

  #openLink(): WorkerLink {
    if (this.#link !== null && this.#state === 'open') return this.#link;
    throw new RoleZeroError('worker-lost', 'The session is closed, or its page is away.', {
      session: this.name,
    });
  }

  /** `begin` returns the id of the run. */
  #start(begin: () => Promise<string>): Run {
    const isJoined = this.#current.run !== null;
    const run = this.#current.start();
    begin().then(
      (id) => {
        run.begin(id);
        if (run.ended) this.#current.clear(run);
      },
      (error: unknown) => {
        if (this.#state === 'away') return; // the run continues when the page comes back
        const fault = toRoleZeroError(error);
        if (isJoined) {
          this.#listeners.warn(fault);
          return;
        }
        run.fail(fault);
        this.#current.clear(run);
      },
    );
    return run;
  }

  /** Asks the worker to resume, unless the same interrupted step has crashed it too often. */
  readonly #resume = async (): Promise<string> => {
    this.#openLink(); // without a worker this is no try
    const { position, running } = this.#view;
    if (running === null && position !== null && countTry(this.name, position.head) > MAX_TRIES) {
      forgetTries(this.name);
      throw new RoleZeroError(
        'step-poisoned',
        `The step that was interrupted has ended its tab or worker ${MAX_TRIES} times in a row. Send something else, or resume once more.`,
        { session: this.name },
      );
    }
    return this.#call('resume');
  };

  #updateView(view: SessionView): void {
    const { position } = view;
    const before = this.#view.position;
    this.#view = view;
    this.#current.follow(view);
    if (position === null || position.head === before?.head) return;
    rememberPosition(this.name, position);
    if (before === null || view.viewing || this.#hasAskedToKeep || this.#options.persist === false) return;
    this.#hasAskedToKeep = true; // on the first write
    void askForPersistence().then((granted) =>
      this.#listeners.emit({ type: 'storage-persistence', granted }),
    );
  }

  #receive(data: unknown): void {
    const batch = readBatch(data);
    this.#updateView(batch.view);
    for (const event of batch.events) {
      this.#current.push(event);
      if (event.type === 'run-end') {
        this.#restarts = 0;
        forgetTries(this.name);
      }
      this.#listeners.emit(event);
    }
    this.#current.unfollow(this.#view);
  }

  #onWorkerLost(link: WorkerLink): void {
    if (this.#state !== 'open' || link !== this.#link) return;
    if (this.#restart()) return;
    const error = workerLost(this.name);
    this.#current.fail(error);
    this.#detach();
    this.#listeners.warn(error);
  }

  /** Makes a new worker in the place of a lost one, if that may be; whether it does. */
  #restart(): boolean {
    if (!this.#ownsWorker || this.#restarts >= (this.#options.restarts ?? 0)) return false;
    this.#restarts += 1;
    this.#state = 'away';
    this.#detach();
    this.#listeners.emit({
      type: 'warning',
      code: 'worker-restarted',
      message: 'The agent worker was lost or hung, and a new one goes on from what was stored.',
      detail: { session: this.name, restarts: this.#restarts },
    });
    void this.#reconnect();
    return true;
  }

  /** A page in the back/forward cache would keep its session locked: it is let go at once, and a run is interrupted. */
  readonly #onPageHide = (): void => {
    if (this.#state === 'closed') return;
    if (this.#state === 'open' && this.#link !== null) forgetTries(this.name); // a crash says no goodbye
    this.#state = 'away';
    this.#visits += 1; // also while a lost worker is being made anew
    this.#detach();
  };

  readonly #onPageShow = (event: PageTransitionEvent): void => {
    if (!event.persisted || this.#state !== 'away') return;
    void this.#reconnect();
  };

  async #reconnect(): Promise<void> {
    const visit = ++this.#visits;
    try {
      this.#page = new Page(this.#options, this.name, this.files);
      await this.#attach();
      if (visit !== this.#visits || this.#isClosed()) {
        this.#detach(); // it was closed, or the page went away again, meanwhile
        return;
      }
      this.#state = 'open';
      const { run, isFollowed } = this.#current;
      if (run === null || isFollowed) return;
      const { resumable, lastRun } = this.#view;
      // The run that was interrupted goes on in the hands of whoever followed it.
      if (resumable) run.begin(await this.#resume());
      else {
        if (run.id !== null && lastRun !== null) run.finish(lastRun);
        else run.fail(workerLost(this.name)); // its result was not stored
        this.#current.clear(run);
      }
    } catch (error) {
      if (visit !== this.#visits) return; // lost once more, and on its way again
      if (this.#state !== 'open') this.#detach();
      const fault = toRoleZeroError(error);
      if (this.#state === 'away' && fault.code === 'worker-lost' && this.#restart()) return;
      this.#current.fail(fault);
      this.#listeners.warn(fault);
    }
  }

  /** Asked after a wait: in a method of its own, since the type checker remembers what stood there before. */
  #isClosed(): boolean {
    return this.#state === 'closed';
  }
}
