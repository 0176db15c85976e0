// @ts-check
/**
 * Firefox and WebKitGTK, which the tests use besides Chromium. Debian packages both. Firefox speaks WebDriver BiDi by
 * itself; WebKitGTK is driven by its WebKitWebDriver, on a virtual display.
 */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @typedef {'firefox' | 'webkit'} OtherEngine */

/**
 * Names for users, and the packages of Debian to install.
 * @type {Readonly<Record<OtherEngine, { label: string, packages: readonly string[] }>>}
 */
export const OTHER_ENGINES = {
  firefox: { label: 'Firefox', packages: ['firefox-esr'] },
  webkit: { label: 'WebKitGTK', packages: ['webkit2gtk-driver', 'xvfb', 'dbus-daemon'] },
};

const FIREFOX_PLACES = [
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
];

/**
 * Finds Firefox: `FIREFOX_PATH`, then an installed one.
 * @returns {string | undefined}
 */
export function firefoxPath() {
  return (
    process.env.FIREFOX_PATH ||
    onPath('firefox-esr') ||
    onPath('firefox') ||
    FIREFOX_PLACES.find((path) => existsSync(path))
  );
}

/**
 * Finds the programs for WebKitGTK: its driver, its browser, a virtual display, and a session bus. Undefined when one
 * is missing.
 */
export function webKitPrograms() {
  const driver = onPath('WebKitWebDriver');
  const browser = miniBrowser();
  const display = onPath('Xvfb');
  const bus = onPath('dbus-run-session');
  if (!driver || !browser || !display || !bus) return undefined;
  return { driver, browser, display, bus };
}

/**
 * Lists the installed engines.
 * @returns {OtherEngine[]}
 */
export function otherEngines() {
  /** @type {OtherEngine[]} */
  const found = [];
  if (firefoxPath() !== undefined) found.push('firefox');
  if (webKitPrograms() !== undefined) found.push('webkit');
  return found;
}

/** @param {string} name */
function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The browser of WebKitGTK, which distributions install outside of the path. */
function miniBrowser() {
  const places = ['/usr/lib', '/usr/lib64', '/usr/libexec', ...architectures()];
  const folders = places.flatMap((place) => ['4.1', '4.0', '6.0'].map((api) => `${place}/webkit2gtk-${api}`));
  return folders.map((folder) => `${folder}/MiniBrowser`).find((path) => existsSync(path));
}

/** Folders of libraries by architecture, such as `/usr/lib/x86_64-linux-gnu`. */
function architectures() {
  if (!existsSync('/usr/lib')) return [];
  return readdirSync('/usr/lib')
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => `/usr/lib/${name}`);
}
