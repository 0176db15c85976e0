import { RoleZeroError } from '../../../base/error.js';
import { driverSource } from '../driver-source.js';
import { type Drive, readHere } from '../driver/site/handshake.js';
import { type DialogPolicy, type DriverEvent, ownDriverText } from '../protocol.js';
import { parseUrl } from './addresses.js';
import { Connection } from './connection.js';
import type { Gone } from './page-frame.js';
import { setScript, setSource } from './trusted.js';

/** What a site may do in its frame. Its origin is its own, and never the application's unless that names the page: see `siteScope`. */
const SANDBOX = 'allow-scripts allow-forms allow-same-origin';
/** Milliseconds for a page of a site to be there. */
const ARRIVAL = 15_000;
/** Milliseconds after which a page whose driver has told is there, although it still loads. */
const LOADED = 5_000;
/** Milliseconds after the document is there in which its driver has to tell. */
const DRIVER_TELLS = 1_000;

export interface SiteFrameOptions {
  container: HTMLElement;
  url: URL;
  /** Where pages of the frame may stand, as a source of a Content-Security-Policy: an origin, or with a path that ends in `/`. */
  scope: string;
  /** With the cookies the person has there; otherwise with none. */
  isNamed: boolean;
  quiet: number | null;
  dialogs: () => DialogPolicy;
  /** The next id of the tab. */
  nextId: () => number;
  /** A document of the site is there; null: it carries no driver that lets itself be driven from here. */
  onPage: (page: { connection: Connection; url: URL } | null) => void;
  /** The document that is there is about to be replaced by another one of the site. */
  onLeaving: () => void;
  onEvent: (event: DriverEvent) => void;
  onGone: (gone: Gone) => void;
}

/**
 * A page of a site in two frames. The outer one is empty and ours; its policy lets the inner one stand at the site and nowhere else, wherever
 * links, scripts and redirects lead. In the inner one the site is what it is everywhere, with its own origin. A driver that it carries tells
 * us that it is there; it gets a port, posted to the site's origin alone.
 */
export class SiteFrame {
  readonly #options: SiteFrameOptions;
  readonly element = document.createElement('iframe');
  readonly #inner = document.createElement('iframe');
  #connection: Connection | null = null;
  #closed = false;
  /** A driver has told since a document was loaded. */
  #hasTold = false;
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
    inner.setAttribute('sandbox', SANDBOX);
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

  /** Resolves when the next document is there, and its driver has told or has not in time. */
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
    if (here === null || url === null || !isWithin(url, scope)) return;
    this.#hasTold ||= !here.loaded;
    const { port1, port2 } = new MessageChannel();
    const before = this.#connection;
    const connection = new Connection(port1, {
      dialogs,
      onEvent: (told) => {
        if (this.#connection !== connection) return;
        if (told.event === 'leaving') this.#options.onLeaving();
        else this.#options.onEvent(told);
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

  /** A document stands in the frame. A page of our own origin that carries no driver is given one. */
  #loaded(): void {
    const told = this.#connection;
    const own = this.#inner.contentDocument;
    if (own !== null) {
      if (own.URL === 'about:blank') return;
      if (!isWithin(new URL(own.URL), this.#options.scope)) {
        this.#end({ how: 'left', to: own.URL });
        return;
      }
      if (!this.#hasTold) giveDriver(own);
    }
    if (this.#hasTold) {
      this.#hasTold = false;
      this.#tellArrival();
      return;
    }
    setTimeout(() => {
      if (this.#closed || this.#connection !== told) return;
      this.#connection = null;
      this.#options.onPage(null);
      told?.close('Another page took its place.');
      this.#tellArrival();
    }, DRIVER_TELLS);
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
 * Where pages may stand that are opened at this address: the entry of `drive` that names it, in full, or the address's origin. Null for an
 * address of the application's own origin that is not named: what stands there has all the application has.
 */
export function siteScope(url: URL, drive: readonly string[]): { scope: string; isNamed: boolean } | null {
  const named = drive.find((scope) => isWithin(url, scope));
  if (named !== undefined) return { scope: named, isNamed: true };
  return url.origin === location.origin ? null : { scope: url.origin, isNamed: false };
}

/** `scope` as `readScopes` gives it. */
function isWithin(url: URL, scope: string): boolean {
  const { origin, pathname } = new URL(scope);
  return url.origin === origin && (!scope.endsWith('/') || url.pathname.startsWith(pathname));
}

/** Entries of `drive` as they may stand in a policy: origins, or addresses of directories with a `/` at the end. */
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
