import { RoleZeroError } from '../base/error.js';
import { newId } from '../base/new-id.js';
import type { EventBatch, SessionView } from '../wire/protocol.js';
import { settle, type Result } from '../wire/results.js';
import type { MethodName } from '../wire/session-api.js';
import { METHODS } from './session-methods.js';
import { readSaid, type Said } from './shared-calls.js';

/** Milliseconds in which whoever holds the session says so: longer than a worker that was ended in a computation keeps its lock. */
const SEAT_TIMEOUT = 5_000;
/** Milliseconds in which it answers. */
const ANSWER_TIMEOUT = 10_000;

/** A worker that looks on at a session another one holds: it shows what that one tells, and asks it what is shared. */
export class Onlooker {
  /** Resolves when somebody shows the session. @throws RoleZeroError `session-busy` when nobody does. */
  readonly seated: Promise<void>;
  #view: SessionView | null = null;
  #holder = '';
  #seat: () => void = () => {};
  readonly #pending = new Map<string, (result: Result<unknown>) => void>();
  readonly #leave = new AbortController();

  constructor(
    private readonly session: string,
    private readonly channel: BroadcastChannel,
    private readonly show: (batch: EventBatch) => void,
    /** Milliseconds to wait for the worker that holds the session. */
    seatTimeout = SEAT_TIMEOUT,
  ) {
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.hear(data));
    this.seated = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.silent()), seatTimeout);
      this.#leave.signal.addEventListener('abort', () => clearTimeout(timer));
      this.#seat = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.say({ said: 'look' });
  }

  /** How things stand there, as it looks from here; null before anybody has shown it. */
  get view(): SessionView | null {
    return this.#view;
  }

  /** Forwards a call to the worker that holds the session, if viewers may make it. */
  call(method: MethodName, args: unknown[]): Promise<Result<unknown>> {
    if (METHODS.get(method)?.viewer !== true) return settle(() => Promise.reject(this.onlyLooking()));
    const call = newId();
    return new Promise((resolve) => {
      const end = (result: Result<unknown>): void => {
        clearTimeout(timer);
        this.#pending.delete(call);
        resolve(result);
      };
      const timer = setTimeout(() => void this.failed(this.silent()).then(end), ANSWER_TIMEOUT);
      this.#pending.set(call, end);
      this.say({ said: 'call', call, holder: this.#holder, method, args });
    });
  }

  /** What was asked and not answered is answered with `session-busy`: somebody else holds the session now, and may be asked again. */
  close(): void {
    this.#leave.abort();
    this.channel.close();
    this.dropPending();
  }

  private hear(data: unknown): void {
    const message = readSaid(data);
    switch (message?.said) {
      case 'shown':
        if (message.holder !== this.#holder) {
          this.#holder = message.holder;
          this.dropPending();
          this.say({ said: 'look' }); // whoever has begun to hold it does not know of us
        }
        this.#seat();
        this.see(message.view, []);
        break;
      case 'told':
        if (message.holder === this.#holder) this.see(message.batch.view, message.batch.events);
        break;
      case 'result':
        this.#pending.get(message.call)?.(message.result);
        break;
      default:
    }
  }

  private see(view: SessionView, events: EventBatch['events']): void {
    this.#view = { ...view, viewing: true, resumable: false }; // it is resumed there
    this.show({ events, view: this.#view });
  }

  private dropPending(): void {
    for (const end of [...this.#pending.values()]) void this.failed(this.changed()).then(end);
  }

  private failed(error: RoleZeroError): Promise<Result<never>> {
    return settle(() => Promise.reject(error));
  }

  private say(message: Said): void {
    this.channel.postMessage(message);
  }

  private onlyLooking(): RoleZeroError {
    return this.busy(
      "is open in another tab or worker, and this page looks on: it may read, answer and stop, and writes as soon as the other lets the session go (the event 'session-held' tells). To write now, connect with { takeOver: true }, which ends the other one's writing.",
    );
  }

  private silent(): RoleZeroError {
    return this.busy(
      "is open in another tab or worker that does not answer. Close it there, or open it here with { takeOver: true }, which ends the other one's writing.",
    );
  }

  private changed(): RoleZeroError {
    return this.busy('has changed hands before this was answered. Ask again.');
  }

  private busy(what: string): RoleZeroError {
    return new RoleZeroError('session-busy', `Session '${this.session}' ${what}`, { name: this.session });
  }
}
