import * as git from 'isomorphic-git';
import type { Output } from '../output.js';
import { joinPath } from '../paths.js';
import type { ProgramFiles } from '../program-files.js';
import { fileSystemOf } from './file-system.js';

/** A mistake in a command, or something that git refuses. It ends the program. */
export class GitError extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** What a command works with. */
export interface GitContext {
  files: ProgramFiles;
  output: Output;
  cwd: string;
  author: { name: string; email: string };
}

/** Content of a file in a tree, the index or the working tree: its object id. */
export type Snapshot = ReadonlyMap<string, string>;

const AUTHOR = { timestamp: () => Math.floor(Date.now() / 1000), timezoneOffset: 0 };

/** The repository around the working directory. Paths are relative to its root. */
export class Repository {
  /** Arguments of each call of the library. */
  readonly at: { fs: git.PromiseFsClient; dir: string; cache: object };
  readonly files: ProgramFiles;
  readonly #output: Output;
  readonly #cwd: string;
  readonly #author: GitContext['author'];

  private constructor({ files, output, cwd, author }: GitContext, dir: string) {
    this.files = files;
    this.#output = output;
    this.#cwd = cwd;
    this.#author = author;
    this.at = { fs: fileSystemOf(files), dir, cache: {} };
  }

  /** @throws GitError without one. */
  static async open(context: GitContext): Promise<Repository> {
    try {
      const dir = await git.findRoot({ fs: fileSystemOf(context.files), filepath: context.cwd });
      return new Repository(context, dir);
    } catch {
      throw new GitError('fatal: not a git repository (or any of the parent directories): .git', 128);
    }
  }

  print(text: string): void {
    this.#output.print('stdout', text.endsWith('\n') || text === '' ? text : `${text}\n`);
  }

  warn(text: string): void {
    this.#output.print('stderr', `${text}\n`);
  }

  get root(): string {
    return this.at.dir;
  }

  /** Returns a path of an argument relative to the root; `.` is the root. @throws GitError if it is outside. */
  relative(path: string): string {
    const full = joinPath(this.#cwd, path);
    if (full === this.root) return '.';
    const prefix = this.root === '/' ? '/' : `${this.root}/`;
    if (!full.startsWith(prefix))
      throw new GitError(`fatal: ${path}: '${path}' is outside repository at '${this.root}'`, 128);
    return full.slice(prefix.length);
  }

  absolute(path: string): string {
    return joinPath(this.root, path);
  }

  /** Returns whether a path is or is below one of the given paths, which may be patterns. */
  matcher(paths: readonly string[]): (path: string) => boolean {
    const tests = paths.map((each) => this.#test(this.relative(each)));
    return (path) => tests.some((test) => test(path));
  }

  #test(given: string): (path: string) => boolean {
    if (given === '.') return () => true;
    if (/[*?[]/u.test(given)) {
      const text = given
        .replaceAll(/[.+^$()|{}\\]/gu, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.');
      const pattern = new RegExp(`^${text}$`, 'u');
      return (path) => pattern.test(path);
    }
    return (path) => path === given || path.startsWith(`${given}/`);
  }

  /** Returns the author of commits: that of the configuration, else that of the application. */
  async author(): Promise<{ name: string; email: string; timestamp: number; timezoneOffset: number }> {
    const name =
      ((await git.getConfig({ ...this.at, path: 'user.name' })) as string | undefined) ?? this.#author.name;
    const email =
      ((await git.getConfig({ ...this.at, path: 'user.email' })) as string | undefined) ?? this.#author.email;
    return { name, email, timestamp: AUTHOR.timestamp(), timezoneOffset: AUTHOR.timezoneOffset };
  }

  /** Returns the current branch, or null when HEAD is detached. */
  async branch(): Promise<string | null> {
    return (await git.currentBranch(this.at)) ?? null;
  }

  /** Returns the commit of HEAD, or null before the first commit. */
  async head(): Promise<string | null> {
    try {
      return await git.resolveRef({ ...this.at, ref: 'HEAD' });
    } catch {
      return null;
    }
  }

  /** Returns the commit of a name: a branch, a tag, an object id, `HEAD~2`, `X^`. @throws GitError. */
  async commit(name: string): Promise<string> {
    const [, base = name, steps = ''] = /^(.*?)((?:[~^]\d*)*)$/u.exec(name) ?? [];
    let oid = await this.#resolve(base === '@' || base === '' ? 'HEAD' : base, name);
    for (const [, kind, count = ''] of steps.matchAll(/([~^])(\d*)/gu)) {
      const times = kind === '~' ? Number(count === '' ? 1 : count) : 1;
      const parent = kind === '^' ? Number(count === '' ? 1 : count) - 1 : 0;
      for (let step = 0; step < times; step++) {
        const { commit } = await git.readCommit({ ...this.at, oid });
        oid = commit.parent[parent] ?? this.#unknown(name);
      }
    }
    return oid;
  }

  async #resolve(base: string, name: string): Promise<string> {
    const stash = /^stash(?:@\{(\d+)\})?$/u.exec(base);
    if (stash !== null) {
      const entries = (await git.stash({ ...this.at, op: 'list' })) as unknown as
        { oid?: string }[] | undefined;
      const entry = entries?.[Number(stash[1] ?? 0)];
      if (entry?.oid !== undefined) return entry.oid;
    }
    try {
      const oid = await git.resolveRef({ ...this.at, ref: base });
      return await this.#peeled(oid);
    } catch {
      if (!/^[0-9a-f]{4,40}$/u.test(base)) return this.#unknown(name);
      return git.expandOid({ ...this.at, oid: base }).catch(() => this.#unknown(name));
    }
  }

  /** Returns the commit of an annotated tag. */
  async #peeled(oid: string): Promise<string> {
    try {
      const { tag } = await git.readTag({ ...this.at, oid });
      return tag.object;
    } catch {
      return oid; // not a tag
    }
  }

  #unknown(name: string): never {
    throw new GitError(
      `fatal: ambiguous argument '${name}': unknown revision or path not in the working tree.`,
      128,
    );
  }

  /** Returns the files of a commit. */
  async tree(commit: string): Promise<Snapshot> {
    return this.#walk(git.TREE({ ref: commit }));
  }

  /** Returns the files of the index. */
  async index(): Promise<Snapshot> {
    return this.#walk(git.STAGE());
  }

  async #walk(tree: git.Walker): Promise<Snapshot> {
    const found = new Map<string, string>();
    await git.walk({
      ...this.at,
      trees: [tree],
      map: async (path, [entry]) => {
        if (entry === null || entry === undefined) return null;
        if ((await entry.type()) === 'blob') found.set(path, await entry.oid());
        return path;
      },
    });
    return found;
  }

  /** Returns the present content of the files that are in the index. */
  async workingTree(): Promise<Snapshot> {
    const found = new Map<string, string>();
    for (const path of (await this.index()).keys()) {
      const full = this.absolute(path);
      if (this.files.stat(full)?.type !== 'file') continue;
      const { oid } = await git.hashBlob({ object: this.files.read(full) });
      found.set(path, oid);
    }
    return found;
  }

  async blob(oid: string): Promise<Uint8Array> {
    return (await git.readBlob({ ...this.at, oid })).blob;
  }

  /** Writes a file of the working tree with its directories. */
  write(path: string, content: Uint8Array): void {
    const full = this.absolute(path);
    const names = full.split('/').slice(1, -1);
    names.reduce((folder, name) => {
      const place = `${folder}/${name}`;
      if (this.files.stat(place) === null) this.files.makeDirectory(place);
      return place;
    }, '');
    this.files.write(full, content.slice());
  }

  /** Removes a file of the working tree, and directories that are empty then. */
  remove(path: string): void {
    let place = this.absolute(path);
    if (this.files.stat(place)?.type === 'file') this.files.unlink(place);
    for (;;) {
      place = place.slice(0, place.lastIndexOf('/'));
      if (
        place.length <= this.root.length ||
        this.files.stat(place) === null ||
        this.files.list(place).length > 0
      )
        return;
      this.files.removeDirectory(place);
    }
  }

  /** Reads a file of `.git`, such as `MERGE_HEAD`; null when it does not exist. */
  readOwn(name: string): string | null {
    const path = joinPath(this.root, `.git/${name}`);
    return this.files.stat(path) === null ? null : new TextDecoder().decode(this.files.read(path)).trim();
  }

  writeOwn(name: string, content: string | null): void {
    const path = joinPath(this.root, `.git/${name}`);
    if (content !== null) this.files.write(path, new TextEncoder().encode(`${content}\n`));
    else if (this.files.stat(path) !== null) this.files.unlink(path);
  }
}

export const shortId = (oid: string): string => oid.slice(0, 7);
