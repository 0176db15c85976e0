import { parentPath } from './paths.js';
import {
  MAX_SNAPSHOT_BYTES,
  type ProgramFileUse,
  type SnapshotChange,
  type SnapshotEntry,
} from './snapshot.js';

interface FileNode {
  type: 'file' | 'directory';
  content: Uint8Array;
  modifiedAt: number;
  /** Size of a file whose content is withheld. */
  size?: number;
  withheld?: 'forbidden' | 'too-large';
}

/** What `stat` returns. */
export interface NodeInfo {
  type: 'file' | 'directory';
  size: number;
  modifiedAt: number;
}

const ERROR_REASONS = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
  EISDIR: 'illegal operation on a directory',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  EACCES: 'permission denied',
  EFBIG: `file too large: programs receive at most ${MAX_SNAPSHOT_BYTES} bytes of files`,
  EINVAL: 'invalid argument',
  ENOSPC: 'no space left on device',
} as const;

/** A Unix error, as Node reports it. */
export class FileError extends Error {
  constructor(
    readonly code: keyof typeof ERROR_REASONS,
    readonly syscall: string,
    readonly path: string,
  ) {
    super(`${code}: ${ERROR_REASONS[code]}, ${syscall} '${path}'`);
  }
}

/** Maximum bytes that a program may write to its files. */
const MAX_ADDED_BYTES = 128 * 1024 * 1024;
/** Always appears to exist, as programs expect. */
const TEMPORARY_DIRECTORY = '/tmp';

/**
 * The files of one program, in memory and synchronous, as programs expect them. Paths are absolute and normalized, and their names may be
 * composed or not. Records what was read and what was changed.
 */
export class ProgramFiles {
  readonly #nodes = new Map<string, FileNode>([['/', directory()]]);
  readonly #before: ReadonlyMap<string, SnapshotEntry>;
  readonly #touched = new Set<string>();
  readonly #read = new Set<string>();
  readonly #listed = new Set<string>();
  #added = 0;

  constructor(entries: readonly SnapshotEntry[]) {
    this.#before = new Map(entries.map((entry) => [entry.path, entry]));
    for (const { path, type, size, modifiedAt, content, withheld } of entries)
      this.#nodes.set(path, {
        type,
        content: content ?? new Uint8Array(),
        modifiedAt,
        ...(withheld === undefined ? {} : { size, withheld }),
      });
    if (!this.#nodes.has(TEMPORARY_DIRECTORY)) this.#nodes.set(TEMPORARY_DIRECTORY, directory());
  }

  /** Returns null when the path does not exist. */
  stat(given: string): NodeInfo | null {
    const path = given.normalize();
    const node = this.#nodes.get(path);
    if (node === undefined) return null;
    this.#listed.add(path);
    return { type: node.type, size: node.size ?? node.content.length, modifiedAt: node.modifiedAt };
  }

  /** The content is not copied: do not change it. */
  read(given: string): Uint8Array {
    const path = given.normalize();
    const node = this.#existing(path, 'open');
    if (node.type === 'directory') throw new FileError('EISDIR', 'read', path);
    this.#read.add(path);
    if (node.withheld === 'forbidden') throw new FileError('EACCES', 'open', path);
    if (node.withheld === 'too-large') throw new FileError('EFBIG', 'open', path);
    return node.content;
  }

  /** Returns a number that differs for other contents of a file; 0 without content. Does not count as reading. */
  checksum(given: string): number {
    const node = this.#nodes.get(given.normalize());
    let sum = 0;
    for (const byte of node?.content ?? []) sum = (Math.imul(sum, 31) + byte) >>> 0;
    return sum;
  }

  /** Replaces or creates a file. The directory must exist. */
  write(given: string, content: Uint8Array): void {
    const path = given.normalize();
    if (this.#nodes.get(path)?.type === 'directory') throw new FileError('EISDIR', 'open', path);
    this.#needDirectory(parentPath(path), 'open', path);
    this.#added += content.length;
    if (this.#added > MAX_ADDED_BYTES) throw new FileError('ENOSPC', 'write', path);
    this.#put(path, { type: 'file', content, modifiedAt: Date.now() });
  }

  append(given: string, content: Uint8Array): void {
    const path = given.normalize();
    if (!this.#nodes.has(path)) {
      this.write(path, content);
      return;
    }
    const before = this.read(path);
    const whole = new Uint8Array(before.length + content.length);
    whole.set(before);
    whole.set(content, before.length);
    this.write(path, whole);
  }

  /** Returns the names in a directory, sorted. */
  list(given: string): string[] {
    const path = given.normalize();
    if (this.#existing(path, 'scandir').type === 'file') throw new FileError('ENOTDIR', 'scandir', path);
    const prefix = path === '/' ? '/' : `${path}/`;
    const names: string[] = [];
    for (const each of this.#nodes.keys()) {
      if (each === '/' || !each.startsWith(prefix) || each.includes('/', prefix.length)) continue;
      this.#listed.add(each);
      names.push(each.slice(prefix.length));
    }
    return names.sort();
  }

  makeDirectory(given: string): void {
    const path = given.normalize();
    if (this.#nodes.has(path)) throw new FileError('EEXIST', 'mkdir', path);
    this.#needDirectory(parentPath(path), 'mkdir', path);
    this.#put(path, directory());
  }

  /** Removes a file. */
  unlink(given: string): void {
    const path = given.normalize();
    if (this.#existing(path, 'unlink').type === 'directory') throw new FileError('EISDIR', 'unlink', path);
    this.#drop(path);
  }

  /** Removes an empty directory. */
  removeDirectory(given: string): void {
    const path = given.normalize();
    if (path === '/') throw new FileError('EACCES', 'rmdir', path);
    if (this.list(path).length > 0) throw new FileError('ENOTEMPTY', 'rmdir', path);
    this.#drop(path);
  }

  /** Moves a file or directory, over a file or an empty directory at the target. Counts as reading what is moved. */
  rename(given: string, target: string): void {
    const [from, to] = [given.normalize(), target.normalize()];
    const source = this.#existing(from, 'rename');
    if (from === to) return;
    if (from === '/' || to.startsWith(`${from}/`)) throw new FileError('EINVAL', 'rename', from);
    this.#needDirectory(parentPath(to), 'rename', to);
    const there = this.#nodes.get(to);
    if (there?.type === 'directory' && source.type === 'file') throw new FileError('EISDIR', 'rename', to);
    if (there?.type === 'file' && source.type === 'directory') throw new FileError('ENOTDIR', 'rename', to);
    if (there?.type === 'directory' && this.list(to).length > 0)
      throw new FileError('ENOTEMPTY', 'rename', to);
    const moved = [...this.#nodes].filter(([path]) => path === from || path.startsWith(`${from}/`));
    for (const [path, node] of moved) {
      if (node.type === 'file') this.read(path);
      this.#drop(path);
      this.#put(to + path.slice(from.length), node);
    }
  }

  /** Returns what was read and changed so far. */
  use(): ProgramFileUse {
    const changes = [...this.#touched].sort().flatMap((path) => this.#changeOf(path));
    const known = (path: string): boolean => this.#before.has(path);
    return { read: [...this.#read].filter(known), listed: [...this.#listed].filter(known), changes };
  }

  #changeOf(path: string): SnapshotChange[] {
    const before = this.#before.get(path);
    const node = this.#nodes.get(path);
    if (node === undefined) return before === undefined ? [] : [{ path, after: null }];
    if (node.type === 'directory')
      return before?.type === 'directory' ? [] : [{ path, after: 'directory' as const }];
    return node.content === before?.content ? [] : [{ path, after: node.content }];
  }

  #existing(path: string, syscall: string): FileNode {
    const node = this.#nodes.get(path);
    if (node === undefined) throw new FileError('ENOENT', syscall, path);
    return node;
  }

  #needDirectory(path: string, syscall: string, target: string): void {
    const node = this.#nodes.get(path);
    if (node === undefined) throw new FileError('ENOENT', syscall, target);
    if (node.type === 'file') throw new FileError('ENOTDIR', syscall, target);
  }

  #put(path: string, node: FileNode): void {
    this.#nodes.set(path, node);
    this.#touched.add(path);
  }

  #drop(path: string): void {
    this.#nodes.delete(path);
    this.#touched.add(path);
  }
}

function directory(): FileNode {
  return { type: 'directory', content: new Uint8Array(), modifiedAt: Date.now() };
}
