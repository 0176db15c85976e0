import { SANDBOX } from './wrapper.js';

/** Milliseconds that a page of another origin has to load. */
const FOREIGN_TIMEOUT_MS = 15_000;

/** A page of another origin. The user can see it, but no code here can read it. */
export class ForeignFrame {
  readonly element = document.createElement('iframe');
  readonly #container: HTMLElement;
  readonly #url: URL;

  constructor(container: HTMLElement, url: URL) {
    this.#container = container;
    this.#url = url;
    this.element.setAttribute('sandbox', SANDBOX);
    this.element.setAttribute('allow', '');
    this.element.setAttribute('credentialless', '');
    this.element.referrerPolicy = 'no-referrer';
    this.element.title = url.host;
  }

  /** Shows the page. Resolves when it has loaded, after the timeout, or when the tab is closed. */
  async loaded(signal: AbortSignal): Promise<void> {
    const done = AbortSignal.any([signal, AbortSignal.timeout(FOREIGN_TIMEOUT_MS)]);
    await new Promise<void>((resolve) => {
      this.element.addEventListener('load', () => resolve(), { once: true });
      done.addEventListener('abort', () => resolve(), { once: true });
      this.element.src = this.#url.href;
      this.#container.append(this.element);
    });
  }

  close(): void {
    this.element.remove();
  }
}

/** Explains why a web page is only displayed and cannot be driven. */
export function notDriven(origin: string): string {
  const why =
    origin === location.origin
      ? 'It belongs to the application itself, which does not list it in frame({ drive }).'
      : "It carries no driver that obeys this application (allowDriving of 'rolezero/tools/frame/driver').";
  return (
    `This page belongs to ${origin}. It is shown to the user, if it allows framing, but it cannot be read or clicked from here: browsers keep pages of different origins apart. ${why} ` +
    'To read pages of the web, the application gives the browser a reader: frame({ read }).'
  );
}
