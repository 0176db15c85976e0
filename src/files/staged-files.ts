import { RoleZeroError } from '../core/error.js';
import type {
  ChangeOrigin,
  FileDifference,
  FileInfo,
  FileOutput,
  Touched,
  WantedFiles,
} from '../core/files.js';
import type { Write } from '../core/store.js';
import { Content, type FileContent } from './content.js';
import { toRecord } from './file-record.js';
import { FileTree, byCodeUnits, type Entry, type Totals } from './file-tree.js';
import type { ChangeRelation, Difference, FileHistory } from './history.js';
import { parentOf, resolvePath } from './path.js';
import { keysOf, slicedFrom } from './slices.js';
import { StoredContent } from './stored-content.js';

/** The change of one file. */
export interface FileEffect {
  path: string;
  change: 'written' | 'removed';
}

/** Length in bytes, or in UTF-16 units of a text, from which on a content has a row of its own. */
const MIN_OWN_ROW = 1_000;

/** The files below a layer. */
export interface WorkingCopy extends FileTree {
  readonly history: FileHistory;
  /** Increases with every change. */
  readonly revision: number;
  /** Returns the number of files whose content uses the row with this key. */
  uses(key: string): number;
  /** Returns a key for a content that is about to be stored. */
  newContentKey(): string;
  /** Applies a change of a layer; parents must come before children. */
  applyChange(path: string, entry: Entry | undefined): void;
}

/**
 * A layer over a working copy: reads pass through, writes stay in the layer. Creating one is free; using it costs only what is changed. To
 * discard it, drop the reference.
 *
 * The working copy may change meanwhile, for example when the user adds a file while a command runs. The layer wins where both changed the
 * same path. `changes` and `apply` then add what makes the result a tree: missing directories, and removals of files added to a removed
 * directory.
 */
export class StagedFiles extends FileTree {
  readonly #base: WorkingCopy;
  readonly #changed = new Map<string, Entry | undefined>();
  /** Changed paths by directory. */
  readonly #changedIn = new Map<string, Set<string>>();
  #added: Totals = { bytes: 0, files: 0 };
  #revision: number;
  readonly #read = new Set<string>();
  #marked: readonly string[] = [];
  #by: 'user' | 'open' | 'secret' = 'user';
  #check: (path: string) => void = () => {};
  /** Untrusted sources of what was read in this layer. */
  readonly #sources = new Set<string>();
  #private = false;

  constructor(base: WorkingCopy) {
    super(base.now, base.limits);
    this.#base = base;
    this.#revision = base.revision;
  }

  override *childrenOf(path: string): Iterable<string> {
    for (const child of this.#base.childrenOf(path)) if (!this.#changed.has(child)) yield child;
    for (const child of this.#changedIn.get(path) ?? [])
      if (this.#changed.get(child) !== undefined) yield child;
  }

  override totals(): Totals {
    const base = this.#base.totals();
    return { bytes: base.bytes + this.#added.bytes, files: base.files + this.#added.files };
  }

  /**
   * Returns the writes that store this layer, sorted by path. With an origin, also records the change in the history. Call it only once,
   * for changes that are about to be stored.
   */
  changes(origin?: ChangeOrigin, relation?: ChangeRelation): Write[] {
    if (this.#changed.size === 0 && relation === undefined) return []; // most commands change nothing
    const contents: Write[] = [];
    const differences = this.#settled().map(([path, entry]): Difference => {
      const after = entry && this.#stored(path, entry, contents);
      this.#changed.set(path, after);
      return { path, before: this.#base.entry(path), after };
    });
    const added = usesAdded(differences);
    const isUsed = (key: string): boolean => this.#base.uses(key) + (added.get(key) ?? 0) > 0;
    const { history } = this.#base;
    const recorded =
      origin === undefined ? [] : history.record(differences, origin, this.now(), relation ?? {}, isUsed);
    const files = differences.map(({ path, after }): Write => ({
      table: 'files',
      key: path,
      value: after && toRecord(after),
    }));
    const unused = [...added.keys()].filter((key) => !isUsed(key) && !history.needs(key));
    const removed = unused.map((key): Write => ({ table: 'contents', key, value: undefined }));
    return [...recorded, ...contents, ...files, ...removed];
  }

  /**
   * Returns an entry as it is stored: a long content gets a row of its own, which is added to `contents`. After a change of a part of it, that
   * row has the part only, and the rest remains in the rows of the former content.
   */
  #stored(path: string, entry: Entry, contents: Write[]): Entry {
    const { rows, size } = entry.content;
    const isStored = (key: string): boolean => this.#base.uses(key) > 0 || this.#base.history.needs(key);
    if (rows !== undefined && keysOf(rows).every(isStored)) return entry;
    const content = entry.content instanceof StoredContent ? entry.content.loaded : entry.content;
    if (!(content instanceof Content)) throw sourceGone(path);
    if (content.stored.length < MIN_OWN_ROW) return { ...entry, content };
    const key = this.#base.newContentKey();
    const former = this.#base.entry(path)?.content;
    const known = former instanceof StoredContent ? former.loaded : null;
    const sliced =
      former?.rows === undefined || known === null
        ? null
        : slicedFrom({ content: known, rows: former.rows }, content, key);
    const value = sliced === null ? content.stored : sliced.added;
    if (value !== null) contents.push({ table: 'contents', key, value });
    const source = sliced?.content ?? content;
    return { ...entry, content: new StoredContent(sliced?.rows ?? { key }, size, content.hash(), source) };
  }

  /** Returns the changed files (not directories), sorted by path. */
  effects(): FileEffect[] {
    const effects: FileEffect[] = [];
    for (const [path, entry] of this.#settled())
      if (entry?.type === 'file') effects.push({ path, change: 'written' });
      else if (this.#base.entry(path)?.type === 'file') effects.push({ path, change: 'removed' });
    return effects;
  }

  /** Applies all changes to the working copy synchronously. The layer is empty afterwards and can be reused. */
  apply(): void {
    const settled = this.#settled();
    // Sorted by path, parents come before children. Removals run in reverse, so that no entry is ever without its directory.
    for (const [path, entry] of settled.toReversed())
      if (entry === undefined) this.#base.applyChange(path, entry);
    for (const [path, entry] of settled) if (entry !== undefined) this.#base.applyChange(path, entry);
    this.#changed.clear();
    this.#changedIn.clear();
    this.#added = { bytes: 0, files: 0 };
    this.#revision = this.#base.revision;
  }

  /** See `StagedFiles.mark` in base. */
  mark(untrusted: readonly string[], by: 'user' | 'open' | 'secret'): void {
    this.#marked = untrusted;
    this.#by = by;
    for (const [path, entry] of this.#changed)
      if (entry !== undefined) this.#changed.set(path, this.#labelled(entry, entry));
  }

  guard(check: (path: string) => void): void {
    this.#check = check;
  }

  touched(): Touched {
    const changed = this.effects().map(({ path }) => path);
    const overwritten = changed.flatMap((path) => {
      const before = this.#base.entry(path);
      const isOfUser = before?.type === 'file' && before.own !== true;
      return isOfUser ? [{ path, untrusted: before.untrusted ?? [] }] : [];
    });
    return {
      read: [...this.#read],
      changed,
      overwritten,
      untrusted: [...this.#sources],
      private: this.#private,
    };
  }

  differences(
    paths: readonly string[],
    describeBinary: (bytes: Uint8Array) => string,
  ): Promise<FileDifference[]> {
    const text = async (entry: Entry | undefined): Promise<string | null> => {
      if (entry?.type !== 'file') return null;
      const content = await entry.content.load();
      return content.shownText() ?? describeBinary(content.bytes());
    };
    return Promise.all(
      paths.map(async (path) => ({
        path,
        before: await text(this.#base.entry(path)),
        after: await text(this.entry(path)),
      })),
    );
  }

  /** See `ToolFiles.snapshot` in base. */
  snapshot(wanted: WantedFiles): Promise<FileOutput[]> {
    return this.readAll('/', wanted);
  }

  protected override content(target: string): Promise<Content> {
    this.#noteRead(target);
    return super.content(target);
  }

  /** Names, like contents, may come from an untrusted source. */
  override async stat(path: string): Promise<FileInfo | null> {
    const info = await super.stat(path);
    if (info !== null) this.#noteNames([info]);
    return info;
  }

  override async list(path?: string, options?: { recursive?: boolean }): Promise<FileInfo[]> {
    return this.#noteNames(await super.list(path, options));
  }

  override async glob(pattern: string): Promise<FileInfo[]> {
    return this.#noteNames(await super.glob(pattern));
  }

  /** Copying or moving counts as reading, for rules and for labels. */
  override async copy(from: string, to: string): Promise<void> {
    await this.#noteAll(from);
    await super.copy(from, to);
  }

  override async move(from: string, to: string): Promise<void> {
    await this.#noteAll(from);
    await super.move(from, to);
  }

  async #noteAll(from: string): Promise<void> {
    const source = resolvePath(from);
    const isDirectory = this.entry(source)?.type === 'directory';
    const below = isDirectory
      ? await super.list(source, { recursive: true })
      : [{ path: source, type: 'file' }];
    for (const { path, type } of below) if (type === 'file') this.#noteRead(path);
  }

  #noteRead(target: string): void {
    const entry = this.entry(target);
    if (entry?.type !== 'file') return;
    this.#read.add(target); // includes rejected reads: rules ask which reads were attempted
    this.#check(target);
    for (const source of entry.untrusted ?? []) this.#sources.add(source);
    // Content written by the same command reveals nothing new.
    if ((entry.own !== true || entry.secret === true) && !this.#changed.has(target)) this.#private = true;
  }

  #noteNames(infos: FileInfo[]): FileInfo[] {
    for (const { untrusted = [] } of infos) for (const source of untrusted) this.#sources.add(source);
    return infos;
  }

  /**
   * Returns the entry with its labels. A written file carries the sources that the writer has read; a copied or moved file keeps its own. A
   * file written by the user remains the user's.
   */
  #labelled({ untrusted = [], own: _own, secret, ...entry }: Entry, before: Entry | undefined): Entry {
    const sources = [...new Set([...untrusted, ...this.#marked, ...this.#sources])];
    const own = this.#by !== 'user' && (before === undefined || before.own === true);
    const isSecret = secret === true || this.#by === 'secret' || this.#private;
    return {
      ...entry,
      ...(sources.length === 0 ? {} : { untrusted: sources }),
      ...(own ? { own } : {}),
      ...(own && isSecret ? { secret: true } : {}),
    };
  }

  override entry(path: string): Entry | undefined {
    return this.#changed.has(path) ? this.#changed.get(path) : this.#base.entry(path);
  }

  protected override put(path: string, entry: Entry | undefined): void {
    const before = this.entry(path);
    this.#added.bytes += (entry?.content.size ?? 0) - (before?.content.size ?? 0);
    this.#added.files += Number(entry !== undefined) - Number(before !== undefined);
    this.#changed.set(path, entry && this.#labelled(entry, before));
    const parent = parentOf(path);
    const siblings = this.#changedIn.get(parent) ?? new Set();
    this.#changedIn.set(parent, siblings.add(path));
  }

  #settled(): [string, Entry | undefined][] {
    if (this.#changed.size === 0) return [];
    if (this.#base.revision !== this.#revision) this.#reconcile();
    const settled: [string, Entry | undefined][] = [];
    for (const change of this.#changed)
      if (change[1] !== undefined || this.#base.entry(change[0]) !== undefined) settled.push(change);
    return settled.sort(([a], [b]) => byCodeUnits(a, b));
  }

  /** Adapts the layer to a working copy that has changed. */
  #reconcile(): void {
    for (const [path, entry] of [...this.#changed]) {
      if (entry === undefined) continue;
      for (let place = parentOf(path); place !== '/'; place = parentOf(place)) {
        if (this.entry(place)?.type === 'directory') continue;
        this.put(place, { type: 'directory', content: new Content(''), modifiedAt: this.now() });
      }
    }
    // A Map iterates over entries added during iteration, so children of removed children are included.
    for (const [path, entry] of this.#changed) {
      if (entry?.type === 'directory') continue;
      for (const child of this.#base.childrenOf(path))
        if (!this.#changed.has(child)) this.put(child, undefined);
    }
    this.#revision = this.#base.revision;
  }
}

/** Returns how many more files use each row of `contents` after a change, by its key. */
function usesAdded(differences: readonly Difference[]): Map<string, number> {
  const added = new Map<string, number>();
  const count = (content: FileContent | undefined, by: number): void => {
    for (const key of content?.rows === undefined ? [] : keysOf(content.rows))
      added.set(key, (added.get(key) ?? 0) + by);
  };
  for (const { before, after } of differences) {
    count(before?.content, -1);
    count(after?.content, 1);
  }
  return added;
}

function sourceGone(path: string): RoleZeroError {
  return new RoleZeroError(
    'conflict',
    `${path} was copied from a file that has been removed since, with its history. Nothing was written; try again.`,
    { path },
  );
}
