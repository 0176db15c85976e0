import { runMixture } from '../../chaos/mixtures/history.js';
import type { Mixture } from '../../chaos/mixtures/operations.js';
import { BrowserWorld } from './browser-world.js';
import { openTab, type TabFrame } from './tab.js';

/** Calls for the series. */
export interface Mixtures {
  /** Runs a mixture in this browser. Returns what was violated. */
  run(mixture: Mixture): Promise<string[]>;
}

if (location.search === '?tab') window.tab = { open: openTab };
else window.mixtures = { run: (mixture) => runMixture(mixture, new BrowserWorld(mixture.settings)) };

declare global {
  interface Window {
    mixtures: Mixtures;
    /** Clears these types of data of the site, as the user does in the settings of the browser. */
    clearSiteData: (types: string) => Promise<void>;
    tab: TabFrame;
  }
}
