import { newId } from '../../../base/new-id.js';
import type { DriverEvent, DriverSettings } from '../protocol.js';
import { FrameLinks } from './frame-links.js';
import type { ElementIds } from './ids.js';
import { LIMITS } from '../limits.js';
import { later } from './natives.js';
import type { HostPort } from './port.js';
import type { Quiet } from './quiet.js';

/** A driver in a child frame also gets what stands before its ids. */
export type OwnSettings = DriverSettings & { prefix?: string };

const MOST_FRAMES = 20;
const PATIENCE = 2_000;

/**
 * Frames inside the page. In a sandbox each document is of an origin of its own, so nobody can look into a frame from outside: each gets a
 * driver, put before its text, and the drivers speak to each other as the host speaks to the page's.
 */
export class ChildFrames {
  readonly links: FrameLinks;
  readonly #given = new WeakMap<Element, string>();
  readonly #nonces = new WeakMap<Element, string>();

  constructor(
    readonly host: HostPort,
    readonly quiet: Quiet,
    readonly settings: OwnSettings,
    /** This driver's own text, for the children. */
    readonly text: string,
    readonly ids: ElementIds,
    readonly resolve: (address: string) => string,
  ) {
    this.links = new FrameLinks(host, quiet, ids, (frame, navigation) => {
      if (!isOwn(navigation)) return false;
      this.#show(frame as HTMLIFrameElement, navigation.url);
      return true;
    });
    new MutationObserver(() => this.#look()).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['src', 'srcdoc'],
    });
  }

  /** Shows a page in the frame of this name; false if there is none. */
  open(name: string, url: string): boolean {
    const frame = [...document.querySelectorAll('iframe')].find((each) => each.name === name);
    if (frame) this.#show(frame, url);
    return frame !== undefined;
  }

  #look(): void {
    for (const frame of document.querySelectorAll('iframe')) {
      const { srcdoc, src } = frame;
      if (srcdoc && this.#given.get(frame) !== srcdoc) {
        frame.removeAttribute('src'); // the text is what counts; a later address counts again
        this.#adopt(frame, srcdoc, this.settings.url);
      } else if (src && !/^(about|javascript):/.test(src)) {
        const address = frame.getAttribute('src') ?? '';
        frame.removeAttribute('src');
        this.#show(frame, this.resolve(address));
      }
    }
  }

  #show(frame: HTMLIFrameElement, url: string): void {
    void this.quiet.during(/^(data|blob):/.test(url) ? this.#loadOwn(frame, url) : this.#load(frame, url));
  }

  /** What the page itself made. */
  async #loadOwn(frame: HTMLIFrameElement, url: string): Promise<void> {
    const html = await fetch(url).then(
      (response) => response.text(),
      () => '<p>This frame could not be loaded.</p>',
    );
    this.#adopt(frame, html, this.settings.url);
  }

  async #load(frame: HTMLIFrameElement, url: string): Promise<void> {
    const answer = await this.host.file({
      url: url.slice(0, LIMITS.url),
      method: 'GET',
      use: 'frame',
      body: null,
    });
    const html =
      answer.status > 0 && answer.body
        ? new TextDecoder().decode(answer.body)
        : `<p>${(answer.problem ?? 'This frame could not be loaded.').replace(/</g, '&lt;')}</p>`;
    this.#adopt(frame, html, url);
  }

  #adopt(frame: HTMLIFrameElement, html: string, url: string): void {
    if (this.links.count >= MOST_FRAMES && !this.links.has(frame)) return;
    const nonce = newId();
    const settings = {
      ...this.settings,
      nonce,
      url,
      prefix: `${this.settings.prefix ?? ''}${this.ids.of(frame)}.`,
      firstId: this.ids.next,
    };
    const literal = JSON.stringify(settings).replace(/</g, '\\u003c');
    const script = `<script>{const ROLEZERO_DRIVER=${literal};\n${this.text}}</script>`;
    const text = /^\s*<!doctype/i.test(html)
      ? html.replace(/^\s*<!doctype[^>]*>/i, (doctype) => doctype + script)
      : `<!doctype html>${script}${html}`;
    this.#given.set(frame, text);
    this.#nonces.set(frame, nonce);
    let loaded = (): void => undefined;
    void this.quiet.during(
      new Promise<void>((resolve) => {
        loaded = resolve;
        later(resolve, PATIENCE);
      }),
    );
    frame.srcdoc = text;
    // Each time: what stood there before may be done loading only now, and the page may load itself again.
    frame.addEventListener('load', () => {
      if (this.#nonces.get(frame) === nonce) this.#connect(frame, nonce, loaded);
    });
  }

  #connect(frame: HTMLIFrameElement, nonce: string, loaded: () => void): void {
    frame.contentWindow?.postMessage({ rolezero: nonce }, '*', [this.links.connect(frame, loaded)]);
  }
}

/** A frame goes elsewhere by itself; what is meant for the whole page, and what needs its history, the host hears of. */
function isOwn({ how, method, popup, top }: Extract<DriverEvent, { event: 'navigate' }>): boolean {
  return !popup && !top && method === 'get' && how !== 'back' && how !== 'forward';
}
