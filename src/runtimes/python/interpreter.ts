import { RoleZeroError } from '../../core/error.js';
import { Output } from '../output.js';
import { joinPath } from '../paths.js';
import type { SnapshotRequest, SnapshotResult } from '../snapshot.js';
import { DRIVER } from './driver.js';
import { lockDown } from './lock-down.js';
import { MountedFiles, type EmscriptenFiles } from './mounted-files.js';

/** What a call of `python` runs. */
interface PythonCall {
  kind: 'file' | 'module' | 'code' | 'input';
  /** File, name of a module, or code. */
  target: string;
  args: string[];
  /** True when the input is the program. */
  isInputProgram: boolean;
}

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

/**
 * Loads Pyodide from a folder with its files. Fills `warm`, or starts from it.
 *
 * @throws RoleZeroError that names the address.
 */
export async function loadPyodide(address: string, warm: Warm): Promise<Pyodide> {
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
    return pyodide;
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
export async function runPython(pyodide: Pyodide, request: PythonRequest): Promise<SnapshotResult> {
  const output = new Output();
  const call = readPythonArguments(request.args, new TextDecoder().decode(request.stdin));
  if ('message' in call) {
    output.print(
      call.exitCode === 0 ? 'stdout' : 'stderr',
      call.message.replace('%v', pythonVersion(pyodide)),
    );
    return snapshotResult(call.exitCode, output, { read: [], listed: [], changes: [] });
  }
  const files = new MountedFiles(pyodide.FS, request.files);
  await loadPackages(pyodide, call, request, output);
  connectStreams(pyodide, call.isInputProgram ? new Uint8Array() : request.stdin, output);
  const run = pyodide.runPython(DRIVER) as RunProgram;
  const target = call.kind === 'file' ? joinPath(request.cwd, call.target) : call.target;
  const first = { file: call.target, module: call.target, code: '-c', input: '-' }[call.kind];
  lockDown();
  const program: ProgramArguments = [call.kind, target, [first, ...call.args], request.cwd, request.env];
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
