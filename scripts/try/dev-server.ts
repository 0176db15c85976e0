import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createServer as createVite } from 'vite';
import { browserAlias, bundledDependencies } from '../aliases.js';
import { driverSourcePlugin } from '../driver-source.mjs';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Serves the page of this script and the library's source on a free port, to this machine only. */
export async function startDevServer(): Promise<{ port: number; close(): Promise<void> }> {
  const vite = await createVite({
    configFile: false,
    appType: 'custom', // The page has no hot reload client.
    root: path('./page'),
    logLevel: 'error',
    clearScreen: false,
    plugins: [driverSourcePlugin()],
    cacheDir: path('../../node_modules/.vite/try'),
    resolve: { alias: browserAlias },
    worker: { format: 'es' },
    optimizeDeps: { include: bundledDependencies, noDiscovery: true },
    server: {
      middlewareMode: true, // Vite's own server would end the process at SIGTERM and at the end of the input.
      hmr: false,
      ws: false,
      watch: null,
      fs: { allow: [path('../..')] },
    },
  });
  const page = await readFile(path('./page/index.html'));
  const server = createServer((request, response) => {
    // A cross-origin isolated page may use several threads, which a model on the processor needs.
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    if (request.url === '/') response.setHeader('content-type', 'text/html').end(page);
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
