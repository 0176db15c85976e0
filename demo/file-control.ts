import type { FileChangeEvent, Session } from 'rolezero';
import type { Store } from './state/app-state.js';
import { openForPerson } from './stage-client.js';
import { t } from './text/index.js';

/** Files up to this size are read to show them and what changes in them; bytes. */
export const MAX_SHOWN_FILE = 400_000;
/** At most so many files are read when a session is opened. */
const MAX_READ_AT_ONCE = 100;

/** The files of the open session, as the page shows them and the person changes them. */
export class FileControl {
  /** The files as they were last seen. */
  #contents = new Map<string, string>();

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
    private readonly guarded: (work: () => Promise<unknown>) => Promise<void>,
  ) {}

  /** Reads everything that can be shown, and shows what was written last. */
  async readAll(): Promise<void> {
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

  /** Shows one file. `follow`: and those the agent writes after it. */
  async show(path: string, follow = false): Promise<void> {
    await this.guarded(async () => {
      const size = (await this.session()?.files.stat(path))?.size ?? 0;
      const locked = size > MAX_SHOWN_FILE;
      const content = locked ? t.tooLarge : (this.#contents.get(path) ?? (await this.read(path)));
      this.store.update({ openFile: { path, content, before: null, locked }, follow });
    });
  }

  /** Stores what the person typed. */
  readonly edited = (path: string, content: string): void => {
    this.#contents.set(path, content);
    void this.guarded(() => this.session()?.files.write(path, content) ?? Promise.resolve());
  };

  async create(path: string): Promise<void> {
    await this.guarded(async () => {
      const session = this.session();
      if (session === null) return;
      const absolute = path.startsWith('/') ? path : `/${path}`;
      if ((await session.files.stat(absolute)) === null) await session.files.write(absolute, '');
      await this.show(absolute);
    });
  }

  async remove(path: string): Promise<void> {
    await this.guarded(() => this.session()?.files.remove(path) ?? Promise.resolve());
  }

  setFollow(follow: boolean): void {
    this.store.update({ follow });
  }

  /** Opens a page of the session in the preview. */
  async preview(url: string): Promise<void> {
    const session = this.session();
    if (session === null || url.trim() === '') return;
    this.store.update({ tab: 'preview', pane: 'work', page: { url, by: 'person' } });
    await this.guarded(() => openForPerson(session, url));
  }

  async changed({ path, change, by }: FileChangeEvent): Promise<void> {
    await this.guarded(async () => {
      const files = (await this.session()?.files.list()) ?? [];
      const info = files.find((file) => file.path === path && file.type === 'file');
      const locked = (info?.size ?? 0) > MAX_SHOWN_FILE;
      const content =
        change === 'written' && info !== undefined ? (locked ? t.tooLarge : await this.read(path)) : null;
      const before = this.#contents.get(path) ?? null;
      // Changes may come while this one is read: what is shown is asked for last.
      const { openFile, follow, changed } = this.store.state;
      const marks = new Map(changed);
      if (content === null) {
        this.#contents.delete(path);
        marks.delete(path);
        this.store.update({ files, changed: marks, ...(openFile?.path === path ? { openFile: null } : {}) });
        return;
      }
      this.#contents.set(path, content);
      marks.set(path, before === null || marks.get(path) === 'new' ? 'new' : 'changed');
      const shows = content !== before && ((follow && by === 'agent') || openFile?.path === path);
      this.store.update({
        files,
        changed: marks,
        ...(shows ? { openFile: { path, content, before, locked } } : {}),
      });
    });
  }

  private async read(path: string): Promise<string> {
    return (await this.session()?.files.read(path)) ?? '';
  }
}
