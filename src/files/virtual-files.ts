import { RoleZeroError } from '../core/error.js';
import type { RunFacts } from '../core/events.js';
import type { FileHistoryEntry, UserChanges } from '../core/files.js';
import type { Freeable } from '../core/space.js';
import { numberKey, readNumberKey } from '../core/number-key.js';
import type { Write } from '../core/store.js';
import { Content, type FileContent } from './content.js';
import { corruptRecord, readRecord, toRecord } from './file-record.js';
import { DEFAULT_LIMITS, FileTree, ROOT, type Entry, type FileLimits, type Totals } from './file-tree.js';
import { DEFAULT_HISTORY_LIMITS, FileHistory, type HistoryLimits } from './history.js';
import { parentOf } from './path.js';
import { keysOf } from './slices.js';
import { StagedFiles } from './staged-files.js';
import { StoredContent, StoredContents, type ReadContents, type RestoreContent } from './stored-content.js';

export interface VirtualFilesOptions {
  /** Returns milliseconds since 1970, for the dates of new files. */
  now: () => number;
  limits?: Partial<FileLimits & HistoryLimits>;
  /** Reads contents from the store; without it nothing can be restored or undone. */
  contents?: ReadContents;
  restoreContent?: RestoreContent;
  /** The stored files are read later: until `restore`, only `lastChange` can be used. */
  isUnread?: boolean;
}

/**
 * The working copy of a session's files. Their contents are read from the store when they are used. Changes of a command go to a stage. They are committed to a store as the stage's
 * changes, and only then applied here. Direct writes change the files immediately, and no store is notified.
 */
export class VirtualFiles extends FileTree {
  /** The changes of these files; contains only stages whose changes had an origin. */
  readonly history: FileHistory;
  readonly #entries = new Map<string, Entry>();
  readonly #children = new Map<string, Set<string>>();
  readonly #contents: StoredContents;
  /** Number of files with each row of `contents`, by its key. */
  readonly #uses = new Map<string, number>();
  #nextKey: number | null = null;
  #bytes = 0;
  #revision = 0;
  #isUnread: boolean;

  constructor({
    now,
    limits,
    contents = async () => [],
    restoreContent = async () => false,
    isUnread = false,
  }: VirtualFilesOptions) {
    super(now, { ...DEFAULT_LIMITS, ...limits });
    this.history = new FileHistory({ ...DEFAULT_HISTORY_LIMITS, ...limits }, contents);
    this.#contents = new StoredContents(contents, restoreContent);
    this.#isUnread = isUnread;
  }

  /**
   * Adds the files of records, in any order, to empty files. Directories without a record exist when something is in them. Limits apply to
   * later writes, not to existing files.
   *
   * @throws RoleZeroError `storage-corrupt` naming a record that is not a file or directory, or that is inside a file.
   */
  restore(records: readonly { key: string; value: unknown }[]): this {
    this.#isUnread = false;
    for (const { key, value } of records) this.#entries.set(key, readRecord(key, value, this.#contents));
    for (const key of [...this.#entries.keys()]) this.#adopt(key);
    for (const { content } of this.#entries.values()) this.#count(content, 1);
    return this;
  }

  /** Returns a layer over these files. Its changes stay in it until they are applied, or are discarded with it. */
  stage(): StagedFiles {
    return new StagedFiles(this);
  }

  /** See `Workspace`. */
  get lastChange(): number {
    return this.history.last;
  }

  /** See `Workspace`. */
  changedByUser(after: number): UserChanges {
    this.#checkChanges(after);
    return this.history.changedByUser(after);
  }

  /** See `Workspace`. */
  changedByRoles(after: number): RunFacts['files'] {
    this.#checkChanges(after);
    return this.history.changedByRoles(after);
  }

  /** See `Workspace`. */
  pathsChangedBy(role: string): ReadonlySet<string> {
    if (this.#isUnread) throw unread();
    return this.history.pathsChangedBy(role);
  }

  /** See `Workspace`. */
  lastOriginOf(path: string): Pick<FileHistoryEntry, 'id' | 'name' | 'role'> | null {
    if (this.#isUnread) throw unread();
    return this.history.lastOriginOf(path);
  }

  /** See `WorkingCopy`. */
  uses(key: string): number {
    return this.#uses.get(key) ?? 0;
  }

  /** Returns what of the history could be removed to free space. */
  freeable(): Freeable['history'] {
    return this.history.freeable((key) => this.uses(key) > 0);
  }

  /** Removes all entries of the history but the newest. Returns the writes to store. */
  forgetHistory(keep: number): Write[] {
    return this.history.forget(keep, (key) => this.uses(key) > 0);
  }

  /**
   * Stores as a whole each file that names parts of contents with other parts that are no longer in it. Returns the writes to store. Contents
   * that the history needs remain.
   */
  async storeWhole(): Promise<Write[]> {
    const writes: Write[] = [];
    const former = new Set<string>();
    for (const [path, entry] of [...this.#entries]) {
      const { rows, size } = entry.content;
      if (rows === undefined || 'key' in rows) continue;
      const content = await entry.content.load();
      if (rows.weight <= content.stored.length) continue;
      const key = this.newContentKey();
      const whole = { ...entry, content: new StoredContent({ key }, size, content.hash(), content) };
      for (const each of keysOf(rows)) former.add(each);
      this.put(path, whole);
      writes.push({ table: 'contents', key, value: content.stored });
      writes.push({ table: 'files', key: path, value: toRecord(whole) });
    }
    for (const key of former)
      if (this.uses(key) === 0 && !this.history.needs(key))
        writes.push({ table: 'contents', key, value: undefined });
    return writes;
  }

  /** See `WorkingCopy`. */
  newContentKey(): string {
    if (this.#isUnread) throw unread();
    this.#nextKey ??= [...this.#uses.keys(), ...this.history.contentKeys()].reduce(
      (next, key) => Math.max(next, readNumberKey(key) + 1), // earlier contents may have their hash as key
      1,
    );
    return numberKey(this.#nextKey++);
  }

  /** Increases with every change. */
  get revision(): number {
    return this.#revision;
  }

  override childrenOf(path: string): Iterable<string> {
    if (this.#isUnread) throw unread();
    return this.#children.get(path) ?? [];
  }

  override totals(): Totals {
    if (this.#isUnread) throw unread();
    return { bytes: this.#bytes, files: this.#entries.size };
  }

  /** Applies the changes of a stage, parents before children. Everything else uses the operations of `Files`. */
  applyChange(path: string, entry: Entry | undefined): void {
    this.put(path, entry);
  }

  override entry(path: string): Entry | undefined {
    if (path === '/') return ROOT;
    if (this.#isUnread) throw unread();
    return this.#entries.get(path);
  }

  protected override put(path: string, entry: Entry | undefined): void {
    this.#revision += 1;
    const before = this.#entries.get(path);
    if (before !== undefined) this.#count(before.content, -1);
    if (entry !== undefined) this.#count(entry.content, 1);
    if (entry === undefined) {
      this.#entries.delete(path);
      this.#children.get(parentOf(path))?.delete(path);
      this.#children.delete(path);
    } else {
      this.#entries.set(path, entry);
      this.#siblings(path).add(path);
    }
  }

  /** Nothing is unknown about changes after the last one. */
  #checkChanges(after: number): void {
    if (this.#isUnread && after < this.lastChange) throw unread();
  }

  #count({ size, rows }: FileContent, by: 1 | -1): void {
    this.#bytes += by * size;
    for (const key of rows === undefined ? [] : keysOf(rows)) {
      const uses = this.uses(key) + by;
      if (uses > 0) this.#uses.set(key, uses);
      else this.#uses.delete(key);
    }
  }

  #siblings(path: string): Set<string> {
    const parent = parentOf(path);
    const siblings = this.#children.get(parent) ?? new Set();
    this.#children.set(parent, siblings);
    return siblings;
  }

  /** Adds a restored entry to its directory, and creates that directory if it had no record. */
  #adopt(path: string): void {
    this.#siblings(path).add(path);
    const parent = parentOf(path);
    const entry = this.entry(parent);
    if (entry?.type === 'file') {
      throw corruptRecord(path, `is in ${parent}, which is a file`);
    }
    if (entry !== undefined) return;
    this.#entries.set(parent, { type: 'directory', content: new Content(''), modifiedAt: this.now() });
    this.#adopt(parent);
  }
}

function unread(): RoleZeroError {
  return new RoleZeroError('internal', 'The files of the session were used before they were read.', {});
}
