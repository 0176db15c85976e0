import { MESSAGE_LIMITS } from '../../limits.js';
import { virtualLocation } from '../../virtual-location.js';
import { type Destination, downloadName, handOver, isInPage, tellNavigation } from '../leaving.js';
import { listen, method, replaceMethod } from '../natives.js';
import type { HostPort } from '../port.js';
import type { Quiet } from '../quiet.js';
import { cut } from '../view/quote.js';

/**
 * Reports navigations to the host instead of performing them: in its sandbox, the frame cannot navigate. Links and forms are handled after
 * the page's own listeners. If the page stops the event, it is handled after the listener that stopped it.
 */
export class Navigator {
  /** Number of times the page requested to leave. */
  left = 0;
  readonly #preventDefault = method(Event.prototype, 'preventDefault');
  readonly #fetch = window.fetch.bind(window);

  constructor(
    readonly host: HostPort,
    readonly quiet: Quiet,
    /** Returns the page's own address. */
    readonly here: () => string,
    /** Base URL if the page specified one; null if it is the page's own address. */
    readonly base: string | null,
    readonly goToFragment: (url: string) => void,
    /** Opens a URL in the frame of the page with this name. Returns false if there is none. */
    readonly intoFrame: (name: string, url: string) => boolean,
  ) {
    for (const type of ['click', 'auxclick'])
      addEventListener(type, (event) => this.#click(event, linkOf(event)));
    addEventListener('submit', (event) => this.#submit(event));
    this.#watchStopped('stopPropagation');
    this.#watchStopped('stopImmediatePropagation');
    replaceMethod(HTMLFormElement.prototype, 'submit', (form) => this.#send(form as HTMLFormElement, null));
    // Clicks on a link outside the document reach no other listener. Scripts use such links to start downloads.
    const follow = (link: unknown): void => {
      if (link instanceof HTMLAnchorElement && !link.isConnected)
        listen(link, 'click', (event: Event) => this.#click(event, link), { once: true });
    };
    replaceMethod(HTMLElement.prototype, 'click', (link, _values, native) => {
      follow(link);
      return native();
    });
    replaceMethod(EventTarget.prototype, 'dispatchEvent', (link, [event], native) => {
      if (event instanceof Event && event.type === 'click') follow(link);
      return native();
    });
    window.open = (url?: string | URL, target?: string) => {
      const address = url === undefined || url === '' ? 'about:blank' : this.resolve(String(url));
      this.#leave({ url: address, how: 'open', ...this.#where(target || '_blank') });
      return fakeWindow();
    };
    window.close = () => this.host.event({ event: 'close' });
  }

  resolve(address: string): string {
    try {
      return new URL(address, this.base ?? this.here()).href;
    } catch {
      return address;
    }
  }

  /** Handles an event that stops before it reaches the window, after the listener that stopped it. */
  #watchStopped(name: 'stopPropagation' | 'stopImmediatePropagation'): void {
    replaceMethod(Event.prototype, name, (self, _values, native) => {
      native();
      const event = self as Event;
      if (event.eventPhase === Event.NONE || event.defaultPrevented) return;
      if (event.type === 'submit') this.#later(event, () => this.#submit(event, true));
      else if (event.type === 'click') {
        const link = linkOf(event);
        if (link) this.#later(event, () => this.#click(event, link, true));
      }
    });
  }

  /** Prevents the browser's default action. Runs `follow` later, unless the page prevents the event in the meantime. */
  #later(event: Event, follow: () => void): void {
    let prevented = false;
    this.#preventDefault(event);
    Object.defineProperty(event, 'defaultPrevented', { get: () => prevented, configurable: true });
    Object.defineProperty(event, 'preventDefault', { value: () => (prevented = true), configurable: true });
    queueMicrotask(() => {
      if (!prevented) follow();
    });
  }

  #click(event: Event, link: Element | null, isStopped = false): void {
    if (!link || (event.defaultPrevented && !isStopped)) return;
    const address = link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? '';
    this.#preventDefault(event);
    if (/^\s*javascript:/i.test(address)) {
      runScript(address.replace(/^\s*javascript:/i, ''));
      return;
    }
    const url = this.resolve(address);
    if (link.hasAttribute('download')) {
      this.download(url, link.getAttribute('download') ?? '');
      return;
    }
    const isApart = event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.button === 1);
    const where = this.#where(isApart ? '_blank' : (link.getAttribute('target') ?? ''));
    if (!where.popup && isFragment(url, this.here())) this.goToFragment(url);
    else this.#leave({ url, how: 'link', ...where });
  }

  #submit(event: Event, isStopped = false): void {
    if ((event.defaultPrevented && !isStopped) || !(event.target instanceof HTMLFormElement)) return;
    this.#preventDefault(event);
    this.#send(event.target, event instanceof SubmitEvent ? event.submitter : null);
  }

  #send(form: HTMLFormElement, submitter: HTMLElement | null): void {
    const own = (name: string) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? '';
    const method = own('method').toLowerCase();
    if (method === 'dialog') {
      form.closest('dialog')?.close(submitter?.getAttribute('value') ?? undefined);
      return;
    }
    const fields: [string, string][] = [];
    const isButton = submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement;
    for (const [name, value] of new FormData(form, isButton ? submitter : null)) {
      if (fields.length >= MESSAGE_LIMITS.fields) break;
      fields.push([
        cut(name, MESSAGE_LIMITS.url),
        cut(typeof value === 'string' ? value : value.name, MESSAGE_LIMITS.view),
      ]);
    }
    const url = new URL(this.resolve(own('action')));
    const where = this.#where(own('target'));
    if (method === 'post') {
      this.#leave({ url: url.href, how: 'submit', method: 'post', fields, ...where });
      return;
    }
    url.search = new URLSearchParams(fields).toString();
    this.#leave({ url: url.href, how: 'submit', ...where });
  }

  /** Interprets a `target` attribute. */
  #where(target: string): { popup: boolean; top: boolean; frame: string } {
    const isOwn = /^(_self|_top|_parent)?$/i.test(target);
    return { popup: !isOwn, top: /^_(top|parent)$/i.test(target), frame: isOwn ? '' : target };
  }

  /** Navigates to a URL on behalf of a script of the page. */
  open(url: string, how: 'script' | 'replace'): void {
    this.#leave({ url, how });
  }

  /** Sends a file to the host. Only the page can read content of its own memory, so its body is included. */
  download(url: string, given: string): void {
    const name = downloadName(url, given);
    if (isInPage(url)) handOver(this.host, this.quiet, { url, name }, this.#fetch(url));
    else this.host.event({ event: 'download', url: cut(url, MESSAGE_LIMITS.url), name, body: null });
  }

  #leave({ frame = '', ...where }: Destination & { frame?: string }): void {
    if (where.method !== 'post' && frame !== '' && this.intoFrame(frame, where.url)) return;
    if (!where.popup) this.left++;
    tellNavigation(this.host, where);
  }

  /** Goes back or forward, or reloads, on behalf of a script of the page. */
  go(how: 'back' | 'forward' | 'reload'): void {
    this.#leave({ url: this.here(), how });
  }
}

/** Runs the script of a `javascript:` URL. */
function runScript(code: string): void {
  const script = document.createElement('script');
  try {
    script.textContent = virtualLocation(decodeURIComponent(code));
  } catch {
    script.textContent = virtualLocation(code); // a literal percent sign
  }
  document.documentElement.append(script);
  script.remove();
}

export function isFragment(url: string, here: string): boolean {
  return url.includes('#') && url.replace(/#.*$/s, '') === here.replace(/#.*$/s, '');
}

function linkOf(event: Event): Element | null {
  for (const target of event.composedPath())
    if (target instanceof Element && /^(a|area)$/.test(target.localName))
      return target.hasAttribute('href') || target.hasAttribute('xlink:href') ? target : null;
  return null;
}

/** Returns a substitute for the result of `window.open`, sufficient for pages that use only basic members. */
function fakeWindow(): Window {
  const nothing = () => undefined;
  return {
    closed: false,
    close: nothing,
    focus: nothing,
    blur: nothing,
    postMessage: nothing,
  } as unknown as Window;
}
