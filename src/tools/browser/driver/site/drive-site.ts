import { makeHands } from '../actions/hands.js';
import { Driver } from '../driver.js';
import { FrameLinks } from '../frame-links.js';
import { ElementIds } from '../ids.js';
import { giveClipboard } from '../page/clipboard.js';
import { reportConsole } from '../page/console.js';
import { Dialogs } from '../page/dialogs.js';
import { giveFocus } from '../page/focus.js';
import { giveStorage } from '../page/storage.js';
import { HostPort } from '../port.js';
import { Quiet } from '../quiet.js';
import type { Drive } from './handshake.js';
import { linkFrames } from './site-frames.js';
import { SiteNavigator } from './site-navigator.js';
import { tellAddresses } from './site-history.js';
import { watchNetwork } from './site-network.js';

/**
 * Prepares a page of a site for being driven. Returns the function that starts driving. The page retains its own address, network, storage
 * and history.
 */
export function driveSite(): (port: MessagePort, drive: Drive) => void {
  const ids = new ElementIds(1);
  const host = new HostPort();
  const quiet = new Quiet(500);
  watchNetwork(quiet);
  reportConsole(host);
  giveStorage(host, {}); // for browsers that block storage in framed sites; lasts as long as the document
  const dialogs = new Dialogs(host, { accept: true, text: null });
  const links = new FrameLinks(host, quiet, ids, () => false);
  let prefix = '';
  const beginFrames = linkFrames(links, {
    ids,
    prefix: () => prefix,
    dialogs: () => dialogs.policy,
    quiet: () => quiet.length,
  });
  return (port, drive) => {
    ids.skipTo(drive.firstId);
    if (drive.quiet !== null) quiet.length = drive.quiet;
    prefix = drive.prefix;
    dialogs.policy = drive.dialogs;
    const navigator = new SiteNavigator(host, quiet);
    const hands = makeHands(undefined);
    giveClipboard(hands.keyboard);
    giveFocus();
    tellAddresses(host);
    beginFrames();
    const surroundings = { left: () => navigator.left, step: () => false, frames: links };
    new Driver({ host, quiet, ids, dialogs, hands, surroundings, prefix: () => prefix });
    host.open(port);
  };
}
