import { defined } from '../../../base/defined.js';
import { describe, describeAsSentence, RoleZeroError } from '../../../base/error.js';
import { newId } from '../../../base/new-id.js';
import { driverSource } from '../driver-source.js';
import {
  driverText,
  type ActionRequest,
  type ActionResult,
  type AnswerOf,
  type DialogPolicy,
  type DriverEvent,
  type DriverRequest,
  type RequestKind,
} from '../protocol.js';
import type { Download } from '../frame-protocol.js';
import { EMPTY_PAGE, parseUrl, shownAddress, WORKSPACE } from './addresses.js';
import { assemble } from './document/assemble.js';
import { Refused, type Connection } from './connection.js';
import { PageFrame, sayGone, type Gone } from './page-frame.js';
import { TabStorage, type PageStorage } from './page-storage.js';
import { SiteFrame, siteScope } from './site-frame.js';
import type { Fetched, Source } from './sources.js';
import { TabHistory } from './tab-history.js';
import { SANDBOX, wrapperDocument } from './wrapper.js';

/** Milliseconds in which a page may reload itself so often before it is left alone. */
const RELOADS = { within: 20_000, most: 5 };
/** Lines of the console that are kept, and characters of one. */
const MOST_LINES = 200;
/** Things that happened and were not told yet. */
const MOST_NOTICES = 20;
/** Files that are kept until somebody asks. */
const MOST_DOWNLOADS = 20;
/** Milliseconds for a page of another origin to be there. */
const FOREIGN_TIMEOUT = 15_000;

/** What a tab needs of the browser around it. */
export interface TabHost {
  container: HTMLElement;
  frameUrl: string | undefined;
  network: readonly string[];
  /** What is opened at its own site: see `siteScope`. */
  drive: readonly string[];
  workspace: Source;
  /** Null when the application gave none. */
  reader: Source | null;
  dialogs: () => DialogPolicy;
  /** Milliseconds; undefined for the driver's own. */
  quiet: number | undefined;
  storage: PageStorage;
  /** The page wants a page in a new tab. */
  openTab: (url: string) => void;
  closeTab: () => void;
  /** Ends when the tab is closed. */
  signal: AbortSignal;
}

/** One tab: the page it shows, what happened there, and where it has been. */
export class Tab {
  readonly history = new TabHistory();
  readonly log: string[] = [];
  title = '';
  /** Grows with each document. */
  document = 0;
  #frame: { readonly element: HTMLElement; close(why?: string): void } | null = null;
  /** The driver of the page; null where there is none to drive. */
  #page: Connection | null = null;
  /** Why there is no page to drive; empty when there is. */
  #problem = '';
  #notices: string[] = [];
  #loading: Promise<void> | null = null;
  #nextId = 1;
  #reloads: number[] = [];
  readonly #downloads: Download[] = [];
  /** Ends when the files that pages handed out so far are there. */
  #downloading: Promise<void> = Promise.resolve();
  #shown = true;
  readonly #storage: TabStorage;

  constructor(private readonly host: TabHost) {
    this.#storage = new TabStorage(host.storage);
  }

  /** The address as the page knows it. */
  get url(): string {
    return this.history.current?.url ?? EMPTY_PAGE;
  }

  get isEmpty(): boolean {
    return this.url === EMPTY_PAGE;
  }

  /** What is shown was not made of the session's files alone. */
  get isOutside(): boolean {
    return !this.isEmpty && (!this.url.startsWith(`${WORKSPACE}/`) || this.host.network.length > 0);
  }

  /** Why nothing can be seen or done here; empty when it can. */
  get problem(): string {
    return this.isEmpty ? 'No page is open in this tab.' : this.#problem;
  }

  /** What happened since it was last asked. */
  takeNotices(): string[] {
    return this.#notices.splice(0);
  }

  show(shown: boolean): void {
    this.#shown = shown;
    if (this.#frame !== null) place(this.#frame.element, shown);
  }

  /** Opens a page; a page that cannot be had is no page but a problem to tell. @throws RoleZeroError what keeps it from being opened. */
  async open(url: URL, how: 'push' | 'replace' = 'push'): Promise<void> {
    await this.#load(url, how);
    await this.settled();
  }

  /** Back, or forward. False when there is nothing there. */
  async step(by: 1 | -1): Promise<boolean> {
    const target = this.history.at(by);
    if (target === null) return false;
    if (target.document === this.document && this.#page !== null) {
      const { done } = await this.#page.call({ kind: 'history', by });
      if (done) {
        await this.settled();
        return true;
      }
    }
    this.history.move(by);
    await this.open(new URL(target.url), 'replace');
    return true;
  }

  async reload(): Promise<void> {
    await this.open(new URL(this.url), 'replace');
  }

  /** The files that pages handed out since it was last asked. */
  takeDownloads(): Download[] {
    return this.#downloads.splice(0);
  }

  /** Asks the page's driver, and waits for the page to which that led. @throws RoleZeroError when there is none, Refused by it. */
  async ask<Kind extends RequestKind>(
    request: Extract<DriverRequest, { kind: Kind }>,
  ): Promise<AnswerOf<Kind>> {
    if (this.#loading !== null) await this.#loading;
    if (this.#page === null) throw new RoleZeroError('tool-failed', this.problem);
    const answer = await this.#page.call(request);
    if (request.kind === 'view' && 'nextId' in answer) this.#nextId = Math.max(this.#nextId, answer.nextId);
    return answer;
  }

  /** Does something in the page. That another page takes its place meanwhile is what it came to. */
  async act(request: ActionRequest): Promise<ActionResult> {
    if (this.#loading !== null) await this.#loading;
    const page = this.#page;
    try {
      return await this.ask<ActionRequest['kind']>(request);
    } catch (error) {
      const isReplaced = this.#page !== page && (this.#loading !== null || this.#page !== null);
      if (error instanceof Refused || page === null || !isReplaced) throw error;
      if (request.kind === 'wait') return this.act(request); // on the page that came
      return { said: '', notes: [], left: true, quiet: true };
    }
  }

  /** Resolves when the page, or the one that comes in its place, is there and quiet. */
  async settled(): Promise<void> {
    await this.#settle();
    await this.downloaded();
  }

  /** Resolves when the files that pages handed out so far are there. */
  downloaded(): Promise<void> {
    return this.#downloading;
  }

  async #settle(): Promise<void> {
    for (let round = 0; round < 5; round++) {
      if (this.#loading !== null) await this.#loading;
      const page = this.#page;
      if (page === null) return;
      await page.call({ kind: 'settle' }).catch((error: unknown) => {
        if (this.#page === page) this.#notice(describe(error));
      });
      if (this.#loading === null && this.#page === page) return;
    }
  }

  close(): void {
    this.#clear();
  }

  #load(url: URL, how: 'push' | 'replace'): Promise<void> {
    const loading = this.#replacePage(url, how);
    this.#loadingUntil(loading);
    return loading;
  }

  /** Nothing is asked of a page before this has ended. */
  #loadingUntil(loading: Promise<void>): void {
    const settled = loading.then(
      () => undefined,
      () => undefined,
    );
    this.#loading = settled;
    void settled.then(() => {
      if (this.#loading === settled) this.#loading = null;
    });
  }

  /** What a page asked for while nobody waits for it. */
  #loadLater(url: URL, how: 'push' | 'replace'): void {
    this.#load(url, how).catch((error: unknown) => this.#notice(describe(error)));
  }

  async #replacePage(url: URL, how: 'push' | 'replace'): Promise<void> {
    const { signal } = this.host;
    signal.throwIfAborted();
    if (url.href === EMPTY_PAGE) {
      this.#clear();
      this.#arrive(url, how, '');
      return;
    }
    const site = url.origin === WORKSPACE ? null : siteScope(url, this.host.drive);
    const source = url.origin === WORKSPACE ? this.host.workspace : this.host.reader;
    if (source === null || site?.isNamed === true) {
      if (site === null) await this.#showForeign(url, how);
      else await this.#openSite(url, how, site);
      return;
    }
    const found = await source(url, signal);
    if (found.status < 200 || found.status >= 400)
      throw new RoleZeroError(
        'not-found',
        `${shownAddress(url.href)} cannot be opened: ${found.problem ?? `status ${found.status}`}`,
      );
    const at = new URL(found.url);
    at.hash = url.hash;
    const nonce = newId();
    const entry = this.history.next(how);
    const driver = driverText(driverSource, {
      nonce,
      url: at.href,
      firstId: this.#nextId,
      dialogs: this.host.dialogs(),
      history: { index: entry.index, length: entry.length, state: null },
      storage: this.#storage.of(at.origin),
      ...defined({ quiet: this.host.quiet }),
    });
    const { network, container, frameUrl } = this.host;
    const { html, base, missing } = await assemble(asHtml(found), at, {
      source: only(source, at),
      signal,
      network,
      driver,
    });
    this.#clear();
    this.#arrive(at, how, '');
    for (const line of missing) this.#logLine('error', line);
    const document = this.document;
    const page = await PageFrame.open(
      {
        container,
        wrapper: frameUrl === undefined ? { document: wrapperDocument(network) } : { url: frameUrl },
        html,
        base,
        nonce,
        dialogs: this.host.dialogs,
        onEvent: (event) => {
          if (this.document === document) this.#onEvent(event, source);
        },
        onGone: (gone) => {
          if (this.document === document) this.#onGone(gone);
        },
      },
      signal,
    ).catch((error: unknown) => {
      this.#problem = `${describeAsSentence(error)} Browser.goto opens it again.`;
      throw error;
    });
    if (this.document !== document) {
      page.close();
      return;
    }
    this.#hold(page, page.connection);
  }

  #hold(frame: { readonly element: HTMLElement; close(why?: string): void }, page: Connection | null): void {
    this.#frame = frame;
    this.#page = page;
    place(frame.element, this.#shown);
  }

  #arrive(url: URL, how: 'push' | 'replace', problem: string): void {
    this.document += 1;
    this.title = '';
    this.#problem = problem;
    this.history.visit({ url: url.href, document: this.document }, how);
  }

  /** A page at its own site, which is driven if it carries a driver that lets itself be. */
  async #openSite(
    url: URL,
    how: 'push' | 'replace',
    site: { scope: string; isNamed: boolean },
  ): Promise<void> {
    const { container, dialogs, quiet, signal } = this.host;
    this.#clear();
    this.#arrive(url, how, '');
    let document = this.document;
    let isFirst = true;
    const frame = new SiteFrame({
      container,
      url,
      ...site,
      dialogs,
      quiet: quiet ?? null,
      nextId: () => this.#nextId,
      onPage: (page) => {
        if (this.document !== document) return;
        if (!isFirst) {
          this.#arrive(page?.url ?? new URL(this.url), page === null ? 'replace' : 'push', '');
          document = this.document;
        } else if (page !== null) this.history.visit({ url: page.url.href, document }, 'replace');
        isFirst = false;
        this.#page = page?.connection ?? null;
        if (page === null) this.#problem = notDriven(url.origin);
      },
      onLeaving: () => {
        if (this.document === document) this.#loadingUntil(frame.arrived(signal));
      },
      onEvent: (event) => {
        if (this.document === document) this.#onEvent(event, NO_SOURCE);
      },
      onGone: (gone) => {
        if (this.document !== document) return;
        if (isFirst && gone.how === 'left') this.#loadingUntil(this.#showForeign(url, 'replace'));
        else this.#onGone(gone);
      },
    });
    this.#hold(frame, null);
    await frame.arrived(signal);
  }

  /** A page that is only looked at, by the person: it belongs to somebody else. */
  async #showForeign(url: URL, how: 'push' | 'replace'): Promise<void> {
    this.#clear();
    this.#arrive(url, how, notDriven(url.origin));
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', SANDBOX);
    frame.setAttribute('allow', '');
    frame.setAttribute('credentialless', '');
    frame.referrerPolicy = 'no-referrer';
    frame.title = url.host;
    this.#hold({ element: frame, close: () => frame.remove() }, null);
    const done = AbortSignal.any([this.host.signal, AbortSignal.timeout(FOREIGN_TIMEOUT)]);
    await new Promise<void>((resolve) => {
      frame.addEventListener('load', () => resolve(), { once: true });
      done.addEventListener('abort', () => resolve(), { once: true });
      frame.src = url.href;
      this.host.container.append(frame);
    });
  }

  #clear(): void {
    this.document += 1; // what the old page still says is not heard
    this.#page = null;
    this.#frame?.close('Another page took its place.');
    this.#frame = null;
  }

  #onGone(gone: Gone): void {
    const url = new URL(this.url);
    if (gone.how === 'reloaded') {
      const now = Date.now();
      this.#reloads = [...this.#reloads.filter((at) => now - at < RELOADS.within), now];
      if (this.#reloads.length <= RELOADS.most) {
        this.#loadLater(url, 'replace');
        return;
      }
    }
    const why =
      gone.how === 'reloaded'
        ? 'The page reloads itself without end and was closed.'
        : gone.how === 'left'
          ? `The page is gone: ${sayGone(gone)}`
          : `The page was closed. ${sayGone(gone)}`;
    this.#clear();
    this.document += 1;
    this.#problem = `${why} Browser.goto opens it anew.`;
    this.#notice(why);
  }

  #onEvent(event: DriverEvent, source: Source): void {
    switch (event.event) {
      case 'ready':
      case 'loaded':
      case 'title':
        this.title = event.title;
        return;
      case 'navigate':
        this.#navigate(event);
        return;
      case 'leaving': // of sites alone, whose frame hears it
        return;
      case 'history':
        this.history.within(event, this.document);
        return;
      case 'close':
        this.host.closeTab();
        return;
      case 'storage':
        this.#storage.keep(new URL(this.url).origin, event);
        return;
      case 'download':
        this.#downloading = this.#downloading.then(() => this.#download(event, source));
        return;
      case 'dialog':
        this.#notice(
          `${event.kind} ${JSON.stringify(event.message)}${event.answer === '' ? '' : ` was answered with ${event.answer}`}`,
        );
        return;
      case 'console':
        this.#logLine(event.level, event.text);
        return;
      case 'error':
        this.#logLine('error', event.text);
        // What its own policy keeps from it stands in the log for whoever asks; that a file is missing is told there as well.
        if (!event.text.startsWith('Blocked by'))
          this.#notice(`Error in the page: ${event.text.slice(0, 500)}`);
        return;
      case 'fetch':
        void this.#fetchFor(event, source);
    }
  }

  /** Of the page's own memory, or of what it may read. */
  async #download(
    { url, name, body }: Extract<DriverEvent, { event: 'download' }>,
    source: Source,
  ): Promise<void> {
    const to = parseUrl(url);
    const shown = JSON.stringify(name === '' ? shownAddress(url).slice(0, 100) : name);
    const isOwn = to !== null && to.origin === new URL(this.url).origin;
    if (this.#downloads.length >= MOST_DOWNLOADS) {
      this.#notice(`The page offers ${shown} for download; it was not kept: there are too many.`);
    } else if (body !== null) this.#downloads.push({ name: fileName(name, ''), bytes: new Uint8Array(body) });
    else if (!isOwn)
      this.#notice(`The page offers ${shown} for download; it was not kept: it is on another site.`);
    else {
      const found = await source(to, this.host.signal).catch((error: unknown) => describe(error));
      if (typeof found === 'string' || found.status !== 200)
        this.#notice(
          `The page offers ${shown} for download, which cannot be had: ${typeof found === 'string' ? found : (found.problem ?? found.status)}`,
        );
      else this.#downloads.push({ name: fileName(name, to.pathname), bytes: found.bytes });
    }
  }

  #navigate({ url, how, method, fields, popup }: Extract<DriverEvent, { event: 'navigate' }>): void {
    if (how === 'back' || how === 'forward') {
      void this.step(how === 'back' ? -1 : 1).catch((error: unknown) => this.#notice(describe(error)));
      return;
    }
    const to = parseUrl(url);
    const mayOpen = to !== null && (to.href === EMPTY_PAGE || /^https?:$/.test(to.protocol));
    if (!mayOpen) {
      this.#notice(`The page wanted to go to ${JSON.stringify(url.slice(0, 200))}, which cannot be opened.`);
      return;
    }
    if (!this.#mayLeadTo(to)) {
      this.#notice(
        `The page leads to ${shownAddress(to.href)}. It was not followed: that is another site. Browser.goto opens it.`,
      );
      return;
    }
    if (method === 'post') {
      this.#notice(
        `The page sent a form to ${shownAddress(to.href)} with POST: ${JSON.stringify(Object.fromEntries(fields)).slice(0, 500)}. There is no server behind these pages: what was sent is lost, and the page at that address is opened if there is one.`,
      );
    }
    if (popup) this.host.openTab(to.href);
    else this.#loadLater(to, how === 'reload' || how === 'replace' ? 'replace' : 'push');
  }

  /** Files of the session stay among themselves: what a page was given must not leave in an address. Pages of the web lead into the web. */
  #mayLeadTo(to: URL): boolean {
    if (to.href === EMPTY_PAGE || to.origin === new URL(this.url).origin) return true;
    return to.origin !== WORKSPACE && !this.url.startsWith(`${WORKSPACE}/`) && this.host.reader !== null;
  }

  async #fetchFor(
    { id, url, method, use }: Extract<DriverEvent, { event: 'fetch' }>,
    source: Source,
  ): Promise<void> {
    const page = this.#page;
    if (page === null) return;
    const refuse = (problem: string): void => page.answer({ type: 'file', id, status: 0, problem });
    const to = parseUrl(url);
    if (to === null || to.origin !== new URL(this.url).origin) {
      refuse('a page may only ask for what is at its own address');
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      page.answer({
        type: 'file',
        id,
        status: 405,
        contentType: 'text/plain',
        body: new TextEncoder().encode('There is no server here: only GET.').buffer,
      });
      return;
    }
    const { signal, network } = this.host;
    const found = await source(to, signal).catch((error: unknown) => describe(error));
    if (typeof found === 'string') {
      refuse(found);
      return;
    }
    if (use === 'frame' && found.status === 200) {
      const { html } = await assemble(asHtml(found), new URL(found.url), {
        source: only(source, to),
        signal,
        network,
        driver: '',
      });
      page.answer({
        type: 'file',
        id,
        status: 200,
        contentType: 'text/html',
        body: new TextEncoder().encode(html).buffer,
      });
      return;
    }
    const body = found.status === 200 ? found.bytes : new TextEncoder().encode(found.problem ?? '');
    if (found.status !== 200)
      this.#logLine(
        'error',
        `${shownAddress(to.href)} could not be loaded: ${found.problem ?? found.status}`,
      );
    page.answer({
      type: 'file',
      id,
      status: found.status,
      contentType: found.type,
      body: new Uint8Array(body).buffer,
    });
  }

  #logLine(level: string, text: string): void {
    const line = `${level}: ${shownText(text)}`;
    if (this.log.at(-1) !== line) this.log.push(line);
    if (this.log.length > MOST_LINES) this.log.splice(0, this.log.length - MOST_LINES);
  }

  #notice(text: string): void {
    const shown = shownText(text);
    if (this.#notices.length < MOST_NOTICES && !this.#notices.includes(shown)) this.#notices.push(shown);
  }
}

/** What a site asks for it gets from its own server. */
const NO_SOURCE: Source = (url) =>
  Promise.resolve({
    status: 0,
    url: url.href,
    type: '',
    bytes: new Uint8Array(),
    problem: 'it could not be read from here',
  });

/** Why a page of the web is only looked at. */
function notDriven(origin: string): string {
  const why =
    origin === location.origin
      ? 'It is of the application itself, which has not named it as one to be driven: frame({ drive }).'
      : "It carries no driver that obeys this application (allowDriving of 'rolezero/tools/frame/driver').";
  return (
    `This page belongs to ${origin}. It is shown to the person, if it lets itself be framed, but it cannot be read or clicked from here: browsers keep pages of different origins apart. ${why} ` +
    'To read pages of the web, the application gives the browser a reader: frame({ read }).'
  );
}

/** What is no HTML is shown as text or as an image. */
function asHtml({ type, bytes, url }: Fetched): string {
  if (/html/.test(type)) return new TextDecoder().decode(bytes);
  const name = document.implementation.createHTMLDocument(
    decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''),
  );
  if (type.startsWith('image/')) {
    const image = name.createElement('img');
    image.setAttribute('src', url);
    image.setAttribute('alt', name.title);
    name.body.append(image);
  } else {
    const text = name.createElement('pre');
    text.textContent = /^text\/|json|xml|javascript/.test(type)
      ? new TextDecoder().decode(bytes)
      : `${bytes.length} bytes of ${type}`;
    name.body.append(text);
  }
  return `<!doctype html>${name.documentElement.outerHTML}`;
}

/** Parts of a page: those made of the session's files have nothing else, and nobody else has those. */
function only(source: Source, page: URL): Source {
  return (url, signal) =>
    (url.origin === WORKSPACE) === (page.origin === WORKSPACE)
      ? source(url, signal)
      : Promise.resolve({
          status: 0,
          url: url.href,
          type: '',
          bytes: new Uint8Array(),
          problem: 'pages have no network',
        });
}

/** The last part of a name that a page made up. */
function fileName(name: string, path: string): string {
  const own = name === '' ? (path.split('/').at(-1) ?? '') : name;
  const plain = (own.split(/[/\\]/).at(-1) ?? '').replace(/[\p{Cc}:*?"<>|]/gu, '_').replace(/^\.+/, '');
  return plain.slice(0, 100) || 'download';
}

function shownText(text: string): string {
  return text.replaceAll(`${WORKSPACE}/`, 'file:///');
}

function place(element: HTMLElement, shown: boolean): void {
  element.style.cssText = `position:absolute;inset:0;width:100%;height:100%;border:0;background:#fff;visibility:${shown ? 'visible' : 'hidden'}`;
}
