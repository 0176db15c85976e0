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
import { setSource } from './trusted.js';
import { SANDBOX, type ShowPage, type WrapperMessage } from './wrapper.js';

/** Milliseconds until a page has to be there. */
const OPEN_TIMEOUT = 10_000;
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

export interface PageFrameOptions {
  /** Shows the frame. */
  container: HTMLElement;
  wrapper: { document: string } | { url: string };
  html: string;
  base: string;
  nonce: string;
  /** How dialogs are answered now. */
  dialogs: () => DialogPolicy;
  onEvent: (event: DriverEvent) => void;
  /** The page has left (`to` is an origin, or empty where it is not known), reloaded itself, or is no more. */
  onGone: (gone: Gone) => void;
}

export type Gone = { how: 'left'; to: string } | { how: 'reloaded' } | { how: 'ended'; why: string };

interface Call {
  kind: RequestKind;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * One document in its two frames: the wrapper, which keeps it from going elsewhere, and in it the page, which has no origin and speaks with
 * us over one port. Whatever comes from there may be made up; what does not fit is dropped, and a page that is silent or will not stop
 * talking is ended.
 */
export class PageFrame {
  readonly element: HTMLIFrameElement;
  readonly #driver = new MessageChannel();
  readonly #wrapper = new MessageChannel();
  readonly #calls = new Map<number, Call>();
  #lastCall = 0;
  #closed = false;
  #ready = false;
  #blocked = '';
  /** Ticks since the page was last heard, while something is asked of it: a page is not late because we were busy. */
  #silent = 0;
  #watch: ReturnType<typeof setInterval> | undefined;
  #messages = { second: 0, count: 0 };

  private constructor(
    private readonly options: PageFrameOptions,
    private readonly onReady: () => void,
  ) {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', SANDBOX);
    frame.setAttribute('allow', '');
    frame.setAttribute('credentialless', '');
    frame.referrerPolicy = 'no-referrer';
    frame.title = 'Page';
    this.element = frame;
  }

  /**
   * Shows a document and waits for its driver.
   * @throws RoleZeroError `tool-failed` when it is not there in time, or has gone elsewhere meanwhile.
   */
  static open(options: PageFrameOptions, signal: AbortSignal): Promise<PageFrame> {
    return new Promise((resolve, reject) => {
      const give = (error: Error): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        page.close();
        reject(error);
      };
      const page = new PageFrame(
        {
          ...options,
          onGone: (gone) => {
            if (page.#ready) options.onGone(gone);
            else
              give(
                new RoleZeroError('tool-failed', `The page did not stay: ${sayGone(gone)}`, {
                  gone: gone.how,
                }),
              );
          },
        },
        () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          resolve(page);
        },
      );
      const stop = (): void => give(signal.reason as Error);
      const timer = setTimeout(() => {
        give(
          new RoleZeroError(
            'tool-failed',
            `The page was not there after ${OPEN_TIMEOUT / 1000} seconds; it may be busy without end.`,
          ),
        );
      }, OPEN_TIMEOUT);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      else page.#show();
    });
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
      this.call({ kind: 'dialogs', policy: this.options.dialogs() }).then(
        () => true,
        (error: unknown) => error instanceof Refused,
      ),
    ]);
  }

  close(why = 'It was closed.'): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#watch);
    this.#driver.port1.close();
    this.#wrapper.port1.close();
    this.element.remove();
    for (const call of this.#calls.values()) call.reject(ended(why));
    this.#calls.clear();
  }

  #show(): void {
    const { wrapper, container, html, base, nonce } = this.options;
    this.#driver.port1.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
    this.#wrapper.port1.onmessage = ({ data }: MessageEvent<unknown>) => this.#fromWrapper(data);
    this.element.addEventListener(
      'load',
      () => {
        const message: ShowPage = { rolezero: 'show', base, html, nonce };
        // It has no origin that could be named; only our own wrapper ever stands in this frame.
        this.element.contentWindow?.postMessage(message, '*', [this.#wrapper.port2, this.#driver.port2]);
      },
      { once: true },
    );
    if ('url' in wrapper) this.element.src = wrapper.url;
    else setSource(this.element, wrapper.document);
    container.append(this.element);
  }

  #fromWrapper(data: unknown): void {
    const message = data as WrapperMessage; // the wrapper is ours, and no page can reach its port
    if ('blocked' in message) {
      this.#blocked = message.blocked;
      return;
    }
    if (message.loaded === 1 && this.#blocked === '') return;
    if (this.#blocked !== '') this.options.onGone({ how: 'left', to: this.#blocked });
    else
      void this.isAlive().then((alive) => {
        if (!alive && !this.#closed) this.options.onGone({ how: 'reloaded' });
      });
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
      if (read.data.event.event === 'ready' && !this.#ready) {
        this.#ready = true;
        this.onReady();
      }
      if (!this.#closed) this.options.onEvent(read.data.event);
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
    this.#post({ type: 'call', id: -1, request: { kind: 'dialogs', policy: this.options.dialogs() } });
  }

  #end(why: string): void {
    if (this.#closed) return;
    this.close(why);
    this.options.onGone({ how: 'ended', why });
  }

  #post(message: ToDriver, transfer: Transferable[] = []): void {
    if (!this.#closed) this.#driver.port1.postMessage(message, transfer);
  }
}

function ended(why: string): RoleZeroError {
  return new RoleZeroError('tool-failed', `The page was closed. ${why}`);
}

export function sayGone(gone: Gone): string {
  switch (gone.how) {
    case 'left':
      return `it tried to go to ${gone.to}, where it may not go by itself.`;
    case 'reloaded':
      return 'it reloaded itself.';
    case 'ended':
      return gone.why;
  }
}
