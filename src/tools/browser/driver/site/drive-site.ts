import { withoutHash } from '../../frame/addresses.js';
import { MESSAGE_LIMITS } from '../../limits.js';
import type { DialogPolicy } from '../../protocol.js';
import { makeHands } from '../actions/hands.js';
import { Driver } from '../driver.js';
import { FrameLinks } from '../frame-links.js';
import { ElementIds } from '../ids.js';
import { downloadName, handOver, tellNavigation } from '../leaving.js';
import { later, listen, replaceMethod, sleep } from '../natives.js';
import { giveClipboard } from '../page/clipboard.js';
import { reportConsole } from '../page/console.js';
import { Dialogs } from '../page/dialogs.js';
import { giveFocus } from '../page/focus.js';
import { giveStorage } from '../page/storage.js';
import { HostPort } from '../port.js';
import { Quiet } from '../quiet.js';
import { closest } from '../view/dom.js';
import { cut } from '../view/quote.js';
import { readHere, type Drive } from './handshake.js';

const MAX_ANNOUNCEMENTS = 50;
/** Milliseconds after which a request counts as long-lived and is no longer waited for. */
const MAX_REQUEST_MS = 3_000;

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

interface FrameSettings {
  ids: ElementIds;
  /** Returns the prefix of this page's ids. */
  prefix: () => string;
  dialogs: () => DialogPolicy;
  quiet: () => number;
}

/**
 * Connects frames of a driven page whose documents also include the driver. Announcements are queued until the page itself is driven.
 * Returns the function that starts connecting.
 */
function linkFrames(links: FrameLinks, { ids, prefix, dialogs, quiet }: FrameSettings): () => void {
  let waiting: MessageEvent<unknown>[] | null = [];
  const link = ({ source, origin }: MessageEvent<unknown>): void => {
    const frame = [...document.querySelectorAll('iframe')].find((each) => each.contentWindow === source);
    if (frame === undefined) return;
    const drive: Drive = {
      rolezero: 'drive',
      firstId: ids.next,
      dialogs: origin === location.origin ? dialogs() : { ...dialogs(), text: null },
      quiet: quiet(),
      prefix: `${prefix()}${ids.of(frame)}.`,
    };
    frame.contentWindow?.postMessage(drive, origin, [links.connect(frame)]);
  };
  listen(window, 'message', ((event: MessageEvent<unknown>) => {
    if (readHere(event.data) === null) return;
    if (waiting === null) link(event);
    else if (waiting.length < MAX_ANNOUNCEMENTS) waiting.push(event);
  }) as EventListener);
  return () => {
    const came = waiting ?? [];
    waiting = null;
    for (const event of came) link(event);
  };
}

/** Reports address changes of the page to the host: `pushState`, `replaceState` and fragments. */
function tellAddresses(host: HostPort): void {
  let reported = location.href;
  let index = 0;
  const tell = (how: 'push' | 'replace' | 'hash'): void => {
    if (location.href === reported) return;
    reported = location.href;
    if (how !== 'replace') index += 1;
    host.event({ event: 'history', url: cut(reported, MESSAGE_LIMITS.url), how, index, length: index + 1 });
  };
  for (const [name, how] of [
    ['pushState', 'push'],
    ['replaceState', 'replace'],
  ] as const)
    replaceMethod(History.prototype, name, (_history, _values, native) => {
      native();
      tell(how);
    });
  addEventListener('hashchange', () => tell('hash'));
  addEventListener('popstate', () => {
    if (withoutHash(location.href) !== withoutHash(reported)) tell('replace'); // `hashchange` reports the others
  });
}

/**
 * Handles navigation of a site's page. The page navigates freely within its site, and the host is notified. Actions that its frame would
 * block are reported instead of attempted: new windows, other sites, the parent window, downloads.
 */
class SiteNavigator {
  /** Number of times the page started to leave. */
  left = 0;
  readonly #fetch = window.fetch.bind(window);

  constructor(
    readonly host: HostPort,
    quiet: Quiet,
  ) {
    addEventListener('beforeunload', () => {
      this.left += 1;
      host.event({ event: 'leaving' });
    });
    addEventListener('click', (event) => this.#click(event), true);
    window.open = (url) => {
      const address = url === undefined || url === '' ? 'about:blank' : new URL(url, document.baseURI).href;
      tellNavigation(host, { url: address, how: 'open', popup: true });
      return null;
    };
    window.close = () => host.event({ event: 'close' });
    // In browsers without the Navigation API, a page that leads to another site is lost in its frame. The host detects this.
    (window as { navigation?: NavigationApi }).navigation?.addEventListener('navigate', (event) => {
      const { destination, cancelable, downloadRequest, hashChange } = event;
      if (hashChange || destination.sameDocument || !cancelable) return;
      if (downloadRequest !== null) {
        event.preventDefault();
        const { url } = destination;
        handOver(host, quiet, { url, name: downloadName(url, downloadRequest) }, this.#fetch(url));
      } else if (/^https?:/.test(destination.url) && new URL(destination.url).origin !== location.origin) {
        event.preventDefault();
        tellNavigation(host, { url: destination.url, how: 'link' });
      }
    });
  }

  /** Handles a link to a new window or to an ancestor window, both of which the frame blocks. */
  #click(event: MouseEvent): void {
    const [target] = event.composedPath();
    const link =
      target instanceof Element ? closest(target, (node) => node.matches('a[href], area[href]')) : null;
    const where = link?.getAttribute('target') ?? '';
    const isApart = event.ctrlKey || event.metaKey;
    if (link === null || (!isApart && (/^(_self)?$/i.test(where) || isFrameName(where)))) return;
    const { href } = link as HTMLAnchorElement;
    // Waits until all listeners have run, because any of them may prevent the event.
    later(() => {
      const isAround = /^_(top|parent)$/i.test(where);
      if (!event.defaultPrevented)
        tellNavigation(this.host, { url: href, how: 'link', popup: !isAround || isApart, top: isAround });
    }, 0);
  }
}

/** Used subset of the Navigation API, which not all browsers support. */
interface NavigationApi {
  addEventListener(type: 'navigate', listener: (event: NavigateEvent) => void): void;
}

function isFrameName(name: string): boolean {
  return [...document.querySelectorAll('iframe')].some((frame) => frame.name === name);
}

/** Counts the page as active while requests are pending, for a limited time. */
function watchNetwork(quiet: Quiet): void {
  const wait = (request: Promise<unknown>): void =>
    void quiet.during(Promise.race([request.catch(() => undefined), sleep(MAX_REQUEST_MS)]));
  const native = window.fetch.bind(window);
  window.fetch = (...values) => {
    const answer = native(...values);
    wait(answer);
    return answer;
  };
  replaceMethod(XMLHttpRequest.prototype, 'send', (request, _values, send) => {
    const ended = new Promise((resolve) => listen(request as XMLHttpRequest, 'loadend', resolve));
    wait(ended);
    return send();
  });
}
