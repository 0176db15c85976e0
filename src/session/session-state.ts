import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { AgentEvent, RunResult } from '../core/events.js';
import { FileWatchers } from '../core/file-watchers.js';
import { serialQueue } from '../core/serial-queue.js';
import { SeededRuntime, type RandomState } from '../core/runtime.js';
import { type SessionSpace, mayLackSpace, readOnlyForLackOfSpace } from '../core/space.js';
import type { SessionStore, Write } from '../core/store.js';
import { VirtualFiles, type VirtualFilesOptions } from '../files/virtual-files.js';
import { NO_GRANT, readGrant, type Account, type Budget } from '../agent/policy/budget.js';
import { RunningCalls, type RoleContext } from '../agent/runtime/context.js';
import type { TeamRole } from '../agent/runtime/work.js';
import { Environment } from '../team/environment.js';
import {
  loadTables,
  restoreRoleMemory,
  loadBeginning,
  restoreOlder,
  restoreRoleState,
  type RunBeginning,
  type Extent,
  type StoredTables,
} from './load-session.js';
import { forgetBranches } from './branch-rows.js';
import { UserQuestions } from './user-questions.js';
import { RecordedReplies } from './recorded-replies.js';
import { SentPrompts } from './sent-prompts.js';
import { sessionAccount } from './session-queries.js';
import type { SessionOptions } from './session-options.js';
import { SpaceWatch } from './space-watch.js';
import { ownedParts, rolesOf } from './team.js';

/** Key of the row that names the role the user addressed last. */
export const ASKED = 'asked';
/** Key of the record with what the user has allowed beyond the session's budget, in the table `approvals`. */
const BUDGET = 'budget';

/** Milliseconds between attempts to make a session writable that was opened on a full disk. */
const TRY_AGAIN = 10_000;

/** A run in progress, which can be stopped. */
export interface ActiveRun {
  id: string;
  controller: AbortController;
  result: Promise<RunResult>;
}

/**
 * The state of a session in memory, and the store that it is committed to. A rejected commit leaves the memory ahead of the store: the
 * state is then stale, and is read again before its next use.
 */
export class SessionState {
  readonly environment: Environment;
  readonly questions: UserQuestions;
  readonly watchers = new FileWatchers();
  readonly calls = new RunningCalls();
  readonly prompts = new SentPrompts();
  readonly replies = new RecordedReplies();
  /** `closed` and `fenced`: no more calls are accepted. `fenced`: another tab or worker took the session over. */
  status: 'open' | 'closed' | 'fenced' = 'open';
  /** Why it is `fenced`, if the browser has deleted the session. */
  loss: RoleZeroError | null = null;
  /** While a run is in progress, the state is not read again. */
  running: ActiveRun | null = null;
  /** The memory may be ahead of the store and must be read again. */
  isStale = false;
  /** Name of the role that the user addressed last. */
  askedName: string;
  workspace: VirtualFiles;
  runtime: SeededRuntime;
  isLoaded = false;
  /** Read the data that an overview left out; null until it is needed. */
  #readingFiles: Promise<void> | null = null;
  #areFilesRead = false;
  /** All messages are being restored, or are restored. */
  #isMemoryRead = false;
  #loading: Promise<void> | null = null;
  /** Set by a run that starts before the session is read. */
  #beginning: {
    read: Promise<RunBeginning & { role: TeamRole }>;
    /** Resolves when its first request was sent. */
    sent: Promise<void>;
    send: () => void;
  } | null = null;
  /**
   * Runs requests, changes of files by the user, and the storing of commands one after the other. What one stores follows from the files
   * that the one before has left: undoing the creation of a directory must not remove a file that is being attached in it.
   */
  readonly inTurn = serialQueue();
  readonly #readAgain = serialQueue();
  #grant = NO_GRANT;
  /** State of the random generator at the last commit or log entry of a role; null before the first one. */
  #random: RandomState | null = null;
  /** Events, such as failed reads of roles, are no longer emitted. */
  #isOver = false;
  readonly #space: SpaceWatch;
  /** Runs while the session is read-only for lack of space. */
  #trying: ReturnType<typeof setInterval> | undefined;

  constructor(
    readonly options: SessionOptions,
    readonly store: SessionStore,
  ) {
    const { leader, chat } = options;
    this.environment = new Environment(defined({ leader, chat }));
    this.askedName = rolesOf(options)[0]?.name ?? '';
    this.environment.onRead = (messageIds) => {
      this.emit({ type: 'queue-changed', change: 'read', messageIds: [...messageIds] });
    };
    this.runtime = new SeededRuntime(store.random, options.now);
    this.workspace = this.#unreadFiles();
    this.questions = new UserQuestions(
      (question, signal) => options.askUser?.(question, signal) ?? Promise.resolve(null),
      (writes) => this.commitApart(writes),
      options.now ?? Date.now,
    );
    this.#space = new SpaceWatch(options.name, () => this.space(), this.emit);
  }

  /**
   * Resolves when the whole session is read. Starts reading unless that is in progress. Until then, nothing writes what is still to be
   * read. @throws RoleZeroError `storage-…`.
   */
  loaded(): Promise<void> {
    this.#loading ??= Promise.all([this.filesLoaded(), this.#loadMemory()]).then(() => this.#whole());
    return this.#loading;
  }

  /** As `loaded`, but reads nothing while a run prepares its first call of the model. */
  async loadedBehind(): Promise<void> {
    await this.#beginning?.sent;
    await this.loaded();
  }

  /**
   * Resolves when a new request can be prepared for the model: when its role is not interrupted, and nothing but the core uses its memory and
   * its files, that needs only the end of its memory. The rest is read while the model works. @throws RoleZeroError `storage-…`.
   */
  async begun(): Promise<void> {
    const [role, ...others] = rolesOf(this.options);
    const isEarly = others.length === 0 && role?.agent.startsEarly && role.agent.state.turn === null;
    if (!isEarly || this.#isMemoryRead || this.#beginning !== null) return this.loaded();
    let send = (): void => {};
    const sent = new Promise<void>((resolve) => (send = resolve));
    const read = loadBeginning(this.store, role).then((beginning) => {
      if (!this.#areFilesRead) this.workspace.history.continueAt(beginning.lastChange);
      return { role, ...beginning };
    });
    this.#beginning = { read, sent, send };
    await read;
  }

  /** A request of the run was sent, or the run has ended: the rest can be read. */
  beginRest(): void {
    if (this.#beginning === null || this.isLoaded) return;
    this.#beginning.send();
    void this.loaded().catch(() => undefined); // whoever needs it receives the error
  }

  /**
   * Returns the files to read one in: while the files are not read, only that one, if it is stored.
   * @throws RoleZeroError `storage-…`.
   */
  async filesWith(path: string): Promise<VirtualFiles> {
    const [row] = this.#areFilesRead ? [] : await this.store.read('files', [path]);
    if (row === undefined || this.#areFilesRead) {
      await this.filesLoaded();
      return this.workspace;
    }
    return new VirtualFiles(this.#filesOptions()).restore([row]);
  }

  /** Resolves when the files are read, and starts that, as `loaded` does. @throws RoleZeroError `storage-…`. */
  filesLoaded(): Promise<void> {
    this.#readingFiles ??= loadTables(this.store, 'files').then((tables) => this.#restoreFiles(tables));
    return this.#readingFiles;
  }

  async #loadMemory(): Promise<void> {
    const tables = this.#beginning === null ? await loadTables(this.store, 'memory') : null;
    const beginning = this.#beginning; // also of a run that has started meanwhile
    if (beginning === null && tables !== null) {
      this.#isMemoryRead = true;
      await this.#restoreMemory(tables);
    } else if (beginning !== null) {
      const begun = await beginning.read;
      await restoreOlder(this.store, begun.role, begun, tables);
    }
  }

  /** Reads the session from its store and restores the state derived from it. */
  async load(extent: Extract<Extent, 'all' | 'overview'>): Promise<void> {
    await this.store.settle?.({ discard: true });
    this.#random = null;
    const tables = await loadTables(this.store, extent);
    this.workspace = this.#unreadFiles();
    this.#restoreWork(tables);
    if (extent === 'overview') return;
    this.#restoreFiles(tables);
    await this.#restoreMemory(tables);
    this.#readingFiles = this.#loading = Promise.resolve();
    this.#isMemoryRead = true;
    if (!this.isLoaded) this.#whole();
  }

  /** Reads everything but the files again. */
  async loadWork(): Promise<void> {
    const [overview, memory] = await Promise.all([
      loadTables(this.store, 'overview'),
      loadTables(this.store, 'memory'),
    ]);
    this.#random = null;
    this.#restoreWork(overview);
    await this.#restoreMemory(memory);
  }

  #restoreWork(tables: StoredTables): void {
    const { rows } = tables;
    this.runtime = new SeededRuntime(this.store.random, this.options.now);
    this.questions.restore(rows('questions'), rows('approvals'));
    this.environment.restore({ deliveries: rows('deliveries'), team: rows('team') });
    const asked = tables.value('team', ASKED);
    if (typeof asked === 'string') this.askedName = asked;
    this.#grant = readGrant(tables.value('approvals', BUDGET));
    for (const role of rolesOf(this.options)) {
      this.environment.addRole(role, this.#context());
      restoreRoleState(role, tables);
    }
  }

  #restoreFiles({ rows }: StoredTables): void {
    this.workspace.restore(rows('files')).history.restore(rows('history'));
    this.#areFilesRead = true;
  }

  async #restoreMemory(tables: StoredTables): Promise<void> {
    for (const role of rolesOf(this.options)) await restoreRoleMemory(role, tables);
  }

  #whole(): void {
    this.isLoaded = true;
    this.#space.look();
  }

  /** Reads the session again, after what is being read now, which is older. Does nothing if another run has started, or nothing is stale. */
  #reload(run: ActiveRun | null): Promise<void> {
    return this.#readAgain(async () => {
      await this.loaded().catch(() => undefined);
      if (!this.isStale || this.running !== run) return;
      const before = this.#queuedIds();
      await this.load('all');
      this.isStale = false;
      const messageIds = this.#queuedIds().filter((id) => !before.includes(id));
      if (messageIds.length > 0) this.emit({ type: 'queue-changed', change: 'waiting', messageIds }); // no step has stored that it read them
    });
  }

  #queuedIds(): string[] {
    return this.environment.queue.list().map(({ messageId }) => messageId);
  }

  /**
   * Resolves when the memory matches the store, and the session is writable. A call that only reads, or only frees space, also works while
   * there is no space to make it writable.
   * @throws RoleZeroError when the session is closed or was taken over, `storage-full`.
   */
  async ready(purpose: 'write' | 'free' | 'read' = 'write'): Promise<void> {
    await this.inTurn(() => this.readyInTurn(purpose));
  }

  /** The same in a job of `inTurn`: a change of files that is stored while the session is read again would be missing. */
  async readyInTurn(purpose: 'write' | 'free' | 'read' = 'write'): Promise<void> {
    this.checkOpen();
    if (purpose !== 'read') await this.#becomeWritable(purpose === 'free');
    if (this.isStale && this.running === null) await this.#reload(null);
  }

  /** @throws RoleZeroError when the session is closed or was taken over. */
  checkOpen(): void {
    if (this.status === 'fenced') throw this.fencedError();
    if (this.status === 'closed')
      throw new RoleZeroError('aborted', 'The session is closed.', { session: this.options.name });
  }

  /** True while the session is read-only, because there was no space to record its writer. */
  get isReadOnly(): boolean {
    return this.store.isReadOnly === true;
  }

  /**
   * While the session is read-only, says so, and tries again from time to time. Any call that writes tries, too.
   */
  watchForSpace(): void {
    if (!this.isReadOnly) return;
    const { code, message, detail } = readOnlyForLackOfSpace(this.options.name);
    this.emit({ type: 'warning', code, message, detail });
    this.#trying = setInterval(() => {
      void this.#becomeWritable(true).catch(() => undefined); // the next call reports it
    }, TRY_AGAIN);
  }

  /** @param isOptional the caller can go on while there is no space */
  async #becomeWritable(isOptional: boolean): Promise<void> {
    if (!this.isReadOnly) return;
    try {
      if (await this.store.becomeWritable?.()) this.isStale = true;
    } catch (error) {
      if (isOptional && mayLackSpace(error)) return;
      throw error;
    }
    if (this.#trying === undefined) return; // another attempt was faster
    clearInterval(this.#trying);
    this.#trying = undefined;
    this.emit({ type: 'session-held' });
  }

  /**
   * Replaces memory that is ahead of the store by the stored state. A run whose last commit was rejected is then not over, and can be
   * resumed. The session stays stale, because something may be written meanwhile. During another run than this one, its end does that.
   */
  async showStored(run: ActiveRun | null): Promise<void> {
    if (this.status !== 'open') return;
    await this.#reload(run).catch(() => undefined); // if the store does not respond, the next use reports the error
    this.isStale = true;
  }

  /** Returns the role with that name; without one the leader, else the first role. @throws RoleZeroError `not-found`. */
  role(name?: string): TeamRole {
    const { roles, roleNames } = this.environment;
    const found = name === undefined ? roles[0] : this.environment.getRole(name);
    if (found) return found;
    throw new RoleZeroError(
      'not-found',
      `There is no role named "${name}" in this session. The roles are ${roleNames.join(', ')}.`,
      { name, roles: roleNames },
    );
  }

  /** The role that the user addressed last. */
  get asked(): TeamRole {
    return this.environment.getRole(this.askedName) ?? this.role();
  }

  /** Returns the available storage, and what could be removed. */
  async space(): Promise<SessionSpace> {
    await this.loaded();
    const storage = (await this.options.storage.usage?.()) ?? null;
    const { roles } = this.environment;
    const owners = ownedParts(roles, 'memories');
    const memories = owners[0]?.part.space?.(owners) ?? { count: 0, characters: 0, oldest: null, pinned: 0 };
    return { storage, memories, history: this.workspace.freeable() };
  }

  /**
   * Commits from outside the roles' own sequence. It must not advance their random generator: a partial step that is lost and repeated
   * would get other ids.
   */
  async commitApart(writes: readonly Write[], options: { purge?: boolean } = {}): Promise<void> {
    // What is removed for good must not remain in other branches.
    const all = options.purge === true ? [...writes, ...(await forgetBranches(this.store))] : writes;
    await this.#commit(all, this.#random ?? this.store.random, options);
  }

  /**
   * Emits an event, unless the session is closed. An error thrown by a listener must not break the agent; it is reported as an uncaught error
   * instead.
   */
  readonly emit = (event: AgentEvent): void => {
    if (this.#isOver) return;
    if (event.type === 'approval-request' || event.type === 'human-question')
      this.questions.opened(event.question); // a listener may read the question and answer it immediately
    try {
      this.options.emit(event);
    } catch (error) {
      throwLater(error);
    }
    if (event.type === 'file-changed') this.watchers.tell(event, throwLater);
  };

  fencedError(): RoleZeroError {
    if (this.loss !== null) return this.loss;
    const { name } = this.options;
    return new RoleZeroError(
      'session-fenced',
      `Another tab or worker took over or removed session '${name}', so this one can no longer use it. Connect again to continue from what is stored: with { view: true } to watch, with { takeOver: true } to take it back.`,
      { session: name },
    );
  }

  /** Releases the session. */
  close(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#trying);
    return this.store.close();
  }

  #context(): Omit<RoleContext, 'bus'> {
    const { name, askUser, callPage, onRequest, recorded, budget } = this.options;
    return {
      session: name,
      runtime: this.runtime,
      workspace: this.workspace,
      whole: () => this.loaded(),
      human: askUser === null ? null : this.questions,
      inTurn: this.inTurn,
      commit: (writes) => this.#commit(writes, (this.#random = this.runtime.snapshot())),
      read: (table, keys) => this.store.read(table, keys),
      load: (table, range) => this.store.load(table, range),
      ...(budget !== undefined && {
        account: (store: (writes: readonly Write[]) => void) => this.#account(budget, store),
      }),
      ...(this.store.log !== undefined && { log: (writes: readonly Write[]) => this.#log(writes) }),
      ...defined({
        loadShared: this.store.loadShared?.bind(this.store),
        sharedKeys: this.store.sharedKeys?.bind(this.store),
        openFile: this.store.openFile?.bind(this.store),
      }),
      emit: this.emit,
      parts: (part) => ownedParts(this.environment.roles, part),
      calls: this.calls,
      onRequest: (request, origin) => {
        this.prompts.add(request, origin);
        this.beginRest();
        onRequest?.(request, origin);
      },
      recordedReply: (place) => this.replies.find(place),
      ...defined({ callPage, recorded }),
    };
  }

  #account(budget: Budget, store: (writes: readonly Write[]) => void): Account {
    return sessionAccount(budget, this.#grant, this.environment.roles, (grant) => {
      this.#grant = grant;
      store([{ table: 'approvals', key: BUDGET, value: grant }]);
    });
  }

  async #log(writes: readonly Write[]): Promise<boolean> {
    try {
      const logged = this.store.log?.(writes, (this.#random = this.runtime.snapshot()));
      return (await logged) ?? false;
    } catch (error) {
      this.isStale = true;
      throw error;
    }
  }

  async #commit(...args: Parameters<SessionStore['commit']>): Promise<void> {
    try {
      await this.store.commit(...args);
    } catch (error) {
      this.isStale = true; // the memory already contains what this commit should have stored
      this.#space.refused(error);
      throw error;
    }
    this.#space.committed();
  }

  #unreadFiles(): VirtualFiles {
    return new VirtualFiles({ ...this.#filesOptions(), isUnread: true });
  }

  #filesOptions(): VirtualFilesOptions {
    return {
      now: this.runtime.now,
      limits: this.options.limits ?? {},
      contents: (keys) => this.store.read('contents', keys),
      restoreContent: async (key) => (await this.store.restore?.([{ table: 'contents', key }])) ?? false,
    };
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
