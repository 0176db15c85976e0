// @ts-check
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'msedge',
];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * Features of Chromium that are disabled. The first two load two pages for the address bar with every window, even without a display,
 * which takes two thirds of the CPU time of opening a page. The others are those that Playwright disables with the flag that this one replaces.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/**
 * Returns the flag that disables these features beside those that `launchArguments` disables: Chromium reads only the last such flag.
 * @param {readonly string[]} features
 */
export function disableFeatures(...features) {
  return `--disable-features=${[...disabledFeatures, ...features].join(',')}`;
}

/**
 * Flags for Chromium: suitable for headless use, and without background requests.
 * @type {readonly string[]}
 */
export const launchArguments = [
  disableFeatures(),
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Provides an emulated WebGPU adapter on machines without a GPU; it runs slowly on the CPU.
 * @type {readonly string[]}
 */
export const webgpuArguments = ['--enable-unsafe-webgpu'];

/**
 * Finds a Chromium, Chrome or Edge: `CHROMIUM_PATH`, then an installed one, then Playwright's own.
 * @returns {string | undefined}
 */
export function chromiumPath() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = [...onPath, ...PLACES].find((path) => existsSync(path));
  if (found) return found;
  const own = chromium.executablePath();
  return own && existsSync(own) ? own : undefined;
}
