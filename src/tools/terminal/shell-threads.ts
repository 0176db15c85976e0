import { describeAsSentence, RoleZeroError } from '../../core/error.js';
import type { Files } from '../../core/files.js';
import { serveFiles } from './file-port.js';
import { tookTooLong, type Shell, type ShellRequest, type ShellResult } from './shell.js';
import type { RunMessage, ThreadMessage } from './thread-messages.js';

/** Milliseconds that a worker has to load and respond. */
const START_TIMEOUT = 15_000;
/** Milliseconds that a command has, after its time limit, to end on its own. Its worker can then be reused. */
const GRACE = 1000;

const HINT =
  "Import terminal from 'rolezero/tools/terminal/inline', which brings the worker along as text (a Content-Security-Policy must " +
  'allow worker-src blob:), or pass terminal({ worker: () => new Worker(…) }).';

/**
 * Shells in their own workers, started on demand. A command line cannot block the agent, and it can be terminated. One worker is cached for
 * the next command. A worker that was terminated or failed is replaced.
 */
export class ShellThreads implements Shell {
  readonly #start: () => Worker;
  readonly #hint: string;
  #spare: Worker | null = null;

  /** `hint`: advice if the worker from `start` does not work. */
  constructor(start: () => Worker, hint = HINT) {
    this.#start = start;
    this.#hint = hint;
  }

  async run(request: ShellRequest, files: Files, signal: AbortSignal): Promise<ShellResult> {
    const worker = this.#takeSpare() ?? (await this.#started(signal));
    const { port1, port2 } = new MessageChannel();
    serveFiles(files, port1);
    let whole = false;
    try {
      const message: RunMessage = { run: request, files: port2 };
      const reply = next(worker, signal, request.timeoutMs + GRACE, () => tookTooLong(request.timeoutMs));
      worker.postMessage(message, [port2]);
      const answer = await reply;
      whole = true;
      if ('result' in answer) return answer.result;
      throw 'error' in answer
        ? RoleZeroError.fromData(answer.error)
        : new RoleZeroError('internal', "The terminal's worker sent something unexpected.");
    } finally {
      port1.close();
      if (whole) this.#giveBack(worker);
      else worker.terminate();
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

  async #started(signal: AbortSignal): Promise<Worker> {
    signal.throwIfAborted();
    let worker: Worker | null = null;
    try {
      worker = this.#start();
      await next(worker, signal, START_TIMEOUT, () => new Error(`no answer in ${START_TIMEOUT / 1000} s`));
      return worker;
    } catch (error) {
      worker?.terminate();
      signal.throwIfAborted();
      throw new RoleZeroError(
        'worker-start',
        `The terminal's worker did not start: ${describeAsSentence(error)} ${this.#hint}`,
        {},
        error,
      );
    }
  }
}

/**
 * Resolves with the next message of a worker. Rejects when the worker fails, when `signal` aborts, and after `timeoutMs` with the error of
 * `late`.
 */
async function next(
  worker: Worker,
  signal: AbortSignal,
  timeoutMs: number,
  late: () => Error,
): Promise<ThreadMessage> {
  const done = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<ThreadMessage>((resolve, reject) => {
      signal.throwIfAborted();
      const until = { signal: done.signal };
      timer = setTimeout(() => reject(late()), timeoutMs);
      signal.addEventListener('abort', () => reject(signal.reason as Error), until);
      worker.addEventListener('message', ({ data }: MessageEvent<ThreadMessage>) => resolve(data), until);
      worker.addEventListener('messageerror', () => reject(broken('a message could not be read')), until);
      worker.addEventListener(
        'error',
        (event) => {
          event.preventDefault();
          // A script that fails to load causes an event without a message.
          const { message } = event as Partial<ErrorEvent>;
          reject(broken(message === undefined || message === '' ? 'its script did not load' : message));
        },
        until,
      );
    });
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

function broken(why: string): RoleZeroError {
  return new RoleZeroError('tool-failed', `The shell broke (${why}). The next command gets a new one.`);
}
