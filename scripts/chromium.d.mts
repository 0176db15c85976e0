/** How it is started: without a window's needs, and without calling home. */
export const launchArguments: readonly string[];

/** The Chromium, Chrome or Edge of this machine, or undefined: `CHROMIUM_PATH`, then what is installed, then Playwright's own. */
export function chromiumPath(): string | undefined;

/** Offers a WebGPU adapter where there is no GPU. */
export declare const webgpuArguments: readonly string[];
