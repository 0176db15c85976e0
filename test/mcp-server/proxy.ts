import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a server, which changes headers, holds requests back, and breaks responses. */
export interface Proxy {
  readonly url: string;
  /** Headers of responses that are left out. */
  hidden: readonly string[];
  /** Called with the body of each request before it is forwarded. */
  before: (body: string, request: IncomingMessage) => Promise<void> | void;
  /** Called with the answer of the server before it is forwarded. Returns whether it has sent a response itself. */
  replaces: (body: string, answer: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      await proxy.before(body.toString(), request);
      const { method = 'GET', headers } = request;
      const forwarded = send({ hostname, port, method, path: request.url, headers }, (answer) => {
        void forward(answer);
      });
      const forward = async (answer: IncomingMessage): Promise<void> => {
        if (await proxy.replaces(body.toString(), answer, response)) return;
        const stored = Object.entries(answer.headers).filter(([name]) => !proxy.hidden.includes(name));
        response.writeHead(answer.statusCode ?? 502, Object.fromEntries(stored) as Record<string, string>);
        response.flushHeaders();
        answer.pipe(response);
      };
      response.on('close', () => forwarded.destroy());
      forwarded.on('error', () => response.destroy());
      forwarded.end(body);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    hidden: [],
    before: () => {},
    replaces: () => false,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
