import { downloadName, handOver, tellNavigation } from '../leaving.js';
import { later } from '../natives.js';
import type { HostPort } from '../port.js';
import type { Quiet } from '../quiet.js';
import { closest } from '../view/dom.js';

/**
 * A site's page goes where it wants within its site, and the host hears that it does. What its frame would keep from happening is told
 * instead of tried: new windows, other sites, the window around, downloads.
 */
export class SiteNavigator {
  /** How often the page began to leave. */
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
    // Where the browser has none, a page that leads to another site is lost in its frame, which the host sees.
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

  /** A link to a new window, or to the window around: its frame lets it do neither. */
  #click(event: MouseEvent): void {
    const [target] = event.composedPath();
    const link =
      target instanceof Element ? closest(target, (node) => node.matches('a[href], area[href]')) : null;
    const where = link?.getAttribute('target') ?? '';
    const isApart = event.ctrlKey || event.metaKey;
    if (link === null || (!isApart && (/^(_self)?$/i.test(where) || isFrameName(where)))) return;
    const { href } = link as HTMLAnchorElement;
    // When all listeners are through, it is known whether anything was to happen.
    later(() => {
      const isAround = /^_(top|parent)$/i.test(where);
      if (!event.defaultPrevented)
        tellNavigation(this.host, { url: href, how: 'link', popup: !isAround || isApart, top: isAround });
    }, 0);
  }
}

/** What is used of the Navigation API, which not all browsers have. */
interface NavigationApi {
  addEventListener(type: 'navigate', listener: (event: NavigateEvent) => void): void;
}

function isFrameName(name: string): boolean {
  return [...document.querySelectorAll('iframe')].some((frame) => frame.name === name);
}
