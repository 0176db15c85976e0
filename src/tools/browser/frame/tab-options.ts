import type { DialogPolicy } from '../protocol.js';
import type { PageStorage } from './page-storage.js';
import type { PageSource } from './sources.js';

/** What a tab receives from its browser. */
export interface TabOptions {
  container: HTMLElement;
  frameUrl: string | undefined;
  network: readonly string[];
  /** Addresses that open at their own site: see `siteScope`. */
  drive: readonly string[];
  workspace: PageSource;
  /** Null if the application provides no reader. */
  reader: PageSource | null;
  dialogs: (origin: string) => DialogPolicy;
  /** Milliseconds; undefined uses the driver's default. */
  quiet: number | undefined;
  /** See `FrameOptions`. */
  loadTimeoutMs: number | undefined;
  storage: PageStorage;
  /** Called when the page opens a page in a new tab. */
  openTab: (url: string) => void;
  closeTab: () => void;
  /** True if pages of session files that are open may load nothing more. */
  isHeld: () => boolean;
  /** Aborts when the tab is closed. */
  signal: AbortSignal;
}
