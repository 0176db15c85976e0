import type { Session } from 'rolezero';
import { commandBeingWritten, type ConversationView } from 'rolezero/element';
import { decodeText, encodeText, importDropped } from 'rolezero/files';
import { offer } from './offer.js';
import { PageErrors } from './page-errors.js';
import type { OpenFile, Store } from './state/app-state.js';
import { besideTab, withoutTab, withTab } from './state/file-tabs.js';
import { mainPage, pathOf } from './state/main-page.js';
import type { SessionViews } from './state/session-views.js';
import { openForUser, USER, placeIn } from './stage-client.js';
import { t } from './text/index.js';

type FileChange = Parameters<Parameters<Session['files']['watch']>[1]>[0];

/** Maximum size in bytes of files that are read to show them and their changes. */
export const MAX_SHOWN_FILE = 400_000;
/** In ms, the pause after a change of files before the shown page is reloaded. */
const REFRESH_DELAY = 400;
/** In ms, the minimum time between two readings of a reply that contains a file. */
const READ_INTERVAL = 50;
/** Commands that write a whole file. */
const WRITES_FILE = new Set(['Editor.write', 'Editor.create_file']);
/** Maximum number of files that are read when a session is opened. */
const MAX_READ_AT_ONCE = 100;

/** The files of the open session, as the page shows them and the user changes them. */
export class FileControl {
  /** The last seen content of files; null for binary files. */
  #contents = new Map<string, string | null>();
  /** Increases with every change of a file. */
  #changes = 0;
  /** `#changes` when the shown page began to load: it shows no later change. */
  #changesShown = 0;
  /** `#changes` when a role began to open a page. */
  readonly #changesAtOpening = new Map<string, number>();
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #opening: { session: Session | null; done: Promise<void> } = { session: null, done: Promise.resolve() };
  /** When the reply that is being streamed was read last. */
  #repliedAt = 0;
  /** Reads what has arrived since. */
  #reading: ReturnType<typeof setTimeout> | undefined;
  /** The role whose model streams a file. */
  #writer = '';
  /** Resolves when the changes so far are shown. */
  #changing = Promise.resolve();

  /** Resolves when the last edit of the user is stored. */
  #storing = Promise.resolve();

  /** The errors of the shown page. */
  readonly errors: PageErrors;

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
    private readonly guarded: (work: () => Promise<unknown>) => Promise<void>,
    private readonly views: SessionViews,
    errorsFound: () => void,
  ) {
    this.errors = new PageErrors(store, session, errorsFound);
  }

  /** Reads everything that can be shown, and shows the file written last. */
  async readAll(): Promise<void> {
    clearTimeout(this.#reading);
    this.#contents = new Map();
    const files = (await this.session()?.files.list()) ?? [];
    const shown = files.filter(({ type, size }) => type === 'file' && size <= MAX_SHOWN_FILE);
    const read = shown
      .slice(0, MAX_READ_AT_ONCE)
      .map(async ({ path }) => this.#contents.set(path, await this.read(path)));
    await Promise.all(read);
    const [newest] = shown.toSorted((one, other) => other.modifiedAt - one.modifiedAt);
    this.store.update({ files });
    if (newest !== undefined) await this.show(newest.path, true);
  }

  /** Shows one file. `follow`: also those that the agent writes later. */
  async show(path: string, follow = false): Promise<void> {
    await this.guarded(async () => {
      const size = (await this.session()?.files.stat(path))?.size ?? 0;
      const known = this.#contents.get(path);
      const content = size > MAX_SHOWN_FILE ? undefined : known === undefined ? await this.read(path) : known;
      const fileTabs = withTab(this.store.state.fileTabs, { path, isUnseen: false }, path);
      this.store.update({ openFile: shownAs(path, content, null), follow, fileTabs });
    });
  }

  /** Closes the tab of a file. If the editor shows it, the next file takes its place. */
  async close(path: string): Promise<void> {
    const { fileTabs, openFile, follow } = this.store.state;
    const next = openFile?.path === path ? besideTab(fileTabs, path) : null;
    this.store.update({ fileTabs: withoutTab(fileTabs, path) });
    if (openFile?.path !== path) return;
    if (next === null) this.store.update({ openFile: null });
    else await this.show(next, follow);
  }

  /** The user looks at the editor: the file in it has no unseen change. */
  looked(): void {
    const { fileTabs, openFile } = this.store.state;
    const tab = fileTabs.find(({ path }) => path === openFile?.path);
    if (tab?.isUnseen === true)
      this.store.update({ fileTabs: withTab(fileTabs, { ...tab, isUnseen: false }, tab.path) });
  }

  /** Shows the file in a reply that a model is streaming. `isComplete`: this is the whole reply. */
  streamed(live: ConversationView['live'], isComplete = false): void {
    clearTimeout(this.#reading);
    if (live === null) return;
    const wait = this.#repliedAt + READ_INTERVAL - performance.now();
    if (!isComplete && wait > 0) {
      this.#reading = setTimeout(() => this.streamed(live), wait); // No more of the reply may arrive for long.
      return;
    }
    this.#repliedAt = performance.now();
    const file = fileIn(live.reply);
    if (file === null || file.content.length > MAX_SHOWN_FILE) return;
    this.#writer = live.role;
    this.store.update({ written: { ...file, before: null, locked: true, isGrowing: true } });
  }

  /** The commands of a role have run, by default of all: the stored files take the place of the streamed one. */
  stepEnded(role = this.#writer): void {
    if (role !== this.#writer) return;
    clearTimeout(this.#reading);
    void this.#changing.then(() => this.store.update({ written: null }));
  }

  /** Stores edits of the user. */
  readonly edited = (path: string, content: string): void => {
    this.#contents.set(path, content);
    this.store.update({ follow: false }); // No file of the agent may take the place of the one that the user edits.
    this.#storing = this.guarded(async () => {
      const files = this.session()?.files;
      const before = files && decodeText(await files.readBytes(path).catch(() => new Uint8Array()));
      await files?.write(path, encodeText(content, before?.encoding ?? 'UTF-8'));
    });
  };

  /** Resolves when the edits of the user are stored. */
  stored(): Promise<void> {
    return this.#storing;
  }

  async create(path: string): Promise<void> {
    await this.guarded(async () => {
      const session = this.session();
      if (session === null) return;
      const absolute = (path.startsWith('/') ? path : `/${path}`).normalize();
      if ((await session.files.stat(absolute)) === null) await session.files.write(absolute, '');
      await this.show(absolute);
    });
  }

  /** Deletes a file, and offers to undo that. */
  async remove(path: string): Promise<void> {
    await this.guarded(async () => {
      const session = this.session();
      if (session === null) return;
      await session.files.remove(path);
      const history = await session.files.history();
      const last = history.findLast(({ paths }) => paths.includes(path));
      if (session !== this.session()) return;
      this.store.update({
        deletedFile: last?.name === 'remove' ? { path, id: last.id } : null, // A full disk has no space for undo.
        announcement: `${t.fileDeleted} ${path}`,
      });
    });
  }

  /** Restores the file that was deleted last. */
  async restore(): Promise<void> {
    const { deletedFile } = this.store.state;
    this.store.update({ deletedFile: null });
    if (deletedFile === null) return;
    await this.guarded(async () => {
      await this.session()?.files.undo(deletedFile.id);
      await this.show(deletedFile.path);
    });
  }

  /** Downloads a file as it is stored. */
  async save(path: string): Promise<void> {
    await this.guarded(async () => {
      const bytes = await this.session()?.files.readBytes(path);
      if (bytes !== undefined) offer(path.slice(path.lastIndexOf('/') + 1), bytes);
    });
  }

  /** Imports dropped files. Call it in the `drop` event. */
  async dropped(data: DataTransfer): Promise<void> {
    const session = this.session();
    if (session === null) return;
    const taken = importDropped(session.files, data, { existing: 'replace' }); // Now: browsers forget the dropped items after the event.
    this.store.update({ workbench: true, tab: 'files', tabIsOwn: true, pane: 'work' });
    await this.guarded(async () => {
      const { written } = await taken;
      const [first] = written;
      this.store.update({ announcement: t.added(written.length) });
      if (
        first !== undefined &&
        session === this.session() &&
        (await session.files.stat(first))?.type === 'file'
      )
        await this.show(first);
    });
  }

  setFollow(follow: boolean): void {
    this.store.update({ follow });
  }

  /** Opens a page of the session in the preview. */
  async preview(url: string): Promise<void> {
    const session = this.session();
    if (session === null || url.trim() === '') return;
    this.store.update({ workbench: true, tab: 'preview', pane: 'work' });
    await this.openPage(session, url);
  }

  /** Loads the shown page again. The user stays where they have scrolled to. */
  async reload(): Promise<void> {
    const session = this.session();
    const { page } = this.store.state;
    if (session === null || page === null) return;
    await this.#opened(session);
    const { url, scrollTop } = await placeIn(session, page);
    if (page === this.store.state.page) await this.openPage(session, url, scrollTop);
  }

  /** A role begins to open a page. It reads the files as they are from now on. */
  pageOpening(role: string): void {
    this.#changesAtOpening.set(role, this.#changes);
  }

  /** A role has opened a page. Files that changed meanwhile may not be in it. */
  pageOpened(role: string): void {
    this.#changesShown = this.#changesAtOpening.get(role) ?? 0;
  }

  /**
   * Reloads the shown page shortly after files changed, in the frame of the user. A page that the agent is testing is
   * left alone until its run ends.
   */
  refreshPage(): void {
    clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(() => void this.guarded(() => this.reloadPage()), REFRESH_DELAY);
  }

  /** Opens the page that a run has built, unless one is open. Returns whether a page is open. */
  async openResult(): Promise<boolean> {
    const session = this.session();
    await this.#changing; // The newest file may be the page.
    const { page, changed } = this.store.state;
    if (session === null || session !== this.session() || page !== null) return page !== null;
    const main = mainPage([...changed.keys()]) ?? this.#mainPage();
    if (main === undefined) return false;
    await this.openPage(session, main);
    return true;
  }

  /** Opens the page that was shown last, where it was scrolled to, or else that of the session. Returns whether a page is open. */
  async openLast(): Promise<boolean> {
    const session = this.session();
    if (session === null || this.store.state.page !== null) return this.store.state.page !== null;
    const { page, scrollTop = 0 } = this.views.of(session.name);
    const { files } = this.store.state;
    if (page === undefined || !files.some(({ path }) => path === pathOf(page))) return this.openResult();
    await this.openPage(session, page, scrollTop);
    return true;
  }

  /** Remembers how far the shown page is scrolled. */
  async keepScroll(): Promise<void> {
    const session = this.session();
    const { page } = this.store.state;
    if (session === null || page === null) return;
    const { url, scrollTop } = await placeIn(session, page);
    this.views.scrolled(session.name, url, scrollTop);
  }

  /** The page to open first among all files of the session. */
  #mainPage(): string | undefined {
    const { files } = this.store.state;
    const byAge = files.toSorted((one, other) => one.modifiedAt - other.modifiedAt);
    return mainPage(byAge.flatMap(({ type, path }) => (type === 'file' ? [path] : [])));
  }

  private async reloadPage(): Promise<void> {
    const session = this.session();
    const { page, runningSince } = this.store.state;
    if (
      session === null ||
      page === null ||
      this.#changes === this.#changesShown ||
      !page.url.startsWith('/')
    )
      return;
    if (page.by === 'agent' && runningSince !== null) return;
    await this.#opened(session);
    const { url, scrollTop } = await placeIn(session, page);
    if (!url.startsWith('/')) return; // A link has led to a page that is not of the session.
    const isThere = (await session.files.stat(pathOf(url))) !== null;
    if (page !== this.store.state.page) return; // Another one was opened meanwhile.
    if (isThere) return this.openPage(session, url, scrollTop);
    this.#changesShown = this.#changes;
    this.store.update({ page: null }); // Its file was removed.
  }

  /** Opens pages one after the other: a page that is replaced while it loads would not report that it has loaded. */
  private openPage(session: Session, url: string, scrollTop = 0): Promise<void> {
    this.#changesShown = this.#changes;
    this.store.update({ page: { url, by: 'user', role: USER } });
    const open = async (): Promise<void> => {
      this.errors.opening();
      await openForUser(session, url, scrollTop);
      await this.errors.watch(session);
    };
    const done = this.#opened(session).then(() => this.guarded(open));
    this.#opening = { session, done };
    return done;
  }

  /** Resolves when pages of a session are open. In an earlier session that may never be: its frame is gone. */
  async #opened(session: Session): Promise<void> {
    if (this.#opening.session === session) await this.#opening.done;
  }

  changed(change: FileChange): Promise<void> {
    this.#changes += 1;
    this.refreshPage();
    const shown = this.guarded(() => this.#showChange(change));
    this.#changing = Promise.all([this.#changing, shown]).then(() => {});
    return shown;
  }

  async #showChange({ path, change, by }: FileChange): Promise<void> {
    const files = (await this.session()?.files.list()) ?? [];
    const info = files.find((file) => file.path === path && file.type === 'file');
    const isThere = change === 'written' && info !== undefined;
    const content = isThere && info.size <= MAX_SHOWN_FILE ? await this.read(path) : undefined;
    const before = this.#contents.get(path);
    // Changes may arrive during this read, so read the shown file last.
    const { openFile, follow, changed, fileTabs, tab, written } = this.store.state;
    const marks = new Map(changed);
    if (content === undefined) this.#contents.delete(path);
    else this.#contents.set(path, content);
    if (!isThere) {
      marks.delete(path);
      this.store.update({ files, changed: marks });
      return this.close(path);
    }
    marks.set(path, before === undefined || marks.get(path) === 'new' ? 'new' : 'changed');
    const isNews = content === undefined || content !== before;
    const isOpen = openFile?.path === path;
    const shows = isNews && ((follow && by === 'agent') || isOpen);
    const isUnseen = isNews && !((shows || isOpen) && tab === 'files');
    const shown = shows ? path : (openFile?.path ?? null);
    this.store.update({
      files,
      changed: marks,
      fileTabs: isNews ? withTab(fileTabs, { path, isUnseen }, shown) : fileTabs,
      ...(written?.path === path ? { written: null } : {}),
      ...(shows ? { openFile: shownAs(path, content, before ?? null) } : {}),
    });
  }

  /** Null when it is binary: as text it would be shown wrong, and stored wrong after an edit. */
  private async read(path: string): Promise<string | null> {
    const bytes = await this.session()?.files.readBytes(path);
    return decodeText(bytes ?? new Uint8Array())?.text ?? null;
  }
}

/** A file for the editor; `content` is undefined when it is too large, and null when it is binary. */
function shownAs(path: string, content: string | null | undefined, before: string | null): OpenFile {
  if (typeof content === 'string') return { path, content, before, locked: false };
  return { path, content: content === null ? t.noText : t.tooLarge, before: null, locked: true };
}

/** Returns the file that a model is writing in an unfinished reply; null for other commands. */
function fileIn(reply: string): { path: string; content: string } | null {
  const { name = '', about: path = '', text = null } = commandBeingWritten(reply) ?? {};
  if (!WRITES_FILE.has(name) || path === '' || text === null) return null;
  return { path: path.startsWith('/') ? path : `/${path}`, content: text };
}
