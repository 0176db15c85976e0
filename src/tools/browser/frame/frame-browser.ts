import { fromBase64 } from '../../../core/bytes.js';
import { defined } from '../../../core/defined.js';
import { describe, RoleZeroError } from '../../../core/error.js';
import type { ReadableFiles } from '../../../core/page-tool.js';
import type { FrameAction, FrameReply, FrameRequest, PageView } from '../frame-protocol.js';
import type { ActionRequest, ActionResult, DialogPolicy, PickResult, UploadedFile } from '../protocol.js';
import { EMPTY_PAGE, readAddress, shownAddress, WORKSPACE_ORIGIN } from './addresses.js';
import { BrowserViews, unreadableNotice, waitForText } from './browser-views.js';
import { Refused } from './connection.js';
import type { FrameOptions } from './frame-options.js';
import { heldNotice, type Lead } from './navigation.js';
import { PageStorage } from './page-storage.js';
import { mediaTypeOf, readerSource, workspaceSource } from './sources.js';
import { Tab } from './tab.js';

const MAX_TABS = 10;
/** Maximum bytes of the files of one upload. */
const MAX_UPLOADED = 16_000_000;

/** Browser of one role: its tabs, and which tab is active. */
export class FrameBrowser {
  readonly #container: HTMLElement;
  readonly #options: FrameOptions & { network: readonly string[]; drive: readonly string[] };
  #tabs: Tab[] = [];
  #current = 0;
  #dialogs: DialogPolicy = { accept: true, text: null };
  /** The only origin whose pages receive the text of `#dialogs`. */
  #dialogsOrigin = WORKSPACE_ORIGIN;
  readonly #views = new BrowserViews();
  #notices: string[] = [];
  /** Files of the currently connected session. */
  #files: ReadableFiles | null = null;
  /** Session files that pages received. Entries are never removed, because a page may have stored the content. */
  readonly #given = new Set<string>();
  /** The role is exposed, so pages that can send data out may load nothing more unless the user approved it. */
  #isExposed = false;
  #approved: string | undefined;
  /** The lead that the last reply reported. */
  #lead: Lead | null = null;
  readonly #storage = new PageStorage();
  readonly #controllers = new WeakMap<Tab, AbortController>();

  constructor(
    /** Identifies this browser instance. A browser that reopens the tabs of another one has a new id. */
    readonly instance: string,
    container: HTMLElement,
    options: FrameOptions & { network: readonly string[]; drive: readonly string[] },
  ) {
    this.#container = container;
    this.#options = options;
  }

  /** Runs actions one after the other, never two at a time. */
  async handle(
    { action, known, since, limit, exposed, approved }: FrameRequest,
    files: ReadableFiles,
  ): Promise<FrameReply> {
    this.#files = files;
    this.#isExposed = exposed;
    this.#approved = approved;
    const restored =
      known !== null && known.instance !== this.instance && this.#tabs.length === 0
        ? await this.#restore(known.tabs, known.current)
        : 0;
    let image: Uint8Array | null = null;
    let pick: PickResult | undefined;
    try {
      if (action.do === 'screenshot') image = await this.#screenshot(action.element);
      else if (action.do === 'pick')
        pick = await this.#opened().driver.ask({ kind: 'pick', step: action.step });
      else await this.#act(action);
    } catch (error) {
      throw error instanceof Refused ? refusedAction(error, action) : error;
    }
    const tab = this.#tab;
    const view =
      action.do === 'console' || action.do === 'pick' || tab === null || tab.problem !== ''
        ? null
        : await this.#view(tab, action, since, limit);
    return {
      instance: this.instance,
      tabs: this.#tabs.map(({ url, title }) => ({ url: shownAddress(url), title })),
      current: this.#current,
      empty: tab === null || tab.isEmpty,
      outside: tab?.isOutside ?? false,
      leadsTo: this.#takeLead(action),
      given: [...this.#given],
      restored,
      notices: this.#takeNotices(),
      downloads: this.#tabs.flatMap((each) => each.takeDownloads()),
      view: view ?? problemView(tab, action),
      log: action.do === 'console' ? [...(tab?.log ?? [])] : null,
      logStart: tab?.logStart ?? 0,
      image,
      ...defined({ pick }),
    };
  }

  /** Adds a notice to the next reply. */
  notice(text: string): void {
    this.#notices.push(text);
  }

  close(): void {
    for (const tab of this.#tabs.splice(0)) this.#end(tab);
  }

  get #tab(): Tab | null {
    return this.#tabs[this.#current] ?? null;
  }

  async #act(action: Exclude<FrameAction, { do: 'screenshot' | 'pick' }>): Promise<void> {
    switch (action.do) {
      case 'goto':
        await this.#open(readAddress(action.url, this.#tab?.url ?? EMPTY_PAGE), action.scrollTop);
        return;
      case 'act':
        await this.#perform(this.#opened(), action.request);
        return;
      case 'upload':
        await this.#perform(this.#opened(), {
          kind: 'upload',
          element: action.element,
          files: await this.#uploaded(action.paths),
        });
        return;
      case 'step':
        await this.#step(action.by);
        return;
      case 'follow':
        if (this.#lead !== null) await this.#opened().follow(this.#lead);
        await this.#tab?.settled();
        return;
      case 'focus':
        this.#focusOpened(action.tab);
        return;
      case 'close':
        this.#opened();
        this.#closeTab(this.#current);
        return;
      case 'look':
      case 'console':
        this.#opened();
        return;
      case 'watch': {
        const tab = this.#opened();
        await this.#done(tab, await tab.driver.ask({ kind: 'watch', duration: action.duration }));
        return;
      }
      case 'dialogs':
        await this.#setDialogs(action.policy);
        return;
      case 'wait': {
        const tab = this.#opened();
        await waitForText(tab, action);
        await this.#done(tab, await tab.driver.ask({ kind: 'settle' }));
      }
    }
  }

  async #open(url: URL, scrollTop?: number): Promise<void> {
    const tab = this.#tab ?? this.#newTab();
    tab.scrollTop = scrollTop;
    await tab.open(url);
  }

  /** Returns where the page leads to, once, if the action may have caused it. */
  #takeLead({ do: kind }: FrameAction): string | null {
    const tab = this.#tab;
    this.#lead = null;
    if (tab === null || !/^(goto|act|upload|step|follow|wait|watch)$/.test(kind)) return null;
    [this.#lead, tab.lead] = [tab.lead, null];
    return this.#lead?.to.href ?? null;
  }

  async #perform(tab: Tab, request: ActionRequest): Promise<void> {
    const approved = this.#approved;
    if (approved !== undefined) await this.#requireSeen(tab);
    await this.#done(tab, await tab.driver.act({ ...request, ...defined({ approved }) }));
  }

  async #step(by: 1 | -1): Promise<void> {
    if (await this.#opened().step(by)) return;
    throw new RoleZeroError(
      'not-found',
      `There is no page to go ${by < 0 ? 'back' : 'forward'} to in this tab.`,
    );
  }

  #focusOpened(index: number): void {
    this.#opened();
    if (this.#tabs[index] === undefined)
      throw new RoleZeroError(
        'not-found',
        `There is no tab ${index}. Tabs are counted from 0; there ${this.#tabs.length === 1 ? 'is one' : `are ${this.#tabs.length}`}.`,
      );
    this.#focus(index);
  }

  async #setDialogs(policy: DialogPolicy): Promise<void> {
    this.#dialogs = policy;
    this.#dialogsOrigin = this.#tab === null || this.#tab.isEmpty ? WORKSPACE_ORIGIN : tabOrigin(this.#tab);
    for (const tab of this.#tabs.filter(({ problem }) => problem === ''))
      await tab.driver.ask({ kind: 'dialogs', policy: this.#dialogsFor(tabOrigin(tab)) });
  }

  /**
   * Requires that the tab still shows the page of the newest view. Another page must not receive what the user approved there.
   * @throws Refused `changed`
   */
  async #requireSeen(tab: Tab): Promise<void> {
    if (tab.driver.loading.isRunning) await tab.driver.loading.ended();
    if (!this.#views.isOf(this.#documentOf(tab)))
      throw new Refused('changed', 'The element changed: another page is open.');
  }

  /** Identifies the document that a tab shows. */
  #documentOf(tab: Tab): string {
    return `${this.#tabs.indexOf(tab)}/${tab.document}`;
  }

  #dialogsFor(origin: string): DialogPolicy {
    return origin === this.#dialogsOrigin ? this.#dialogs : { ...this.#dialogs, text: null };
  }

  /** Records the result of an action. If it led to another page, waits until that page is quiet. */
  async #done(tab: Tab, { left, quiet, notes }: ActionResult): Promise<void> {
    this.#notices.push(...notes);
    if (!quiet) this.#notices.push('The page is still busy; what is seen may change.');
    if (left || this.#tab !== tab) await this.#tab?.settled();
    else await tab.downloaded();
  }

  /**
   * Returns the active tab.
   *
   * @throws RoleZeroError `tool-failed` if no page is open.
   */
  #opened(): Tab {
    const tab = this.#tab;
    if (tab === null || tab.isEmpty)
      throw new RoleZeroError('tool-failed', 'No page is open. Open one with Browser.goto first.');
    return tab;
  }

  async #view(tab: Tab, action: FrameAction, since: number, limit: number): Promise<PageView | null> {
    try {
      return await this.#views.read(tab.driver, action, { document: this.#documentOf(tab), since, limit });
    } catch (error) {
      this.#notices.push(unreadableNotice(error));
      return null;
    }
  }

  async #screenshot(element?: string): Promise<Uint8Array> {
    const { image } = await this.#opened().driver.ask({ kind: 'screenshot', ...defined({ element }) });
    return fromBase64(image.slice(image.indexOf(',') + 1)) ?? new Uint8Array();
  }

  async #uploaded(paths: readonly string[]): Promise<UploadedFile[]> {
    const files: UploadedFile[] = [];
    let size = 0;
    for (const path of paths) {
      const bytes = await this.#sessionFiles().readBytes(path);
      size += bytes.length;
      if (size > MAX_UPLOADED)
        throw new RoleZeroError('invalid', `The files are too large: at most ${MAX_UPLOADED} bytes in all.`);
      const type = mediaTypeOf(path);
      files.push({ name: path.slice(path.lastIndexOf('/') + 1), type, bytes: new Uint8Array(bytes).buffer });
    }
    return files;
  }

  #sessionFiles(): Pick<ReadableFiles, 'stat' | 'readBytes'> {
    const files = this.#files;
    if (files === null) throw new RoleZeroError('internal', 'The browser was used before its first command.');
    return {
      stat: (path) => files.stat(path),
      readBytes: async (path) => {
        const bytes = await files.readBytes(path);
        this.#given.add(path);
        return bytes;
      },
    };
  }

  #newTab(): Tab {
    const controller = new AbortController();
    const { frameUrl, network, drive, read } = this.#options;
    const tab: Tab = new Tab({
      container: this.#container,
      frameUrl: frameUrl === undefined ? undefined : String(frameUrl),
      network,
      drive,
      workspace: (url, signal) => workspaceSource(this.#sessionFiles())(url, signal),
      reader: read === undefined ? null : readerSource(read),
      dialogs: (origin) => this.#dialogsFor(origin),
      quiet: this.#options.quiet,
      loadTimeoutMs: this.#options.loadTimeoutMs,
      storage: this.#storage,
      openTab: (url) => this.#openFrom(url),
      closeTab: () => {
        const index = this.#tabs.indexOf(tab);
        if (index < 0 || this.#tabs.length === 1) return; // a page may close its own tab, but not the last one
        this.#notices.push(`Tab ${index} was closed by its page.`);
        this.#closeTab(index);
      },
      isHeld: () => this.#isExposed,
      signal: controller.signal,
    });
    this.#controllers.set(tab, controller);
    this.#tabs.push(tab);
    this.#focus(this.#tabs.length - 1);
    return tab;
  }

  /** Handles a window opened by a page: it becomes the active tab, as in any browser. */
  #openFrom(url: string): void {
    if (this.#tabs.length >= MAX_TABS) {
      this.#notices.push(
        `The page wanted to open ${shownAddress(url)} in a new tab; there are ${MAX_TABS} already.`,
      );
      return;
    }
    const tab = this.#newTab();
    this.#notices.push(
      `${shownAddress(url)} was opened in a new tab, which is tab ${this.#current} and in front now.`,
    );
    tab.open(new URL(url)).catch((error: unknown) => this.#notices.push(describe(error)));
  }

  #focus(index: number): void {
    this.#current = index;
    this.#tabs.forEach((tab, at) => tab.show(at === index));
  }

  #closeTab(index: number): void {
    const [tab] = this.#tabs.splice(index, 1);
    if (tab !== undefined) this.#end(tab);
    if (this.#tabs.length === 0) this.#newTab();
    else if (index < this.#current) this.#focus(this.#current - 1);
    else
      this.#focus(
        Math.min(index === this.#current ? this.#tabs.length - 1 : this.#current, this.#tabs.length - 1),
      );
  }

  #end(tab: Tab): void {
    this.#controllers.get(tab)?.abort(new RoleZeroError('aborted', 'The tab was closed.'));
    tab.close();
  }

  /** Reopens the tabs of an earlier browser at their addresses. A tab whose page cannot be loaded stays empty. */
  async #restore(urls: readonly string[], current: number): Promise<number> {
    const tabs = urls.slice(0, MAX_TABS).map((url) => ({ url, tab: this.#newTab() }));
    await Promise.all(
      tabs.map(async ({ url, tab }) => {
        try {
          const address = readAddress(url, EMPTY_PAGE);
          if (this.#isExposed && address.origin === WORKSPACE_ORIGIN)
            this.#notices.push(heldNotice(address.href));
          else await tab.open(address);
        } catch (error) {
          this.#notices.push(describe(error));
        }
      }),
    );
    if (this.#tabs[current] !== undefined) this.#focus(current);
    return tabs.filter(({ url }) => url !== EMPTY_PAGE).length;
  }

  #takeNotices(): string[] {
    return [...this.#notices.splice(0), ...(this.#tab?.takeNotices() ?? [])];
  }
}

/** Returns the replacement for a view if the tab shows no page. */
function problemView(tab: Tab | null, action: FrameAction): PageView | null {
  if (action.do === 'console' || tab === null || tab.isEmpty || tab.problem === '') return null;
  return { serial: 0, text: `(${tab.problem})`, page: 1, pages: 1, changes: null };
}

function tabOrigin(tab: Tab): string {
  return new URL(tab.url).origin;
}

/** Converts a rejected request to an error for the model. */
function refusedAction({ code, message }: Refused, action: FrameAction): RoleZeroError {
  const request = action.do === 'act' ? action.request : action;
  const element = 'element' in request ? request.element : undefined;
  if (code === 'not-found' && element !== undefined && !message.startsWith(`Element ${element} not found`))
    return new RoleZeroError('not-found', `Element ${element} not found. ${message}`, { element });
  return new RoleZeroError(code === 'not-found' ? 'not-found' : 'tool-failed', message, { refused: code });
}
