import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { Engine, EngineBrowser } from './engine-browser.js';
import { ENGINES, isInstalled, startEngine } from './engines.js';

/**
 * Declares the same tests for each engine, with one browser for all of them. The tests of engines that are not
 * installed are skipped.
 */
export function inEachEngine(
  tests: (browser: () => EngineBrowser, engine: Engine) => void,
  engines: readonly Engine[] = ENGINES,
): void {
  for (const engine of engines) {
    describe(`in ${engine}`, { skip: !isInstalled(engine), meta: { engine } }, () => {
      let browser: EngineBrowser | null = null;
      beforeAll(async () => {
        browser = await startEngine(engine);
      });
      beforeEach(({ task }) => {
        task.meta.engineVersion = browser?.version ?? '';
      });
      afterAll(() => browser?.remove());
      tests(() => {
        if (browser === null) throw new Error(`${engine} does not run.`);
        return browser;
      }, engine);
    });
  }
}
