import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const configFile = fileURLToPath(new URL('../../../demo/vite.config.ts', import.meta.url));
/** Where the demo is built to; its own `dist` stays as it is. */
export const outDir = fileURLToPath(new URL('../../../node_modules/.cache/e2e-demo', import.meta.url));

async function buildForVisitors(): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production'; // Vitest says `test`, and Vite then builds for developers
  try {
    await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  } finally {
    process.env['NODE_ENV'] = before;
  }
}

let built: Promise<unknown> | null = null;

/** The demo as it is built for its visitors, on a port of its own. */
export async function serveDemo(): Promise<{ url: string; close(): Promise<void> }> {
  const common = { configFile, logLevel: 'error' } as const;
  built ??= buildForVisitors();
  await built;
  const server = await preview({ ...common, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the page server has no port');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
