import { newId } from '../../../core/new-id.js';
import { MESSAGE_LIMITS } from '../limits.js';
import type { DriverSettings, NavigateRequest } from '../protocol.js';
import { FrameLinks } from './frame-links.js';
import type { ElementIds } from './ids.js';
import { later } from './natives.js';
import { withoutForeignLoads } from './page/foreign-loads.js';
import type { HostPort } from './port.js';
import type { Quiet } from './quiet.js';

/** Settings of a driver in a child frame, with the prefix of its ids. */
export type OwnSettings = DriverSettings & { prefix?: string };

const MAX_FRAMES = 20;
const FRAME_TIMEOUT_MS = 2_000;

/**
 * Frames inside the page. In a sandbox, each document has its own origin, so no document can access a frame from outside. Each frame
 * therefore receives a driver before its text. These drivers communicate in the same way as the host and the page's driver.
 */
export class ChildFrames {
  readonly links: FrameLinks;
  readonly #given = new WeakMap<Element, string>();
  readonly #nonces = new WeakMap<Element, string>();

  constructor(
    readonly host: HostPort,
    readonly quiet: Quiet,
    readonly settings: OwnSettings,
    /** Source text of this driver, for the child frames. */
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

  /** Shows a page in the frame with this name. Returns false if there is none. */
  open(name: string, url: string): boolean {
    const frame = [...document.querySelectorAll('iframe')].find((each) => each.name === name);
    if (frame) this.#show(frame, url);
    return frame !== undefined;
  }

  #look(): void {
    for (const frame of document.querySelectorAll('iframe')) {
      const { srcdoc, src } = frame;
      if (srcdoc && this.#given.get(frame) !== srcdoc) {
        frame.removeAttribute('src'); // `srcdoc` wins now; a later `src` takes effect again
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

  /** Loads content that the page itself created (`data:`, `blob:`). */
  async #loadOwn(frame: HTMLIFrameElement, url: string): Promise<void> {
    const html = await fetch(url).then(
      (response) => response.text(),
      () => '<p>This frame could not be loaded.</p>',
    );
    this.#adopt(frame, html, this.settings.url);
  }

  async #load(frame: HTMLIFrameElement, url: string): Promise<void> {
    const answer = await this.host.file({
      url: url.slice(0, MESSAGE_LIMITS.url),
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
    if (this.links.count >= MAX_FRAMES && !this.links.has(frame)) return;
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
    const own = withoutForeignLoads(html);
    const text = /^\s*<!doctype/i.test(own)
      ? own.replace(/^\s*<!doctype[^>]*>/i, (doctype) => doctype + script)
      : `<!doctype html>${script}${own}`;
    this.#given.set(frame, text);
    this.#nonces.set(frame, nonce);
    let loaded = (): void => undefined;
    void this.quiet.during(
      new Promise<void>((resolve) => {
        loaded = resolve;
        later(resolve, FRAME_TIMEOUT_MS);
      }),
    );
    frame.srcdoc = text;
    // Listens to each load: the preceding document may finish loading only now, and the page may reload itself.
    frame.addEventListener('load', () => {
      if (this.#nonces.get(frame) === nonce) this.#connect(frame, nonce, loaded);
    });
  }

  #connect(frame: HTMLIFrameElement, nonce: string, loaded: () => void): void {
    frame.contentWindow?.postMessage({ rolezero: nonce }, '*', [this.links.connect(frame, loaded)]);
  }
}

/**
 * Returns whether the page itself handles a frame's navigation. The host handles new tabs, forms with POST, history steps, and navigations
 * of the whole page.
 */
function isOwn({ how, method, popup, top }: NavigateRequest): boolean {
  return !popup && !top && method === 'get' && how !== 'back' && how !== 'forward';
}
