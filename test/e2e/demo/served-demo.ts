import { fileURLToPath } from 'node:url';
import { preview } from 'vite';
import { inject } from 'vitest';

const configFile = fileURLToPath(new URL('../../../demo/vite.config.ts', import.meta.url));

/** Serves the demo as it is built for its visitors, on a port of its own. */
export async function serveDemo(): Promise<{ url: string; close(): Promise<void> }> {
  const server = await preview({
    configFile,
    logLevel: 'error',
    build: { outDir: inject('demoFolder') },
    preview: { port: 0, host: '127.0.0.1' },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the page server has no port');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
