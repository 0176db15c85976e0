import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { longChain, servedChain } from '../tiny-chain/served.js';
import { modelFiles } from './model-files.js';

/**
 * Serves the tiny models under any first part of the path, which browsers cache apart: `/mine/model/…` with `/mine/library.wasm`, and
 * `/mine/chain.gguf`, and `/mine/long.gguf` for prompts of a whole agent.
 */
export interface ModelServer {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Starts a server on a free port. `GET /NAME/-/requests` lists the files that were requested below `/NAME`, `POST /NAME/-/offline` lets
 * every further request for them fail as if the network were gone, `POST /NAME/-/online` ends that.
 */
export async function startModelServer(): Promise<ModelServer> {
  const files = new Map<string, Uint8Array>(
    [...modelFiles()].map(([name, content]) => [`model/resolve/main/${name}`, content] as const),
  );
  const library = readFileSync(new URL('./library.wasm', import.meta.url));
  files.set('library.wasm', new Uint8Array(library));
  files.set('chain.gguf', servedChain());
  files.set('long.gguf', longChain());
  const requests = new Map<string, string[]>();
  const offline = new Set<string>();

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const [, name = '', ...rest] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/');
    const path = rest.join('/');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cache-control', 'no-store'); // web-llm's own cache is the only one
    if (path === '-/requests') response.end(JSON.stringify(requests.get(name) ?? []));
    else if (path === '-/offline') response.end(String(offline.add(name).has(name)));
    else if (path === '-/online') response.end(String(offline.delete(name)));
    else {
      requests.set(name, [...(requests.get(name) ?? []), path]);
      const content = files.get(path);
      if (offline.has(name)) request.destroy();
      else if (content === undefined) response.writeHead(404).end();
      else {
        response.setHeader('content-length', content.length);
        response.end(request.method === 'HEAD' ? undefined : content);
      }
    }
  }

  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
