import { once } from 'node:events';
import { WebSocket } from 'undici';

interface Answer {
  id?: number;
  type: string;
  result?: unknown;
  error?: string;
  message?: string;
}

/** A connection to a browser by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). Events are ignored. */
export class BidiConnection {
  #calls = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #latest = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Answer));
    socket.addEventListener('error', () => {}); // The close event follows.
    socket.addEventListener('close', () => {
      for (const { reject } of this.#calls.values()) reject(new Error('The browser is gone.'));
      this.#calls.clear();
    });
  }

  static async open(address: string): Promise<BidiConnection> {
    const socket = new WebSocket(address);
    const connection = new BidiConnection(socket);
    const timeout = AbortSignal.timeout(30_000);
    await once(socket as unknown as EventTarget, 'open', { signal: timeout });
    return connection;
  }

  /** Sends a command. Resolves with its result. @throws Error when it fails or the browser is gone. */
  send(method: string, params: Record<string, unknown>): Promise<unknown> {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('The browser is gone.'));
    const id = (this.#latest += 1);
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  close(): void {
    this.socket.close();
  }

  #receive({ id, type, result, error, message }: Answer): void {
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (id === undefined || call === undefined) return;
    this.#calls.delete(id);
    if (type === 'error') call.reject(new Error(`${error ?? ''}: ${message ?? ''}`));
    else call.resolve(result);
  }
}
