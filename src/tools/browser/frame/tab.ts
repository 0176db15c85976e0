import { describe, describeAsSentence, RoleZeroError } from '../../../core/error.js';
import {
  type ActionRequest,
  type ActionResult,
  type AnswerOf,
  type DriverEvent,
  type DriverRequest,
  type RequestKind,
} from '../protocol.js';
import type { Download } from '../frame-protocol.js';
import { EMPTY_PAGE, shownAddress, WORKSPACE } from './addresses.js';
import { ForeignFrame, notDriven } from './foreign-frame.js';
import { Loading } from './loading.js';
import { followed, type NavigateRequest } from './navigation.js';
import { Refused, type Connection } from './connection.js';
import { PageFrame, whyClosed, type Gone, type PageFrameOptions } from './page-frame.js';
import { TabStorage } from './page-storage.js';
import { SiteFrame, siteScope } from './site-frame.js';
import { prepareDocument } from './document/prepare-document.js';
import { PageFiles } from './page-files.js';
import { NO_SOURCE, type Fetched, type Source } from './sources.js';
import { ReloadLimit } from './reload-limit.js';
import { TabHistory } from './tab-history.js';
import { place, type TabFrame } from './tab-frame.js';
import type { TabOptions } from './tab-options.js';
import { TabReport } from './tab-report.js';
import { wrapperDocument } from './wrapper.js';

/** One tab: the page it shows, its events, and its history. */
export class Tab {
  readonly history = new TabHistory();
  title = '';
  /** Increases with each document. */
  document = 0;
  #frame: TabFrame | null = null;
  /** Driver of the page; null if there is none. */
  #page: Connection | null = null;
  /** Reason why there is no page to drive; empty if there is one. */
  #problem = '';
  readonly #loading = new Loading();
  #nextId = 1;
  readonly #reloads = new ReloadLimit();
  #shown = true;
  readonly #options: TabOptions;
  readonly #report = new TabReport();
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
    return !this.isEmpty && (!this.url.startsWith(`${WORKSPACE}/`) || this.#options.network.length > 0);
  }

  /** Reason why the tab cannot be viewed or used; empty if it can. */
  get problem(): string {
    return this.isEmpty ? 'No page is open in this tab.' : this.#problem;
  }

  /** Console of the tab's pages. */
  get log(): readonly string[] {
    return this.#report.log;
  }

  /** Returns the notices since the last call. */
  takeNotices(): string[] {
    return this.#report.takeNotices();
  }

  show(shown: boolean): void {
    this.#shown = shown;
    if (this.#frame !== null) place(this.#frame.element, shown);
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

  /** Returns the files that pages offered for download since the last call. */
  takeDownloads(): Download[] {
    return this.#files.takeDownloads();
  }

  /**
   * Sends a request to the page's driver, after the page that is loading has finished.
   *
   * @throws RoleZeroError if there is no page to drive.
   * @throws Refused if the driver rejects the request.
   */
  async ask<Kind extends RequestKind>(
    request: Extract<DriverRequest, { kind: Kind }>,
  ): Promise<AnswerOf<Kind>> {
    if (this.#loading.isRunning) await this.#loading.ended();
    if (this.#page === null) throw new RoleZeroError('tool-failed', this.problem);
    const answer = await this.#page.call(request);
    if (request.kind === 'view' && 'nextId' in answer) this.#nextId = Math.max(this.#nextId, answer.nextId);
    return answer;
  }

  /** Performs an action in the page. If another page replaces the page in the meantime, that is the result of the action, not an error. */
  async act(request: ActionRequest): Promise<ActionResult> {
    if (this.#loading.isRunning) await this.#loading.ended();
    const page = this.#page;
    try {
      return await this.ask<ActionRequest['kind']>(request);
    } catch (error) {
      if (error instanceof Refused || !this.#isReplaced(page)) throw error;
      return { said: '', notes: [], left: true, quiet: true };
    }
  }

  /** Returns the text of the page, or of the page that replaces it in the meantime. */
  async words(): Promise<string> {
    if (this.#loading.isRunning) await this.#loading.ended();
    const page = this.#page;
    try {
      return (await this.ask({ kind: 'words' })).text;
    } catch (error) {
      if (error instanceof Refused || !this.#isReplaced(page)) throw error;
      return this.words();
    }
  }

  #isReplaced(page: Connection | null): boolean {
    return page !== null && this.#page !== page && (this.#loading.isRunning || this.#page !== null);
  }

  /** Resolves when the page, or the page that replaces it, is loaded and quiet. */
  async settled(): Promise<void> {
    await this.#settle();
    await this.downloaded();
  }

  /** Resolves when all downloads so far have finished. */
  downloaded(): Promise<void> {
    return this.#files.downloaded;
  }

  async #settle(): Promise<void> {
    for (let round = 0; round < 5; round++) {
      if (this.#loading.isRunning) await this.#loading.ended();
      const page = this.#page;
      if (page === null) return;
      await page.call({ kind: 'settle' }).catch((error: unknown) => {
        if (this.#page === page) this.#report.addNotice(describe(error));
      });
      if (!this.#loading.isRunning && this.#page === page) return;
    }
  }

  close(): void {
    this.#clear();
  }

  #load(url: URL, how: 'push' | 'replace'): Promise<void> {
    const loading = this.#replacePage(url, how);
    this.#loading.start(loading);
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
    const site = url.origin === WORKSPACE ? null : siteScope(url, this.#options.drive);
    const source = url.origin === WORKSPACE ? this.#options.workspace : this.#options.reader;
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
    await this.#openDocument(found, at, how, source);
  }

  async #openDocument(found: Fetched, at: URL, how: 'push' | 'replace', source: Source): Promise<void> {
    const { missing, ...prepared } = await prepareDocument(found, at, source, this.#options, {
      firstId: this.#nextId,
      history: this.history.next(how),
      storage: this.#storage.of(at.origin),
    });
    this.#clear();
    this.#arrive(at, how, '');
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
    source: Source,
  ): Promise<PageFrame> {
    const { container, frameUrl, network, dialogs, signal } = this.#options;
    return PageFrame.open(
      {
        ...page,
        container,
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

  #hold(frame: TabFrame, page: Connection | null): void {
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
    const frame = new SiteFrame({
      container,
      url,
      ...site,
      dialogs: () => dialogs(url.origin),
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
        if (this.document === document) this.#loading.start(frame.arrived(signal));
      },
      onEvent: (event) => {
        if (this.document === document) this.#onEvent(event, NO_SOURCE);
      },
      onGone: (gone) => {
        if (this.document !== document) return;
        if (isFirst && gone.how === 'left') this.#loading.start(this.#showForeign(url, 'replace'));
        else this.#onGone(gone);
      },
    });
    this.#hold(frame, null);
    await frame.arrived(signal);
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
    this.#page = null;
    this.#frame?.close('Another page took its place.');
    this.#frame = null;
  }

  #onGone(gone: Gone): void {
    const url = new URL(this.url);
    if (gone.how === 'reloaded' && this.#reloads.allow(Date.now())) {
      this.#loadLater(url, 'replace');
      return;
    }
    const why = whyClosed(gone);
    this.#clear();
    this.document += 1;
    this.#problem = `${why} Browser.goto opens it again.`;
    this.#report.addNotice(why);
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
        this.#report.addNotice(
          `${event.kind} ${JSON.stringify(event.message)}${event.answer === '' ? '' : ` was answered with ${event.answer}`}`,
        );
        return;
      case 'console':
        this.#report.addLine(event.level, event.text);
        return;
      case 'error':
        this.#report.addLine('error', event.text);
        // Violations of the page's policy appear only in the log, which also lists missing files.
        if (!event.text.startsWith('Blocked by'))
          this.#report.addNotice(`Error in the page: ${event.text.slice(0, 500)}`);
        return;
      case 'fetch':
        void this.#answerFile(event, source);
    }
  }

  async #answerFile(request: Extract<DriverEvent, { event: 'fetch' }>, source: Source): Promise<void> {
    const page = this.#page;
    if (page === null) return;
    const answer = await this.#files.answer(request, new URL(this.url), source);
    page.answer({ type: 'file', id: request.id, ...answer });
  }

  #navigate(request: NavigateRequest): void {
    const { how } = request;
    if (how === 'back' || how === 'forward') {
      void this.step(how === 'back' ? -1 : 1).catch((error: unknown) =>
        this.#report.addNotice(describe(error)),
      );
      return;
    }
    const { to, notices } = followed(request, new URL(this.url), this.#options.reader !== null);
    for (const notice of notices) this.#report.addNotice(notice);
    if (to === null) return;
    if (request.popup) this.#options.openTab(to.href);
    else this.#loadLater(to, how === 'reload' || how === 'replace' ? 'replace' : 'push');
  }
}
