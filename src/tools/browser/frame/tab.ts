import { describe, describeAsSentence, RoleZeroError } from '../../../core/error.js';
import type { Download } from '../frame-protocol.js';
import type { DriverEvent, NavigateRequest } from '../protocol.js';
import { EMPTY_PAGE, shownAddress, WORKSPACE_ORIGIN } from './addresses.js';
import type { PageConnection } from './connection.js';
import { prepareDocument } from './document/prepare-document.js';
import { followNavigation, heldNotice, isElsewhere, redirectPage, type Lead } from './navigation.js';
import { PageFiles } from './page-files.js';
import {
  fillContainer,
  ForeignFrame,
  notDriven,
  PageFrame,
  whyClosed,
  type Gone,
  type PageFrameOptions,
  type TabFrame,
} from './page-frame.js';
import { TabStorage } from './page-storage.js';
import { SiteFrame, siteScope, type SitePage } from './site-frame.js';
import { NO_SOURCE, type Fetched, type PageSource } from './sources.js';
import { TabDriver } from './tab-driver.js';
import { ReloadLimit, TabHistory } from './tab-history.js';
import type { TabOptions } from './tab-options.js';
import { TabReport } from './tab-report.js';
import { wrapperDocument } from './wrapper.js';

/** One tab: the page it shows, its events, and its history. */
export class Tab {
  readonly history = new TabHistory();
  title = '';
  /** Increases with each document. */
  document = 0;
  /** Pixels to scroll down in the next document. */
  scrollTop: number | undefined;
  #frame: TabFrame | null = null;
  /** Reason why there is no page to drive; empty if there is one. */
  #problem = '';
  readonly #reloads = new ReloadLimit();
  #shown = true;
  /** The role was exposed when the page was opened, so the user has approved that it loads its files. */
  #isApproved = false;
  /** Address of another origin to which the page leads. */
  lead: Lead | null = null;
  readonly #options: TabOptions;
  readonly #report = new TabReport();
  /** Requests to the driver of the page. */
  readonly driver = new TabDriver(this.#report, () => this.problem);
  readonly #files: PageFiles;
  readonly #storage: TabStorage;

  constructor(options: TabOptions) {
    this.#options = options;
    this.#files = new PageFiles(options.network, this.#report, options.signal);
    this.#storage = new TabStorage(options.storage);
  }

  /** Address as the page sees it. */
  get url(): string {
    return this.history.current?.url ?? EMPTY_PAGE;
  }

  get isEmpty(): boolean {
    return this.url === EMPTY_PAGE;
  }

  /** True if the content does not come from session files alone. */
  get isOutside(): boolean {
    return (
      !this.isEmpty && (!this.url.startsWith(`${WORKSPACE_ORIGIN}/`) || this.#options.network.length > 0)
    );
  }

  /** Reason why the tab cannot be viewed or used; empty if it can. */
  get problem(): string {
    return this.isEmpty ? 'No page is open in this tab.' : this.#problem;
  }

  /** Console of the tab's pages. */
  get log(): readonly string[] {
    return this.#report.log;
  }

  /** Number of lines of `log` that pages before the shown one have written. */
  get logStart(): number {
    return this.#report.logStart;
  }

  /** Returns the notices since the last call. */
  takeNotices(): string[] {
    return this.#report.takeNotices();
  }

  show(shown: boolean): void {
    this.#shown = shown;
    if (this.#frame !== null) fillContainer(this.#frame.element, shown);
  }

  /**
   * Opens a page and waits until it is quiet. If the page's frame fails to open, `problem` contains the reason.
   *
   * @throws RoleZeroError if the page cannot be opened.
   */
  async open(url: URL, how: 'push' | 'replace' = 'push'): Promise<void> {
    await this.#load(url, how);
    await this.settled();
  }

  /** Goes back or forward. Returns false if there is no such entry. */
  async step(by: 1 | -1): Promise<boolean> {
    const target = this.history.at(by);
    if (target === null) return false;
    if (target.document === this.document && this.driver.connection !== null) {
      const { done } = await this.driver.connection.call({ kind: 'history', by });
      if (done) {
        await this.settled();
        return true;
      }
    }
    this.history.move(by);
    await this.open(new URL(target.url), 'replace');
    return true;
  }

  /** Opens an address to which the page leads. */
  async follow({ to, how, popup }: Lead): Promise<void> {
    if (popup) this.#options.openTab(to.href);
    else await this.open(to, how);
  }

  /** Returns the files that pages offered for download since the last call. */
  takeDownloads(): Download[] {
    return this.#files.takeDownloads();
  }

  /** Resolves when the page, or the page that replaces it, is loaded and quiet. */
  async settled(): Promise<void> {
    await this.driver.settled();
    await this.downloaded();
  }

  /** Resolves when all downloads so far have finished. */
  downloaded(): Promise<void> {
    return this.#files.downloaded;
  }

  close(): void {
    this.#clear();
  }

  #load(url: URL, how: 'push' | 'replace'): Promise<void> {
    const loading = this.#replacePage(url, how);
    this.driver.loading.start(loading);
    return loading;
  }

  /** Loads a page that no caller waits for. Errors become notices. */
  #loadLater(url: URL, how: 'push' | 'replace'): void {
    this.#load(url, how).catch((error: unknown) => this.#report.addNotice(describe(error)));
  }

  async #replacePage(url: URL, how: 'push' | 'replace'): Promise<void> {
    const { signal } = this.#options;
    signal.throwIfAborted();
    if (url.href === EMPTY_PAGE) {
      this.#clear();
      this.#arrive(url, how, '');
      return;
    }
    const site = url.origin === WORKSPACE_ORIGIN ? null : siteScope(url, this.#options.drive);
    const source = url.origin === WORKSPACE_ORIGIN ? this.#options.workspace : this.#options.reader;
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
    if (at.origin === url.origin) await this.#openDocument(found, at, how, source);
    else {
      await this.#openDocument(redirectPage(url, at), url, how, NO_SOURCE);
      this.lead = { to: at, how: 'replace', popup: false };
    }
  }

  async #openDocument(found: Fetched, at: URL, how: 'push' | 'replace', source: PageSource): Promise<void> {
    const { missing, inlineScripts, ...prepared } = await prepareDocument(found, at, source, this.#options, {
      firstId: this.driver.nextId,
      history: this.history.next(how),
      storage: this.#storage.of(at.origin),
      scrollTop: this.scrollTop,
    });
    this.scrollTop = undefined;
    this.#clear();
    this.#arrive(at, how, '');
    this.#isApproved = this.#options.isHeld();
    this.#report.begin({ url: at, inlineScripts });
    for (const line of missing) this.#report.addLine('error', line);
    const document = this.document;
    const page = await this.#openFrame(prepared, document, source).catch((error: unknown) => {
      this.#problem = `${describeAsSentence(error)} Browser.goto opens it again.`;
      throw error;
    });
    if (this.document === document) this.#hold(page, page.connection);
    else page.close();
  }

  #openFrame(
    page: Pick<PageFrameOptions, 'html' | 'base' | 'nonce'>,
    document: number,
    source: PageSource,
  ): Promise<PageFrame> {
    const { container, frameUrl, network, dialogs, loadTimeoutMs, signal } = this.#options;
    return PageFrame.open(
      {
        ...page,
        container,
        loadTimeoutMs,
        wrapper: frameUrl === undefined ? { document: wrapperDocument(network) } : { url: frameUrl },
        dialogs: () => dialogs(new URL(this.url).origin),
        onEvent: (event) => {
          if (this.document === document) this.#onEvent(event, source);
        },
        onGone: (gone) => {
          if (this.document === document) this.#onGone(gone);
        },
      },
      signal,
    );
  }

  #hold(frame: TabFrame, page: PageConnection | null): void {
    this.#frame = frame;
    this.driver.connection = page;
    fillContainer(frame.element, this.#shown);
  }

  #arrive(url: URL, how: 'push' | 'replace', problem: string): void {
    this.document += 1;
    this.lead = null;
    this.title = '';
    this.#problem = problem;
    this.history.visit({ url: url.href, document: this.document }, how);
  }

  /** Opens a page at its own site. It is driven if it includes a driver that accepts this application. */
  async #openSite(
    url: URL,
    how: 'push' | 'replace',
    site: { scope: string; isNamed: boolean },
  ): Promise<void> {
    const { container, dialogs, quiet, signal } = this.#options;
    this.#clear();
    this.#arrive(url, how, '');
    let document = this.document;
    let isFirst = true;
    const isCurrent = (): boolean => this.document === document;
    const frame = new SiteFrame({
      container,
      url,
      ...site,
      dialogs: () => dialogs(url.origin),
      quiet: quiet ?? null,
      nextId: () => this.driver.nextId,
      onPage: (page) => {
        if (!isCurrent()) return;
        this.#arriveAtSite(url, page, isFirst);
        document = this.document;
        isFirst = false;
      },
      onLeaving: () => {
        if (isCurrent()) this.driver.loading.start(frame.arrived(signal));
      },
      onEvent: (event) => {
        if (isCurrent()) this.#onEvent(event, NO_SOURCE);
      },
      onGone: (gone) => {
        if (!isCurrent()) return;
        if (isFirst && gone.how === 'left') this.driver.loading.start(this.#showForeign(url, 'replace'));
        else this.#onGone(gone);
      },
    });
    this.#hold(frame, null);
    await frame.arrived(signal);
  }

  /** Handles a document of a site that has loaded. The first one belongs to the visit that opened the site. */
  #arriveAtSite(opened: URL, page: SitePage | null, isFirst: boolean): void {
    if (!isFirst) this.#arrive(page?.url ?? new URL(this.url), page === null ? 'replace' : 'push', '');
    else if (page !== null) this.history.visit({ url: page.url.href, document: this.document }, 'replace');
    this.driver.connection = page?.connection ?? null;
    if (page === null) this.#problem = notDriven(opened.origin);
  }

  /** Shows a page of another origin, which the user can view but the agent cannot read. */
  async #showForeign(url: URL, how: 'push' | 'replace'): Promise<void> {
    this.#clear();
    this.#arrive(url, how, notDriven(url.origin));
    const frame = new ForeignFrame(this.#options.container, url);
    this.#hold(frame, null);
    await frame.loaded(this.#options.signal);
  }

  #clear(): void {
    this.document += 1; // ignores later events of the old page
    this.driver.connection = null;
    this.#frame?.close('Another page took its place.');
    this.#frame = null;
  }

  #onGone(gone: Gone): void {
    const url = new URL(this.url);
    if (gone.how === 'reloaded' && !this.#isHeld && this.#reloads.allow(Date.now())) {
      this.#loadLater(url, 'replace');
      return;
    }
    const why = gone.how === 'reloaded' && this.#isHeld ? heldNotice(url.href) : whyClosed(gone);
    this.#clear();
    this.document += 1;
    this.#problem = `${why} Browser.goto opens it again.`;
    this.#report.addNotice(why);
  }

  #onEvent(event: DriverEvent, source: PageSource): void {
    switch (event.event) {
      case 'ready':
      case 'loaded':
      case 'title':
        this.title = event.title;
        return;
      case 'navigate':
        this.#navigate(event);
        return;
      case 'leaving': // sites only; handled by the site's frame
        return;
      case 'history':
        this.history.within(event, this.document);
        return;
      case 'close':
        this.#options.closeTab();
        return;
      case 'storage':
        this.#storage.keep(new URL(this.url).origin, event);
        return;
      case 'download':
        this.#files.download(event, () => new URL(this.url), source);
        return;
      case 'dialog':
      case 'console':
      case 'error':
        this.#report.add(event);
        return;
      case 'fetch':
        void this.#answerFile(event, source);
    }
  }

  /** True if the page is one of session files that may load nothing more. */
  get #isHeld(): boolean {
    return this.url.startsWith(`${WORKSPACE_ORIGIN}/`) && this.#options.isHeld();
  }

  async #answerFile(request: Extract<DriverEvent, { event: 'fetch' }>, source: PageSource): Promise<void> {
    const page = this.driver.connection;
    if (page === null) return;
    const isHeld = this.#isHeld && !this.#isApproved;
    if (isHeld) this.#report.addNotice(heldNotice(request.url));
    const answer = isHeld
      ? { status: 0, problem: 'the page must be opened again' }
      : await this.#files.answer(request, new URL(this.url), source);
    page.answer({ type: 'file', id: request.id, ...answer });
  }

  #navigate(request: NavigateRequest): void {
    const { how } = request;
    if (how === 'back' || how === 'forward') {
      const by = how === 'back' ? -1 : 1;
      if (this.#isHeld) this.#report.addNotice(heldNotice(this.history.at(by)?.url ?? this.url));
      else void this.step(by).catch((error: unknown) => this.#report.addNotice(describe(error)));
      return;
    }
    const { to, notices } = followNavigation(request, new URL(this.url), this.#options.reader !== null);
    for (const notice of notices) this.#report.addNotice(notice);
    if (to === null) return;
    if (this.#isHeld) {
      this.#report.addNotice(heldNotice(to.href));
      return;
    }
    const by = how === 'reload' || how === 'replace' ? 'replace' : 'push';
    if (isElsewhere(to, this.url)) this.lead = { to, how: by, popup: request.popup };
    else if (request.popup) this.#options.openTab(to.href);
    else this.#loadLater(to, by);
  }
}
