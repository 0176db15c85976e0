import { downloadName, handOver, tellNavigation } from '../leaving.js';
import { later } from '../natives.js';
import type { HostPort } from '../port.js';
import type { Quiet } from '../quiet.js';
import { closest } from '../view/dom.js';

/**
 * Handles navigation of a site's page. The page navigates freely within its site, and the host is notified. Actions that its frame would
 * block are reported instead of attempted: new windows, other sites, the parent window, downloads.
 */
export class SiteNavigator {
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
