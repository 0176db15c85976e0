import { backOff } from '../../core/back-off.js';
import { RoleZeroError, sentences, stoppedError } from '../../core/error.js';
import type { ChatChunk } from '../../core/model.js';

/** Time limits of a call in ms; `Infinity` for no limit. Keep-alive comments of a server reset the limits on silence. */
export interface TimeLimits {
  /**
   * Maximum silence before the reply starts. Slow machines need time for long prompts.
   * @default 120_000
   */
  firstByteMs: number;
  /**
   * Maximum silence after the reply has started.
   * @default 30_000
   */
  idleMs: number;
  /**
   * Maximum duration of the whole call, including retries and the waits between them.
   * @default 600_000
   */
  totalMs: number;
}

export const DEFAULT_TIME_LIMITS: TimeLimits = { firstByteMs: 120_000, idleMs: 30_000, totalMs: 600_000 };

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Enforces the time limits of one call. `signal` aborts when the caller aborts, a silence is too long, or the total time is over. */
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

  /** Returns the result of `work`. Throws `aborted` or `model-timeout` immediately when the signal aborts, whatever `work` does. */
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
      throw this.signal.aborted ? this.#reason() : error; // an aborted fetch may reject first with a different error
    } finally {
      if (stop) this.signal.removeEventListener('abort', stop);
    }
  }

  /** Like `during`, with a limit on silence. */
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

  /** Like `during`, but resolves to undefined after the given time. For optional work. */
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

  /** Waits for the given time. */
  async pause(milliseconds: number): Promise<void> {
    let pause: Timer;
    try {
      await this.during(new Promise<void>((resolve) => (pause = timer(milliseconds, resolve))));
    } finally {
      clearTimeout(pause);
    }
  }

  /** @throws RoleZeroError `aborted` or `model-timeout` when the signal has aborted. */
  check(): void {
    if (this.signal.aborted) throw this.#reason();
  }

  /** Ends the call: clears the timer and closes a connection that is still open. */
  end(): void {
    clearTimeout(this.#total);
    this.#lost.abort(new RoleZeroError('aborted', 'The reply is not read any further.'));
  }

  #reason(): RoleZeroError {
    if (this.#caller.aborted) return stoppedError(this.#caller);
    return this.#lost.signal.reason as RoleZeroError; // only the errors above
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** Starts a timer. A delay of more than 2^31-1 ms would fire immediately, so it starts none. */
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

/** Retries of a call before any part of its reply was emitted. */
export const DEFAULT_RETRIES = 5;

/** Milliseconds between two chunks of a countdown. */
const TICK = 1_000;

/** The failures of one call so far, and the limit of its retries. */
interface Attempts {
  attempt: number;
  most: number;
  random: () => number;
}

/** Waits before the next attempt. Yields a countdown: a `progress` chunk at once and each second, with the reason. */
export async function* waitToRetry(
  error: RoleZeroError,
  { attempt, most, random }: Attempts,
  patience: Patience,
): AsyncGenerator<ChatChunk, void> {
  const { retryAfterMs, status } = error.detail;
  const asked = typeof retryAfterMs === 'number' ? retryAfterMs : null;
  for (let left = backOff(attempt, random, asked, status === 429); ; left -= TICK) {
    const text = sentences(`Trying again in ${formatSeconds(left)} (${attempt} of ${most})`, error.message);
    yield { type: 'progress', phase: 'waiting', loaded: attempt, total: most, text, retryInMs: left };
    await patience.pause(Math.min(left, TICK));
    if (left <= TICK) return;
  }
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
