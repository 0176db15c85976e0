import { RoleZeroError } from '../../core/error.js';
import { Output } from '../output.js';
import { joinPath, parentPath } from '../paths.js';
import type {
  SnapshotRequest,
  SnapshotResult,
  ProgramFileUse,
  SnapshotChange,
  SnapshotEntry,
} from '../snapshot.js';
import { DRIVER } from './driver.js';
import { lockDown } from './lock-down.js';

/** What a call of `python` runs. */
interface PythonCall {
  kind: 'file' | 'module' | 'code' | 'input';
  /** File, name of a module, or code. */
  target: string;
  args: string[];
  /** True when the input is the program. */
  isInputProgram: boolean;
}

/** Settings of pytest: its cache would be files of the session. */
const OF_PYTEST = { PYTEST_ADDOPTS: '-o cache_dir=/dev/pytest' };

const PYTHON_HELP = 'usage: python [-c code | -m module | file | -] [arguments]\n';

/** One call of `python`; plain data. */
export interface PythonRequest extends SnapshotRequest {
  /** Packages that programs may import. */
  packages: string[];
}

type ProgramArguments = [
  kind: string,
  target: string,
  argv: string[],
  cwd: string,
  env: Record<string, string>,
];

/** The driver's function. */
type RunProgram = ((...program: ProgramArguments) => number) & {
  callPromising(...program: ProgramArguments): Promise<number>;
};

/** The part of Pyodide that is used. */
interface Pyodide {
  version: string;
  FS: EmscriptenFiles;
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array;
  loadPackage(
    names: string[],
    options: { messageCallback(): void; errorCallback(message: string): void },
  ): Promise<unknown>;
  setStdin(options: { read(into: Uint8Array): number; isatty: boolean }): void;
  setStdout(options: { write(bytes: Uint8Array): number; isatty: boolean }): void;
  setStderr(options: { write(bytes: Uint8Array): number; isatty: boolean }): void;
}

/** What makes the next start fast: the compiled module, and the memory of an interpreter that has started. */
export interface Warm {
  module?: WebAssembly.Module;
  memory?: Uint8Array;
}

/** An interpreter for one program. */
export interface Interpreter {
  pyodide: Pyodide;
  run: RunProgram;
}

/**
 * Loads Pyodide from a folder with its files, and what runs a program. Fills `warm`, or starts from it.
 *
 * @throws RoleZeroError that names the address.
 */
export async function loadInterpreter(address: string, warm: Warm): Promise<Interpreter> {
  const isFirst = warm.memory === undefined;
  storeModule(warm);
  try {
    const module = (await import(/* @vite-ignore */ /* webpackIgnore: true */ `${address}pyodide.mjs`)) as {
      loadPyodide(options: object): Promise<Pyodide>;
    };
    const memory = isFirst ? { _makeSnapshot: true } : { _loadSnapshot: warm.memory };
    const pyodide = await module.loadPyodide({
      indexURL: address,
      packageBaseUrl: address,
      jsglobals: {},
      ...memory,
    });
    if (isFirst) warm.memory = pyodide.makeMemorySnapshot();
    return { pyodide, run: pyodide.runPython(DRIVER) as RunProgram };
  } catch (error) {
    throw new RoleZeroError(
      'worker-start',
      `Python could not be loaded from ${address}: ${String(error)} It must be the address of a folder with the files of the package pyodide.`,
      { address },
      error,
    );
  }
}

/** Stores the compiled module in `warm`, or uses the one in it. */
function storeModule(warm: Warm): void {
  const original = WebAssembly.instantiateStreaming;
  const instantiate: typeof original = async (source, imports) => {
    const { module } = warm;
    if (module === undefined) {
      const result = await original(source, imports);
      warm.module = result.module;
      return result;
    }
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  WebAssembly.instantiateStreaming = instantiate;
}

/** Runs one program, after which the interpreter must not be used again. */
export async function runPython(
  { pyodide, run }: Interpreter,
  request: PythonRequest,
): Promise<SnapshotResult> {
  const output = new Output();
  const call = readPythonArguments(request.args, new TextDecoder().decode(request.stdin));
  if ('message' in call) {
    output.print(
      call.exitCode === 0 ? 'stdout' : 'stderr',
      call.message.replace('%v', pythonVersion(pyodide)),
    );
    return snapshotResult(call.exitCode, output, { read: [], listed: [], changes: [] });
  }
  await loadPackages(pyodide, call, request, output); // before the files of the session, so that theirs are not among them
  const files = new MountedFiles(pyodide.FS, request.files);
  connectStreams(pyodide, call.isInputProgram ? new Uint8Array() : request.stdin, output);
  const target = call.kind === 'file' ? joinPath(request.cwd, call.target) : call.target;
  const first = { file: call.target, module: call.target, code: '-c', input: '-' }[call.kind];
  lockDown();
  const env = call.kind === 'module' && target === 'pytest' ? { ...OF_PYTEST, ...request.env } : request.env;
  const program: ProgramArguments = [call.kind, target, [first, ...call.args], request.cwd, env];
  const exitCode = await callPython(run, program, output);
  return snapshotResult(output.isFull ? 1 : exitCode, output, files.use());
}

/** Waits for coroutines where the browser can suspend WebAssembly. */
async function callPython(run: RunProgram, program: ProgramArguments, output: Output): Promise<number> {
  try {
    return 'Suspending' in WebAssembly ? await run.callPromising(...program) : run(...program);
  } catch (error) {
    output.print('stderr', `python: The interpreter failed: ${String(error).slice(0, 500)}\n`);
    return 1;
  }
}

function snapshotResult(exitCode: number, output: Output, use: SnapshotResult['use']): SnapshotResult {
  return { exitCode, stdout: output.stdout(), stderr: output.stderr('python'), use };
}

function connectStreams(pyodide: Pyodide, input: Uint8Array, output: Output): void {
  let position = 0;
  const write = (stream: 'stdout' | 'stderr') => (bytes: Uint8Array) => {
    if (!output.print(stream, bytes)) throw new Error('too much output');
    return bytes.length;
  };
  pyodide.setStdin({
    isatty: false,
    read(into) {
      const part = input.subarray(position, position + into.length);
      into.set(part);
      position += part.length;
      return part.length;
    },
  });
  pyodide.setStdout({ isatty: false, write: write('stdout') });
  pyodide.setStderr({ isatty: false, write: write('stderr') });
}

/** Loads the allowed packages that a file of the session, or the program, imports. */
async function loadPackages(
  pyodide: Pyodide,
  call: PythonCall,
  { packages, files }: PythonRequest,
  output: Output,
): Promise<void> {
  if (packages.length === 0) return;
  const sources = files
    .filter(({ path }) => path.endsWith('.py'))
    .map(({ content }) => new TextDecoder().decode(content ?? undefined));
  const text = [call.kind === 'file' ? '' : `import ${call.target}\n${call.target}`, ...sources].join('\n');
  const wanted = packages.filter((name) => new RegExp(`^\\s*(?:import|from)\\s+${name}\\b`, 'mu').test(text));
  if (wanted.length === 0) return;
  await pyodide.loadPackage(wanted, {
    messageCallback: () => {},
    errorCallback: (message) => output.print('stderr', `${message}\n`),
  });
}

function pythonVersion(pyodide: Pyodide): string {
  const version = pyodide.runPython('import sys; sys.version.split()[0]') as string;
  return `Python ${version} (Pyodide ${pyodide.version})`;
}

/** Reads the arguments of `python`. Returns a message instead when there is nothing to run; `%v` in it is the version. */
function readPythonArguments(
  args: readonly string[],
  input: string,
): PythonCall | { message: string; exitCode: number } {
  const queue = [...args];
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg === '-V' || arg === '--version') return { message: '%v\n', exitCode: 0 };
    if (arg === '-h' || arg === '--help') return { message: PYTHON_HELP, exitCode: 0 };
    if (/^-[BEIOqsSuvx]+$/u.test(arg)) continue;
    if (arg === '-W' || arg === '-X') {
      queue.shift();
      continue;
    }
    if (arg === '-') break;
    if (arg.startsWith('-c') || arg.startsWith('-m')) {
      const target = arg.length > 2 ? arg.slice(2) : queue.shift();
      if (target === undefined)
        return { message: `Argument expected for the ${arg} option\n${PYTHON_HELP}`, exitCode: 2 };
      if (arg.startsWith('-m') && (target === 'pip' || target === 'venv' || target === 'ensurepip'))
        return {
          message: `python: packages cannot be installed here: programs have no network. Use the standard library.\n`,
          exitCode: 1,
        };
      return { kind: arg.startsWith('-c') ? 'code' : 'module', target, args: queue, isInputProgram: false };
    }
    if (arg.startsWith('-')) return { message: `Unknown option: ${arg}\n${PYTHON_HELP}`, exitCode: 2 };
    return { kind: 'file', target: arg, args: queue, isInputProgram: false };
  }
  return { kind: 'input', target: input, args: queue, isInputProgram: true };
}

/** The part of Emscripten's file system that is used. */
interface EmscriptenFiles {
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
class MountedFiles {
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
