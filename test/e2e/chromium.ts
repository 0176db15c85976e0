import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright';
import { build, preview, type PreviewServer } from 'vite';
import { chromiumPath, launchArguments } from '../../scripts/chromium.mjs';
import { builtOnce } from '../once-per-run.js';
import { buildFolder } from './build-folder.js';

/**
 * Starts Chromium for the tests: no GPU, no background requests. Playwright disables the back/forward cache unless it
 * is requested.
 */
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
 * Builds a page of this folder as an application would, and serves the output.
 *
 * @param allowedHosts Host names, besides `127.0.0.1`, under which the page may be requested.
 */
export async function servePage(
  folder: string,
  allowedHosts: string[] = [],
): Promise<{ url: string; close(): Promise<void> }> {
  const root = fileURLToPath(new URL(`./${folder}/`, import.meta.url));
  const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
  const common = { root, configFile, logLevel: 'error' } as const;
  const { value: outDir, remove } = await builtOnce(
    `page-${folder}`,
    async () => {
      const built = buildFolder(folder);
      await build({ ...common, build: { outDir: built, emptyOutDir: true } });
      return built;
    },
    (built) => rmSync(built, { recursive: true, force: true }),
  );
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
      remove();
    },
  };
}
