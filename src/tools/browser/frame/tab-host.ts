import type { DialogPolicy } from '../protocol.js';
import type { PageStorage } from './page-storage.js';
import type { Source } from './sources.js';

/** What a tab needs of the browser around it. */
export interface TabHost {
  container: HTMLElement;
  frameUrl: string | undefined;
  network: readonly string[];
  /** What is opened at its own site: see `siteScope`. */
  drive: readonly string[];
  workspace: Source;
  /** Null when the application gave none. */
  reader: Source | null;
  dialogs: () => DialogPolicy;
  /** Milliseconds; undefined for the driver's own. */
  quiet: number | undefined;
  storage: PageStorage;
  /** The page wants a page in a new tab. */
  openTab: (url: string) => void;
  closeTab: () => void;
  /** Ends when the tab is closed. */
  signal: AbortSignal;
}
