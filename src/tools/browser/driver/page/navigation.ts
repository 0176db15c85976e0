import { LIMITS } from '../../limits.js';
import { virtualLocation } from '../../virtual-location.js';
import { type Destination, downloadName, handOver, isInPage, tellNavigation } from '../leaving.js';
import { listen, method, replaceMethod } from '../natives.js';
import type { HostPort } from '../port.js';
import type { Quiet } from '../quiet.js';
import { cut } from '../view/quote.js';

/**
 * What leads away from the page is told to the host instead of done: in its sandbox the frame cannot go anywhere. Links and forms are
 * looked at when the page's own listeners are through with the event; a page that stops the event on its way is looked at there.
 */
export class Navigator {
  /** How often the page wanted to leave. */
  left = 0;
  readonly #preventDefault = method(Event.prototype, 'preventDefault');
  readonly #fetch = window.fetch.bind(window);

  constructor(
    readonly host: HostPort,
    readonly quiet: Quiet,
    /** The page's own address. */
    readonly here: () => string,
    /** What addresses are relative to when it is not the page's own one, but one that the page named. */
    readonly base: string | null,
    readonly goToFragment: (url: string) => void,
    /** Into a frame of the page that has this name; false if there is none. */
    readonly intoFrame: (name: string, url: string) => boolean,
  ) {
    for (const type of ['click', 'auxclick'])
      addEventListener(type, (event) => this.#click(event, linkOf(event)));
    addEventListener('submit', (event) => this.#submit(event));
    this.#watchStopped('stopPropagation');
    this.#watchStopped('stopImmediatePropagation');
    replaceMethod(HTMLFormElement.prototype, 'submit', (form) => this.#send(form as HTMLFormElement, null));
    // A link that is not part of the page sends its clicks past everybody: how scripts hand out files.
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

  /** An event that stops before it reaches the window is looked at when the listener that stopped it is through. */
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

  /** The browser must not follow, but the page may still decide that nothing is followed: it is asked whether it prevented the event. */
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
      run(address.replace(/^\s*javascript:/i, ''));
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
      if (fields.length >= LIMITS.fields) break;
      fields.push([cut(name, LIMITS.url), cut(typeof value === 'string' ? value : value.name, LIMITS.view)]);
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

  /** What a `target` means. */
  #where(target: string): { popup: boolean; top: boolean; frame: string } {
    const isOwn = /^(_self|_top|_parent)?$/i.test(target);
    return { popup: !isOwn, top: /^_(top|parent)$/i.test(target), frame: isOwn ? '' : target };
  }

  /** Elsewhere, as a script of the page wants it. */
  open(url: string, how: 'script' | 'replace'): void {
    this.#leave({ url, how });
  }

  /** Hands a file to the host; what is in the page's own memory nobody else can read. */
  download(url: string, given: string): void {
    const name = downloadName(url, given);
    if (isInPage(url)) handOver(this.host, this.quiet, { url, name }, this.#fetch(url));
    else this.host.event({ event: 'download', url: cut(url, LIMITS.url), name, body: null });
  }

  #leave({ frame = '', ...where }: Destination & { frame?: string }): void {
    if (where.method !== 'post' && frame !== '' && this.intoFrame(frame, where.url)) return;
    if (!where.popup) this.left++;
    tellNavigation(this.host, where);
  }

  /** Back, forward or reload, as a script of the page wants it. */
  go(how: 'back' | 'forward' | 'reload'): void {
    this.#leave({ url: this.here(), how });
  }
}

/** The script in a link's address. */
function run(code: string): void {
  const script = document.createElement('script');
  try {
    script.textContent = virtualLocation(decodeURIComponent(code));
  } catch {
    script.textContent = virtualLocation(code); // a per cent sign that means itself
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

/** What `window.open` gives: enough for pages that do not look closely. */
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
