import { wrap } from 'comlink';
import { defined } from '../core/defined.js';
import { RoleZeroError, toRoleZeroError } from '../core/error.js';
import type { AgentEvent, RunResult } from '../core/events.js';
import type { Question } from '../core/human.js';
import type { SessionOpener } from '../core/store.js';
import { DEFAULT_LIMITS } from '../files/file-tree.js';
import { Session } from '../session/session.js';
import type { HostApi, OpenedSession, OpenOptions, PageApi, SessionView } from '../wire/protocol.js';
import { settle, unwrap, type Result } from '../wire/results.js';
import { isChange, type MethodName } from '../wire/session-api.js';
import { hasWebLocks } from './alive-lock.js';
import { EventPort } from './event-port.js';
import { makeTeam, teamVerbs, type CreateRoles } from './make-team.js';
import { callPageTool } from './page-tools.js';
import { invoke, METHODS, sessionMethods } from './session-methods.js';
import { Audience, channelOf, Viewer } from './viewer.js';

/** Time limit in milliseconds for the owner of a session to answer a viewer. Used where no Web Lock shows whether there is an owner. */
const HOLDER_ANSWERS = 1_000;

/** Milliseconds in which a page requests what it shows first, before the rest of its session is read. */
const FIRST_PAINT = 100;

/** Connects a page to one session, as owner or as viewer. Contains no logic of its own; see `Session`. */
export class Host implements HostApi {
  readonly #create: CreateRoles<never>;
  readonly #storage: () => SessionOpener;
  #session: Session | null = null;
  /** Set where another worker owns the session and this one waits for it. */
  #viewer: Viewer | null = null;
  #audience: Audience | null = null;
  readonly #leaving = new AbortController();
  readonly #events: EventPort;
  #closed = false;

  constructor(create: CreateRoles<never>, storage: () => SessionOpener, port: MessagePort) {
    this.#create = create;
    this.#storage = storage;
    this.#events = new EventPort(
      port,
      () => this.#view(),
      (batch) => this.#audience?.tell(batch),
    );
  }

  open(options: OpenOptions, page: MessagePort): Promise<Result<OpenedSession>> {
    return settle(async () => {
      if (this.#session !== null || this.#viewer !== null) {
        throw new RoleZeroError(
          'session-busy',
          'This worker has a session open already; use one worker a session.',
          {
            session: options.session,
          },
        );
      }
      const remote = wrap<PageApi>(page);
      const team = await makeTeam(this.#create, options, remote);
      const limits = { ...DEFAULT_LIMITS, ...team.limits };
      const verbs = teamVerbs(team);
      const storage = this.#storage();
      const { place } = storage;
      const wantsToView = options.view && !options.takeOver && place !== undefined;
      if (wantsToView && !hasWebLocks() && (await this.#viewWithoutLocks(options.session, place)))
        return { view: this.#view(), limits, verbs };
      const looksOn = wantsToView && hasWebLocks();
      const opening = Session.begin({
        storage,
        name: options.session,
        ...team,
        takeOver: options.takeOver,
        known: options.known,
        ...defined({ wait: looksOn ? this.#leaving.signal : undefined }),
        emit: (event) => this.#tell(event),
        callPage: (callId, name, input, signal) => callPageTool(remote, callId, name, input, signal),
        askUser: async (question: Question) => unwrap(await remote.ask(question)),
      });
      const held = opening.then((session) => this.#hold(session, place));
      await (looksOn ? this.#lookOn(options.session, place, held) : held);
      return { view: this.#view(), limits, verbs };
    });
  }

  /** Calls a method of the session in this worker or, for a viewer tab, in the worker that holds the session. */
  callMethod(method: MethodName, args: unknown[]): Promise<Result<unknown>> {
    if (this.#viewer !== null) return this.#viewer.call(method, args);
    return settle(async () => {
      const session = this.#session;
      if (session === null || this.#closed)
        throw new RoleZeroError('worker-lost', 'The session is not open in this worker.', {});
      if (METHODS.get(method)?.needs !== 'overview')
        await (method.startsWith('files.') && !isChange(method) ? session.filesLoaded() : session.loaded());
      const methods = sessionMethods(session, () => this.#events.flush());
      return invoke(methods, method, args);
    });
  }

  beat(): Promise<Result<void>> {
    return settle(() => {});
  }

  close(): Promise<Result<void>> {
    return settle(async () => {
      this.#closed = true;
      this.#leaving.abort();
      this.#viewer?.close();
      await this.#session?.close();
      this.#events.close();
      this.#audience?.close();
    });
  }

  async #hold(session: Session, place: string | undefined): Promise<void> {
    if (this.#closed) {
      await session.close(); // the page closed while the session was being opened
      throw new RoleZeroError('aborted', 'The page is gone.', {});
    }
    const hasLookedOn = this.#viewer?.view != null;
    this.#viewer?.close();
    this.#viewer = null;
    this.#session = session;
    if (place !== undefined)
      this.#audience = new Audience(channelOf(place, session.name), this, () => this.#view());
    if (hasLookedOn) this.#events.send({ type: 'session-held' });
    setTimeout(() => void this.#load(session), FIRST_PAINT);
  }

  /** Waits until this worker owns the session. Resolves when it does, or when it became a viewer of another owner and continues to wait. */
  async #lookOn(session: string, place: string, held: Promise<void>): Promise<void> {
    const viewer = new Viewer(session, channelOf(place, session), (batch) => this.#events.pass(batch));
    this.#viewer = viewer;
    try {
      await Promise.race([held, viewer.seated]);
    } catch (error) {
      held.catch(() => {}); // the result is no longer needed
      this.#leaving.abort();
      viewer.close();
      this.#viewer = null;
      throw error;
    }
    held.catch((error: unknown) => {
      if (!this.#closed) this.#warn(error);
    });
  }

  /**
   * Becomes a viewer if a worker answers that it owns the session, and returns whether one did. Without Web Locks, opening the session
   * would take it over. Nothing reports when the other worker releases it, so this one stays a viewer.
   */
  async #viewWithoutLocks(session: string, place: string): Promise<boolean> {
    const channel = channelOf(place, session);
    const viewer = new Viewer(session, channel, (batch) => this.#events.pass(batch), HOLDER_ANSWERS);
    try {
      await viewer.seated;
      this.#viewer = viewer;
      return true;
    } catch {
      viewer.close();
      return false;
    }
  }

  #tell(event: AgentEvent): void {
    if (event.type === 'warning' && event.code === 'session-fenced') this.#audience?.close(); // the new owner shows the session now
    this.#events.send(event);
  }

  #warn(error: unknown): void {
    const { code, message, detail } = toRoleZeroError(error);
    this.#events.send({ type: 'warning', code, message, detail });
  }

  #view(): SessionView {
    const seen = this.#viewer?.view ?? null;
    if (seen !== null) return seen;
    const session = this.#session;
    const running = session?.running ?? null;
    const lastRun: RunResult | null = session?.lastRun ?? null;
    return {
      waiting: session?.waiting ?? null,
      resumable: session?.resumable ?? false,
      running: running?.id ?? null,
      viewing: session?.isReadOnly ?? false,
      lastRun,
      position: session?.position ?? null,
      ...defined({ queued: session?.queued }), // before it is open, the page must not take it for an empty queue
    };
  }

  /** Reads the whole session after what the page shows first. An error is reported now, and by every call that needs the data. */
  async #load(session: Session): Promise<void> {
    try {
      await session.loadedBehind();
    } catch (error) {
      if (!this.#closed) this.#warn(error);
    }
  }
}
