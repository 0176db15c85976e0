import { expose, releaseProxy, transfer, wrap, type Remote } from 'comlink';
import { describeAsSentence, RoleZeroError, toRoleZeroError } from '../base/error.js';
import { isRecord } from '../base/json.js';
import {
  PROTOCOL_VERSION,
  readHandshake,
  type Handshake,
  type HostApi,
  type PageApi,
} from '../wire/protocol.js';
import { unwrap, type Result } from '../wire/results.js';

/** Milliseconds a worker may take to answer the handshake; its script may have to be compiled first. */
const START_TIMEOUT = 15_000;
/** Signs of life in a row that may be missed. */
const BEATS = 6;

/** The connection to one worker: calls that reject when the worker is gone. */
export class WorkerLink {
  #lost: RoleZeroError | null = null;
  /** How each call under way is told that the worker is gone; a call that is over leaves nothing behind. */
  readonly #pending = new Set<(error: RoleZeroError) => void>();
  readonly #watch = new AbortController();

  private constructor(
    readonly worker: Worker,
    private readonly host: Remote<HostApi>,
  ) {}

  /** @throws RoleZeroError `worker-start` when the script does not load, fails, or does not answer. */
  static async open(
    worker: Worker,
    hear: (batch: unknown) => void,
    timeout = START_TIMEOUT,
  ): Promise<WorkerLink> {
    await ready(worker, timeout);
    const { port1, port2 } = new MessageChannel();
    post(worker, { rolezero: 'connect', port: port2 }, [port2]);
    const link = new WorkerLink(worker, wrap<HostApi>(port1));
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      if (isRecord(data) && data['events'] !== undefined) hear(data); // the rest are answers to calls
    };
    port1.addEventListener('message', onMessage, { signal: link.#watch.signal });
    return link;
  }

  /** Asks the worker. @throws RoleZeroError what went wrong there, or `worker-lost`. */
  async call<Value>(ask: (host: Remote<HostApi>) => Promise<Result<Value>>): Promise<Value> {
    const result = await new Promise<Result<Value>>((resolve, reject) => {
      if (this.#lost !== null) {
        reject(this.#lost);
        return;
      }
      this.#pending.add(reject);
      asked(() => ask(this.host))
        .then(resolve, reject)
        .finally(() => this.#pending.delete(reject));
    });
    return unwrap(result);
  }

  /**
   * The way for the worker to call the page, to be handed over in a call. It is closed here, when the worker lets go or dies: one that is
   * left to the worker to give back keeps all of the session on the page for as long as that worker lives.
   */
  offer(page: PageApi): MessagePort {
    const { port1, port2 } = new MessageChannel();
    expose(page, port1);
    this.#watch.signal.addEventListener('abort', () => port1.close(), { once: true });
    return transfer(port2, [port2]);
  }

  /** Notices the worker's death, however it dies, by the lock it held while it lived. */
  watch(lock: string, onLost: () => void): void {
    const watching = navigator.locks.request(lock, { mode: 'shared', signal: this.#watch.signal }, () => {
      this.lose(
        'The agent worker is gone: it was terminated, or it crashed. Nothing committed is lost; connect again.',
      );
      onLost();
    });
    watching.catch(() => {}); // given up by close
  }

  /**
   * Asks every now and then whether the worker is still there, and gives up on it after `patience` milliseconds without an answer. Beats
   * are counted, not time: a machine that slept has missed none. Returns how to stop asking.
   */
  listen(patience: number, onHung: () => void): () => void {
    let missed = 0;
    const timer = setInterval(() => {
      if (missed === BEATS) {
        clearInterval(timer);
        onHung();
        return;
      }
      missed += 1;
      this.host.beat().then(
        () => (missed = 0),
        () => {}, // the worker is gone, and that is noticed elsewhere
      );
    }, patience / BEATS);
    const stop = (): void => clearInterval(timer);
    this.#watch.signal.addEventListener('abort', stop, { once: true });
    return stop;
  }

  /** Every pending and later call rejects with `worker-lost`. */
  lose(message: string): void {
    this.#lost ??= new RoleZeroError('worker-lost', message, {});
    for (const reject of this.#pending) reject(this.#lost);
    this.#pending.clear();
  }

  /** Lets the worker's session go without waiting for an answer. */
  disconnect(): void {
    this.#watch.abort();
    post(this.worker, { rolezero: 'disconnect' });
    this.lose('The session was closed.');
    this.host[releaseProxy]();
  }
}

/** What cannot be sent, or does not come back in one piece, is told by name as well. */
async function asked<Value>(ask: () => Promise<Value>): Promise<Value> {
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

/** Resolves when the worker listens. */
function ready(worker: Worker, timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (message: string, cause?: unknown): void => {
      done();
      reject(new RoleZeroError('worker-start', `Could not start the agent worker: ${message}`, {}, cause));
    };
    const timer = setTimeout(() => {
      fail(
        `it did not answer within ${timeout / 1000} seconds. Its file must call serve() at its top level, before any await. In Vite 7 or older, add 'rolezero' to optimizeDeps.exclude.`,
      );
    }, timeout);
    const onError = (event: Event): void => {
      event.preventDefault();
      const { message, filename } = event as Partial<ErrorEvent>;
      // A script that does not load raises a bare Event: the browser does not say more.
      if (!message)
        fail(
          "its script did not load. Either its URL is wrong (404, or the server answered with an HTML page), a Content-Security-Policy blocked it, or an import in it could not be resolved: in a worker without a bundler, an import such as 'rolezero/worker' needs a full URL. Check the URL given to new Worker(), and the browser's network log.",
        );
      else fail(`${message}${filename ? ` (${filename})` : ''}.`, (event as Partial<ErrorEvent>).error);
    };
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      const message = readHandshake(data);
      if (message?.rolezero !== 'ready') return;
      if (message.version !== PROTOCOL_VERSION) {
        fail(
          `it speaks version ${message.version} of the protocol, this page ${PROTOCOL_VERSION}. Build page and worker with the same rolezero.`,
        );
        return;
      }
      done();
      resolve();
    };
    const done = (): void => {
      clearTimeout(timer);
      worker.removeEventListener('error', onError);
      worker.removeEventListener('message', onMessage);
    };
    worker.addEventListener('error', onError);
    worker.addEventListener('message', onMessage);
    post(worker, { rolezero: 'hello' });
  });
}

function post(worker: Worker, message: Handshake, transfer: Transferable[] = []): void {
  worker.postMessage(message, transfer);
}
