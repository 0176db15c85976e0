import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const configFile = fileURLToPath(new URL('../../../demo/vite.config.ts', import.meta.url));
/** Output folder of the demo; its own `dist` is not touched. */
export const outDir = fileURLToPath(new URL('../../../node_modules/.cache/e2e-demo', import.meta.url));

async function buildForVisitors(): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production'; // Vitest sets `test`, and Vite would then build for development.
  try {
    await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  } finally {
    process.env['NODE_ENV'] = before;
  }
}

let built: Promise<unknown> | null = null;

/** Builds the demo for production and serves it on its own port. */
export async function serveDemo(): Promise<{ url: string; close(): Promise<void> }> {
  const common = { configFile, logLevel: 'error' } as const;
  built ??= buildForVisitors();
  await built;
  const server = await preview({ ...common, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the page server has no port');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
