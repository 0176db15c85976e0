import type { FileContent, FsStat, IFileSystem, RmOptions } from 'just-bash/browser';
import { RoleZeroError, toRoleZeroError } from '../../core/error.js';
import type { FileInfo, Files } from '../../core/files.js';
import { toLatin1 } from '../../core/text-encoding.js';
import { decode, encode, isValidUtf8 } from './encoding.js';

type BashEncoding = Parameters<IFileSystem['readFile']>[1];
type ByteString = Awaited<ReturnType<NonNullable<IFileSystem['readFileBytes']>>>;
type BashDirent = Awaited<ReturnType<NonNullable<IFileSystem['readdirWithFileTypes']>>>[number];

/** There are no permissions and no owners: everything can be read, written and run as a script. */
const MODE = 0o755;

/** Device files. Content written to them is discarded. */
const DEVICES = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty']);
/** Virtual directory of the built-in commands. */
const COMMANDS_FOLDER = '/usr/bin';
/** Always appears to exist, as scripts expect. */
const TEMPORARY_FOLDER = '/tmp';

/**
 * The session's files as a shell's file system. Path confinement and limits come from the files; their errors are converted to Unix errors.
 * Only `/dev` and `/usr/bin` belong to the shell itself. Modes, times and links are not stored: `chmod` and `touch` of existing files do
 * nothing. Writing a file creates missing directories, as everywhere in a workspace.
 */
export class BashFiles implements IFileSystem {
  readonly #files: Files;
  readonly #commands: ReadonlySet<string>;
  /** Contents of `/dev/fd/63` and similar, for `<(…)`. */
  readonly #descriptors = new Map<string, Uint8Array>();
  /** The first file that was read and is not UTF-8. */
  #notText: string | null = null;
  /** Why a file was not written, for commands that hide it. */
  refusal: string | null = null;

  constructor(files: Files, commands: ReadonlySet<string>) {
    this.#files = files;
    this.#commands = commands;
  }

  resolvePath(base: string, path: string): string {
    const names: string[] = [];
    for (const name of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
      if (name === '..') names.pop();
      else if (name !== '' && name !== '.') names.push(name);
    }
    return `/${names.join('/')}`.normalize();
  }

  getAllPaths(): string[] {
    return [];
  }

  async readFile(path: string, options?: BashEncoding): Promise<string> {
    const encoding = bashEncoding(options);
    const target = this.resolvePath('/', path);
    if (encoding === 'utf8' && !isSystemPath(target)) {
      const text = await this.#try('open', target, () => this.#files.read(target));
      if (text.includes('\ufffd')) await this.readFileBuffer(path);
      return text;
    }
    return decode(await this.readFileBuffer(path), encoding);
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    const target = this.resolvePath('/', path);
    if (!isSystemPath(target)) {
      const bytes = await this.#try('open', target, () => this.#files.readBytes(target));
      if (this.#notText === null && !isValidUtf8(bytes)) this.#notText = target;
      return bytes;
    }
    const descriptor = this.#descriptors.get(target);
    if (descriptor !== undefined) return descriptor;
    if (DEVICES.has(target)) return new Uint8Array();
    const { isDirectory } = await this.stat(target);
    if (isDirectory) throw fileError('EISDIR', 'illegal operation on a directory', 'read', target);
    return new TextEncoder().encode('#!/bin/bash\n# built in\n');
  }

  /** As the commands read files: one character for each byte. */
  async readFileBytes(path: string): Promise<ByteString> {
    return toLatin1(await this.readFileBuffer(path)) as unknown as ByteString;
  }

  async writeFile(path: string, content: FileContent, options?: BashEncoding): Promise<void> {
    const target = this.resolvePath('/', path);
    if (isSystemPath(target)) {
      this.#writeOwn(target, contentBytes(content, options));
      return;
    }
    this.#needOwnBytes(target, content, options);
    const text = typeof content === 'string' && bashEncoding(options) === 'utf8';
    await this.#try('open', target, () =>
      this.#files.write(target, text ? content : contentBytes(content, options)),
    );
  }

  async appendFile(path: string, content: FileContent, options?: BashEncoding): Promise<void> {
    const target = this.resolvePath('/', path);
    const before = (await this.exists(target)) ? await this.readFileBuffer(target) : null;
    if (before === null || before.length === 0) return this.writeFile(target, content, options);
    const added = contentBytes(content, options);
    if (added.length === 0) return;
    this.#needOwnBytes(target, content, options);
    const whole = new Uint8Array(before.length + added.length);
    whole.set(before);
    whole.set(added, before.length);
    await this.#try('open', target, () => this.#files.write(target, whole));
  }

  async exists(path: string): Promise<boolean> {
    return (await this.#look(this.resolvePath('/', path))) !== null;
  }

  async stat(path: string): Promise<FsStat> {
    const target = this.resolvePath('/', path);
    const info = await this.#look(target);
    if (info === null) throw fileError('ENOENT', 'no such file or directory', 'stat', target);
    return {
      isFile: info.type === 'file',
      isDirectory: info.type === 'directory',
      isSymbolicLink: false,
      mode: MODE,
      size: info.size,
      mtime: new Date(info.modifiedAt),
      identity: target, // without links, a path is an identity; cp and mv require one
    };
  }

  lstat(path: string): Promise<FsStat> {
    return this.stat(path);
  }

  async mkdir(path: string, { recursive = false }: { recursive?: boolean } = {}): Promise<void> {
    const target = this.resolvePath('/', path);
    const there = await this.#look(target);
    if (there?.type === 'file' || (there !== null && !recursive))
      throw fileError('EEXIST', 'file already exists', 'mkdir', target);
    if (isSystemPath(target)) throw fileError('EACCES', 'permission denied', 'mkdir', target);
    if (!recursive && (await this.#look(target.slice(0, target.lastIndexOf('/')) || '/')) === null)
      throw fileError('ENOENT', 'no such file or directory', 'mkdir', target);
    await this.#try('mkdir', target, () => this.#files.makeDirectory(target));
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name);
  }

  async readdirWithFileTypes(path: string): Promise<BashDirent[]> {
    const target = this.resolvePath('/', path);
    if ((await this.stat(target)).isFile) throw fileError('ENOTDIR', 'not a directory', 'scandir', target);
    if (isSystemPath(target)) return this.#ownNames(target).map((name) => dirent(name, 'file'));
    if (
      target === TEMPORARY_FOLDER &&
      (await this.#try('scandir', target, () => this.#files.stat(target))) === null
    )
      return [];
    const infos = await this.#try('scandir', target, () => this.#files.list(target));
    return infos.map((info) => dirent(info.path.slice(info.path.lastIndexOf('/') + 1), info.type));
  }

  async rm(path: string, { recursive = false, force = false }: RmOptions = {}): Promise<void> {
    const target = this.resolvePath('/', path);
    if (isSystemPath(target)) {
      if (this.#descriptors.delete(target) || force) return;
      throw fileError('EACCES', 'permission denied', 'rm', target);
    }
    const info = await this.#try('rm', target, () => this.#files.stat(target));
    if (info === null) {
      if (force) return;
      throw fileError('ENOENT', 'no such file or directory', 'rm', target);
    }
    if (info.type === 'directory' && !recursive && (await this.readdir(target)).length > 0)
      throw fileError('ENOTEMPTY', 'directory not empty', 'rm', target);
    await this.#try('rm', target, () => this.#files.remove(target));
  }

  async cp(from: string, to: string, { recursive = false }: { recursive?: boolean } = {}): Promise<void> {
    const source = this.resolvePath('/', from);
    const target = this.resolvePath('/', to);
    if ((await this.stat(source)).isFile) return this.writeFile(target, await this.readFileBuffer(source));
    if (!recursive) throw fileError('EISDIR', 'is a directory', 'cp', source);
    if (target === source || target.startsWith(`${source}/`))
      throw fileError('EINVAL', `cannot copy '${source}' into itself`, 'cp', target);
    await this.mkdir(target, { recursive: true });
    for (const { name, isDirectory } of await this.readdirWithFileTypes(source))
      await this.cp(`${source}/${name}`, `${target}/${name}`, { recursive: isDirectory });
  }

  async mv(from: string, to: string): Promise<void> {
    const source = this.resolvePath('/', from);
    const target = this.resolvePath('/', to);
    if (source === target) return;
    const { isDirectory } = await this.stat(source);
    if (isSystemPath(source) || isSystemPath(target))
      throw fileError('EACCES', 'permission denied', 'mv', target);
    if (target.startsWith(`${source}/`))
      throw fileError('EINVAL', `cannot move '${source}' into itself`, 'mv', target);
    const there = await this.#try('mv', target, () => this.#files.stat(target));
    if (there !== null) {
      if (there.type === 'directory' && !isDirectory)
        throw fileError('EISDIR', 'is a directory', 'mv', target);
      if (there.type === 'file' && isDirectory) throw fileError('ENOTDIR', 'not a directory', 'mv', target);
      await this.rm(target); // replaces a file or an empty directory
    }
    await this.#try('mv', target, () => this.#files.move(source, target));
  }

  async chmod(path: string): Promise<void> {
    await this.stat(path);
  }

  async utimes(path: string): Promise<void> {
    await this.stat(path);
  }

  async symlink(_target: string, path: string): Promise<void> {
    throw fileError(
      'EPERM',
      'operation not permitted (there are no links here; copy the file)',
      'symlink',
      path,
    );
  }

  async link(_target: string, path: string): Promise<void> {
    throw fileError(
      'EPERM',
      'operation not permitted (there are no links here; copy the file)',
      'link',
      path,
    );
  }

  async readlink(path: string): Promise<string> {
    await this.stat(path);
    throw fileError('EINVAL', 'invalid argument', 'readlink', path);
  }

  async realpath(path: string): Promise<string> {
    await this.stat(path);
    return this.resolvePath('/', path);
  }

  async #look(target: string): Promise<FileInfo | null> {
    const own = (type: FileInfo['type'], size = 0) => ({ path: target, type, size, modifiedAt: 0 });
    if (target === '/dev' || target === '/dev/fd' || target === COMMANDS_FOLDER) return own('directory');
    if (isSystemPath(target)) {
      const descriptor = this.#descriptors.get(target);
      if (descriptor !== undefined) return own('file', descriptor.length);
      const name = target.startsWith(`${COMMANDS_FOLDER}/`) ? target.slice(COMMANDS_FOLDER.length + 1) : null;
      return DEVICES.has(target) || (name !== null && this.#commands.has(name)) ? own('file') : null;
    }
    let info: FileInfo | null;
    try {
      info = await this.#files.stat(target);
    } catch (error) {
      if (toRoleZeroError(error).code === 'invalid') return null; // too long or too deep to exist
      throw asUnixError(error, 'stat', target);
    }
    return info ?? (target === TEMPORARY_FOLDER ? own('directory') : null);
  }

  /**
   * @throws Error when a file was read that is not UTF-8, and the content is text with other letters than those of ASCII: a command has read
   * the bytes as text, and has replaced them.
   */
  #needOwnBytes(target: string, content: FileContent, options?: BashEncoding): void {
    if (this.#notText === null) return;
    const bytes = contentBytes(content, options);
    if (bytes.every((byte) => byte < 0x80) || !isValidUtf8(bytes)) return;
    this.refusal = `${target} was not written: ${this.#notText} is not UTF-8 text, and its bytes would be replaced. cp, cat, head, tail and tee keep them. Write other files with a command line of their own.`;
    throw fileError('EILSEQ', `illegal byte sequence (${this.refusal})`, 'write', target);
  }

  #writeOwn(target: string, content: Uint8Array): void {
    if (DEVICES.has(target)) return;
    if (!target.startsWith('/dev/fd/')) throw fileError('EACCES', 'permission denied', 'open', target);
    this.#descriptors.set(target, content);
  }

  #ownNames(directory: string): string[] {
    if (directory === COMMANDS_FOLDER) return [...this.#commands].sort();
    const paths = [...DEVICES, ...this.#descriptors.keys()];
    return paths
      .filter((path) => path.slice(0, path.lastIndexOf('/')) === directory)
      .map((path) => path.slice(directory.length + 1));
  }

  async #try<Value>(operation: string, target: string, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      throw asUnixError(error, operation, target);
    }
  }
}

function isSystemPath(target: string): boolean {
  return /^\/(dev|usr\/bin)(\/|$)/u.test(target);
}

function dirent(name: string, type: FileInfo['type']): BashDirent {
  return { name, isFile: type === 'file', isDirectory: type === 'directory', isSymbolicLink: false };
}

/** Creates an error whose message starts with a code. The commands parse the code and print the usual Unix message. */
function fileError(code: string, what: string, operation: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${what}, ${operation} '${path}'`), { code });
}

function asUnixError(error: unknown, operation: string, path: string): Error {
  const { code, message, detail } = toRoleZeroError(error);
  if (code === 'not-found') return fileError('ENOENT', 'no such file or directory', operation, path);
  if (code === 'permission') return fileError('EACCES', `permission denied (${message})`, operation, path);
  if (code !== 'invalid') return error instanceof Error ? error : new RoleZeroError('internal', message);
  if ('limit' in detail) return fileError('ENOSPC', `no space left on device (${message})`, operation, path);
  if (message.includes('is a directory'))
    return fileError('EISDIR', 'illegal operation on a directory', operation, path);
  return fileError('EINVAL', `invalid argument (${message})`, operation, path);
}

function bashEncoding(options: BashEncoding): string {
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return encoding === undefined || encoding === null || encoding === 'utf-8' ? 'utf8' : encoding;
}

function contentBytes(content: FileContent, options?: BashEncoding): Uint8Array {
  return typeof content === 'string' ? encode(content, bashEncoding(options)) : content;
}
