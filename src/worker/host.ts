import { wrap, type Remote } from 'comlink';
import { describeValue } from '../base/describe-value.js';
import { RoleZeroError, toRoleZeroError } from '../base/error.js';
import type { AgentEvent, PlanData, RunResult, StepQuery, StepTrace, Usage } from '../base/events.js';
import type { Question } from '../base/human.js';
import type { Inspection } from '../base/inspection.js';
import type {
  MemoryChange,
  MemoryExport,
  MemoryExportQuery,
  MemoryItem,
  MemoryListQuery,
  MemoryQuery,
} from '../base/long-term.js';
import { isRecord } from '../base/json.js';
import type { MessageData, MessageQuery, SendOptions } from '../base/message.js';
import { newId } from '../base/new-id.js';
import type { SessionSpace } from '../base/space.js';
import type { SessionExport, Storage } from '../base/store.js';
import type { Tool } from '../base/tool.js';
import { RoleZero } from '../role/role-zero.js';
import type { Role } from '../role/role.js';
import { Session } from '../session/session.js';
import { everybody, type Team } from '../session/team.js';
import type { FileMethod, HostApi, Opened, OpenOptions, PageApi, SessionView } from '../wire/protocol.js';
import { settle, unwrap, type Result } from '../wire/results.js';
import { Audience } from './audience.js';
import { EventPort } from './event-port.js';
import { Onlooker } from './onlooker.js';
import { pageSide, type PageSide } from './page-models.js';
import { callPageTool, isPageTool, pageTool } from './page-tools.js';
import { channelOf } from './shared-calls.js';

/** Milliseconds in which a worker that holds the session answers a viewer, where no Web Lock tells whether there is one. */
const HOLDER_ANSWERS = 1_000;

/** Milliseconds in which a page asks for what it shows first, before the rest of its session is read. */
const FIRST_PAINT = 100;

/** What is asked of a worker, and not of its session. */
const OF_THIS_WORKER: ReadonlySet<keyof HostApi> = new Set<keyof HostApi>(['open', 'beat', 'close']);

/** Makes what works in a session: one role, or a team; from what the page gave as `config`, and what else it has. */
export type CreateRoles<Config> = (config: Config, page: PageSide) => Role | Team | Promise<Role | Team>;

/** One session as the page drives it, or looks on at it: thin, everything that matters is in `Session`. */
export class Host implements HostApi {
  #session: Session | null = null;
  /** Where another worker holds the session and this one waits for it. */
  #onlooker: Onlooker | null = null;
  #audience: Audience | null = null;
  readonly #leaving = new AbortController();
  readonly #events: EventPort;
  #releaseAlive: () => void = () => {};
  #closed = false;

  constructor(
    private readonly create: CreateRoles<never>,
    private readonly storage: () => Storage,
    port: MessagePort,
  ) {
    this.#events = new EventPort(
      port,
      () => this.view(),
      (batch) => this.#audience?.tell(batch),
    );
  }

  /** Answers a call where the session is held, while that is another worker; null when it is to be answered here. */
  readonly elsewhere = (method: keyof HostApi, args: unknown[]): Promise<Result<unknown>> | null =>
    this.#onlooker === null || OF_THIS_WORKER.has(method) ? null : this.#onlooker.call(method, args);

  open(options: OpenOptions, page: MessagePort): Promise<Result<Opened>> {
    return settle(async () => {
      if (this.#session !== null || this.#onlooker !== null) {
        throw new RoleZeroError(
          'session-busy',
          'This worker has a session open already; use one worker a session.',
          {
            session: options.session,
          },
        );
      }
      const aliveLock = this.holdAliveLock();
      const remote = wrap<PageApi>(page);
      const team = await this.team(options, remote);
      const storage = this.storage();
      const { place } = storage;
      const wantsToView = options.view && !options.takeOver && place !== undefined;
      if (wantsToView && !hasWebLocks() && (await this.viewWithoutLocks(options.session, place)))
        return { view: this.view(), aliveLock: null };
      const looksOn = wantsToView && hasWebLocks();
      const opening = Session.begin({
        storage,
        name: options.session,
        ...team,
        takeOver: options.takeOver,
        known: options.known,
        ...(looksOn ? { wait: this.#leaving.signal } : {}),
        emit: (event) => this.tell(event),
        callPage: (callId, name, input, signal) => callPageTool(remote, callId, name, input, signal),
        askPerson: async (question: Question) => unwrap(await remote.ask(question)),
      });
      const held = opening.then((session) => this.hold(session, place));
      await (looksOn ? this.lookOn(options.session, place, held) : held);
      return { view: this.view(), aliveLock: await aliveLock };
    });
  }

  send(text: string, options?: SendOptions): Promise<Result<string>> {
    return this.with(async (session) => (await session.send(text, options)).id);
  }
  resume(): Promise<Result<string>> {
    return this.with(async (session) => (await session.resume()).id);
  }
  stop(): Promise<Result<void>> {
    return this.withBegun((session) => session.stop());
  }
  answer(id: string, text: string): Promise<Result<void>> {
    return this.with(async (session) => {
      await session.answer(id, text);
      this.#events.flush(); // the view has changed
    });
  }
  messages(query?: string | MessageQuery): Promise<Result<MessageData[]>> {
    return this.withBegun((session) => session.newest(query));
  }
  plan(role?: string): Promise<Result<PlanData>> {
    return this.withBegun((session) => session.plan(role));
  }
  inspect(): Promise<Result<Inspection>> {
    return this.with((session) => session.inspect());
  }
  steps(query?: string | StepQuery): Promise<Result<StepTrace[]>> {
    return this.withBegun((session) => session.steps(query));
  }
  searchMemory(query: string, options?: MemoryQuery): Promise<Result<MemoryItem[]>> {
    return this.with((session) => session.memory.search(query, options));
  }
  listMemory(options?: MemoryListQuery): Promise<Result<MemoryItem[]>> {
    return this.with((session) => session.memory.list(options));
  }
  forgetMemory(
    ids: string | readonly string[],
    options?: Pick<MemoryQuery, 'role'>,
  ): Promise<Result<boolean>> {
    return this.with((session) => session.memory.forget(ids, options));
  }
  changeMemory(
    id: string,
    change: MemoryChange,
    options?: Pick<MemoryQuery, 'role'>,
  ): Promise<Result<MemoryItem | null>> {
    return this.with((session) => session.memory.change(id, change, options));
  }
  importMemory(document: unknown, options?: Pick<MemoryQuery, 'role'>): Promise<Result<number>> {
    return this.with((session) => session.memory.import(document, options));
  }
  exportMemory(options?: MemoryExportQuery): Promise<Result<MemoryExport>> {
    return this.with((session) => session.memory.export(options));
  }
  space(): Promise<Result<SessionSpace>> {
    return this.with((session) => session.space());
  }
  usage(): Promise<Result<Usage>> {
    return this.withBegun((session) => session.usage());
  }
  exportSession(): Promise<Result<SessionExport>> {
    return this.with((session) => session.export());
  }
  files(method: FileMethod, args: unknown[]): Promise<Result<unknown>> {
    return this.with((session) => {
      const files = session.files as unknown as Record<FileMethod, (...args: unknown[]) => Promise<unknown>>;
      return files[method](...args);
    });
  }

  beat(): Promise<Result<void>> {
    return settle(() => {});
  }

  close(): Promise<Result<void>> {
    return settle(async () => {
      this.#closed = true;
      this.#leaving.abort();
      this.#onlooker?.close();
      await this.#session?.close();
      this.#events.close();
      this.#audience?.close();
      this.#releaseAlive();
    });
  }

  private async hold(session: Session, place: string | undefined): Promise<void> {
    if (this.#closed) {
      await session.close(); // the page left while the session was being opened
      throw new RoleZeroError('aborted', 'The page is gone.', {});
    }
    const hasLookedOn = this.#onlooker?.view != null;
    this.#onlooker?.close();
    this.#onlooker = null;
    this.#session = session;
    if (place !== undefined)
      this.#audience = new Audience(channelOf(place, session.name), this, () => this.view());
    if (hasLookedOn) this.#events.send({ type: 'session-held' });
    setTimeout(() => void this.load(session), FIRST_PAINT);
  }

  /** Until this worker holds the session: resolves when it does, or when it looks on at another one, and goes on waiting. */
  private async lookOn(session: string, place: string, held: Promise<void>): Promise<void> {
    const onlooker = new Onlooker(session, channelOf(place, session), (batch) => this.#events.pass(batch));
    this.#onlooker = onlooker;
    try {
      await Promise.race([held, onlooker.seated]);
    } catch (error) {
      held.catch(() => {}); // nobody waits for it any more
      this.#leaving.abort();
      onlooker.close();
      this.#onlooker = null;
      throw error;
    }
    held.catch((error: unknown) => {
      if (!this.#closed) this.warn(error);
    });
  }

  /**
   * Becomes a viewer if a worker answers that it holds the session, and returns whether one did. Without Web Locks, opening the session
   * would take it over. Nothing tells when the other worker releases it, so this one stays a viewer.
   */
  private async viewWithoutLocks(session: string, place: string): Promise<boolean> {
    const channel = channelOf(place, session);
    const onlooker = new Onlooker(session, channel, (batch) => this.#events.pass(batch), HOLDER_ANSWERS);
    try {
      await onlooker.seated;
      this.#onlooker = onlooker;
      return true;
    } catch {
      onlooker.close();
      return false;
    }
  }

  private tell(event: AgentEvent): void {
    if (event.type === 'warning' && event.code === 'session-fenced') this.#audience?.close(); // whoever took it over shows it now
    this.#events.send(event);
  }

  private warn(error: unknown): void {
    const { code, message, detail } = toRoleZeroError(error);
    this.#events.send({ type: 'warning', code, message, detail });
  }

  private view(): SessionView {
    const seen = this.#onlooker?.view ?? null;
    if (seen !== null) return seen;
    const session = this.#session;
    const running = session?.running ?? null;
    const lastRun: RunResult | null = session?.lastRun ?? null;
    return {
      waiting: session?.waiting ?? null,
      resumable: session?.resumable ?? false,
      running: running?.id ?? null,
      viewing: false,
      lastRun: lastRun && { status: lastRun.status, summary: lastRun.summary, error: lastRun.error },
      position: session?.position ?? null,
    };
  }

  /** All of the session, behind what the page shows first. What goes wrong is told now, and by every call that needs it. */
  private async load(session: Session): Promise<void> {
    try {
      await session.loaded();
    } catch (error) {
      if (!this.#closed) this.warn(error);
    }
  }

  private with<Value>(call: (session: Session) => Value | Promise<Value>): Promise<Result<Value>> {
    return this.withBegun(async (session) => {
      await session.loaded();
      return call(session);
    });
  }

  private withBegun<Value>(call: (session: Session) => Value | Promise<Value>): Promise<Result<Value>> {
    return settle(() => {
      if (this.#session === null || this.#closed) {
        throw new RoleZeroError('worker-lost', 'The session is not open in this worker.', {});
      }
      return call(this.#session);
    });
  }

  private async team(options: OpenOptions, page: Remote<PageApi>): Promise<Team> {
    const made = await this.makeRoles(options, page);
    const team: Team = 'roles' in made ? made : { roles: [made] };
    for (const role of everybody(team)) {
      if (!(role instanceof RoleZero)) continue;
      for (const descriptor of options.tools) {
        if (descriptor.part !== true) addPageTool(role, pageTool(descriptor, page));
      }
    }
    return team;
  }

  private async makeRoles({ config, models }: OpenOptions, page: Remote<PageApi>): Promise<Role | Team> {
    let made: unknown;
    try {
      made = await this.create(config as never, pageSide(models, page));
    } catch (error) {
      if (config !== undefined || !(error instanceof TypeError)) throw error;
      throw new RoleZeroError(
        'invalid',
        'The function given to serve() failed, and connect() was given no `config`. Give connect({ config }) what that function reads from it.',
        {},
        error,
      );
    }
    if (
      isRecord(made) &&
      ('roles' in made ? Array.isArray(made['roles']) : typeof made['attach'] === 'function')
    )
      return made as unknown as Role | Team;
    const fix = made === undefined ? ' Does it lack a `return`?' : '';
    throw new RoleZeroError(
      'invalid',
      `The function given to serve() must return a role, or a team { roles: [ … ] }, but returned ${describeValue(made)}.${fix}`,
    );
  }

  /** Holds a lock for as long as this worker lives: whoever asks for it is granted it at the worker's death, however it dies. */
  private async holdAliveLock(): Promise<string | null> {
    if (!hasWebLocks()) return null; // not a secure context
    const { locks } = navigator;
    const name = `rolezero-alive:${newId()}`;
    const released = new Promise<void>((resolve) => (this.#releaseAlive = resolve));
    await new Promise<void>((held) => {
      void locks.request(name, () => {
        held();
        return released;
      });
    });
    return name;
  }
}

function hasWebLocks(): boolean {
  return (navigator as { locks?: LockManager }).locks !== undefined;
}

/** @throws RoleZeroError `invalid` when the role has a tool of its own of that name: the model could call only one of them. */
function addPageTool(role: RoleZero, tool: Tool): void {
  const { name } = tool;
  const own = role.registry.tools.find((known) => known.name === name);
  if (own !== undefined && !isPageTool(own))
    throw new RoleZeroError(
      'invalid',
      `The page tool ${name} has the name of a tool of role ${role.name}. Rename one of them.`,
      { name, role: role.name },
    );
  role.registry.register(tool);
}
