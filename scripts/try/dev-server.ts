import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createServer as createVite } from 'vite';
import { browserAlias, bundledDependencies } from '../aliases.js';
import { driverSourcePlugin } from '../driver-source.mjs';
import { runtimeModules } from '../runtime-modules.mjs';
import { servePyodide } from './pyodide-files.js';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Packages that the programs of the terminal import. */
const OF_PROGRAMS = ['buffer/', 'isomorphic-git', 'quickjs-wasi', 'sql.js', 'sucrase'];

/** Below this path are the web pages of an evaluation: `/-/web/create/page?url=https://…`. */
export const WEB_PAGES = '/-/web/';
/** Below this path an evaluation receives calls to the model, by session. */
export const CALLS = '/-/calls/';

/**
 * Serves the page of this script and the library's source on a free port, to this machine only.
 *
 * @param options.webPage returns the content of a web page for a task, or null when there is no such page
 * @param options.onCall receives a call to the model, as JSON, with the name of its session
 * @param options.cache lets the browser keep the source, for many pages in one temporary profile
 */
export async function startDevServer(
  options: {
    webPage?: (task: string, url: string) => string | null;
    onCall?: (session: string, call: string) => void;
    cache?: boolean;
  } = {},
): Promise<{ port: number; close(): Promise<void> }> {
  const { webPage = () => null, onCall = () => {}, cache = false } = options;
  const vite = await createVite({
    configFile: false,
    appType: 'custom', // The page has no hot reload client.
    root: path('./page'),
    logLevel: 'error',
    clearScreen: false,
    plugins: [driverSourcePlugin(), runtimeModules()],
    cacheDir: path('../../node_modules/.vite/try'),
    resolve: { alias: browserAlias },
    worker: { format: 'es' },
    optimizeDeps: { include: [...bundledDependencies, ...OF_PROGRAMS], noDiscovery: true },
    server: {
      middlewareMode: true, // Vite's own server would end the process at SIGTERM and at the end of the input.
      hmr: false,
      ws: false,
      watch: null,
      headers: cache ? { 'cache-control': 'max-age=86400' } : {},
      fs: { allow: [path('../..')] },
    },
  });
  const page = await readFile(path('./page/index.html'));
  const server = createServer((request, response) => {
    // A cross-origin isolated page may use several threads, which a model on the processor needs.
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    if (servePyodide(request, response)) return;
    if (request.url?.startsWith(WEB_PAGES) === true) {
      const { pathname, searchParams } = new URL(request.url, 'http://localhost');
      const content = webPage(pathname.slice(WEB_PAGES.length), searchParams.get('url') ?? '');
      response.writeHead(content === null ? 404 : 200, { 'content-type': 'text/html' });
      response.end(content ?? '<!doctype html><title>Not found</title><p>There is no such page.</p>');
    } else if (request.url?.startsWith(CALLS) === true) {
      const session = request.url.slice(CALLS.length);
      void text(request).then((call) => {
        onCall(session, call);
        response.writeHead(204).end();
      });
    } else if (request.url === '/') response.setHeader('content-type', 'text/html').end(page);
    else vite.middlewares(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await vite.close();
    },
  };
}
