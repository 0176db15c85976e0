import { hexOf } from '../../core/hex.js';
import { newId } from '../../core/new-id.js';
import { sha256 } from '../../core/sha256.js';
import { FileError, type ProgramFiles } from '../program-files.js';
import { joinPath } from '../paths.js';
import type { ErrorFacts } from './guest-contract.js';

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
export function runOperation(operations: Operations, name: string, args: string): string {
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
