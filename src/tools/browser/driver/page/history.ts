import { MESSAGE_LIMITS } from '../../limits.js';
import type { DriverSettings } from '../../protocol.js';
import { VIRTUAL_LOCATION, virtualLocation } from '../../virtual-location.js';
import { later, method } from '../natives.js';
import type { HostPort } from '../port.js';
import { cut } from '../view/quote.js';
import { isFragment, type Navigator } from './navigation.js';

/** Inline handlers that may contain a navigation. */
const HANDLER_ATTRIBUTES = [
  'onclick',
  'ondblclick',
  'onchange',
  'oninput',
  'onsubmit',
  'onmousedown',
  'onmouseup',
  'onkeydown',
  'onkeyup',
  'onload',
];
const SELECTOR = HANDLER_ATTRIBUTES.map((name) => `[${name}*="location"]`).join(', ');

type LocationPart = 'protocol' | 'host' | 'hostname' | 'port' | 'pathname' | 'search' | 'hash';
const LOCATION_PARTS: readonly LocationPart[] = [
  'protocol',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
];

interface PageHistoryEntry {
  url: string;
  state: unknown;
}

/**
 * History of one document. A `srcdoc` document cannot change its address, and going back would leave the frame. Entries are therefore
 * stored here, and the page's scripts access them through `history`. Only the fragment is real: links to `#…` work natively.
 */
export class PageHistory {
  #entries: PageHistoryEntry[];
  #index = 0;
  readonly #replaceState = method(History.prototype, 'replaceState');
  readonly #before: number;
  readonly #all: number;

  constructor(
    readonly host: HostPort,
    settings: DriverSettings,
    readonly leave: (how: 'back' | 'forward' | 'reload') => void,
  ) {
    this.#entries = [{ url: settings.url, state: settings.history?.state ?? null }];
    this.#before = settings.history?.index ?? 0;
    this.#all = settings.history?.length ?? 1;
    const replace = (name: keyof History, value: PropertyDescriptor) =>
      Object.defineProperty(History.prototype, name, { ...value, configurable: true, enumerable: true });
    replace('pushState', {
      value: (state: unknown, _title: string, url?: string | URL | null) => this.#set(state, url, true),
      writable: true,
    });
    replace('replaceState', {
      value: (state: unknown, _title: string, url?: string | URL | null) => this.#set(state, url, false),
      writable: true,
    });
    replace('go', { value: (by = 0) => this.#go(by), writable: true });
    replace('back', { value: () => this.#go(-1), writable: true });
    replace('forward', { value: () => this.#go(1), writable: true });
    replace('state', { get: () => this.#current.state });
    replace('length', { get: () => Math.max(this.#all, this.#before + this.#entries.length) });
    addEventListener('hashchange', () => this.#hashChanged());
    const fragment = new URL(settings.url).hash;
    if (fragment) this.#showFragment(settings.url);
  }

  get url(): string {
    return this.#current.url;
  }

  get #current(): PageHistoryEntry {
    return this.#entries[this.#index] ?? { url: '', state: null };
  }

  /** Follows a link to a fragment of this page. */
  goToFragment(url: string): void {
    location.hash = new URL(url).hash || '#';
    if (!new URL(url).hash) scrollTo(0, 0);
  }

  /** Moves by `by` entries for the host. Returns false if that leads off this document. */
  step(by: number): boolean {
    if (!this.#entries[this.#index + by]) return false;
    this.#traverse(by);
    return true;
  }

  #go(by: number): void {
    if (by === 0) {
      this.leave('reload');
      return;
    }
    later(() => {
      if (!this.step(by)) this.leave(by < 0 ? 'back' : 'forward');
    }, 0);
  }

  #traverse(by: number): void {
    const before = this.url;
    this.#index += by;
    const { url, state } = this.#current;
    this.#showFragment(url);
    dispatchEvent(new PopStateEvent('popstate', { state }));
    if (isFragment(url, before) || isFragment(before, url))
      dispatchEvent(new HashChangeEvent('hashchange', { oldURL: before, newURL: url }));
    this.#tell('traverse');
  }

  #set(state: unknown, address: string | URL | null | undefined, isNew: boolean): void {
    const url =
      address === undefined || address === null ? this.url : new URL(String(address), this.url).href;
    const entry = { url, state: structuredClone(state ?? null) };
    if (isNew) this.#push(entry);
    else this.#entries[this.#index] = entry;
    this.#showFragment(url);
    this.#tell(isNew ? 'push' : 'replace');
  }

  #push(entry: PageHistoryEntry): void {
    this.#entries = [...this.#entries.slice(0, this.#index + 1), entry].slice(-1_000);
    this.#index = this.#entries.length - 1;
  }

  /** Sets the fragment of the document's real address, which scripts read from `location.hash`. */
  #showFragment(url: string): void {
    const { hash } = new URL(url);
    if (hash === location.hash) return;
    try {
      this.#replaceState(history, null, '', `${location.href.replace(/#.*$/s, '')}${hash}`);
    } catch {
      // The browser forbids even a change of the fragment; the page sees the old fragment.
    }
  }

  /** Handles a change of `location.hash` by the page or a link. */
  #hashChanged(): void {
    const url = new URL(this.url);
    if (url.hash === location.hash) return;
    url.hash = location.hash;
    this.#push({ url: url.href, state: null });
    this.#tell('hash');
  }

  #tell(how: 'push' | 'replace' | 'hash' | 'traverse'): void {
    this.host.event({
      event: 'history',
      url: cut(this.url, MESSAGE_LIMITS.url),
      how,
      index: this.#index,
      length: this.#entries.length,
    });
  }
}

/**
 * Defines the replacement for `location` that rewritten scripts of the page use (see `virtualLocation`). It returns the page's own address
 * and reports navigations to the host. Handlers that the page adds at run time are rewritten when they appear.
 */
export function giveLocation(history: PageHistory, navigator: Navigator): void {
  const stand = standIn(history, navigator);
  Object.defineProperty(window, VIRTUAL_LOCATION, {
    value: (given: unknown) => (given === location ? stand : given),
  });
  new MutationObserver((records) => {
    for (const { target, attributeName, addedNodes } of records) {
      if (attributeName !== null) rewrite(target as Element, attributeName);
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const element of [node, ...node.querySelectorAll(SELECTOR)])
            for (const name of HANDLER_ATTRIBUTES) rewrite(element, name);
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: HANDLER_ATTRIBUTES,
  });
}

function rewrite(element: Element, name: string): void {
  const before = element.getAttribute(name) ?? '';
  const after = virtualLocation(before);
  if (after !== before) element.setAttribute(name, after);
}

function standIn(history: PageHistory, navigator: Navigator): object {
  const go = (to: unknown, how: 'script' | 'replace' = 'script'): void => {
    const url = navigator.resolve(String(to));
    if (isFragment(url, history.url)) history.goToFragment(url);
    // As in browsers, a navigation during load replaces the entry: otherwise, going back would navigate forward again and again.
    else navigator.open(url, document.readyState === 'complete' ? how : 'replace');
  };
  const stand = {
    assign: (to: unknown) => go(to),
    replace: (to: unknown) => go(to, 'replace'),
    reload: () => location.reload(),
    toString: () => stand.href,
    get ancestorOrigins() {
      return location.ancestorOrigins;
    },
    get origin() {
      return new URL(history.url).origin;
    },
    get href() {
      const url = new URL(history.url);
      url.hash = location.hash;
      return url.href;
    },
    set href(to: string) {
      go(to);
    },
  };
  for (const name of LOCATION_PARTS)
    Object.defineProperty(stand, name, {
      get: () => new URL(stand.href)[name],
      set: (value: unknown) => {
        const url = new URL(stand.href);
        url[name] = String(value);
        go(url.href);
      },
      enumerable: true,
    });
  return stand;
}
