import { RoleZeroError } from '../../../core/error.js';
import { inTime } from '../../../core/in-time.js';
import { read } from '../../../core/schema.js';
import {
  answerShapes,
  fromDriver,
  type AnswerOf,
  type DialogPolicy,
  type DriverEvent,
  type DriverRequest,
  type RefusalCode,
  type RequestKind,
  type ToDriver,
} from '../protocol.js';

/** Milliseconds that a page may stay silent while a call is pending. */
const SILENCE = 5_000;
const CHECK_MS = 500;
/** Milliseconds in which a driver answers that still runs. */
const MAX_ANSWER_MS = 1_000;
/** Maximum messages per second. A page that sends more is closed. */
const MAX_PAGE_MESSAGES = 2_000;
/** Maximum number of calls pending at the same time. */
const MAX_CALLS = 50;

/** Error with which the driver rejected a request. */
export class Refused extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
  }
}

export interface ConnectionOptions {
  /** Returns the current dialog policy. */
  dialogs: () => DialogPolicy;
  onEvent: (event: DriverEvent) => void;
  /** Called when the connection closes because the page does not respond or sends too many messages. */
  onEnd: (why: string) => void;
}

interface PendingRequest {
  kind: RequestKind;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Connection to the driver of one document through one port. All incoming messages are untrusted, and invalid ones are dropped. A page that
 * does not respond or sends too many messages is closed.
 */
export class PageConnection {
  readonly #port: MessagePort;
  readonly #options: ConnectionOptions;
  readonly #calls = new Map<number, PendingRequest>();
  #lastCall = 0;
  #closed = false;
  /**
   * Milliseconds of watch ticks since the last message, while a call is pending. It counts ticks instead of elapsed time, so a busy host
   * does not make a page appear late.
   */
  #silent = 0;
  #watch: ReturnType<typeof setInterval> | undefined;
  #messages = { second: 0, count: 0 };

  constructor(port: MessagePort, options: ConnectionOptions) {
    this.#port = port;
    this.#options = options;

    port.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
  }

  /**
   * Sends a request to the driver and returns its answer.
   *
   * @throws Refused if the page's driver rejects the request.
   * @throws RoleZeroError `tool-failed` if the page closes before it answers.
   */
  call<Kind extends RequestKind>(request: Extract<DriverRequest, { kind: Kind }>): Promise<AnswerOf<Kind>> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#calls.size >= MAX_CALLS) {
        reject(pageClosed('It is no longer there.'));
        return;
      }
      const id = ++this.#lastCall;
      this.#calls.set(id, {
        kind: request.kind,
        resolve: (value) => resolve(value as AnswerOf<Kind>),
        reject,
      });
      const asked: DriverRequest = request;
      this.#post(
        { type: 'call', id, request },
        asked.kind === 'upload' ? asked.files.map(({ bytes }) => bytes) : [],
      );
      this.#startWatch();
    });
  }

  /** Replies to the event `fetch`. */
  answer(file: Extract<ToDriver, { type: 'file' }>): void {
    this.#post(file, file.body === undefined ? [] : [file.body]);
  }

  /** Returns whether the page's driver still responds. It does not respond after another document has loaded in the frame. */
  async isAlive(): Promise<boolean> {
    if (this.#closed) return false;
    const answer = this.call({ kind: 'dialogs', policy: this.#options.dialogs() }).then(
      () => true,
      (error: unknown) => error instanceof Refused,
    );
    return inTime(answer, MAX_ANSWER_MS, () => false);
  }

  /** Closes the connection. Pending calls reject with the reason `why`. */
  close(why = 'It was closed.'): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#watch);
    this.#port.close();
    for (const call of this.#calls.values()) call.reject(pageClosed(why));
    this.#calls.clear();
  }

  #receive(data: unknown): void {
    if (this.#flooded()) {
      this.#end('It sent too many messages.');
      return;
    }
    this.#silent = 0;
    const result = read(fromDriver, data);
    if (!result.success) return;
    if (result.data.type === 'event') {
      if (!this.#closed) this.#options.onEvent(result.data.event);
      return;
    }
    const { id } = result.data;
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    if (!result.data.ok) {
      call.reject(new Refused(result.data.code, result.data.message));
      return;
    }
    const value = read(answerShapes[call.kind], result.data.value);
    if (value.success) call.resolve(value.data);
    else call.reject(new Refused('failed', 'The page sent an invalid reply.'));
  }

  #flooded(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#messages.second) this.#messages = { second, count: 0 };
    return ++this.#messages.count > MAX_PAGE_MESSAGES;
  }

  /** Starts checking, while calls are pending, whether the page still responds. */
  #startWatch(): void {
    if (this.#watch !== undefined) return;
    this.#silent = 0;
    this.#watch = setInterval(() => {
      if (this.#calls.size === 0) {
        clearInterval(this.#watch);
        this.#watch = undefined;
        return;
      }
      this.#silent += CHECK_MS;
      if (this.#silent >= SILENCE)
        this.#end(`It did not answer for ${SILENCE / 1000} seconds: it may be in an endless loop.`);
      else if (this.#silent === SILENCE / 2) this.#ping();
    }, CHECK_MS);
  }

  /**
   * Sends a request that changes nothing. Any message from the page counts as a response. The answer has an unknown call id, so it is
   * dropped.
   */
  #ping(): void {
    this.#post({ type: 'call', id: -1, request: { kind: 'dialogs', policy: this.#options.dialogs() } });
  }

  #end(why: string): void {
    if (this.#closed) return;
    this.close(why);
    this.#options.onEnd(why);
  }

  #post(message: ToDriver, transfer: Transferable[] = []): void {
    if (!this.#closed) this.#port.postMessage(message, transfer);
  }
}

function pageClosed(why: string): RoleZeroError {
  return new RoleZeroError('tool-failed', `The page was closed. ${why}`);
}
