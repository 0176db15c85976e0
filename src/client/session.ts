import type { Remote } from 'comlink';
import { RoleZeroError, toRoleZeroError } from '../base/error.js';
import { auditOf } from '../base/audit.js';
import type { AgentEvent, AuditEntry, PlanData, StepQuery, StepTrace, Usage } from '../base/events.js';
import { FileWatchers } from '../base/file-watchers.js';
import type { SessionFiles } from '../base/files.js';
import type { Question } from '../base/human.js';
import type { Inspection } from '../base/inspection.js';
import { archiveMemories, type SessionMemory } from '../base/long-term.js';
import type { MessageData, MessageQuery, SendOptions } from '../base/message.js';
import type { SessionSpace } from '../base/space.js';
import type { SessionExport } from '../base/store.js';
import type { FileMethod, HostApi, OpenOptions, SessionView } from '../wire/protocol.js';
import type { Result } from '../wire/results.js';
import { checkedPage, readBatch, readView } from './checked-page.js';
import { checkOptions, checkWorker, type ConnectOptions } from './connect-options.js';
import { insecureContextWarning } from './insecure-context.js';
import { Page } from './page.js';
import { describeModels } from './page-models.js';
import { Run, toClient, type ClientRunResult } from './run.js';
import { askForPersistence } from './persistence.js';
import { countTry, forgetPositions, forgetTries, knownPositions, rememberPosition } from './sentinel.js';
import { mendTornLog } from './torn-log.js';
import { WorkerLink } from './worker-link.js';

type Listener = (event: AgentEvent) => void;

const MAX_UNHEARD = 20;
/** Times in a row that interrupted work may end its tab or worker at the same place. */
const MAX_TRIES = 3;
const HUNG_AFTER = 30_000;
const DIED_OPENING =
  'The agent worker died or hung while it opened the session. Nothing committed is lost; connect again. If it happens each time: does the function given to serve() come to an end?';

/**
 * A session as the page sees it; made by `connect`. Methods reject with a `RoleZeroError`: `worker-lost` once the worker is gone.
 * When the page goes into the back/forward cache the worker lets the session go, and takes it up again when the page comes back.
 */
export class ClientSession {
  readonly files: SessionFiles;
  /** What roles remember beyond their windows. */
  readonly memory: SessionMemory;
  readonly #listeners = new Set<Listener>();
  /** Warnings that came before anybody listened: of data that was lost and restored, for example. */
  #unheard: AgentEvent[] = [];
  readonly #watchers = new FileWatchers();
  #link: WorkerLink | null = null;
  #view: SessionView = {
    waiting: null,
    resumable: false,
    running: null,
    viewing: false,
    lastRun: null,
    position: null,
  };
  #run: Run | null = null;
  /** The run is another page's, on which this one looks. */
  #isFollowed = false;
  #page: Page;
  #state: 'open' | 'away' | 'closed' = 'open';
  #hasAskedToKeep = false;
  /** Workers in a row that were made in the place of lost ones. */
  #restarts = 0;
  /** Grows with every return to the session; an older one that is still under way has nothing more to say. */
  #visits = 0;

  private constructor(
    private readonly makeWorker: () => Worker,
    /** The worker is ours to end. */
    private readonly ownsWorker: boolean,
    private readonly options: ConnectOptions,
  ) {
    const call = <Value>(...[ask]: Parameters<typeof WorkerLink.prototype.call<Value>>): Promise<Value> =>
      this.call(ask);
    const file =
      <Method extends FileMethod>(method: Method) =>
      (...args: Parameters<SessionFiles[Method]>) =>
        call((host) => host.files(method, args)) as ReturnType<SessionFiles[Method]>;
    this.files = {
      read: file('read'),
      readBytes: file('readBytes'),
      readAll: file('readAll'),
      list: file('list'),
      stat: file('stat'),
      glob: file('glob'),
      write: file('write'),
      writeAll: file('writeAll'),
      makeDirectory: file('makeDirectory'),
      remove: file('remove'),
      move: file('move'),
      copy: file('copy'),
      history: file('history'),
      after: file('after'),
      difference: file('difference'),
      bytesAfter: file('bytesAfter'),
      forgetHistory: file('forgetHistory'),
      undo: file('undo'),
      watch: this.#watchers.watch,
    };
    this.memory = {
      search: (query, options) => call((host) => host.searchMemory(query, options)),
      list: (options) => call((host) => host.listMemory(options)),
      forget: (ids, options) => call((host) => host.forgetMemory(ids, options)),
      change: (id, change, options) => call((host) => host.changeMemory(id, change, options)),
      import: (document, options) => call((host) => host.importMemory(document, options)),
      export: (options) => call((host) => host.exportMemory(options)),
      archive: (options, keep) => archiveMemories(this.memory, options, keep),
    };
    this.#page = this.newPage();
  }

  /** @internal See `connect`. */
  static async open(worker: Worker | (() => Worker), options: ConnectOptions): Promise<ClientSession> {
    checkOptions(options);
    const owns = typeof worker === 'function';
    const session = new ClientSession(owns ? worker : () => worker, owns, options);
    try {
      await session.attach();
    } catch (error) {
      session.detach();
      session.#state = 'closed';
      throw error;
    }
    addEventListener('pagehide', session.#onPageHide);
    addEventListener('pageshow', session.#onPageShow);
    const insecure = insecureContextWarning(session.name);
    if (insecure !== null) session.tell(insecure);
    return session;
  }

  get name(): string {
    return this.options.session ?? 'default';
  }
  /** The question that is open, or null: answer it with `answer`. */
  get waiting(): Question | null {
    return this.#view.waiting;
  }
  /** True when interrupted work can go on with `resume`. */
  get resumable(): boolean {
    return this.#view.resumable && this.#run === null;
  }
  /** Another tab or worker holds the session, and this page looks on: whatever writes rejects with `session-busy`. See `ConnectOptions`. */
  get viewing(): boolean {
    return this.#view.viewing;
  }
  /** The run in progress, or null; while the page looks on, the other page's: it may be iterated and stopped here, too. */
  get running(): Run | null {
    return this.#run;
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
    return this.start((host) => host.send(text, options));
  }

  /**
   * Goes on with interrupted work where it was. Work that has crashed its tab or worker three times in a row at the same place is not tried
   * a fourth time: the run's result rejects with `step-poisoned`, once; whoever resumes again has asked for it. A page that is reloaded or
   * left has not crashed.
   */
  resume(): Run {
    return this.start((host) => this.goOn(host));
  }

  /**
   * Answers an open question. A run that waits for it goes on by itself; after a reload, `resume()`.
   * @throws RoleZeroError `not-found` when no such question is open.
   */
  answer(id: string, text: string): Promise<void> {
    return this.call((host) => host.answer(id, text));
  }

  /** Listens to everything that happens, and to the warnings that came before anybody did; returns how to stop listening. */
  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    const unheard = this.#unheard.splice(0);
    if (unheard.length > 0) queueMicrotask(() => unheard.forEach((event) => this.tell(event)));
    return () => this.#listeners.delete(listener);
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
    return this.call((host) => host.messages(query));
  }
  /** The plan of a role, chosen as for `messages`. @throws RoleZeroError `not-found`. */
  plan(role?: string): Promise<PlanData> {
    return this.call((host) => host.plan(role));
  }
  /** Which messages passed among the roles, who received each, and why who went to work on it. The newest 500, long ones shortened. */
  inspect(): Promise<Inspection> {
    return this.call((host) => host.inspect());
  }
  /**
   * What each step of a role was: prompts by hash, commands, durations, tokens, cost, who allowed it; the newest 2,000, or fewer with
   * `last`. @throws RoleZeroError `not-found` when there is no such role, `invalid` when `last` is no number of steps.
   */
  steps(query?: string | StepQuery): Promise<StepTrace[]> {
    return this.call((host) => host.steps(query));
  }
  /** What commands a role was let run or refused, by whom and why: `steps`, command by command. */
  async audit(role?: string): Promise<AuditEntry[]> {
    return auditOf(await this.steps(role));
  }
  /** Totals of the session. */
  usage(): Promise<Usage> {
    return this.call((host) => host.usage());
  }
  /** How much room there is, and what could go to make some; the warning `storage-low` tells when it nears its end. */
  space(): Promise<SessionSpace> {
    return this.call((host) => host.space());
  }
  /** One JSON document with everything; `sessions.import` brings it back. */
  export(): Promise<SessionExport> {
    return this.call((host) => host.exportSession());
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
      if (!away) await this.#link?.call((host) => host.close());
    } catch (error) {
      if (toRoleZeroError(error).code !== 'worker-lost') throw error; // a dead worker holds nothing any more
    } finally {
      this.#run?.fail(new RoleZeroError('aborted', 'The session was closed.', {}));
      this.detach();
    }
  }

  /** Connects to the worker and opens the session in it. */
  private async attach(): Promise<void> {
    const worker = checkWorker(this.makeWorker(), this.ownsWorker);
    const [link] = await Promise.all([this.startLink(worker), mendTornLog()]); // before anything is written
    this.#link = link;
    const { config, tools = [], models = {}, takeOver = false, view = false } = this.options;
    const wanted: OpenOptions = {
      session: this.name,
      config,
      tools: tools.map((tool) => tool.descriptor),
      models: describeModels(models),
      takeOver,
      view,
      known: knownPositions(this.name),
    };
    const patience = this.options.hungAfterMs ?? HUNG_AFTER;
    let isOpen = false;
    const onHung = (): void => (isOpen ? this.lost(link) : link.lose(DIED_OPENING));
    // From now on: a worker that dies or hangs over its opening would be waited for without end.
    const stop = patience > 0 ? link.listen(patience, onHung) : () => {};
    const opening = link.call((host) => host.open(wanted, link.offer(checkedPage(this.#page))));
    const opened = await opening.catch((error: unknown) => {
      if (toRoleZeroError(error).code === 'storage-lost') forgetPositions(this.name); // said once
      throw error;
    });
    isOpen = true;
    if (!this.ownsWorker) stop(); // it is not ours to end
    this.see(readView(opened.view));
    this.follow();
    this.letGo();
    if (opened.aliveLock !== null) link.watch(opened.aliveLock, () => this.lost(link));
  }

  private async startLink(worker: Worker): Promise<WorkerLink> {
    try {
      return await WorkerLink.open(worker, (data) => this.receive(data));
    } catch (error) {
      if (this.ownsWorker) worker.terminate();
      throw error;
    }
  }

  private detach(): void {
    this.#page.cancelAll();
    const link = this.#link;
    this.#link = null;
    link?.disconnect();
    if (this.ownsWorker) link?.worker.terminate();
  }

  private async call<Value>(...[ask]: Parameters<typeof WorkerLink.prototype.call<Value>>): Promise<Value> {
    if (this.#link === null || this.#state !== 'open') {
      throw new RoleZeroError('worker-lost', 'The session is closed, or its page is away.', {
        session: this.name,
      });
    }
    return this.#link.call(ask);
  }

  private start(ask: Parameters<typeof WorkerLink.prototype.call<string>>[0]): Run {
    const joined = this.#run;
    const run = joined ?? new Run(() => this.stopRun());
    this.#run = run;
    this.call(ask).then(
      (id) => {
        run.begin(id);
        if (run.ended && this.#run === run) this.#run = null;
      },
      (error: unknown) => {
        if (this.#state === 'away') return; // it goes on when the page comes back
        if (joined === null) run.fail(toRoleZeroError(error));
        if (this.#run === run && joined === null) this.#run = null;
        else if (joined !== null) this.tell(warning(toRoleZeroError(error)));
      },
    );
    return run;
  }

  private async goOn(host: Remote<HostApi>): Promise<Result<string>> {
    const { position, running } = this.#view;
    if (running === null && position !== null && countTry(this.name, position.head) > MAX_TRIES) {
      forgetTries(this.name);
      throw new RoleZeroError(
        'step-poisoned',
        `The step that was interrupted has ended its tab or worker ${MAX_TRIES} times in a row. Send something else, or resume once more.`,
        { session: this.name },
      );
    }
    return host.resume();
  }

  private stopRun(): void {
    this.call((host) => host.stop()).catch((error: unknown) => this.tell(warning(toRoleZeroError(error))));
  }

  private see(view: SessionView): void {
    const { position } = view;
    const before = this.#view.position;
    this.#view = view;
    if (position === null || position.head === before?.head) return;
    rememberPosition(this.name, position);
    if (before !== null && !view.viewing) this.keepData();
  }

  /** What is written for the first time should stay. */
  private keepData(): void {
    if (this.#hasAskedToKeep || this.options.persist === false) return;
    this.#hasAskedToKeep = true;
    void askForPersistence().then((granted) => this.tell({ type: 'storage-persistence', granted }));
  }

  private receive(data: unknown): void {
    const batch = readBatch(data);
    this.see(batch.view);
    this.follow();
    for (const event of batch.events) {
      const run = this.#run;
      run?.push(event);
      if (run?.ended) this.#run = null;
      if (event.type === 'run-end') {
        this.#restarts = 0;
        forgetTries(this.name);
      }
      this.tell(event);
    }
    this.letGo();
  }

  /** A page that looks on has the run of the page that works. */
  private follow(): void {
    const { viewing, running } = this.#view;
    if (!viewing || running === null || this.#run !== null) return;
    this.#run = new Run(() => this.stopRun());
    this.#run.begin(running);
    this.#isFollowed = true;
  }

  /** It went away without an end that could be heard: with its page, for example. */
  private letGo(): void {
    if (!this.#isFollowed || this.#run?.id === this.#view.running) return;
    this.#run?.fail(lostError(this.name));
    this.#run = null;
    this.#isFollowed = false;
  }

  /** A listener that throws is its author's fault and must not keep the others from hearing. */
  private tell(event: AgentEvent): void {
    if (this.#listeners.size === 0 && event.type === 'warning')
      this.#unheard = [...this.#unheard, event].slice(-MAX_UNHEARD);
    const call = (listen: () => void): void => {
      try {
        listen();
      } catch (error) {
        reportError(error);
      }
    };
    for (const listener of this.#listeners) call(() => listener(event));
    this.#watchers.tell(event, call);
  }

  private lost(link: WorkerLink): void {
    if (this.#state !== 'open' || link !== this.#link) return;
    if (this.restart()) return;
    const error = lostError(this.name);
    this.#run?.fail(error);
    this.#run = null;
    this.detach();
    this.tell(warning(error));
  }

  /** Makes a new worker in the place of a lost one, if that may be; whether it does. */
  private restart(): boolean {
    if (!this.ownsWorker || this.#restarts >= (this.options.restarts ?? 0)) return false;
    this.#restarts += 1;
    this.#state = 'away';
    this.detach();
    this.tell({
      type: 'warning',
      code: 'worker-restarted',
      message: 'The agent worker was lost or hung, and a new one goes on from what was stored.',
      detail: { session: this.name, restarts: this.#restarts },
    });
    void this.comeBack();
    return true;
  }

  /** A page in the back/forward cache would keep its session locked: it is let go at once, and a run is interrupted. */
  readonly #onPageHide = (): void => {
    if (this.#state === 'closed') return;
    if (this.#state === 'open' && this.#link !== null) forgetTries(this.name); // a crash says no goodbye
    this.#state = 'away';
    this.#visits += 1; // also while a lost worker is being made anew
    this.detach();
  };

  readonly #onPageShow = (event: PageTransitionEvent): void => {
    if (!event.persisted || this.#state !== 'away') return;
    void this.comeBack();
  };

  private async comeBack(): Promise<void> {
    const visit = ++this.#visits;
    try {
      this.#page = this.newPage();
      await this.attach();
      if (visit !== this.#visits || this.isClosed()) {
        this.detach(); // it was closed, or the page went away again, meanwhile
        return;
      }
      this.#state = 'open';
      const run = this.#run;
      if (run === null || this.#isFollowed) return;
      const { resumable, lastRun } = this.#view;
      // The run that was interrupted goes on in the hands of whoever followed it.
      if (resumable) run.begin(await this.call((host) => this.goOn(host)));
      else {
        if (run.id !== null && lastRun !== null) run.finish(lastRun);
        else run.fail(lostError(this.name)); // it had not been taken down
        this.#run = null;
      }
    } catch (error) {
      if (visit !== this.#visits) return; // lost once more, and on its way again
      if (this.#state !== 'open') this.detach();
      const fault = toRoleZeroError(error);
      if (this.#state === 'away' && fault.code === 'worker-lost' && this.restart()) return;
      this.#run?.fail(fault);
      this.#run = null;
      this.tell(warning(fault));
    }
  }

  /** Asked after a wait: in a method of its own, since the type checker remembers what stood there before. */
  private isClosed(): boolean {
    return this.#state === 'closed';
  }

  private newPage(): Page {
    const { tools = [], models = {} } = this.options;
    return new Page(tools, models, this.options, this.name, this.files);
  }
}

function lostError(session: string): RoleZeroError {
  return new RoleZeroError(
    'worker-lost',
    'The agent worker is gone: it was terminated, or it crashed. Nothing committed is lost; connect again and resume.',
    { session },
  );
}

function warning(error: RoleZeroError): AgentEvent {
  return { type: 'warning', code: error.code, message: error.message, detail: error.detail };
}
