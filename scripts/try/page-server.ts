import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { text } from 'node:stream/consumers';
import { contentTypeOf } from '../content-type.js';
import { builtPage } from './page-build.js';
import { servePyodide } from './pyodide-files.js';

/** Below this path are the web pages of an evaluation: `/-/web/create/page?url=https://…`. */
export const WEB_PAGES = '/-/web/';
/** Below this path an evaluation receives calls to the model, by session. */
export const CALLS = '/-/calls/';

/** The page of this script, served to this machine only. */
export interface PageServer {
  port: number;
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the page of this script, and the files of Python, on a free port.
 *
 * @param options.webPage returns the content of a web page for a task, or null when there is no such page
 * @param options.onCall receives a call to the model, as JSON, with the name of its session
 */
export async function servePage(
  options: {
    webPage?: (task: string, url: string) => string | null;
    onCall?: (session: string, call: string) => void;
  } = {},
): Promise<PageServer> {
  const { webPage = () => null, onCall = () => {} } = options;
  const folder = await builtPage();
  const server = createServer((request, response) => {
    // A cross-origin isolated page may use several threads, which a model on the processor needs.
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    if (servePyodide(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.startsWith(WEB_PAGES)) {
      const content = webPage(pathname.slice(WEB_PAGES.length), searchParams.get('url') ?? '');
      response.writeHead(content === null ? 404 : 200, { 'content-type': 'text/html' });
      response.end(content ?? '<!doctype html><title>Not found</title><p>There is no such page.</p>');
    } else if (pathname.startsWith(CALLS)) {
      void text(request).then((call) => {
        onCall(pathname.slice(CALLS.length), call);
        response.writeHead(204).end();
      });
    } else {
      const name = normalize(pathname === '/' ? '/index.html' : pathname);
      const type = contentTypeOf(name) ?? 'application/octet-stream';
      // The names of all other files contain a hash.
      const caching = pathname === '/' ? 'no-cache' : 'max-age=86400';
      readFile(join(folder, name)).then(
        (content) => response.writeHead(200, { 'content-type': type, 'cache-control': caching }).end(content),
        () => response.writeHead(404).end(),
      );
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}
