/** The Chromium, Chrome or Edge of this machine, or undefined: `CHROMIUM_PATH`, then what is installed, then Playwright's own. */
export function chromiumPath(): string | undefined;
