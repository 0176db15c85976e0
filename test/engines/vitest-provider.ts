import { defineBrowserProvider } from '@vitest/browser';
import type { BrowserProvider, BrowserProviderOption } from 'vitest/node';
import type { Engine, EngineBrowser } from './engine-browser.js';
import { startEngine } from './engines.js';

/** Runs Vitest's browser tests in Firefox and WebKitGTK as distributions package them; Playwright needs builds of its own. */
export function engineProvider(engine: Engine): BrowserProviderOption {
  return defineBrowserProvider({
    name: engine,
    supportedBrowser: [engine],
    providerFactory: () => providerOf(engine),
  });
}

function providerOf(engine: Engine): BrowserProvider {
  let browser: Promise<EngineBrowser> | null = null;
  return {
    name: engine,
    initScripts: [],
    supportsParallelism: false,
    getCommandsContext: () => ({}),
    async openPage(_session, url) {
      browser ??= startEngine(engine);
      // Not awaited: WebDriver reports the page as loaded only after its tests.
      (await browser).open(url).catch((error: unknown) => console.error(error));
    },
    async close() {
      const started = await browser;
      browser = null;
      await started?.remove();
    },
  };
}
