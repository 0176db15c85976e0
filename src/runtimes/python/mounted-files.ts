import { parentPath } from '../paths.js';
import type { ProgramFileUse, SnapshotChange, SnapshotEntry } from '../snapshot.js';

/** The part of Emscripten's file system that is used. */
export interface EmscriptenFiles {
  readdir(path: string): string[];
  stat(path: string): { mode: number; mtime: Date; size: number };
  isDir(mode: number): boolean;
  mkdirTree(path: string): void;
  writeFile(path: string, content: Uint8Array, options?: { canOwn?: boolean }): void;
  readFile(path: string): Uint8Array;
  utime(path: string, accessedAt: number, modifiedAt: number): void;
  chmod(path: string, mode: number): void;
  unlink(path: string): void;
  open(path: string, ...rest: unknown[]): { path?: string; flags?: number };
}

/** Directories of the system. Files of the session below them are not visible to programs. */
const OF_SYSTEM = /^\/(?:dev|proc)(?:\/|$)/u;
/** Time of all files at the start: another time means that the program wrote the file. */
const START = 1_000_000_000_000;

/** The files of the session in Python's file system, next to those of Python itself. */
export class MountedFiles {
  readonly #files: EmscriptenFiles;
  readonly #before = new Map<string, SnapshotEntry>();
  /** Paths that belong to Python. */
  readonly #ofSystem: ReadonlySet<string>;
  readonly #read = new Set<string>();
  readonly #listed = new Set<string>();

  constructor(files: EmscriptenFiles, entries: readonly SnapshotEntry[]) {
    this.#files = files;
    this.#ofSystem = new Set(this.#below('/'));
    for (const entry of entries) if (!OF_SYSTEM.test(entry.path) && !this.#isTaken(entry)) this.#put(entry);
    this.#watch();
  }

  /** Returns what the program read and changed. */
  use(): ProgramFileUse {
    const after = new Set(
      this.#below('/').filter((path) => !this.#ofSystem.has(path) || this.#before.has(path)),
    );
    const removed = [...this.#before.keys()].filter((path) => !after.has(path));
    const changes = [
      ...removed.map((path): SnapshotChange => ({ path, after: null })),
      ...[...after].flatMap((path) => this.#changeOf(path)),
    ];
    return {
      read: [...this.#read].filter((path) => this.#before.has(path)),
      listed: [...this.#listed].filter((path) => this.#before.has(path)),
      changes: changes.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path))),
    };
  }

  /** A file of Python is not overwritten. */
  #isTaken({ path, type }: SnapshotEntry): boolean {
    return this.#ofSystem.has(path) && (type === 'file' || !this.#isDirectory(path));
  }

  #put(entry: SnapshotEntry): void {
    const { path, type, content, withheld } = entry;
    this.#before.set(path, entry);
    if (type === 'directory') {
      this.#files.mkdirTree(path);
      return;
    }
    this.#files.mkdirTree(parentPath(path));
    this.#files.writeFile(path, content ?? new Uint8Array());
    this.#files.utime(path, START, START);
    if (withheld !== undefined) this.#files.chmod(path, 0);
  }

  /** Records which files are opened and which directories are listed. */
  #watch(): void {
    const files = this.#files;
    const open = files.open.bind(files);
    files.open = (path, ...rest) => {
      const stream = open(path, ...rest);
      const full = stream.path ?? path;
      if (this.#before.get(full)?.withheld !== undefined) {
        this.#read.add(full);
        throw Object.assign(new Error('not readable'), { name: 'ErrnoError', errno: EACCES });
      }
      this.#read.add(full);
      return stream;
    };
    const list = files.readdir.bind(files);
    files.readdir = (path) => {
      const names = list(path);
      for (const name of names) this.#listed.add(path === '/' ? `/${name}` : `${path}/${name}`);
      return names;
    };
  }

  #changeOf(path: string): SnapshotChange[] {
    const before = this.#before.get(path);
    const { mode, mtime } = this.#files.stat(path);
    if (this.#files.isDir(mode)) return before?.type === 'directory' ? [] : [{ path, after: 'directory' }];
    if (before?.type === 'file' && mtime.getTime() === START) return [];
    return [{ path, after: this.#files.readFile(path).slice() }];
  }

  #isDirectory(path: string): boolean {
    return this.#files.isDir(this.#files.stat(path).mode);
  }

  /** Returns all paths below a directory, parents first. */
  #below(folder: string): string[] {
    return this.#files.readdir(folder).flatMap((name) => {
      const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
      if (name === '.' || name === '..' || OF_SYSTEM.test(path)) return [];
      return this.#isDirectory(path) ? [path, ...this.#below(path)] : [path];
    });
  }
}

/** Emscripten's number of this error. */
const EACCES = 2;
