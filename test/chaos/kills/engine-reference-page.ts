import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Order, Visit } from '../../e2e/reference/main.js';
import type { StandaloneBrowser } from '../../engines/engine-browser.js';
import { ReportedEffects, type Outside } from './reported-effects.js';
import type { KillableRun } from './run-kills.js';

/** What the page posts: an effect, or the result of an order. */
type Post = { what: string; key: string } | { id: number; value?: unknown; error?: string };

/**
 * The page of the reference run in a browser without a driver. It gets its orders from a server, and posts results and
 * effects there.
 */
export class EngineReferencePage implements KillableRun {
  readonly #effects = new ReportedEffects();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  /** The request of the page for its next order. */
  #asking: ServerResponse | null = null;
  #order: Order | null = null;
  #answer: { resolve: (value: unknown) => void; reject: (error: Error) => void } | null = null;
  #latest = 0;
  #starts = 0;

  constructor(
    private readonly url: string,
    private readonly browser: StandaloneBrowser,
  ) {}

  async start(): Promise<void> {
    const server = this.#server;
    if (!server.listening) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    // Firefox restores the tabs of a killed browser, and loads one with the same URL: two pages would share the orders.
    const orders = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${(this.#starts += 1)}/`;
    await this.browser.startAt(`${this.url}#orders=${encodeURIComponent(orders)}`);
  }

  begin(): void {
    this.#effects.reset();
  }

  visit(session: string, at: readonly string[], terminate: boolean): Promise<Visit> {
    return this.#tell({ call: 'visit', args: [session, [...at], terminate] }) as Promise<Visit>;
  }

  look(): Promise<string> {
    return this.#tell({ call: 'look', args: [] }) as Promise<string>;
  }

  async remove(session: string): Promise<void> {
    await this.#tell({ call: 'remove', args: [session] });
  }

  async reload(): Promise<void> {
    await this.#tell({ call: 'reload', args: [] });
  }

  async killBrowser(): Promise<void> {
    await this.browser.kill();
    this.#asking = null;
    await this.start();
  }

  outside(): Outside {
    return this.#effects.outside();
  }

  async end(): Promise<void> {
    await this.browser.remove();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #tell(
    order: Order extends infer Each ? (Each extends Order ? Omit<Each, 'id'> : never) : never,
  ): Promise<unknown> {
    this.#order = { ...order, id: (this.#latest += 1) };
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      this.#hand();
    });
  }

  /** Hands the next order to the page, once both are there. */
  #hand(): void {
    if (this.#asking === null || this.#order === null) return;
    this.#asking.end(JSON.stringify(this.#order));
    this.#asking = this.#order = null;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cache-control', 'no-store');
    if (request.method === 'GET') {
      if (!request.url?.startsWith(`/${this.#starts}/`)) return; // A page of a killed browser gets no more orders.
      this.#asking = response;
      this.#hand();
      return;
    }
    let body = '';
    for await (const data of request) body += String(data);
    this.#receive(JSON.parse(body) as Post);
    response.end();
  }

  #receive(post: Post): void {
    if ('what' in post) this.#effects.add(post.what, post.key);
    else if (post.id !== this.#latest) return;
    else if (post.error === undefined) this.#answer?.resolve(post.value);
    else this.#answer?.reject(new Error(post.error));
  }
}
