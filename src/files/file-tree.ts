import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import { checkFileSize, overFileLimit, type SizeLimits } from '../core/file-limits.js';
import type { FileInfo, FileInput, FileOutput, Files, WantedFiles, WriteAllOptions } from '../core/files.js';
import { matchesPath } from '../core/glob.js';
import { Content, type FileContent } from './content.js';
import { MAX_PATH, parentOf, resolvePath } from './path.js';

/** Limits of a workspace; see `DEFAULT_LIMITS`. */
export interface FileLimits extends SizeLimits {
  /** Number of files and directories. */
  files: number;
}

export const DEFAULT_LIMITS: FileLimits = {
  fileBytes: 8 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  files: 10_000,
};

/** A stored file or directory. Immutable: it is replaced, never changed. */
export interface Entry {
  readonly type: 'file' | 'directory';
  readonly content: FileContent;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Sources outside the session from which the content may come. */
  readonly untrusted?: readonly string[] | undefined;
  /** Set when a role wrote it, not the user. */
  readonly own?: true | undefined;
  /** Set when a role wrote it and it may contain private data of the user. */
  readonly secret?: true | undefined;
}

export interface Totals {
  bytes: number;
  files: number;
}

/** The content of every directory, and the entry of the root, which has no record. */
const EMPTY_CONTENT = new Content('');
export const ROOT: Entry = { type: 'directory', content: EMPTY_CONTENT, modifiedAt: 0 };

/**
 * All file operations, built on looking up, listing and putting one entry. Each operation checks everything first and then changes all or
 * nothing. The root always exists.
 */
export abstract class FileTree implements Files {
  constructor(
    readonly now: () => number,
    readonly limits: FileLimits,
  ) {}

  /** Returns the entry at a resolved path. */
  abstract entry(path: string): Entry | undefined;
  /** Sets or removes an entry. The path is resolved and its parent exists. */
  protected abstract put(path: string, entry: Entry | undefined): void;
  /** Returns the resolved paths directly below a directory, in no particular order. */
  abstract childrenOf(path: string): Iterable<string>;
  abstract totals(): Totals;

  async read(path: string): Promise<string> {
    return (await this.content(resolvePath(path))).text();
  }

  async readBytes(path: string): Promise<Uint8Array> {
    return (await this.content(resolvePath(path))).bytes().slice();
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    this.#write(resolvePath(path), new Content(typeof content === 'string' ? content : content.slice()));
  }

  #write(target: string, made: Content, untrusted?: readonly string[]): void {
    const before = this.entry(target);
    if (before?.type === 'directory') {
      throw new RoleZeroError('invalid', `${target} is a directory. Write to a file in it.`, {
        path: target,
      });
    }
    const missing = this.#missingDirectories(parentOf(target));
    checkFileSize(target, made.size, this.limits);
    this.#checkTotal(target, made.size - (before?.content.size ?? 0));
    this.#checkCount(target, missing.length + (before === undefined ? 1 : 0));
    this.#makeDirectories(missing);
    const labels = untrusted === undefined ? {} : { untrusted };
    this.put(target, { type: 'file', content: made, modifiedAt: this.now(), ...labels });
  }

  async stat(path: string): Promise<FileInfo | null> {
    const target = resolvePath(path);
    const entry = this.entry(target);
    return entry === undefined ? null : toInfo(target, entry);
  }

  async list(path = '/', { recursive = false }: { recursive?: boolean } = {}): Promise<FileInfo[]> {
    const target = resolvePath(path);
    const entry = this.#existing(target);
    if (entry.type !== 'directory') {
      throw new RoleZeroError('invalid', `${target} is a file, not a directory. Read it instead.`, {
        path: target,
      });
    }
    const found = recursive ? this.#below(target) : [...this.childrenOf(target)];
    return found.sort(byCodeUnits).map((each) => toInfo(each, this.#existing(each)));
  }

  async makeDirectory(path: string): Promise<void> {
    const missing = this.#missingDirectories(resolvePath(path));
    this.#checkCount(path, missing.length);
    this.#makeDirectories(missing);
  }

  async remove(path: string): Promise<void> {
    const target = resolvePath(path);
    this.#existing(target);
    this.#refuseRoot(target, 'removed');
    // Children first, so that the rest is a tree at every moment.
    for (const each of this.#below(target).reverse()) this.put(each, undefined);
    this.put(target, undefined);
  }

  async move(from: string, to: string): Promise<void> {
    const { target, entries } = this.#transfer(from, to, 'moved');
    const missing = this.#missingDirectories(parentOf(target));
    this.#checkCount(target, missing.length);
    this.#makeDirectories(missing);
    for (const { path } of entries.toReversed()) this.put(path, undefined);
    for (const each of entries) this.put(each.target, each.entry);
  }

  async copy(from: string, to: string): Promise<void> {
    const { target, entries } = this.#transfer(from, to, 'copied');
    const missing = this.#missingDirectories(parentOf(target));
    this.#checkCount(target, missing.length + entries.length);
    this.#checkTotal(
      target,
      entries.reduce((sum, { entry }) => sum + entry.content.size, 0),
    );
    this.#makeDirectories(missing);
    for (const each of entries) this.put(each.target, { ...each.entry, modifiedAt: this.now() });
  }

  async glob(pattern: string): Promise<FileInfo[]> {
    if (pattern.length > MAX_PATH) {
      const message = `The pattern has ${pattern.length} characters; at most ${MAX_PATH} are allowed.`;
      throw new RoleZeroError('invalid', message, { length: pattern.length });
    }
    return this.#below('/')
      .filter((path) => matchesPath(path, pattern))
      .sort(byCodeUnits)
      .map((path) => toInfo(path, this.#existing(path)));
  }

  /** See `SessionFiles.readAll`. The contents are not copied: do not change them. */
  async readAll(path: string, wanted: WantedFiles = () => () => true): Promise<FileOutput[]> {
    const target = resolvePath(path);
    const paths = this.#existing(target).type === 'file' ? [target] : this.#below(target).sort(byCodeUnits);
    const entries = paths.map((each) => ({ path: each, entry: this.#existing(each) })); // as they are now
    const infos = entries.map(({ path: each, entry }) => toInfo(each, entry));
    const isWanted = wanted(infos);
    const all: FileOutput[] = [];
    for (const [index, info] of infos.entries()) {
      const entry = entries[index]?.entry;
      const hasContent = entry?.type === 'file' && isWanted(info.path);
      all.push(hasContent ? { ...info, content: (await entry.content.load()).bytes() } : info);
    }
    return all;
  }

  /**
   * See `SessionFiles.writeAll`. Rejects before anything is written: two files with one path, and existing files. Stores byte contents
   * without copying them: the caller must not change them afterwards.
   */
  writeAll(inputs: readonly FileInput[], { existing = 'fail' }: WriteAllOptions = {}): string[] {
    const wanted = new Map<string, Content | null>();
    const sources = new Map<string, readonly string[]>();
    for (const { path, content, untrusted } of inputs) {
      const target = resolvePath(path);
      if (untrusted !== undefined && untrusted.length > 0) sources.set(target, untrusted);
      if (content === undefined && (wanted.get(target) ?? null) === null) wanted.set(target, null);
      else if (wanted.has(target)) {
        throw new RoleZeroError('invalid', `${target} is given twice. Give every file once.`, {
          path: target,
        });
      } else wanted.set(target, content === undefined ? null : new Content(content));
    }
    const files = [...wanted].filter(([path, content]) => content !== null && !this.#holds(path, content));
    const taken = files.filter(([path]) => this.entry(path) !== undefined).map(([path]) => path);
    if (existing === 'fail' && taken.length > 0) throw alreadyThere(taken);
    const written: string[] = [];
    for (const [path, content] of wanted) {
      if (content !== null) continue;
      const missing = this.#missingDirectories(path);
      this.#checkCount(path, missing.length);
      this.#makeDirectories(missing);
    }
    const unchanged = new Set(existing === 'keep' ? taken : []);
    for (const [path, content] of files) {
      if (content === null || unchanged.has(path)) continue;
      this.#write(path, content, sources.get(path));
      written.push(path);
    }
    return written.sort(byCodeUnits);
  }

  /**
   * Returns everything below a directory, parents before children. Recursion would be safe (at most 64 levels), but a list is as simple.
   */
  #below(path: string): string[] {
    const found = [...this.childrenOf(path)];
    for (const each of found) {
      // The list grows during iteration.
      if (this.entry(each)?.type === 'directory')
        for (const child of this.childrenOf(each)) found.push(child);
    }
    return found;
  }

  #existing(path: string): Entry {
    const entry = this.entry(path);
    if (entry !== undefined) return entry;
    throw new RoleZeroError('not-found', `There is no file or directory ${path}.`, { path });
  }

  /** Returns the content of a file at a resolved path. @throws RoleZeroError `not-found`, `invalid` for a directory, `storage-…`. */
  protected async content(target: string): Promise<Content> {
    const { content } = this.#file(target);
    if (content instanceof Content) return content;
    try {
      return await content.load();
    } catch (error) {
      if (this.entry(target)?.content === content) throw error;
      return this.content(target); // it was replaced, and removed from the store, meanwhile
    }
  }

  #file(target: string): Entry {
    const entry = this.entry(target);
    if (entry === undefined) {
      throw new RoleZeroError('not-found', `There is no file ${target}.`, { path: target });
    }
    if (entry.type === 'directory') {
      throw new RoleZeroError('invalid', `${target} is a directory, not a file. List it instead.`, {
        path: target,
      });
    }
    return entry;
  }

  /** Returns the directories to create so that `path` is a directory, outermost first. */
  #missingDirectories(path: string): string[] {
    const missing: string[] = [];
    let place = path;
    let entry = this.entry(place);
    while (entry === undefined) {
      missing.push(place);
      place = parentOf(place);
      entry = this.entry(place);
    }
    if (entry.type === 'file') {
      const message = `${place} is a file, so there can be no directory ${path}. Choose another name.`;
      throw new RoleZeroError('invalid', message, { path: place });
    }
    return missing.reverse();
  }

  #makeDirectories(paths: readonly string[]): void {
    for (const path of paths) {
      this.put(path, { type: 'directory', content: EMPTY_CONTENT, modifiedAt: this.now() });
    }
  }

  #refuseRoot(path: string, what: string): void {
    if (path !== '/') return;
    throw new RoleZeroError('invalid', `The root of the workspace cannot be ${what}. Name what is in it.`, {
      path,
    });
  }

  /** Returns the entries to move or copy, with their targets; checks everything except limits. */
  #transfer(
    from: string,
    to: string,
    done: 'moved' | 'copied',
  ): { target: string; entries: { path: string; target: string; entry: Entry }[] } {
    const source = resolvePath(from);
    const target = resolvePath(to);
    this.#existing(source);
    this.#refuseRoot(source, done);
    if (this.entry(target) !== undefined) {
      const advice = 'Remove it first, or choose another name.';
      throw new RoleZeroError('invalid', `There is already something at ${target}. ${advice}`, {
        path: target,
      });
    }
    if (target.startsWith(`${source}/`)) {
      const message = `${source} cannot be ${done} into itself (${target}). Choose a target outside of it.`;
      throw new RoleZeroError('invalid', message, { from: source, to: target });
    }
    const entries = [source, ...this.#below(source)].map((path) => ({
      path,
      target: resolvePath(target + path.slice(source.length)), // at a deeper place the path may be too long or too deep
      entry: this.#existing(path),
    }));
    return { target, entries };
  }

  #holds(path: string, content: Content): boolean {
    const entry = this.entry(path);
    return (
      entry?.type === 'file' && entry.content.size === content.size && entry.content.hash() === content.hash()
    );
  }

  #checkTotal(path: string, added: number): void {
    const { totalBytes } = this.limits;
    const total = this.totals().bytes + added;
    if (total > totalBytes) {
      throw this.#overLimit(
        'totalBytes',
        path,
        `all files together would have ${total} bytes of ${totalBytes}`,
      );
    }
  }

  #checkCount(path: string, added: number): void {
    const count = this.totals().files + added;
    if (added === 0 || count <= this.limits.files) return;
    const why = `there would be ${count} files and directories of at most ${this.limits.files}`;
    throw this.#overLimit('files', path, why);
  }

  #overLimit(limit: keyof FileLimits, path: string, why: string): RoleZeroError {
    return overFileLimit(limit, this.limits[limit], path, why);
  }
}

function alreadyThere(paths: readonly string[]): RoleZeroError {
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  return new RoleZeroError(
    'conflict',
    `Nothing was written, because other files exist already: ${paths.slice(0, 5).join(', ')}${more}. ` +
      "Choose another directory, or set existing: 'replace' or 'keep'.",
    { paths },
  );
}

/** Sorts paths by code units, which is the same on every machine. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function toInfo(path: string, { type, content, modifiedAt, untrusted }: Entry): FileInfo {
  return { path, type, size: content.size, modifiedAt, ...defined({ untrusted }) };
}
