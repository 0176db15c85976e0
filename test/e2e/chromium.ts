import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright';
import { build, preview, type PreviewServer } from 'vite';
import { chromiumPath, launchArguments } from '../../scripts/chromium.mjs';
import { buildFolder } from './build-folder.js';

/** Chromium as the tests start it: no GPU, no calls home; Playwright turns the back/forward cache off unless it is asked for. */
export async function startChromium(
  options: { backForwardCache?: boolean; more?: readonly string[] } = {},
): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    ...(options.backForwardCache ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
    args: [...launchArguments, ...(options.more ?? [])],
  });
}

/**
 * Builds a page of this folder as an application would and serves what came out.
 *
 * @param allowedHosts Host names, besides `127.0.0.1`, under which the page may be requested.
 */
export async function servePage(
  folder: string,
  allowedHosts: string[] = [],
): Promise<{ url: string; close(): Promise<void> }> {
  const root = fileURLToPath(new URL(`./${folder}/`, import.meta.url));
  const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
  const outDir = buildFolder(folder);
  const common = { root, configFile, logLevel: 'error' } as const;
  await build({ ...common, build: { outDir, emptyOutDir: true } });
  const server: PreviewServer = await preview({
    ...common,
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1', allowedHosts },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the page server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      await server.close();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
