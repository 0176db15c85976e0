import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { json, type Reply, refusal } from './replies.js';

/** A request as the server saw it. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed, when it is JSON. */
  body: unknown;
  /** `answered` when the reply went out whole; `closed` when the connection ended before, by either side. */
  state: 'open' | 'answered' | 'closed';
}

/** A reply, or what to reply to a request. */
export type Scripted = Reply | ((request: SeenRequest) => Reply);

/**
 * What requests beyond the script get: a 400 that reports it, or the last reply again. With `repeat-posts`, GET takes no reply of the script and
 * gets the 400. Browsers repeat a request themselves when a connection was closed that they had used before, so one `drop` may be two requests.
 */
export type Then = 'complain' | 'repeat' | 'repeat-posts';

/** A real HTTP server with the faults that a test scripts. */
export interface FaultServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** The same with `/v1`. */
  readonly url: string;
  /** All requests but preflights, in order. */
  readonly requests: readonly SeenRequest[];
  /** What the next requests get, one each, and what those beyond the script get. */
  script(replies: readonly Scripted[], then?: Then): void;
  /** Lets one reply continue that is, or soon will be, at a `hold`. */
  release(): void;
  /** Ends the server and every connection. */
  close(): Promise<void>;
}

/**
 * Starts a server on a free port. With `cors: false` pages of other origins may not use it.
 *
 * A page can drive it over HTTP: `POST /-/script`, `/-/release`, `/-/requests` and `/-/close` for the members above, `POST /-/start` for a server
 * of its own, which ends with this one (see `remoteFaultServer`).
 */
export async function startFaultServer(options: { cors?: boolean } = {}): Promise<FaultServer> {
  const { cors = true } = options;
  const requests: SeenRequest[] = [];
  const started: FaultServer[] = [];
  let holds = new Holds();
  let queue: Scripted[] = [];
  let last: Scripted | null = null;
  let onlyPosts = false;
  const script = (replies: readonly Scripted[], then: Then = 'complain') => {
    queue = [...replies];
    holds = new Holds(); // no reply of an earlier script takes a release of this one
    last = then === 'complain' ? null : (replies.at(-1) ?? null);
    onlyPosts = then === 'repeat-posts';
  };

  const control = async (path: string, body: unknown): Promise<unknown> => {
    switch (path) {
      case '/-/script': {
        const { replies, then } = body as { replies: Reply[]; then?: Then };
        script(replies, then);
        return {};
      }
      case '/-/release':
        holds.release();
        return {};
      case '/-/requests':
        return requests;
      case '/-/close':
        return {}; // closed once this is answered
      case '/-/start': {
        const server = await startFaultServer(body as { cors?: boolean });
        started.push(server);
        return { origin: server.origin };
      }
      default:
        return { error: `There is no ${path}.` };
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const forControl = path.startsWith('/-/');
    if (cors || forControl) allowPages(request, response);
    if (method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const body = parsed(await textOf(request));
    if (forControl) {
      if (path === '/-/close') response.on('close', () => void close());
      await play(json(200, await control(path, body)), response, holds);
      return;
    }
    const seen: SeenRequest = { method, path, headers, body, state: 'open' };
    requests.push(seen);
    response.on('close', () => (seen.state = response.writableFinished ? 'answered' : 'closed'));
    const fromScript = onlyPosts && method !== 'POST' ? null : (queue.shift() ?? last);
    const scripted = fromScript ?? refusal(400, 'The fault server has no reply for this request.');
    await play(typeof scripted === 'function' ? scripted(seen) : scripted, response, holds);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const close = async (): Promise<void> => {
    await Promise.all(started.map((other) => other.close()));
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/v1`,
    requests,
    script,
    release: () => holds.release(),
    close,
  };
}

async function play(reply: Reply, response: ServerResponse, holds: Holds): Promise<void> {
  for (const step of reply) {
    if (response.destroyed) return; // the client went away
    switch (step.do) {
      case 'head':
        response.writeHead(step.status, step.headers);
        response.flushHeaders();
        break;
      case 'send':
        await write(response, step.text);
        break;
      case 'send-bytes':
        await write(response, Uint8Array.from(step.bytes));
        break;
      case 'wait':
        await sleep(step.ms);
        break;
      case 'hold':
        await holds.pass();
        break;
      case 'stall':
        return;
      case 'drop':
        response.socket?.destroy();
        return;
      case 'reset':
        response.socket?.resetAndDestroy();
        return;
    }
  }
  response.end();
}

/** A turnstile: lets as many pass as were admitted, in order of arrival. */
class Holds {
  private readonly waiting: (() => void)[] = [];
  private free = 0;

  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }

  async pass(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}

/** Each write is a separate packet; otherwise the pieces of a split character would arrive together. */
async function write(response: ServerResponse, data: string | Uint8Array): Promise<void> {
  response.socket?.setNoDelay(true);
  await new Promise((resolve) => response.write(data, resolve));
  await sleep(1);
}

function allowPages(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
  response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS');
  response.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? '*',
  );
  response.setHeader('access-control-expose-headers', 'retry-after');
  response.setHeader('access-control-allow-private-network', 'true');
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
