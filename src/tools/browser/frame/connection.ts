import { RoleZeroError } from '../../../base/error.js';
import {
  answerOf,
  fromDriver,
  type AnswerOf,
  type DialogPolicy,
  type DriverEvent,
  type DriverRequest,
  type RefusalCode,
  type RequestKind,
  type ToDriver,
} from '../protocol.js';

/** Milliseconds a page may be silent while something is asked of it. */
const SILENCE = 5_000;
const TICK = 500;
/** Messages a second; a page that sends more is ended. */
const MOST_MESSAGES = 2_000;
/** Calls that may be open at a time. */
const MOST_CALLS = 50;

/** What the driver said no to. */
export class Refused extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
  }
}

export interface ConnectionOptions {
  /** How dialogs are answered now. */
  dialogs: () => DialogPolicy;
  onEvent: (event: DriverEvent) => void;
  /** The page was given up: it is silent, or will not stop talking. */
  onEnd: (why: string) => void;
}

interface Call {
  kind: RequestKind;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * What is said with the driver of one document, over one port. Whatever comes from there may be made up; what does not fit is dropped, and
 * a page that is silent or will not stop talking is given up.
 */
export class Connection {
  readonly #port: MessagePort;
  readonly #options: ConnectionOptions;
  readonly #calls = new Map<number, Call>();
  #lastCall = 0;
  #closed = false;
  /** Ticks since the page was last heard, while something is asked of it: a page is not late because we were busy. */
  #silent = 0;
  #watch: ReturnType<typeof setInterval> | undefined;
  #messages = { second: 0, count: 0 };

  constructor(port: MessagePort, options: ConnectionOptions) {
    this.#port = port;
    this.#options = options;

    port.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
  }

  /** @throws Refused by the page's driver; RoleZeroError `tool-failed` when the page ends meanwhile. */
  call<Kind extends RequestKind>(request: Extract<DriverRequest, { kind: Kind }>): Promise<AnswerOf<Kind>> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#calls.size >= MOST_CALLS) {
        reject(ended('It is no longer there.'));
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

  /** Answers the event `fetch`. */
  answer(file: Extract<ToDriver, { type: 'file' }>): void {
    this.#post(file, file.body === undefined ? [] : [file.body]);
  }

  /** True when the page's driver still answers; it does not when another document stands there. */
  async isAlive(): Promise<boolean> {
    if (this.#closed) return false;
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), 1_000));
    return Promise.race([
      late,
      this.call({ kind: 'dialogs', policy: this.#options.dialogs() }).then(
        () => true,
        (error: unknown) => error instanceof Refused,
      ),
    ]);
  }

  /** Whoever waits for an answer hears `why` there is none. */
  close(why = 'It was closed.'): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#watch);
    this.#port.close();
    for (const call of this.#calls.values()) call.reject(ended(why));
    this.#calls.clear();
  }

  #receive(data: unknown): void {
    if (this.#flooded()) {
      this.#end('It sent more messages than any page needs.');
      return;
    }
    this.#silent = 0;
    const read = fromDriver.safeParse(data);
    if (!read.success) return;
    if (read.data.type === 'event') {
      if (!this.#closed) this.#options.onEvent(read.data.event);
      return;
    }
    const { id } = read.data;
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    if (!read.data.ok) {
      call.reject(new Refused(read.data.code, read.data.message));
      return;
    }
    const value = answerOf[call.kind].safeParse(read.data.value);
    if (value.success) call.resolve(value.data);
    else call.reject(new Refused('failed', 'The page gave an answer that makes no sense.'));
  }

  #flooded(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#messages.second) this.#messages = { second, count: 0 };
    return ++this.#messages.count > MOST_MESSAGES;
  }

  /** While something is asked of the page it is asked now and then whether it is still there. */
  #startWatch(): void {
    if (this.#watch !== undefined) return;
    this.#silent = 0;
    this.#watch = setInterval(() => {
      if (this.#calls.size === 0) {
        clearInterval(this.#watch);
        this.#watch = undefined;
        return;
      }
      this.#silent += TICK;
      if (this.#silent >= SILENCE)
        this.#end(`It did not answer for ${SILENCE / 1000} seconds: it may be in an endless loop.`);
      else if (this.#silent === SILENCE / 2) this.#ping();
    }, TICK);
  }

  /** Something that changes nothing; anything the page answers will do, and an id of no call is dropped when it comes back. */
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

function ended(why: string): RoleZeroError {
  return new RoleZeroError('tool-failed', `The page was closed. ${why}`);
}
