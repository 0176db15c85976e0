import { expose, releaseProxy, transfer, wrap, type Remote } from 'comlink';
import { describeAsSentence, RoleZeroError, toRoleZeroError } from '../core/error.js';
import { checkFileSizes, type SizeLimits } from '../core/file-limits.js';
import { isRecord } from '../core/json.js';
import {
  PROTOCOL_VERSION,
  readReady,
  type Handshake,
  type HostApi,
  type OpenOptions,
  type PageApi,
  type SessionView,
} from '../wire/protocol.js';
import { unwrap, type Result } from '../wire/results.js';
import {
  type MethodArguments,
  type MethodName,
  type MethodResult,
  isChange,
  type MethodTable,
} from '../wire/session-api.js';
import { checkedPage, readVerbs, readView } from './checked-page.js';

/** Time limit in milliseconds for a worker's answer to the handshake; its script may have to be compiled first. */
const START_TIMEOUT = 15_000;
/** Number of heartbeats in a row that may be missed. */
const BEATS = 6;

/** Default of `ConnectOptions.hungAfterMs`. */
const HUNG_AFTER = 30_000;
const WORKER_GONE =
  'The agent worker is gone: it was terminated, or it crashed. Nothing committed is lost; connect again.';
const DIED_OPENING =
  'The agent worker died or hung while it opened the session. Nothing committed is lost; connect again. If it happens each time, check that the function given to serve() returns.';

type Ask<Value> = (host: Remote<HostApi>) => Promise<Result<Value>>;

/** The connection to one worker. Calls reject when the worker is gone. */
export class WorkerLink {
  readonly #worker: Worker;
  /** The page created the worker, and so may end it. */
  readonly #isOwned: boolean;
  readonly #host: Remote<HostApi>;
  #lost: RoleZeroError | null = null;
  /** The lock that the worker holds while it exists; null without Web Locks. */
  readonly #aliveLock: string | null;
  /** Called when the worker is gone after its session was opened. */
  #onLost: () => void = () => {};
  /** Null until the session is open. */
  #limits: SizeLimits | null = null;
  /** Rejects each pending call when the worker is gone. A finished call is removed. */
  readonly #pending = new Set<(error: RoleZeroError) => void>();
  readonly #watch = new AbortController();

  private constructor(worker: Worker, isOwned: boolean, host: Remote<HostApi>, aliveLock: string | null) {
    this.#worker = worker;
    this.#isOwned = isOwned;
    this.#host = host;
    this.#aliveLock = aliveLock;
    if (aliveLock !== null) void this.#watchLock(aliveLock);
  }

  /**
   * Connects to a worker. @throws RoleZeroError `worker-start` when the script does not load, fails, or does not answer within `timeout`
   * milliseconds. Its detail `retryable` says whether another worker may start.
   */
  static async open(
    worker: Worker,
    isOwned: boolean,
    receive: (batch: unknown) => void,
    timeout = START_TIMEOUT,
  ): Promise<WorkerLink> {
    let aliveLock: string | null;
    try {
      aliveLock = await ready(worker, timeout);
    } catch (error) {
      if (isOwned) worker.terminate();
      throw error;
    }
    const { port1, port2 } = new MessageChannel();
    post(worker, { rolezero: 'connect', port: port2 }, [port2]);
    const link = new WorkerLink(worker, isOwned, wrap<HostApi>(port1), aliveLock);
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      if (isRecord(data) && data['events'] !== undefined) receive(data); // other messages are answers to calls
    };
    port1.addEventListener('message', onMessage, { signal: link.#watch.signal });
    return link;
  }

  /**
   * Opens the session. `onLost` is called when the worker dies later. It is also called when a worker that the page created hangs for
   * `patience` milliseconds; 0 disables that check.
   *
   * @throws RoleZeroError `worker-lost` when the worker dies or hangs meanwhile, or what the worker reports.
   */
  async openSession(
    options: OpenOptions,
    page: PageApi,
    onLost: () => void,
    patience = HUNG_AFTER,
  ): Promise<{ view: SessionView; verbs: Readonly<Record<string, string>> }> {
    let isOpen = false;
    const onHung = (): void => {
      this.#lose(isOpen ? WORKER_GONE : DIED_OPENING);
      if (isOpen) onLost();
    };
    // Before the call: the page would wait forever for a worker that dies or hangs while it opens the session.
    const stop = patience > 0 ? this.#listen(patience, onHung) : () => {};
    const { view, limits, verbs } = await this.#ask((host) => host.open(options, this.#offer(page)));
    isOpen = true;
    this.#limits = limits;
    this.#onLost = onLost;
    if (!this.#isOwned) stop();
    return { view: readView(view), verbs: readVerbs(verbs) };
  }

  /**
   * Calls a method of the session. Files that are too large are not copied to the worker.
   * @throws RoleZeroError what the worker reports, `worker-lost`, or `invalid` for a file that is too large.
   */
  async call<Name extends MethodName>(name: Name, args: MethodArguments<Name>): Promise<MethodResult<Name>> {
    if (this.#limits !== null) checkFileSizes(filesInArguments(name, args), this.#limits);
    // The only place where the page relies on the worker to return the types of the table.
    return this.#ask((host) => host.callMethod(name, args) as Promise<Result<MethodResult<Name>>>);
  }

  /**
   * Returns whether the worker still exists. A terminated worker that hangs in code of the browser does not end, and keeps its locks: in Firefox,
   * `new Worker` in a worker can wait forever.
   */
  async exists(): Promise<boolean> {
    if (this.#aliveLock === null) return false;
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === this.#aliveLock);
  }

  /** Closes the session and waits for its last commit. */
  close(): Promise<void> {
    return this.#ask((host) => host.close());
  }

  /** @throws RoleZeroError what the worker reports, or `worker-lost`. */
  async #ask<Value>(ask: Ask<Value>): Promise<Value> {
    const result = await new Promise<Result<Value>>((resolve, reject) => {
      if (this.#lost !== null) {
        reject(this.#lost);
        return;
      }
      this.#pending.add(reject);
      callWorker(() => ask(this.#host))
        .then(resolve, reject)
        .finally(() => this.#pending.delete(reject));
    });
    return unwrap(result);
  }

  /**
   * Returns a port for the worker to call the page. This side closes it when the worker releases the session or dies. If the worker had to
   * close it, it would keep all of the session on the page in memory for its lifetime.
   */
  #offer(page: PageApi): MessagePort {
    const { port1, port2 } = new MessageChannel();
    expose(checkedPage(page), port1);
    this.#watch.signal.addEventListener('abort', () => port1.close(), { once: true });
    return transfer(port2, [port2]);
  }

  /** Detects the worker's end, for whatever reason, through the lock it holds. */
  async #watchLock(lock: string): Promise<void> {
    const { signal } = this.#watch;
    try {
      // After the data of the site was cleared, Chromium shows a page no locks of new workers: heartbeats remain.
      if (!(await this.exists())) return;
      await navigator.locks.request(lock, { mode: 'shared', signal }, () => {
        this.#lose(WORKER_GONE);
        this.#onLost();
      });
    } catch {
      // aborted by `disconnect`
    }
  }

  /**
   * Sends heartbeats, and gives up on the worker after `patience` milliseconds without an answer. Counts heartbeats instead of time,
   * because a machine that slept has missed none. Returns a function that stops the heartbeats.
   */
  #listen(patience: number, onHung: () => void): () => void {
    let missed = 0;
    const timer = setInterval(() => {
      if (missed === BEATS) {
        clearInterval(timer);
        onHung();
        return;
      }
      missed += 1;
      this.#host.beat().then(
        () => (missed = 0),
        () => {}, // the worker is gone, which is detected elsewhere
      );
    }, patience / BEATS);
    const stop = (): void => clearInterval(timer);
    this.#watch.signal.addEventListener('abort', stop, { once: true });
    return stop;
  }

  /** Rejects all pending and later calls with `worker-lost`. */
  #lose(message: string): void {
    this.#lost ??= new RoleZeroError('worker-lost', message, {});
    for (const reject of this.#pending) reject(this.#lost);
    this.#pending.clear();
  }

  /** Closes the session without waiting for an answer, and terminates the worker if the page created it. */
  disconnect(): void {
    this.#watch.abort();
    post(this.#worker, { rolezero: 'disconnect' });
    this.#lose('The session was closed.');
    this.#host[releaseProxy]();
    if (this.#isOwned) this.#worker.terminate();
  }
}

/** Returns the files in the arguments of a call, which may be of any kind. */
function filesInArguments(
  name: MethodName,
  args: readonly unknown[],
): { path: string; content?: string | Uint8Array }[] {
  const [first, content] = args;
  const given = name === 'files.write' ? [{ path: first, content }] : name === 'files.writeAll' ? first : [];
  return Array.isArray(given) ? given.filter(isFile) : [];
}

function isFile(value: unknown): value is { path: string; content?: string | Uint8Array } {
  return isRecord(value) && typeof value['path'] === 'string';
}

/** Converts errors to a `RoleZeroError`, with an `invalid` error for values that cannot be cloned. */
async function callWorker<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'DataCloneError') throw toRoleZeroError(error);
    throw new RoleZeroError(
      'invalid',
      `Cannot send this value to the worker: ${describeAsSentence(error)} It must be plain data that structuredClone() accepts: no functions, no DOM elements, no class instances.`,
      {},
      error,
    );
  }
}

/** Resolves with the name of its lock when the worker is ready. @throws RoleZeroError `worker-start`. */
function ready(worker: Worker, timeout: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const settle = (result: string | null | RoleZeroError): void => {
      clearTimeout(timer);
      worker.removeEventListener('error', onError);
      worker.removeEventListener('message', onMessage);
      if (result instanceof RoleZeroError) reject(result);
      else resolve(result);
    };
    const timer = setTimeout(() => settle(noAnswer(timeout)), timeout);
    const onError = (event: Event): void => {
      event.preventDefault();
      settle(scriptError(event));
    };
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      const answer = readReady(data);
      if (answer === null) return;
      settle(answer.version === PROTOCOL_VERSION ? answer.aliveLock : otherVersion(answer.version));
    };
    worker.addEventListener('error', onError);
    worker.addEventListener('message', onMessage);
    post(worker, { rolezero: 'hello' });
  });
}

function notStarted(message: string, retryable: boolean, cause?: unknown): RoleZeroError {
  const detail = { retryable };
  return new RoleZeroError('worker-start', `Could not start the agent worker: ${message}`, detail, cause);
}

function noAnswer(timeout: number): RoleZeroError {
  return notStarted(
    `it did not answer within ${timeout / 1000} seconds. Either it was terminated or it hangs, or its file does not call serve() at its top level, before any await. In Vite 7 or older, add 'rolezero' to optimizeDeps.exclude.`,
    true,
  );
}

/** A script that does not load raises an Event without a message: the browser gives no details. */
function scriptError(event: Event): RoleZeroError {
  const { message, filename, error } = event as { message?: string; filename?: string; error?: unknown };
  if (message) return notStarted(`${message}${filename ? ` (${filename})` : ''}.`, false, error);
  return notStarted(
    "its script did not load. Either its URL is wrong (404, or the server answered with an HTML page), a Content-Security-Policy blocked it, or an import in it could not be resolved: in a worker without a bundler, an import such as 'rolezero/worker' needs a full URL. Check the URL given to new Worker(), and the browser's network log.",
    true,
  );
}

function otherVersion(version: number): RoleZeroError {
  return notStarted(
    `it speaks version ${version} of the protocol, this page ${PROTOCOL_VERSION}. Build page and worker with the same rolezero.`,
    false,
  );
}

function post(worker: Worker, message: Handshake, transfer: Transferable[] = []): void {
  worker.postMessage(message, transfer);
}

interface CallOptions {
  /** Returns the number of commits of the session that the page knows of. */
  head: () => number | undefined;
  /** The worker recognizes a repetition, so the call is always repeated. This runs before; an error rejects the call. */
  onRepeat?: () => unknown;
}

/**
 * Calls the worker of a session, and survives its replacement: calls wait until there is a worker again. A call that was interrupted is
 * repeated when it only reads, or when nothing was stored meanwhile.
 */
export class WorkerCalls {
  readonly #session: string;
  #link: WorkerLink | null = null;
  #failure: RoleZeroError | null = null;
  #wake: (() => void)[] = [];

  constructor(session: string) {
    this.#session = session;
  }

  /** Sends waiting and later calls to this worker. */
  open(link: WorkerLink): void {
    this.#set(link, null);
  }

  /** Makes calls wait: the worker is being replaced. */
  hold(): void {
    this.#set(null, null);
  }

  /** Rejects waiting and later calls. */
  fail(error: RoleZeroError): void {
    this.#set(null, error);
  }

  /** @throws RoleZeroError what the worker reports, why there is no worker, or `interrupted` when the outcome of the call is not known. */
  async call<Name extends MethodName>(
    name: Name,
    args: MethodArguments<Name>,
    { head, onRepeat }: CallOptions,
  ): Promise<MethodResult<Name>> {
    for (let before: number | undefined, isRepeated = false; ; isRepeated = true) {
      const link = await this.#connected();
      if (isRepeated) {
        onRepeat?.();
        if (onRepeat === undefined && isChange(name) && head() !== before) throw this.#interrupted(name);
      }
      before = head();
      try {
        return await link.call(name, args);
      } catch (error) {
        if (link === this.#link || toRoleZeroError(error).code !== 'worker-lost') throw error;
      }
    }
  }

  /** Like `call`. When the answer is repeated and its question is closed, the first attempt was stored. */
  async answer(args: MethodArguments<'answer'>, head: CallOptions['head']): Promise<void> {
    const attempts = { repeated: 0 };
    try {
      await this.call('answer', args, { head, onRepeat: () => (attempts.repeated += 1) });
    } catch (error) {
      if (attempts.repeated === 0 || toRoleZeroError(error).code !== 'not-found') throw error;
    }
  }

  async #connected(): Promise<WorkerLink> {
    while (this.#link === null) {
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    return this.#link;
  }

  #set(link: WorkerLink | null, failure: RoleZeroError | null): void {
    this.#link = link;
    this.#failure = failure;
    if (link !== null || failure !== null) for (const wake of this.#wake.splice(0)) wake();
  }

  #interrupted(name: MethodName): RoleZeroError {
    return new RoleZeroError(
      'interrupted',
      `The agent worker was lost during ${name}(), and a new one continues the session. Something was stored meanwhile, perhaps by this call: check that, then call again if necessary.`,
      { session: this.#session, call: name },
    );
  }
}

/** Calls a method of the session in the worker. */
export type CallMethod = (name: MethodName, args: unknown[]) => Promise<unknown>;

/** Returns an object with a method for each entry of the table, which calls the method of that name in the worker. */
export function remoteMethods<Group>(prefix: string, table: MethodTable<Group>, call: CallMethod): Group {
  const methods = Object.keys(table).map((name) => [
    name,
    (...args: unknown[]) => call(`${prefix}.${name}` as MethodName, args),
  ]);
  return Object.fromEntries(methods) as Group;
}
