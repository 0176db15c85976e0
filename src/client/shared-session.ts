import { toRoleZeroError, type RoleZeroError } from '../core/error.js';
import type { ClientSession } from './session.js';
import { follow } from './followed-run.js';
import { Listeners } from './listeners.js';

/** Opens a session by its name: `(session) => connect(makeWorker, { session })`, or the same with `spawn`. */
export type OpenSession = (name: string) => Promise<ClientSession>;

/** A session that is being opened, is open, or could not be opened. The object is the same until something changes. */
export interface SessionView {
  /** Null while it is being opened, and when that failed. */
  readonly session: ClientSession | null;
  /** Why it could not be opened, or `worker-lost`; null otherwise. */
  readonly error: RoleZeroError | null;
  /** Closes what there is and opens the session once more: after an error, or with other options. */
  reopen(): void;
}

/** What `useSession` shows on a server. */
export const OPENING_VIEW: SessionView = { session: null, error: null, reopen: () => {} };

const sharedSessions = new Map<string, SharedSession>();

/** Returns the one holder of the session with this name on this page. Holders are never removed: they are small. */
export function sharedSession(name: string): SharedSession {
  const known = sharedSessions.get(name);
  if (known !== undefined) return known;
  const made = new SharedSession(name);
  sharedSessions.set(name, made);
  return made;
}

/**
 * A session that components of one page share: open while at least one of them is there. A session has one writer, so opening and
 * closing follow each other strictly. A component that goes and comes back at once (strict mode, a change of pages) changes nothing.
 */
export class SharedSession {
  readonly #name: string;
  /** How it is opened next; set by the components. */
  opener: OpenSession | null = null;
  readonly #listeners = new Listeners();
  readonly #reopen = (): void => {
    void this.#close();
    if (this.#listeners.size > 0) this.#open();
  };
  #view: SessionView = { session: null, error: null, reopen: this.#reopen };
  /** The opening whose outcome counts. */
  #attempt: { session: ClientSession | null } | null = null;
  /** Everything before the next opening. */
  #before: Promise<void> = Promise.resolve();

  constructor(name: string) {
    this.#name = name;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#attempt === null) this.#open();
    return () => {
      this.#listeners.remove(listener);
      queueMicrotask(() => {
        if (this.#listeners.size === 0) void this.#close();
      });
    };
  };

  readonly view = (): SessionView => this.#view;

  #open(): void {
    const attempt: { session: ClientSession | null } = { session: null };
    this.#attempt = attempt;
    this.#before = this.#before.then(async () => {
      if (this.#attempt !== attempt || this.opener === null) return;
      try {
        attempt.session = await this.opener(this.#name);
      } catch (error) {
        if (this.#attempt === attempt) this.#show(null, toRoleZeroError(error));
        return;
      }
      if (this.#attempt === attempt) this.#opened(attempt.session);
    });
  }

  #opened(session: ClientSession): void {
    follow(session); // before others listen: it collects the warnings that came while there was no listener
    session.on((event) => {
      if (event.type !== 'warning' || event.code !== 'worker-lost' || this.#view.session !== session) return;
      this.#show(null, toRoleZeroError(new Error(event.message), 'worker-lost'));
    });
    this.#show(session, null);
  }

  #close(): Promise<void> {
    const attempt = this.#attempt;
    if (attempt === null) return this.#before;
    this.#attempt = null;
    this.#show(null, null);
    // One that is still being opened is closed as soon as it is open.
    this.#before = this.#before.then(() => (attempt.session === null ? undefined : leave(attempt.session)));
    return this.#before;
  }

  #show(session: ClientSession | null, error: RoleZeroError | null): void {
    if (this.#view.session === session && this.#view.error === error) return;
    this.#view = { session, error, reopen: this.#reopen };
    this.#listeners.tell();
  }
}

/** Closes the session and ignores errors: everything committed is stored. */
async function leave(session: ClientSession): Promise<void> {
  try {
    await session.close();
  } catch (error) {
    reportError(error);
  }
}
