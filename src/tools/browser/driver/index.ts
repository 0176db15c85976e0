/**
 * Entry point of the driver, the first script of a page, which reads the page and acts in it. It is bundled into one text
 * (`../driver-source.ts`) and has no exports. `driverText` writes `ROLEZERO_DRIVER` before the text. For a page of the application's own
 * origin, `ownDriverText` does.
 */
import { makeHands } from './actions/hands.js';
import { Driver } from './driver.js';
import { ChildFrames, type OwnSettings } from './frames.js';
import { ElementIds } from './ids.js';
import { later } from './natives.js';
import { giveClipboard } from './page/clipboard.js';
import { reportConsole } from './page/console.js';
import { Dialogs } from './page/dialogs.js';
import { giveFocus } from './page/focus.js';
import { refuseForeignLoads } from './page/foreign-loads.js';
import { giveLocation, PageHistory } from './page/history.js';
import { watchListeners } from './page/listeners.js';
import { Navigator } from './page/navigation.js';
import { giveNetwork } from './page/network.js';
import { giveStorage } from './page/storage.js';
import { HostPort } from './port.js';
import { Quiet } from './quiet.js';
import { allowDriving } from './site/allow-driving.js';

/** Names of the interfaces of WebRTC and WebTransport, which connect to servers without asking the page's policy in every browser. */
const CONNECTIONS = /^(?:webkit|moz)?RTC|^WebTransport/;
/** Maximum number of tries, and ms between them. */
const MAX_SCROLL_TRIES = 40;
const SCROLL_PAUSE_MS = 50;

declare const ROLEZERO_DRIVER: OwnSettings | Parameters<typeof allowDriving>[0];

startDriver();

function startDriver(): void {
  const script = document.currentScript;
  const text = script?.textContent ?? '';
  script?.remove(); // the script contains the nonce
  if ('origins' in ROLEZERO_DRIVER) {
    allowDriving(ROLEZERO_DRIVER);
    return;
  }
  const base = document.createElement('base');
  base.href = ROLEZERO_DRIVER.url;
  if (!document.querySelector('base'))
    (document.querySelector('head') ?? document.documentElement).prepend(base);
  // The text for child frames omits the first line, which contains this page's own settings.
  driveConfined(ROLEZERO_DRIVER, text.slice(text.indexOf('\n') + 1, text.lastIndexOf('}')));
}

/** Drives a document without an origin. It supplies what such a page lacks: an address, files, storage and a history. */
function driveConfined(settings: OwnSettings, text: string): void {
  removeConnections();
  watchListeners();
  const ids = new ElementIds(settings.firstId);
  const host = new HostPort();
  host.acceptFromParent(settings.nonce);
  const quiet = new Quiet(settings.quiet ?? 500);
  const dialogs = new Dialogs(host, settings.dialogs);
  const navigator = new Navigator(
    host,
    quiet,
    () => pages.url,
    document.baseURI === settings.url ? null : document.baseURI,
    (url) => pages.goToFragment(url),
    (name, url) => frames.open(name, url),
  );
  const pages = new PageHistory(host, settings, (how) => navigator.go(how));
  giveLocation(pages, navigator);
  refuseForeignLoads((url) =>
    url === '' ? navigator.go('reload') : navigator.open(navigator.resolve(url), 'script'),
  );
  const resolve = (address: string): string => navigator.resolve(address);
  giveNetwork(host, quiet, resolve);
  giveStorage(host, settings);
  reportConsole(host, settings.prefix === undefined ? undefined : settings.url);
  if (settings.scrollTop !== undefined) restoreScroll(settings.scrollTop);
  const hands = makeHands(settings.isMac);
  giveClipboard(hands.keyboard);
  giveFocus();
  const frames = new ChildFrames(host, quiet, settings, text, ids, resolve);
  const surroundings = {
    left: () => navigator.left,
    step: (by: number) => pages.step(by),
    frames: frames.links,
  };
  new Driver({ host, quiet, ids, dialogs, hands, surroundings, prefix: () => settings.prefix ?? '' });
}

/**
 * Removes the interfaces that open connections. This makes it harder for a page to send data out. It is no boundary: other realms may still
 * have them.
 */
function removeConnections(): void {
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (CONNECTIONS.test(name)) Reflect.deleteProperty(globalThis, name);
}

/**
 * Scrolls the page when it has loaded, as browsers do after a reload. Scripts may still add the content that makes the page tall enough, so
 * this is repeated for a short time, until the position is reached or the user uses the page.
 */
function restoreScroll(top: number): void {
  let isUsed = false;
  for (const type of ['wheel', 'pointerdown', 'keydown'])
    addEventListener(type, () => (isUsed = true), { capture: true, once: true, passive: true });
  const restore = (tries: number): void => {
    if (isUsed) return;
    scrollTo({ top, behavior: 'instant' });
    if (scrollY < top - 1 && tries > 1) later(() => restore(tries - 1), SCROLL_PAUSE_MS);
  };
  addEventListener('DOMContentLoaded', () => restore(1), { once: true });
  addEventListener('load', () => restore(MAX_SCROLL_TRIES), { once: true });
}
