import { RoleZeroError } from '../../../core/error.js';
import type { DialogPolicy, DriverEvent } from '../protocol.js';
import { PageConnection } from './connection.js';
import { setSource } from './trusted.js';
import { SANDBOX, type ShowPage, type WrapperMessage } from './wrapper.js';

/** Default of `loadTimeoutMs`. */
const DEFAULT_LOAD_TIMEOUT_MS = 10_000;

/** Milliseconds that a page of another origin has to load. */
const FOREIGN_TIMEOUT_MS = 15_000;

/** Frame in which a tab shows a page. */
export interface TabFrame {
  readonly element: HTMLElement;
  close(why?: string): void;
}

export interface PageFrameOptions {
  /** Milliseconds that the page has to become ready. */
  loadTimeoutMs?: number | undefined;
  /** Element that shows the frame. */
  container: HTMLElement;
  wrapper: { document: string } | { url: string };
  html: string;
  base: string;
  nonce: string;
  /** Returns the current dialog policy. */
  dialogs: () => DialogPolicy;
  onEvent: (event: DriverEvent) => void;
  /** Called when the page navigated away (`to` is an origin, or empty if unknown), reloaded itself, or ended. */
  onGone: (gone: Gone) => void;
}

export type Gone = { how: 'left'; to: string } | { how: 'reloaded' } | { how: 'ended'; why: string };

/**
 * One document in two nested frames. The outer frame is the wrapper, which prevents the page from navigating away. The inner frame contains
 * the page, which has no origin and communicates with the host through one port.
 */
export class PageFrame {
  readonly #options: PageFrameOptions;
  readonly #onReady: () => void;
  readonly element: HTMLIFrameElement;
  /** Connection for requests to the page. */
  readonly connection: PageConnection;
  readonly #driver = new MessageChannel();
  readonly #wrapper = new MessageChannel();
  #closed = false;
  #ready = false;
  #blocked = '';

  private constructor(options: PageFrameOptions, onReady: () => void) {
    this.#options = options;
    this.#onReady = onReady;

    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', SANDBOX);
    frame.setAttribute('allow', '');
    frame.setAttribute('credentialless', '');
    frame.referrerPolicy = 'no-referrer';
    frame.title = 'Page';
    this.element = frame;
    this.connection = new PageConnection(this.#driver.port1, {
      dialogs: options.dialogs,
      onEvent: (event) => this.#onEvent(event),
      onEnd: (why) => {
        this.close(why);
        options.onGone({ how: 'ended', why });
      },
    });
  }

  /**
   * Shows a document and waits for its driver.
   *
   * @throws RoleZeroError `tool-failed` if the driver is not ready in time, or if the page navigates away before.
   */
  static open(options: PageFrameOptions, signal: AbortSignal): Promise<PageFrame> {
    return new Promise((resolve, reject) => {
      const give = (error: Error): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        page.close();
        reject(error);
      };
      const page = new PageFrame(
        {
          ...options,
          onGone: (gone) => {
            if (page.#ready) options.onGone(gone);
            else give(notOpened(gone));
          },
        },
        () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          resolve(page);
        },
      );
      const stop = (): void => give(signal.reason as Error);
      const { loadTimeoutMs = DEFAULT_LOAD_TIMEOUT_MS } = options;
      const timer = setTimeout(() => {
        give(
          new RoleZeroError(
            'tool-failed',
            `The page did not load within ${loadTimeoutMs / 1000} seconds; it may be in an endless loop. The application can raise the limit with frame({ loadTimeoutMs }).`,
          ),
        );
      }, loadTimeoutMs);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      else page.#show();
    });
  }

  close(why = 'It was closed.'): void {
    if (this.#closed) return;
    this.#closed = true;
    this.connection.close(why);
    this.#wrapper.port1.close();
    this.element.remove();
  }

  #show(): void {
    const { wrapper, container, html, base, nonce } = this.#options;
    this.#wrapper.port1.onmessage = ({ data }: MessageEvent<unknown>) => this.#fromWrapper(data);
    this.element.addEventListener(
      'load',
      () => {
        const message: ShowPage = { rolezero: 'show', base, html, nonce };
        // A sandboxed frame has no origin to target. The wildcard is safe: only our own wrapper is ever loaded in this frame.
        this.element.contentWindow?.postMessage(message, '*', [this.#wrapper.port2, this.#driver.port2]);
      },
      { once: true },
    );
    if ('url' in wrapper) this.element.src = wrapper.url;
    else setSource(this.element, wrapper.document);
    container.append(this.element);
  }

  #fromWrapper(data: unknown): void {
    const message = data as WrapperMessage; // the wrapper is ours, and no page can access its port
    if ('blocked' in message) {
      this.#blocked = message.blocked;
      return;
    }
    if (message.loaded === 1 && this.#blocked === '') return;
    if (this.#blocked !== '') this.#options.onGone({ how: 'left', to: this.#blocked });
    else
      void this.connection.isAlive().then((alive) => {
        if (!alive && !this.#closed) this.#options.onGone({ how: 'reloaded' });
      });
  }

  #onEvent(event: DriverEvent): void {
    if (event.event === 'ready' && !this.#ready) {
      this.#ready = true;
      this.#onReady();
    }
    if (!this.#closed) this.#options.onEvent(event);
  }
}

function notOpened(gone: Gone): RoleZeroError {
  return new RoleZeroError('tool-failed', `The page did not stay open: ${sayGone(gone)}`, { gone: gone.how });
}

function sayGone(gone: Gone): string {
  switch (gone.how) {
    case 'left':
      return `it tried to go to ${gone.to}, where a page may not go on its own.`;
    case 'reloaded':
      return 'it reloaded itself.';
    case 'ended':
      return gone.why;
  }
}

/** Explains why a page was closed: it navigated away, reloads too often, or ended. */
export function whyClosed(gone: Gone): string {
  if (gone.how === 'reloaded') return 'The page reloads itself endlessly and was closed.';
  return gone.how === 'left' ? `The page is gone: ${sayGone(gone)}` : `The page was closed. ${sayGone(gone)}`;
}

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

/** Fills the container with a frame, visible or hidden. A hidden frame retains its size, so that its page can still be read. */
export function fillContainer(element: HTMLElement, shown: boolean): void {
  element.style.cssText = `position:absolute;inset:0;width:100%;height:100%;border:0;background:#fff;visibility:${shown ? 'visible' : 'hidden'}`;
}
