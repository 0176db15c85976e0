import { otherEngines } from '../../scripts/other-engines.mjs';
import { Chromium } from './chromium.js';
import type { Engine, EngineBrowser, StandaloneBrowser } from './engine-browser.js';
import { Firefox } from './firefox.js';
import { WebKit } from './webkit.js';

declare module 'vitest' {
  interface TaskMeta {
    /** The engine of the test. The totals of a run are printed per engine. */
    engine?: Engine;
    /** Its version, such as `Firefox 153.7.0`. */
    engineVersion?: string;
  }
}

const MAKE: Record<Engine, () => Promise<EngineBrowser>> = {
  chromium: () => Chromium.make(),
  firefox: () => Firefox.make(),
  webkit: () => WebKit.make(),
};

export const ENGINES: readonly Engine[] = ['chromium', 'firefox', 'webkit'];

/** The tests run in Chromium in any case; they are skipped where one of the others is not installed. */
export function isInstalled(engine: Engine): boolean {
  return engine === 'chromium' || otherEngines().includes(engine);
}

/** Makes a browser with a new profile, without starting it. */
export function makeStandalone(engine: Exclude<Engine, 'chromium'>): Promise<StandaloneBrowser> {
  return engine === 'firefox' ? Firefox.make() : WebKit.make();
}

/** Starts a browser with a new profile. */
export async function startEngine(engine: Engine): Promise<EngineBrowser> {
  const browser = await MAKE[engine]();
  await browser.start();
  return browser;
}
