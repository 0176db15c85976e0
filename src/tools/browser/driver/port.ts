import type { DriverEvent, DriverRequest, FromDriver, RefusalCode, ToDriver } from '../protocol.js';
import { listen, method, unlisten } from './natives.js';

/** Error with a message for the model, for an action that cannot be done. */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
  }
}

type FileAnswer = Extract<ToDriver, { type: 'file' }>;

/** Connection to the caller of this driver: the frame host, or the driver of the parent page. */
export class HostPort {
  onCall: (request: DriverRequest) => Promise<unknown> = () => Promise.reject(new Error('not ready'));
  onReady: () => void = () => undefined;
  #port: MessagePort | undefined;
  #waiting: FromDriver[] = [];
  readonly #post: (message: unknown) => void;
  readonly #files = new Map<number, (answer: FileAnswer) => void>();
  #lastFile = 0;

  constructor() {
    const post = method(MessagePort.prototype, 'postMessage');
    this.#post = (message) => {
      if (this.#port) post(this.#port, message);
    };
  }

  /** Accepts the port that the parent page sends with this nonce. */
  acceptFromParent(nonce: string): void {
    const accept = (event: MessageEvent<unknown>) => {
      const [port] = event.ports;
      if (event.source !== parent || !port || !isKeyMessage(event.data, nonce)) return;
      event.stopImmediatePropagation();
      unlisten(window, 'message', accept as EventListener, true);
      this.open(port);
    };
    listen(window, 'message', accept as EventListener, true);
  }

  /** Sends an event to the host. Events before the port opens are queued, up to 500. */
  event(event: DriverEvent): void {
    this.#send({ type: 'event', event });
  }

  /** Requests a file from the host. */
  file(request: Omit<Extract<DriverEvent, { event: 'fetch' }>, 'event' | 'id'>): Promise<FileAnswer> {
    const id = ++this.#lastFile;
    return new Promise((resolve) => {
      this.#files.set(id, resolve);
      this.event({ event: 'fetch', id, ...request });
    });
  }

  /** Opens the connection on this port. */
  open(port: MessagePort): void {
    this.#port = port;
    listen(port, 'message', ((event: MessageEvent<ToDriver>) => this.#receive(event.data)) as EventListener);
    port.start();
    this.event({ event: 'ready', title: document.title.slice(0, 200) });
    for (const message of this.#waiting.splice(0)) this.#send(message);
    this.onReady();
  }

  #send(message: FromDriver): void {
    if (this.#port) this.#post(message);
    else if (this.#waiting.length < 500) this.#waiting.push(message);
  }

  #receive(message: ToDriver): void {
    if (message.type === 'file') {
      this.#files.get(message.id)?.(message);
      this.#files.delete(message.id);
      return;
    }
    const { id } = message;
    this.onCall(message.request).then(
      (value) => this.#send({ type: 'answer', id, ok: true, value }),
      (error: unknown) => {
        const code = error instanceof Refusal ? error.code : 'failed';
        const text = error instanceof Error ? error.message : String(error);
        this.#send({ type: 'answer', id, ok: false, code, message: text.slice(0, 2_000) });
      },
    );
  }
}

function isKeyMessage(data: unknown, nonce: string): boolean {
  return typeof data === 'object' && data !== null && 'rolezero' in data && data.rolezero === nonce;
}
