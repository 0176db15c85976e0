import { RoleZeroError } from '../../../core/error.js';
import { driverSource } from '../driver-source.js';
import { type Drive, readHere } from '../driver/site/handshake.js';
import { type DialogPolicy, type DriverEvent, ownDriverText } from '../protocol.js';
import { parseUrl } from './addresses.js';
import { PageConnection } from './connection.js';
import type { Gone } from './page-frame.js';
import { setScript, setSource } from './trusted.js';

/**
 * Sandbox permissions of a site. A site has its own origin. It has the application's origin only if the application names the page: see
 * `siteScope`.
 */
const SITE_SANDBOX = 'allow-scripts allow-forms allow-same-origin';
/** Milliseconds that a page of a site has to arrive. */
const ARRIVAL = 15_000;
/** Milliseconds after which a page whose driver has announced itself counts as arrived, even if it is still loading. */
const LOADED = 5_000;
/** Milliseconds, after the document has loaded, in which its driver must announce itself. */
const DRIVER_REPORTS_MS = 1_000;

/** A document of a site that can be driven. */
export interface SitePage {
  connection: PageConnection;
  url: URL;
}

export interface SiteFrameOptions {
  container: HTMLElement;
  url: URL;
  /**
   * Allowed addresses for pages of the frame, as a source of a Content-Security-Policy: an origin, or an address with a path that ends in
   * `/`.
   */
  scope: string;
  /** True loads the site with the user's cookies; false loads it without cookies. */
  isNamed: boolean;
  quiet: number | null;
  dialogs: () => DialogPolicy;
  /** Returns the tab's next element id. */
  nextId: () => number;
  /** Called when a document of the site has loaded. Null means that the document has no driver that accepts this application. */
  onPage: (page: SitePage | null) => void;
  /** Called when another document of the site is about to replace the current one. */
  onLeaving: () => void;
  onEvent: (event: DriverEvent) => void;
  onGone: (gone: Gone) => void;
}

/**
 * A page of a site in two nested frames. The outer frame is empty and ours. Its policy confines the inner frame to the site, regardless of
 * links, scripts and redirects. The inner frame contains the site with its own origin. If the site includes a driver, the driver announces
 * itself. It then receives a port, posted only to the site's origin.
 */
export class SiteFrame {
  readonly #options: SiteFrameOptions;
  readonly element = document.createElement('iframe');
  readonly #inner = document.createElement('iframe');
  #connection: PageConnection | null = null;
  #closed = false;
  /** True if a driver has announced itself since the last document loaded. */
  #hasReported = false;
  #arrivals: (() => void)[] = [];

  constructor(options: SiteFrameOptions) {
    this.#options = options;

    const { container, scope, url, isNamed } = options;
    addEventListener('message', this.#hear);
    this.element.title = url.host;
    setSource(
      this.element,
      `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${scope}">`,
    );
    const inner = this.#inner;
    inner.setAttribute('sandbox', SITE_SANDBOX);
    inner.setAttribute('allow', '');
    if (!isNamed) inner.setAttribute('credentialless', '');
    inner.referrerPolicy = 'no-referrer';
    inner.title = url.host;
    inner.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;border:0';
    inner.addEventListener('load', () => this.#loaded());
    this.element.addEventListener(
      'load',
      () => {
        const around = this.element.contentDocument;
        if (around === null) return;
        around.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          if (effectiveDirective === 'frame-src') this.#end({ how: 'left', to: blockedURI });
        });
        inner.src = url.href;
        around.body.append(inner);
      },
      { once: true },
    );
    container.append(this.element);
  }

  /** Resolves when the next document has loaded and its driver has announced itself, or after a timeout. */
  arrived(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = AbortSignal.any([signal, AbortSignal.timeout(ARRIVAL)]);
      done.addEventListener('abort', () => resolve(), { once: true });
      this.#arrivals.push(resolve);
    });
  }

  close(why?: string): void {
    if (this.#closed) return;
    this.#closed = true;
    removeEventListener('message', this.#hear);
    this.#connection?.close(why);
    this.element.remove();
    this.#tellArrival();
  }

  readonly #hear = (event: MessageEvent<unknown>): void => {
    const { url: first, scope, nextId, dialogs, quiet } = this.#options;
    if (event.source === null || event.source !== this.#inner.contentWindow || event.origin !== first.origin)
      return;
    const here = readHere(event.data);
    const url = here === null ? null : parseUrl(here.url);
    if (here === null || url === null || !isWithinScope(url, scope)) return;
    this.#hasReported ||= !here.loaded;
    const { port1, port2 } = new MessageChannel();
    const before = this.#connection;
    const connection = new PageConnection(port1, {
      dialogs,
      onEvent: (event) => {
        if (this.#connection !== connection) return;
        if (event.event === 'leaving') this.#options.onLeaving();
        else this.#options.onEvent(event);
      },
      onEnd: (why) => {
        if (this.#connection === connection) this.#end({ how: 'ended', why });
      },
    });
    this.#connection = connection;
    this.#options.onPage({ connection, url });
    before?.close('Another page took its place.');
    const drive: Drive = { rolezero: 'drive', firstId: nextId(), dialogs: dialogs(), quiet, prefix: '' };
    this.#inner.contentWindow.postMessage(drive, event.origin, [port2]);
    if (here.loaded) this.#tellArrival();
    else setTimeout(() => this.#connection === connection && this.#tellArrival(), LOADED);
  };

  /** Handles a loaded document. Injects the driver into a page of our own origin that has none. */
  #loaded(): void {
    const connection = this.#connection;
    const own = this.#inner.contentDocument;
    if (own !== null) {
      if (own.URL === 'about:blank') return;
      if (!isWithinScope(new URL(own.URL), this.#options.scope)) {
        this.#end({ how: 'left', to: own.URL });
        return;
      }
      if (!this.#hasReported) giveDriver(own);
    }
    if (this.#hasReported) {
      this.#hasReported = false;
      this.#tellArrival();
      return;
    }
    setTimeout(() => {
      if (this.#closed || this.#connection !== connection) return;
      this.#connection = null;
      this.#options.onPage(null);
      connection?.close('Another page took its place.');
      this.#tellArrival();
    }, DRIVER_REPORTS_MS);
  }

  #end(gone: Gone): void {
    if (this.#closed) return;
    this.close();
    this.#options.onGone(gone);
  }

  #tellArrival(): void {
    for (const arrival of this.#arrivals.splice(0)) arrival();
  }
}

function giveDriver(own: Document): void {
  const script = own.createElement('script');
  setScript(script, ownDriverText(driverSource, location.origin));
  own.head.append(script);
}

/**
 * Returns the allowed addresses for pages opened at this address. This is the matching entry of `drive` in full, or the origin of the
 * address. Returns null for an unlisted address of the application's own origin, because its pages can access everything the application
 * can.
 */
export function siteScope(url: URL, drive: readonly string[]): { scope: string; isNamed: boolean } | null {
  const named = drive.find((scope) => isWithinScope(url, scope));
  if (named !== undefined) return { scope: named, isNamed: true };
  return url.origin === location.origin ? null : { scope: url.origin, isNamed: false };
}

/** Returns whether a URL is within `scope`, which comes from `readScopes`. */
function isWithinScope(url: URL, scope: string): boolean {
  const { origin, pathname } = new URL(scope);
  return url.origin === origin && (!scope.endsWith('/') || url.pathname.startsWith(pathname));
}

/**
 * Validates the entries of `drive` for use in a policy: origins, or addresses of directories that end in `/`.
 *
 * @throws RoleZeroError `invalid` for any other entry.
 */
export function readScopes(entries: readonly string[]): string[] {
  return entries.map((text) => {
    const url = parseUrl(text);
    const isPlain = url !== null && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host);
    const path = url?.pathname ?? '';
    if (!isPlain || url.search !== '' || url.hash !== '' || !/^\/([\w.~%-]+\/)*$/.test(path))
      throw new RoleZeroError(
        'invalid',
        `frame({ drive }) takes origins such as https://shop.example, or with a path that ends in "/", not "${text}".`,
      );
    return path === '/' ? url.origin : `${url.origin}${path}`;
  });
}
