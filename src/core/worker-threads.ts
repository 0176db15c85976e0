import { backOff } from './back-off.js';
import { describeAsSentence, RoleZeroError, type ErrorData } from './error.js';
import { onAbort } from './on-abort.js';

/** Maximum number of attempts to load a worker: the network may be away. As many as for a request to a model. */
const START_ATTEMPTS = 6;
/** Milliseconds after which no further attempt begins. */
const START_PATIENCE = 30_000;
/** Milliseconds after which the first worker is loaded ahead of its first command. The session opens before that. */
const PREFETCH_AFTER = 1_000;
/** Milliseconds that a command has, after its time limit, to end on its own. Its worker can then be reused. */
const GRACE = 1000;

/** Message from a worker: it is ready, or the result of a command. */
export type ThreadMessage<Result> = { ready: true } | { result: Result } | { error: ErrorData };

export interface WorkerThreadsOptions {
  /**
   * Milliseconds that a worker has to load and respond.
   *
   * @default 15_000
   */
  startTimeoutMs?: number;
  /**
   * Terminates a worker after its command, because the command may have changed it, and starts the next one ahead.
   *
   * @default false
   */
  isForOneCommand?: boolean;
}

/** One command for a worker. */
interface Work {
  message: unknown;
  transfer: Transferable[];
  timeoutMs: number;
  /** Creates the error for a command that exceeds its time limit. */
  late: () => Error;
}

/**
 * Workers that run one command at a time, started on demand. A command cannot block the agent, and it can be terminated. One worker is cached
 * for the next command. A worker that was terminated or failed is replaced.
 */
export class WorkerThreads<Result> {
  readonly #start: () => Worker;
  readonly #name: string;
  readonly #hint: string;
  readonly #startTimeoutMs: number;
  readonly #isForOneCommand: boolean;
  #spare: Worker | null = null;
  /** A command has needed a worker, so there is nothing to load ahead. */
  #isUsed = false;
  #prefetching: Promise<void> | null = null;

  /** `name`: what runs in the workers, such as "terminal". `hint`: advice if the worker from `start` does not work. */
  constructor(
    start: () => Worker,
    name: string,
    hint: string,
    { startTimeoutMs = 15_000, isForOneCommand = false }: WorkerThreadsOptions = {},
  ) {
    this.#start = start;
    this.#name = name;
    this.#hint = hint;
    this.#startTimeoutMs = startTimeoutMs;
    this.#isForOneCommand = isForOneCommand;
  }

  /**
   * Runs a command to its end. Terminates its worker after the time limit, and when `signal` aborts.
   *
   * @throws RoleZeroError `worker-start` if no worker can be started after several attempts, `tool-failed` if the worker failed.
   */
  async run({ message, transfer, timeoutMs, late }: Work, signal: AbortSignal): Promise<Result> {
    await this.#prefetched(signal);
    const worker = this.#takeSpare() ?? (await this.#started(signal));
    let whole = false;
    try {
      const reply = this.#next(worker, signal, timeoutMs + GRACE, late);
      worker.postMessage(message, transfer);
      const answer = await reply;
      whole = true;
      if ('result' in answer) return answer.result;
      throw 'error' in answer
        ? RoleZeroError.fromData(answer.error)
        : new RoleZeroError('internal', `The worker of the ${this.#name} sent something unexpected.`);
    } finally {
      if (whole && !this.#isForOneCommand) this.#giveBack(worker);
      else worker.terminate();
      if (this.#isForOneCommand) this.#loadAhead();
    }
  }

  #takeSpare(): Worker | null {
    const spare = this.#spare;
    this.#spare = null;
    return spare;
  }

  #giveBack(worker: Worker): void {
    if (this.#spare === null) this.#spare = worker;
    else worker.terminate();
  }

  /**
   * Loads the first worker in idle time, ahead of its first command: the network may be gone by then. A failure has no effect, because the
   * first command tries again.
   */
  prefetch(): void {
    setTimeout(() => {
      if (!this.#isUsed) this.#loadAhead();
    }, PREFETCH_AFTER);
  }

  #loadAhead(): void {
    if (this.#spare !== null || this.#prefetching !== null) return;
    this.#prefetching = this.#attempt(new AbortController().signal)
      .then(
        (worker) => this.#giveBack(worker),
        () => {},
      )
      .finally(() => (this.#prefetching = null));
  }

  /** Waits for the worker that is being loaded ahead, rather than loading another one beside it. */
  async #prefetched(signal: AbortSignal): Promise<void> {
    const loading = this.#prefetching;
    this.#isUsed = true;
    if (loading === null) return;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const forget = onAbort(signal, () => reject(signal.reason as Error));
      void loading.then(() => {
        forget();
        resolve();
      });
    });
  }

  /** Starts a worker. Tries again, with increasing waits, when its script does not load. @throws RoleZeroError `worker-start`. */
  async #started(signal: AbortSignal): Promise<Worker> {
    const until = performance.now() + START_PATIENCE;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(signal);
      } catch (error) {
        signal.throwIfAborted();
        const isPermanent = error instanceof DOMException; // thrown by `new Worker`: the address is not allowed
        if (isPermanent || attempt === START_ATTEMPTS || performance.now() >= until)
          throw this.#notStarted(error, attempt);
        await delay(backOff(attempt, Math.random, null), signal);
      }
    }
  }

  async #attempt(signal: AbortSignal): Promise<Worker> {
    signal.throwIfAborted();
    const worker = this.#start();
    try {
      const late = (): Error => new Error(`no answer in ${this.#startTimeoutMs / 1000} s`);
      const answer = await this.#next(worker, signal, this.#startTimeoutMs, late);
      if ('error' in answer) throw RoleZeroError.fromData(answer.error);
      return worker;
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  /** The model reads it, so it does not end the run. The advice is for the developer, and does not apply while the network is away. */
  #notStarted(cause: unknown, attempts: number): RoleZeroError {
    const isOffline = (navigator as { onLine?: boolean }).onLine === false;
    const advice = isOffline
      ? 'The browser is offline.'
      : `For the developer, if it happens each time: ${this.#hint}`;
    const tries = attempts === 1 ? '' : ` (${attempts} attempts)`;
    const reason = cause instanceof RoleZeroError ? cause.detail['reason'] : undefined;
    const why = describeAsSentence(reason ?? cause);
    return new RoleZeroError(
      'worker-start',
      `The ${this.#name} could not start${tries}: ${why} Try the command again later, or continue without the ${this.#name}. ${advice}`,
      { attempts },
      cause,
    );
  }

  /**
   * Resolves with the next message of a worker. Rejects when the worker fails, when `signal` aborts, and after `timeoutMs` with the error of
   * `late`.
   */
  async #next(
    worker: Worker,
    signal: AbortSignal,
    timeoutMs: number,
    late: () => Error,
  ): Promise<ThreadMessage<Result>> {
    const done = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<ThreadMessage<Result>>((resolve, reject) => {
        signal.throwIfAborted();
        const until = { signal: done.signal };
        timer = setTimeout(() => reject(late()), timeoutMs);
        signal.addEventListener('abort', () => reject(signal.reason as Error), until);
        worker.addEventListener(
          'message',
          ({ data }: MessageEvent<ThreadMessage<Result>>) => resolve(data),
          until,
        );
        worker.addEventListener(
          'messageerror',
          () => reject(this.#broken('a message could not be read')),
          until,
        );
        worker.addEventListener(
          'error',
          (event) => {
            event.preventDefault();
            // A script that fails to load causes an event without a message.
            const { message } = event as Partial<ErrorEvent>;
            reject(
              this.#broken(message === undefined || message === '' ? 'its script did not load' : message),
            );
          },
          until,
        );
      });
    } finally {
      clearTimeout(timer);
      done.abort();
    }
  }

  #broken(reason: string): RoleZeroError {
    return new RoleZeroError(
      'tool-failed',
      `The ${this.#name} broke (${reason}). The next command gets a new one.`,
      { reason },
    );
  }
}

async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, milliseconds);
  });
}
