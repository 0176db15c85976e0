import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { alias } from '../aliases.js';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Serves the page of this script, and the library's source, to this machine only, on a free port. */
export async function startDevServer(): Promise<{ port: number; close(): Promise<void> }> {
  const server = await createServer({
    configFile: false,
    root: path('./page'),
    logLevel: 'error',
    clearScreen: false,
    cacheDir: path('../../node_modules/.vite/try'),
    resolve: { alias },
    worker: { format: 'es' },
    // All that the page and its worker import: bundled before the first request, for nothing may be loaded anew in the middle of a run.
    optimizeDeps: {
      include: [
        'comlink',
        'idb',
        'zod',
        'jsonrepair',
        'eventsource-parser',
        'eventsource-parser/stream',
        'tokenx',
      ],
      noDiscovery: true,
    },
    server: {
      host: '127.0.0.1',
      port: 0,
      hmr: false,
      ws: false,
      watch: null,
      fs: { allow: [path('../..')] },
    },
  });
  await server.listen();
  const { port } = server.httpServer?.address() as AddressInfo;
  return { port, close: () => server.close() };
}
