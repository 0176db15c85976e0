import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import { newId } from '../core/new-id.js';
import type { EventBatch, SessionView, HostApi } from '../wire/protocol.js';
import { settle, type Result } from '../wire/results.js';
import type { MethodName } from '../wire/session-api.js';
import { isBatch, isView } from '../wire/shapes.js';
import { checkedHost } from './checked-host.js';
import { METHODS, isMethodName } from './session-methods.js';

/**
 * Time limit in milliseconds for the owner of the session to announce itself. Longer than the time for which a worker terminated during a
 * computation keeps its lock.
 */
const SEAT_TIMEOUT = 5_000;
/** Time limit in milliseconds for an answer of the owner. */
const ANSWER_TIMEOUT = 10_000;

/** A viewer of a session that another worker owns: shows the events of that worker, and forwards calls that viewers may make. */
export class Viewer {
  readonly #session: string;
  readonly #channel: BroadcastChannel;
  readonly #show: (batch: EventBatch) => void;
  /** Resolves when the owner shows the session. @throws RoleZeroError `session-busy` when there is no owner in time. */
  readonly seated: Promise<void>;
  #view: SessionView | null = null;
  #holder = '';
  #seat: () => void = () => {};
  readonly #pending = new Map<string, (result: Result<unknown>) => void>();
  readonly #leave = new AbortController();

  constructor(
    session: string,
    channel: BroadcastChannel,
    show: (batch: EventBatch) => void,
    /** Milliseconds to wait for the worker that owns the session. */
    seatTimeout = SEAT_TIMEOUT,
  ) {
    this.#session = session;
    this.#channel = channel;
    this.#show = show;
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#hear(data));
    this.seated = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.#silent()), seatTimeout);
      this.#leave.signal.addEventListener('abort', () => clearTimeout(timer));
      this.#seat = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#post({ type: 'look' });
  }

  /** The view of the session, as a viewer sees it; null before the owner has sent one. */
  get view(): SessionView | null {
    return this.#view;
  }

  /** Forwards a call to the worker that owns the session, if viewers may make it. */
  call(method: MethodName, args: unknown[]): Promise<Result<unknown>> {
    if (METHODS.get(method)?.viewer !== true) return settle(() => Promise.reject(this.#onlyLooking()));
    const call = newId();
    return new Promise((resolve) => {
      const end = (result: Result<unknown>): void => {
        clearTimeout(timer);
        this.#pending.delete(call);
        resolve(result);
      };
      const timer = setTimeout(() => void this.#failed(this.#silent()).then(end), ANSWER_TIMEOUT);
      this.#pending.set(call, end);
      this.#post({ type: 'call', call, holder: this.#holder, method, args });
    });
  }

  /** Rejects pending calls with `session-busy`: the session now has another owner, which may be called again. */
  close(): void {
    this.#leave.abort();
    this.#channel.close();
    this.#dropPending();
  }

  #hear(data: unknown): void {
    const message = readSharedMessage(data);
    switch (message?.type) {
      case 'view':
        if (message.holder !== this.#holder) {
          this.#holder = message.holder;
          this.#dropPending();
          this.#post({ type: 'look' }); // a new owner does not know this viewer yet
        }
        this.#seat();
        this.#see(message.view, []);
        break;
      case 'events':
        if (message.holder === this.#holder) this.#see(message.batch.view, message.batch.events);
        break;
      case 'result':
        this.#pending.get(message.call)?.(message.result);
        break;
      default:
    }
  }

  #see(view: SessionView, events: EventBatch['events']): void {
    const queued = view.queued ?? this.#view?.queued ?? [];
    this.#view = { ...view, queued, viewing: true, resumable: false }; // only the owner can resume
    this.#show({ events, view: this.#view });
  }

  #dropPending(): void {
    for (const end of [...this.#pending.values()]) void this.#failed(this.#changed()).then(end);
  }

  #failed(error: RoleZeroError): Promise<Result<never>> {
    return settle(() => Promise.reject(error));
  }

  #post(message: SharedMessage): void {
    this.#channel.postMessage(message);
  }

  #onlyLooking(): RoleZeroError {
    return this.#busy(
      "is open in another tab or worker, and this page is read-only: it can read, answer, stop, and change requests that wait. It can write when the other closes the session (event 'session-held'). To write now, connect with { takeOver: true }; the other one can then no longer write.",
    );
  }

  #silent(): RoleZeroError {
    return this.#busy(
      'is open in another tab or worker that does not answer. Close it there, or open it here with { takeOver: true }; the other one can then no longer write.',
    );
  }

  #changed(): RoleZeroError {
    return this.#busy('was taken over before this was answered. Try again.');
  }

  #busy(what: string): RoleZeroError {
    return new RoleZeroError('session-busy', `Session '${this.#session}' ${what}`, { name: this.#session });
  }
}

/** The viewers in other tabs while this worker owns the session: they receive the events of its page, and may make shared calls. */
export class Audience {
  readonly #channel: BroadcastChannel;
  readonly #host: HostApi;
  readonly #view: () => SessionView;
  readonly #holder = newId();
  /** Set once a viewer has announced itself; no events are posted before. */
  #isThere = false;
  #checked: HostApi | null = null;

  constructor(channel: BroadcastChannel, host: HostApi, view: () => SessionView) {
    this.#channel = channel;
    this.#host = host;
    this.#view = view;
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => void this.#hear(data));
    this.#show(); // for the viewers of the previous owner
  }

  tell(batch: EventBatch): void {
    if (this.#isThere) this.#post({ type: 'events', holder: this.#holder, batch });
  }

  close(): void {
    this.#isThere = false;
    this.#channel.close();
  }

  async #hear(data: unknown): Promise<void> {
    const message = readSharedMessage(data);
    if (message?.type === 'look') {
      this.#isThere = true;
      this.#show();
    } else if (message?.type === 'call' && message.holder === this.#holder) {
      const { call, method, args } = message;
      this.#checked ??= checkedHost(this.#host);
      const result = await this.#checked.callMethod(method, args);
      if (this.#isThere) this.#post({ type: 'result', call, result });
    }
  }

  #show(): void {
    this.#post({ type: 'view', holder: this.#holder, view: this.#view() });
  }

  #post(message: SharedMessage): void {
    this.#channel.postMessage(message);
  }
}

/** Messages on the channel between the worker that owns a session and its viewers. */
type SharedMessage =
  /** A viewer requests the current view, and events from now on. */
  | { type: 'look' }
  | { type: 'call'; call: string; holder: string; method: MethodName; args: unknown[] }
  | { type: 'view'; holder: string; view: SessionView }
  | { type: 'events'; holder: string; batch: EventBatch }
  | { type: 'result'; call: string; result: Result<unknown> };

/** Parses a posted message; returns null for any other, because other code may use the same channel. */
export function readSharedMessage(data: unknown): SharedMessage | null {
  if (!isRecord(data)) return null;
  const { type, call, holder, method, args, view, batch, result } = data;
  switch (type) {
    case 'look':
      return { type };
    case 'call':
      if (typeof call !== 'string' || typeof holder !== 'string' || !Array.isArray(args)) return null;
      // A viewer may read, and it may do what any user who sees a run may do: answer, stop, and change a request that waits.
      return isMethodName(method) && METHODS.get(method)?.viewer
        ? { type, call, holder, method, args }
        : null;
    case 'view':
      return typeof holder === 'string' && isView(view) ? (data as SharedMessage) : null;
    case 'events':
      return typeof holder === 'string' && isBatch(batch) ? (data as SharedMessage) : null;
    case 'result':
      return typeof call === 'string' && isRecord(result) ? (data as SharedMessage) : null;
    default:
      return null;
  }
}

/** Returns the channel of a session, shared by all contexts with the same storage. */
export function channelOf(place: string, session: string): BroadcastChannel {
  return new BroadcastChannel(`rolezero:${place}:${session}`);
}
