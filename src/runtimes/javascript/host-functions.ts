import { JSException, type QuickJS, type JSValueHandle } from 'quickjs-wasi';
import { hexOf } from '../../core/bytes.js';
import { newId } from '../../core/new-id.js';
import { sha256 } from '../../core/sha256.js';
import { joinPath } from '../paths.js';
import { FileError, type ProgramFiles } from '../program-files.js';
import type { ErrorFacts } from './guest-contract.js';
import type { ProgramSurroundings } from './process.js';

/** What the functions of the host work with. */
interface HostContext extends Pick<ProgramSurroundings, 'files' | 'output'> {
  stdin: Uint8Array;
  operations: Operations;
  runJobs(): void;
  /** True once the program must stop. It may run on for a moment; nothing that it does then counts. */
  hasEnded(): boolean;
  stopForOutput(): void;
}

/** Creates the object that the guest's library receives; see `Host`. No object and no error of the host reaches the guest. */
export function createHost(vm: QuickJS, context: HostContext): JSValueHandle {
  const { files, output, stdin, operations } = context;
  const host = vm.newObject();
  let last: JSValueHandle | null = null;
  const define = (
    name: string,
    run: (...args: [JSValueHandle, JSValueHandle, JSValueHandle]) => JSValueHandle,
  ): void => {
    const callback = (a = vm.undefined, b = vm.undefined, c = vm.undefined): JSValueHandle => {
      if (context.hasEnded()) return vm.undefined;
      try {
        const result = run(a, b, c);
        last?.dispose(); // the caller has its own reference by now
        last = result;
        return result;
      } catch (error) {
        throw withoutStack(error);
      }
    };
    vm.newFunction(name, callback).consume((made) => host.setProp(name, made));
  };
  define('call', (name, args) => vm.newString(runOperation(operations, handleText(name), handleText(args))));
  define('read', (path) => {
    try {
      return vm.newUint8Array(handleText(path) === '/dev/stdin' ? stdin : files.read(handleText(path)));
    } catch (error) {
      return vm.newString(errorAsJson(error));
    }
  });
  define('write', (path, content, append) => {
    try {
      writeToFile(context, handleText(path), handleBytes(content), append.toBoolean());
      return vm.newString('');
    } catch (error) {
      return vm.newString(errorAsJson(error));
    }
  });
  define('print', (stream, content) => {
    const printed = content.isString ? content.toString() : handleBytes(content);
    if (!output.print(handleText(stream) === 'stderr' ? 'stderr' : 'stdout', printed))
      context.stopForOutput();
    return vm.undefined;
  });
  define('compile', (source, name) => {
    const result = vm.newObject();
    try {
      vm.evalCode(handleText(source), handleText(name)).consume((value) => result.setProp('value', value));
    } catch (error) {
      if (!(error instanceof JSException)) throw error;
      result.setProp('error', error.handle);
      error.dispose();
    }
    return result;
  });
  define('runJobs', () => {
    context.runJobs();
    return vm.undefined;
  });
  define('compare', (a, b) => vm.newNumber(handleText(a).localeCompare(handleText(b), 'en-US')));
  return host;
}

function writeToFile(context: HostContext, path: string, content: Uint8Array, append: boolean): void {
  const { files, output } = context;
  if (path === '/dev/null') return;
  if (path === '/dev/stdout' || path === '/dev/stderr') {
    if (!output.print(path === '/dev/stdout' ? 'stdout' : 'stderr', content)) context.stopForOutput();
  } else if (append) files.append(path, content);
  else files.write(path, content);
}

function handleText(value: JSValueHandle): string {
  return value.toString();
}

function handleBytes(value: JSValueHandle): Uint8Array {
  return value.toUint8Array().slice();
}

/** The stack of the host is nothing for the guest. */
function withoutStack(error: unknown): Error {
  return Object.assign(new Error(error instanceof Error ? error.message : 'The host failed.'), { stack: '' });
}

type Operation = (...args: never[]) => unknown;

/** What the guest can ask for, by name. */
export type Operations = Readonly<Record<string, Operation>>;

/** Returns what the guest can ask of the host about files, addresses and locales: text in, text out. */
export function commonOperations(files: ProgramFiles): Record<string, Operation> {
  const known = (path: string, syscall: string) => {
    const info = files.stat(path);
    if (info === null) throw new FileError('ENOENT', syscall, path);
    return info;
  };
  return {
    look: (path: string) => files.stat(path),
    stat: known,
    list: (path: string) => files.list(path),
    makeDirectory: (path: string) => files.makeDirectory(path),
    unlink: (path: string) => files.unlink(path),
    removeDirectory: (path: string) => files.removeDirectory(path),
    rename: (from: string, to: string) => files.rename(from, to),
    directory(path: string) {
      const target = joinPath('/', path);
      if (known(target, 'chdir').type !== 'directory') throw new FileError('ENOTDIR', 'chdir', target);
      return target;
    },
    fail(code: FileError['code'], syscall: string, path: string) {
      throw new FileError(code, syscall, path);
    },
    url: (url: string, base: string | null) => urlParts(requireUrl(url, base ?? undefined)),
    setUrl(url: string, name: 'href' | 'search', value: string) {
      const parsed = new URL(url);
      parsed[name] = value;
      return urlParts(parsed);
    },
    readQuery: (text: string) => [...new URLSearchParams(text)],
    writeQuery: (pairs: [string, string][]) => new URLSearchParams(pairs).toString(),
    format: (
      kind: 'NumberFormat' | 'DateTimeFormat',
      value: number | string,
      locales: string | null,
      options: object | null,
    ) =>
      kind === 'NumberFormat'
        ? new Intl.NumberFormat(locales ?? 'en-US', options ?? {}).format(value as number)
        : new Intl.DateTimeFormat(locales ?? 'en-US', options ?? {}).format(value as number),
    resolvedOptions: (
      kind: 'NumberFormat' | 'DateTimeFormat',
      locales: string | null,
      options: object | null,
    ) =>
      kind === 'NumberFormat'
        ? new Intl.NumberFormat(locales ?? 'en-US', options ?? {}).resolvedOptions()
        : new Intl.DateTimeFormat(locales ?? 'en-US', options ?? {}).resolvedOptions(),
    formatDate(
      part: 'all' | 'date' | 'time',
      value: number | null,
      locales: string | null,
      options: object | null,
    ) {
      const date = new Date(value ?? NaN);
      const [place, chosen] = [locales ?? 'en-US', options ?? {}];
      if (part === 'date') return date.toLocaleDateString(place, chosen);
      return part === 'time' ? date.toLocaleTimeString(place, chosen) : date.toLocaleString(place, chosen);
    },
    randomBytes: (size: number) => hexOf(crypto.getRandomValues(new Uint8Array(size))),
    randomUUID: () => newId(),
    hash(algorithm: string, content: string) {
      if (algorithm.toLowerCase().replace('-', '') !== 'sha256')
        throw Object.assign(new Error(`Digest method not supported: ${algorithm}. Only sha256 is.`), {
          code: 'ERR_CRYPTO_INVALID_DIGEST',
        });
      return sha256(Uint8Array.from(content.match(/../gu) ?? [], (pair) => parseInt(pair, 16)));
    },
  };
}

/** Runs an operation. Returns its value or its error as JSON; nothing else of the host's error reaches the guest. */
function runOperation(operations: Operations, name: string, args: string): string {
  try {
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (operation === undefined) throw new Error(`There is no operation ${name}.`);
    const value = operation(...(JSON.parse(args) as never[]));
    return JSON.stringify({ value: value ?? null });
  } catch (error) {
    return errorAsJson(error);
  }
}

export function errorAsJson(error: unknown): string {
  const { name = 'Error', message = String(error), code, syscall, path } = error as Partial<ErrorFacts>;
  return JSON.stringify({ error: { name, message, code, syscall, path } });
}

function requireUrl(url: string, base?: string): URL {
  try {
    return new URL(url, base);
  } catch {
    throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' });
  }
}

const URL_PARTS = [
  'href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash',
] as const; // prettier-ignore

function urlParts(url: URL): Record<string, string> {
  return Object.fromEntries(URL_PARTS.map((part) => [part, url[part]]));
}
