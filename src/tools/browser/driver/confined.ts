import { makeHands } from './actions/hands.js';
import { Driver } from './driver.js';
import { ChildFrames, type OwnSettings } from './frames.js';
import { ElementIds } from './ids.js';
import { removeConnections } from './page/connections.js';
import { refuseForeignLoads } from './page/foreign-loads.js';
import { giveClipboard } from './page/clipboard.js';
import { reportConsole } from './page/console.js';
import { Dialogs } from './page/dialogs.js';
import { giveFocus } from './page/focus.js';
import { PageHistory } from './page/history.js';
import { watchListeners } from './page/listeners.js';
import { giveLocation } from './page/location.js';
import { Navigator } from './page/navigation.js';
import { giveNetwork } from './page/network.js';
import { restoreScroll } from './page/restore-scroll.js';
import { giveStorage } from './page/storage.js';
import { HostPort } from './port.js';
import { Quiet } from './quiet.js';

/** Drives a document without an origin. It supplies what such a page lacks: an address, files, storage and a history. */
export function driveConfined(settings: OwnSettings, text: string): void {
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
