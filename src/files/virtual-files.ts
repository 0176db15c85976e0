import type { PersonChanges } from '../base/files.js';
import { Content } from './content.js';
import { corruptRecord, readRecord } from './file-record.js';
import { DEFAULT_LIMITS, FileTree, type Entry, type FileLimits, type Totals } from './file-tree.js';
import { DEFAULT_HISTORY_LIMITS, FileHistory, type HistoryLimits, type ReadContents } from './history.js';
import { parentOf } from './path.js';
import { StagedFiles } from './staged-files.js';

export interface VirtualFilesOptions {
  /** Milliseconds since 1970; what new files are dated with. */
  now: () => number;
  limits?: Partial<FileLimits & HistoryLimits>;
  /** Where earlier contents are stored; without it nothing can be undone. */
  contents?: ReadContents;
}

/**
 * The working copy of a session's files, in memory. What a command does goes to a stage, is committed to a store as the stage's
 * changes, and only then applied here. Written to directly, it changes at once and nothing is told to any store.
 */
export class VirtualFiles extends FileTree {
  /** What changed these files; it knows of stages that said whose change theirs is. */
  readonly history: FileHistory;
  readonly #entries = new Map<string, Entry>();
  readonly #children = new Map<string, Set<string>>();
  #bytes = 0;
  #revision = 0;

  constructor({ now, limits, contents }: VirtualFilesOptions) {
    super(now, { ...DEFAULT_LIMITS, ...limits });
    this.history = new FileHistory({ ...DEFAULT_HISTORY_LIMITS, ...limits }, contents);
  }

  /**
   * The files that records describe, in any order. Directories nobody recorded are there when something is in them. Limits hold for
   * what is written later, not for what is here already.
   *
   * @throws RoleZeroError `storage-corrupt` naming the record that is not one of a file or directory, or is in a file.
   */
  static restore(
    records: readonly { key: string; value: unknown }[],
    options: VirtualFilesOptions,
  ): VirtualFiles {
    const files = new VirtualFiles(options);
    for (const { key, value } of records) files.#entries.set(key, readRecord(key, value));
    for (const key of [...files.#entries.keys()]) files.#adopt(key);
    for (const { content } of files.#entries.values()) files.#bytes += content.size;
    return files;
  }

  /** A layer over these files whose changes stay in it until they are applied, or are dropped with it. */
  stage(): StagedFiles {
    return new StagedFiles(this);
  }

  /** See `Workspace`. */
  changedByPerson(after: number): PersonChanges {
    return this.history.changedByPerson(after);
  }

  /** Grows with every change. */
  get revision(): number {
    return this.#revision;
  }

  override childrenOf(path: string): Iterable<string> {
    return this.#children.get(path) ?? [];
  }

  override totals(): Totals {
    return { bytes: this.#bytes, files: this.#entries.size };
  }

  /** Takes over the changes of a stage, parents before children; everything else goes through the operations of `Files`. */
  applyChange(path: string, entry: Entry | undefined): void {
    this.put(path, entry);
  }

  protected override lookUp(path: string): Entry | undefined {
    return this.#entries.get(path);
  }

  protected override put(path: string, entry: Entry | undefined): void {
    this.#revision += 1;
    this.#bytes += (entry?.content.size ?? 0) - (this.#entries.get(path)?.content.size ?? 0);
    if (entry === undefined) {
      this.#entries.delete(path);
      this.#children.get(parentOf(path))?.delete(path);
      this.#children.delete(path);
    } else {
      this.#entries.set(path, entry);
      this.#siblings(path).add(path);
    }
  }

  #siblings(path: string): Set<string> {
    const parent = parentOf(path);
    const siblings = this.#children.get(parent) ?? new Set();
    this.#children.set(parent, siblings);
    return siblings;
  }

  /** Makes a restored entry a child of its directory, and that one of its own if it was not recorded. */
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
