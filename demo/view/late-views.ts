/** Views that are loaded when one of them is shown for the first time. */
import type * as Dialogs from './dialogs.js';
import type * as Parts from './more-parts.js';

/** The dialogs; null until they are loaded. */
export let dialogs: typeof Dialogs | null = null;
/** The parts under "More"; null until they are loaded. */
export let parts: typeof Parts | null = null;

export const lateViews = {
  async dialogs(): Promise<void> {
    dialogs ??= await import('./dialogs.js');
  },
  /** Returns whether they were not loaded before. */
  async parts(): Promise<boolean> {
    if (parts !== null) return false;
    parts = await import('./more-parts.js');
    return true;
  },
};
