import { RoleZeroError } from '../../base/error.js';

/** How long a call may take, in milliseconds; `Infinity` for no limit. Keep-alive comments of a server count as signs of life. */
export interface TimeLimits {
  /** Silence until the reply begins; default 120,000. Reading a long prompt takes a slow machine its time. */
  firstByteMs: number;
  /** Silence once the reply has begun; default 30,000. */
  idleMs: number;
  /** The whole call, repeated requests and waits between them included; default 600,000. */
  totalMs: number;
}

export const DEFAULT_TIME_LIMITS: TimeLimits = { firstByteMs: 120_000, idleMs: 30_000, totalMs: 600_000 };

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How long one call is waited for: until its caller aborts, a silence lasts too long, or its time is up. Then `signal` aborts. */
export class Patience {
  readonly #caller: AbortSignal;
  readonly signal: AbortSignal;
  readonly #lost = new AbortController();
  readonly #total: Timer;

  constructor(
    caller: AbortSignal,
    readonly limits: TimeLimits,
  ) {
    this.#caller = caller;

    this.signal = AbortSignal.any([caller, this.#lost.signal]);
    this.#total = timer(limits.totalMs, () => {
      this.#lost.abort(timedOut('total', limits.totalMs, 'The model did not finish its reply'));
    });
  }

  /** What `work` comes to. Throws `aborted` or `model-timeout` at once when patience ends, whatever `work` does then. */
  async during<T>(work: Promise<T>): Promise<T> {
    let stop: (() => void) | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      stop = () => reject(this.#reason());
      this.signal.addEventListener('abort', stop, { once: true });
      if (this.signal.aborted) stop();
    });
    try {
      return await Promise.race([work, ended]);
    } catch (error) {
      throw this.signal.aborted ? this.#reason() : error; // an aborted fetch may reject first, with words of its own
    } finally {
      if (stop) this.signal.removeEventListener('abort', stop);
    }
  }

  /** The same, and no longer than the limit. */
  async within<T>(work: Promise<T>, limit: 'firstByteMs' | 'idleMs'): Promise<T> {
    const milliseconds = this.limits[limit];
    const silence = timer(milliseconds, () => {
      this.#lost.abort(
        limit === 'firstByteMs'
          ? timedOut('first-byte', milliseconds, 'The model did not begin to reply')
          : timedOut('idle', milliseconds, 'The model fell silent in the middle of its reply: nothing came'),
      );
    });
    try {
      return await this.during(work);
    } finally {
      clearTimeout(silence);
    }
  }

  /** The same, or undefined once it takes too long: for what is nice to have. */
  async atMost<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
    let late: Timer;
    try {
      const lateness = new Promise<undefined>(
        (resolve) => (late = timer(milliseconds, () => resolve(undefined))),
      );
      return await this.during(Promise.race([work, lateness]));
    } finally {
      clearTimeout(late);
    }
  }

  /** Does nothing for a while. */
  async pause(milliseconds: number): Promise<void> {
    let pause: Timer;
    try {
      await this.during(new Promise<void>((resolve) => (pause = timer(milliseconds, resolve))));
    } finally {
      clearTimeout(pause);
    }
  }

  /** @throws RoleZeroError `aborted` or `model-timeout` when patience has ended. */
  check(): void {
    if (this.signal.aborted) throw this.#reason();
  }

  /** The call is over: no timer stays, and a connection that is still open is closed. */
  end(): void {
    clearTimeout(this.#total);
    this.#lost.abort(new RoleZeroError('aborted', 'The reply is not read any further.'));
  }

  #reason(): RoleZeroError {
    if (this.#caller.aborted) return new RoleZeroError('aborted', 'Stopped.', {}, this.#caller.reason);
    return this.#lost.signal.reason as RoleZeroError; // nothing but the errors above
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** A timer longer than 2^31 ms would fire at once. */
function timer(milliseconds: number, then: () => void): Timer {
  return milliseconds > LONGEST_TIMER_MS ? undefined : setTimeout(then, milliseconds);
}

function timedOut(limit: 'first-byte' | 'idle' | 'total', milliseconds: number, what: string): RoleZeroError {
  const option = { 'first-byte': 'firstByteMs', idle: 'idleMs', total: 'totalMs' }[limit];
  return new RoleZeroError(
    'model-timeout',
    `${what} within ${milliseconds / 1000} s. If it needs longer, raise timeouts.${option}.`,
    { limit, milliseconds, retryable: limit !== 'total' },
  );
}
