import { Buffer } from 'buffer/';
import path from 'path-browserify';
import { call, readBytes, writeBytes } from './host.js';
import { fileURLToPath, URL } from './url.js';

type PathLike = string | Uint8Array | URL;
type EncodingOption = string | null | undefined | { encoding?: string | null; flag?: string };
interface Info {
  type: 'file' | 'directory';
  size: number;
  modifiedAt: number;
}

const DESCRIPTORS: Record<number, string> = { 0: '/dev/stdin', 1: '/dev/stdout', 2: '/dev/stderr' };

function resolveTarget(target: PathLike | number): string {
  if (typeof target === 'number') {
    const device = DESCRIPTORS[target] ?? openFiles.get(target)?.path;
    if (device === undefined) throw Object.assign(new Error('EBADF: bad file descriptor'), { code: 'EBADF' });
    return device;
  }
  if (target instanceof URL) return fileURLToPath(target);
  if (typeof target !== 'string' && !(target instanceof Uint8Array))
    throw Object.assign(
      new TypeError(
        `The "path" argument must be of type string or an instance of Buffer or URL. Received ${String(target)}`,
      ),
      { code: 'ERR_INVALID_ARG_TYPE' },
    );
  return path.resolve(typeof target === 'string' ? target : Buffer.from(target).toString());
}

function readEncoding(options: EncodingOption): string | null {
  return (typeof options === 'string' ? options : options?.encoding) ?? null;
}

function dataBytes(data: unknown, options?: EncodingOption): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, (readEncoding(options) ?? 'utf8') as 'utf8');
  if (data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw Object.assign(
    new TypeError(
      `The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${typeof data}`,
    ),
    { code: 'ERR_INVALID_ARG_TYPE' },
  );
}

class Stats {
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly birthtime: Date;
  readonly atime: Date;
  readonly #type: Info['type'];
  constructor({ type, size, modifiedAt }: Info) {
    this.#type = type;
    this.mode = type === 'file' ? 0o100755 : 0o40755;
    this.size = size;
    this.mtimeMs = modifiedAt;
    this.mtime = this.ctime = this.birthtime = this.atime = new Date(modifiedAt);
  }
  isFile = (): boolean => this.#type === 'file';
  isDirectory = (): boolean => this.#type === 'directory';
  isSymbolicLink = (): boolean => false;
}

class Dirent {
  readonly path: string;
  readonly #type: Info['type'];
  constructor(
    readonly name: string,
    readonly parentPath: string,
    type: Info['type'],
  ) {
    this.path = parentPath;
    this.#type = type;
  }
  isFile = (): boolean => this.#type === 'file';
  isDirectory = (): boolean => this.#type === 'directory';
  isSymbolicLink = (): boolean => false;
}

function info(target: string, syscall: string): Info {
  return call<Info>('stat', target, syscall);
}

function readFileSync(target: PathLike | number, options?: EncodingOption): string | Buffer {
  const content = Buffer.from(readBytes(resolveTarget(target)));
  const encoding = readEncoding(options);
  return encoding === null || encoding === 'buffer' ? content : content.toString(encoding);
}

function writeFileSync(target: PathLike | number, data: unknown, options?: EncodingOption): void {
  const flag = typeof options === 'object' ? (options?.flag ?? 'w') : 'w';
  const file = resolveTarget(target);
  if (flag.includes('x') && existsSync(file)) call('fail', 'EEXIST', 'open', file);
  writeBytes(file, dataBytes(data, options), flag.startsWith('a') || typeof target === 'number');
}

function appendFileSync(target: PathLike | number, data: unknown, options?: EncodingOption): void {
  writeBytes(resolveTarget(target), dataBytes(data, options), true);
}

function existsSync(target: PathLike): boolean {
  try {
    return call<Info | null>('look', resolveTarget(target)) !== null;
  } catch {
    return false;
  }
}

function statSync(target: PathLike, { throwIfNoEntry = true } = {}): Stats | undefined {
  const file = resolveTarget(target);
  if (!throwIfNoEntry && !existsSync(file)) return undefined;
  return new Stats(info(file, 'stat'));
}

function readdirSync(
  target: PathLike,
  options: EncodingOption | { withFileTypes?: boolean; recursive?: boolean } = {},
): (string | Dirent)[] {
  const { withFileTypes = false, recursive = false } =
    typeof options === 'object' && options !== null
      ? (options as { withFileTypes?: boolean; recursive?: boolean })
      : {};
  const root = resolveTarget(target);
  const found: (string | Dirent)[] = [];
  const visit = (folder: string, prefix: string): void => {
    for (const name of call<string[]>('list', folder)) {
      const full = path.join(folder, name);
      const { type } = info(full, 'stat');
      found.push(withFileTypes ? new Dirent(name, folder, type) : prefix + name);
      if (recursive && type === 'directory') visit(full, `${prefix}${name}/`);
    }
  };
  visit(root, '');
  return found;
}

function mkdirSync(target: PathLike, options?: { recursive?: boolean } | number): string | undefined {
  const folder = resolveTarget(target);
  if (typeof options !== 'object' || options.recursive !== true) {
    call('makeDirectory', folder);
    return undefined;
  }
  const missing: string[] = [];
  for (let place = folder; !existsSync(place); place = path.dirname(place)) missing.unshift(place);
  if (missing.length === 0 && info(folder, 'mkdir').type === 'file') call('fail', 'EEXIST', 'mkdir', folder);
  for (const place of missing) call('makeDirectory', place);
  return missing[0];
}

function mkdtempSync(prefix: string): string {
  const folder = resolveTarget(prefix + Math.random().toString(36).slice(2, 8).padEnd(6, '0'));
  mkdirSync(folder);
  return folder;
}

function rmSync(target: PathLike, { recursive = false, force = false } = {}): void {
  const file = resolveTarget(target);
  if (!existsSync(file)) {
    if (force) return;
    call('fail', 'ENOENT', 'rm', file);
  }
  if (info(file, 'rm').type === 'file') {
    call('unlink', file);
    return;
  }
  if (!recursive)
    throw Object.assign(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${file}`), {
      code: 'ERR_FS_EISDIR',
    });
  for (const name of call<string[]>('list', file)) rmSync(path.join(file, name), { recursive });
  call('removeDirectory', file);
}

function copyFileSync(from: PathLike, to: PathLike): void {
  writeBytes(resolveTarget(to), readBytes(resolveTarget(from)), false);
}

function cpSync(from: PathLike, to: PathLike, options: { recursive?: boolean } = {}): void {
  const source = resolveTarget(from);
  if (info(source, 'cp').type === 'file') {
    mkdirSync(path.dirname(resolveTarget(to)), { recursive: true });
    copyFileSync(source, to);
    return;
  }
  if (options.recursive !== true)
    throw Object.assign(new Error(`Recursive option not enabled, cannot copy a directory: cp ${source}`), {
      code: 'ERR_FS_EISDIR',
    });
  mkdirSync(to, { recursive: true });
  for (const name of call<string[]>('list', source))
    cpSync(path.join(source, name), path.join(resolveTarget(to), name), options);
}

function accessSync(target: PathLike): void {
  info(resolveTarget(target), 'access');
}

/** Files that are open, by descriptor. */
const openFiles = new Map<number, { path: string; position: number }>();
let lastDescriptor = 2;

function openSync(target: PathLike, flags = 'r'): number {
  const file = resolveTarget(target);
  if (flags.startsWith('w')) writeFileSync(file, '', { flag: flags });
  else if (flags.startsWith('a')) appendFileSync(file, '');
  else info(file, 'open');
  lastDescriptor += 1;
  openFiles.set(lastDescriptor, { path: file, position: 0 });
  return lastDescriptor;
}

function readSync(
  descriptor: number,
  into: Uint8Array,
  offset = 0,
  length = into.length - offset,
  position: number | null = null,
): number {
  const file = openFiles.get(descriptor) ?? standardInputFile;
  const start = position ?? file.position;
  const part = readBytes(descriptor === 0 ? '/dev/stdin' : file.path).subarray(start, start + length);
  into.set(part, offset);
  if (position === null) file.position = start + part.length;
  return part.length;
}

const standardInputFile = { path: '/dev/stdin', position: 0 };

function writeSync(descriptor: number, data: unknown): number {
  const bytes = dataBytes(data);
  writeBytes(resolveTarget(descriptor), bytes, true);
  return bytes.length;
}

function closeSync(descriptor: number): void {
  openFiles.delete(descriptor);
}

const noop = (): void => {};
const same = (target: PathLike): string => {
  const file = resolveTarget(target);
  info(file, 'realpath');
  return file;
};

const sync = {
  readFileSync,
  writeFileSync,
  appendFileSync,
  statSync,
  lstatSync: statSync,
  readdirSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  unlinkSync: (target: PathLike): void => call('unlink', resolveTarget(target)),
  rmdirSync: (target: PathLike, options: { recursive?: boolean } = {}): void =>
    options.recursive === true
      ? rmSync(target, { recursive: true })
      : call('removeDirectory', resolveTarget(target)),
  renameSync: (from: PathLike, to: PathLike): void => call('rename', resolveTarget(from), resolveTarget(to)),
  copyFileSync,
  cpSync,
  accessSync,
  realpathSync: same,
  truncateSync: (target: PathLike, length = 0): void =>
    writeFileSync(target, (readFileSync(target) as Buffer).subarray(0, length)),
  // There are no modes and no times.
  chmodSync: noop,
  utimesSync: noop,
};

type FsCallback = (error: unknown, ...values: unknown[]) => void;
type FsFunction = (...args: never[]) => unknown;

/** The functions with a callback, and those that return a promise, of each synchronous function. */
const withCallback: Record<string, FsFunction> = {};
const promises: Record<string, unknown> = {};
for (const [name, run] of Object.entries(sync as Record<string, FsFunction>)) {
  const base = name.slice(0, -'Sync'.length);
  promises[base] = async (...args: never[]) => run(...args);
  withCallback[base] = (...args: unknown[]) => {
    const callback = args.pop() as FsCallback;
    const result = new Promise((resolveResult) => resolveResult(run(...(args as never[]))));
    result.then(
      (value) => setTimeout(callback, 0, null, value),
      (error: unknown) => setTimeout(callback, 0, error),
    );
  };
}

const fsConstants = { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 };

promises['constants'] = fsConstants;

export const fsPromises = promises;
export const fs = {
  ...sync,
  ...withCallback,
  existsSync,
  exists: (target: PathLike, callback: (exists: boolean) => void) =>
    setTimeout(callback, 0, existsSync(target)),
  openSync,
  readSync,
  writeSync,
  closeSync,
  fsyncSync: noop,
  constants: fsConstants,
  promises,
  Stats,
  Dirent,
};
