import { joinPath, parentPath } from '../paths.js';
import type { ProgramFiles } from '../program-files.js';
import type { ResolvedModule } from './guest-contract.js';
import type { PackageFiles } from './packages.js';

/** Built-in modules of the guest. */
const BUILTINS = new Set([
  'assert', 'assert/strict', 'buffer', 'console', 'crypto', 'events', 'fs', 'fs/promises', 'module', 'os', 'path', 'path/posix',
  'perf_hooks', 'process', 'readline', 'readline/promises', 'test', 'timers', 'timers/promises', 'url', 'util', 'util/types',
]); // prettier-ignore

/** Built-in modules of Node that do not exist here, and why. */
const NO_NETWORK = 'programs here have no network';
const MISSING: Readonly<Record<string, string>> = {
  http: NO_NETWORK,
  https: NO_NETWORK,
  http2: NO_NETWORK,
  net: NO_NETWORK,
  dgram: NO_NETWORK,
  dns: NO_NETWORK,
  tls: NO_NETWORK,
  child_process:
    'a program cannot start others here; run them with Terminal.run_command, or from a script of package.json',
  cluster: 'there is one process',
  worker_threads: 'there is one thread',
  vm: 'code cannot be run in other contexts here',
  stream: 'read and write whole files with fs instead',
  zlib: 'use gzip and gunzip of the shell instead',
};

/** The module that a program asked for is not there. */
export class ModuleError extends Error {
  constructor(
    message: string,
    readonly code: 'MODULE_NOT_FOUND' | 'ERR_MODULE_NOT_FOUND' | 'ERR_UNKNOWN_BUILTIN_MODULE',
  ) {
    super(message);
  }
}

const MODULE_EXTENSIONS = ['.js', '.json', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.tsx', '.jsx'];

/** How `import` and `require` find modules in the files of a program, as Node does. */
export class ProgramModules {
  readonly #files: ProgramFiles;
  /** Packages that the application allows. */
  readonly #packages: PackageFiles;
  readonly #isModule: (source: string, path: string) => boolean;

  /** `isModule`: returns whether a text has `import` or `export`. */
  constructor(
    files: ProgramFiles,
    packages: PackageFiles,
    isModule: (source: string, path: string) => boolean,
  ) {
    this.#files = files;
    this.#packages = packages;
    this.#isModule = isModule;
  }

  /**
   * @param base path of the importing module
   * @throws ModuleError which says what can be done
   */
  resolve(specifier: string, base: string, conditions: readonly string[]): ResolvedModule {
    const name = specifier.replace(/^node:/u, '');
    if (BUILTINS.has(name) && (specifier.startsWith('node:') || name !== 'test'))
      return { path: name, kind: 'builtin' };
    if (specifier.startsWith('node:') || Object.hasOwn(MISSING, name)) throw noBuiltin(name);
    if (base.startsWith(PACKAGES)) return this.#fromPackage(specifier, base);
    if (/^file:\/\//u.test(specifier))
      return this.#file(decodeURIComponent(new URL(specifier).pathname), base, specifier);
    if (/^[a-z][\w+.-]*:/iu.test(specifier))
      throw new ModuleError(
        `Cannot import '${specifier}': programs here have no network. Save the module as a file, or write what you need of it.`,
        'ERR_MODULE_NOT_FOUND',
      );
    if (/^(?:\.{0,2}\/|\.{1,2}$)/u.test(specifier))
      return this.#file(joinPath(parentPath(base), specifier), base, specifier);
    if (specifier.startsWith('#')) return this.#internal(specifier, base, conditions);
    return this.#package(specifier, base, conditions);
  }

  /** Returns the text of a module. */
  read(path: string): string {
    if (!path.startsWith(PACKAGES)) return decodeSource(this.#files.read(path));
    return this.#packages.texts[path.slice(PACKAGES.length)] ?? '';
  }

  /** Returns the kind of the main module. @throws ModuleError. */
  main(path: string): ResolvedModule {
    return this.#file(path, '/', path);
  }

  #file(path: string, base: string, specifier: string): ResolvedModule {
    const found = this.#existing(path);
    if (found === null)
      throw new ModuleError(
        `Cannot find module '${specifier}' imported from ${base}`,
        'ERR_MODULE_NOT_FOUND',
      );
    return { path: found, kind: this.#kindOf(found) };
  }

  /** Returns the file of a path that may lack its extension, or be a directory. */
  #existing(path: string): string | null {
    const type = this.#files.stat(path)?.type;
    if (type === 'file') return path;
    // TypeScript names the file that its compiler writes.
    const typed = path.replace(/\.([cm]?)js$/u, '.$1ts');
    for (const each of [typed, ...MODULE_EXTENSIONS.map((extension) => path + extension)])
      if (this.#files.stat(each)?.type === 'file') return each;
    if (type !== 'directory') return null;
    const { main } = this.#manifest(path) ?? {};
    const target = typeof main === 'string' ? this.#existing(joinPath(path, main)) : null;
    return target ?? this.#existing(`${path === '/' ? '' : path}/index`);
  }

  #kindOf(path: string): ResolvedModule['kind'] {
    if (path.endsWith('.json')) return 'json';
    if (/\.m[jt]s$/u.test(path)) return 'module';
    if (/\.c[jt]s$/u.test(path)) return 'commonjs';
    for (let folder = parentPath(path); ; folder = parentPath(folder)) {
      const manifest = this.#manifest(folder);
      if (manifest?.['type'] === 'module') return 'module';
      if (manifest?.['type'] === 'commonjs') return 'commonjs';
      if (manifest !== null || folder === '/') break;
    }
    return this.#isModule(this.read(path), path) ? 'module' : 'commonjs';
  }

  #manifest(folder: string): Record<string, unknown> | null {
    const path = `${folder === '/' ? '' : folder}/package.json`;
    if (this.#files.stat(path)?.type !== 'file') return null;
    try {
      const parsed: unknown = JSON.parse(decodeSource(this.#files.read(path)));
      return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
    } catch {
      throw new ModuleError(`${path} is not valid JSON.`, 'ERR_MODULE_NOT_FOUND');
    }
  }

  #package(specifier: string, base: string, conditions: readonly string[]): ResolvedModule {
    const name = /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)?.[0] ?? specifier;
    for (let folder = parentPath(base); ; folder = parentPath(folder)) {
      const root = `${folder === '/' ? '' : folder}/node_modules/${name}`;
      const found =
        this.#files.stat(root)?.type === 'directory'
          ? this.#inPackage(root, specifier.slice(name.length), conditions)
          : null;
      if (found !== null) return { path: found, kind: this.#kindOf(found) };
      if (folder === '/') break;
    }
    const { names } = this.#packages;
    if (Object.hasOwn(names, specifier)) return this.#allowed(names[specifier] ?? '');
    const allowed = Object.keys(names);
    const others =
      allowed.length === 0 ? 'No packages are installed' : `Of packages, there is only ${allowed.join(', ')}`;
    throw new ModuleError(
      `Cannot find package '${specifier}' imported from ${base}. ${others}, and none can be installed. Use the built-in modules ` +
        '(node:test, node:assert, node:fs, node:path …), or write what you need of it; the application can add packages with ' +
        'javascript({ packages }).',
      'ERR_MODULE_NOT_FOUND',
    );
  }

  /** Returns a file of a package that the application allows. */
  #allowed(address: string): ResolvedModule {
    const path = `${PACKAGES}${address}`;
    if (new URL(address).pathname.endsWith('.json')) return { path, kind: 'json' };
    return { path, kind: this.#isModule(this.read(path), path) ? 'module' : 'commonjs' };
  }

  /** Returns what a package of the application imports: files that were loaded with it. */
  #fromPackage(specifier: string, base: string): ResolvedModule {
    const address = base.slice(PACKAGES.length);
    const found = this.#packages.imports[address] ?? {};
    if (Object.hasOwn(found, specifier)) return this.#allowed(found[specifier] ?? '');
    throw new ModuleError(
      `Cannot find package '${specifier}' imported from ${address}, a file of the application. The application must add it, too: ` +
        `javascript({ packages: { '${specifier}': address } }).`,
      'ERR_MODULE_NOT_FOUND',
    );
  }

  #inPackage(root: string, rest: string, conditions: readonly string[]): string | null {
    const manifest = this.#manifest(root) ?? {};
    const { exports } = manifest;
    if (exports !== undefined && exports !== null) {
      const target = exported(exports, `.${rest}`, conditions);
      return target === null ? null : this.#existing(joinPath(root, target));
    }
    if (rest !== '') return this.#existing(root + rest);
    const module = conditions.includes('import') ? manifest['module'] : undefined;
    if (typeof module === 'string') return this.#existing(joinPath(root, module));
    return this.#existing(root);
  }

  #internal(specifier: string, base: string, conditions: readonly string[]): ResolvedModule {
    for (let folder = parentPath(base); ; folder = parentPath(folder)) {
      const imports = this.#manifest(folder)?.['imports'];
      const target = imports === undefined ? null : exported(imports, specifier, conditions);
      if (target !== null) return this.#file(joinPath(folder, target), base, specifier);
      if (folder === '/') break;
    }
    throw new ModuleError(
      `Package import specifier "${specifier}" is not defined, imported from ${base}`,
      'ERR_MODULE_NOT_FOUND',
    );
  }
}

/** Virtual folder of the packages that the application allows. */
const PACKAGES = '/node_modules/.allowed/';

function noBuiltin(name: string): ModuleError {
  const reason = Object.hasOwn(MISSING, name) ? MISSING[name] : undefined;
  return new ModuleError(
    reason === undefined
      ? `No such built-in module: node:${name}`
      : `The built-in module node:${name} does not exist here: ${reason}.`,
    'ERR_UNKNOWN_BUILTIN_MODULE',
  );
}

/** Returns the target of `exports` or `imports` for a key. Supports conditions and patterns with one `*`. */
function exported(target: unknown, key: string, conditions: readonly string[]): string | null {
  const isMap = typeof target === 'object' && target !== null && !Array.isArray(target);
  const keys = isMap ? Object.keys(target) : [];
  if (!isMap || !keys.some((each) => /^[.#]/u.test(each)))
    return key === '.' ? pick(target, conditions) : null;
  const map = target as Record<string, unknown>;
  if (key in map) return pick(map[key], conditions);
  for (const pattern of keys.filter((each) => each.includes('*')).sort((a, b) => b.length - a.length)) {
    const [start = '', end = ''] = pattern.split('*');
    if (key.startsWith(start) && key.endsWith(end) && key.length >= start.length + end.length)
      return (
        pick(map[pattern], conditions)?.replaceAll('*', key.slice(start.length, key.length - end.length)) ??
        null
      );
  }
  return null;
}

function pick(target: unknown, conditions: readonly string[]): string | null {
  if (typeof target === 'string') return target;
  if (Array.isArray(target))
    return target.map((each) => pick(each, conditions)).find((each) => each !== null) ?? null;
  if (typeof target !== 'object' || target === null) return null;
  for (const [condition, value] of Object.entries(target))
    if (conditions.includes(condition)) {
      const found = pick(value, conditions);
      if (found !== null) return found;
    }
  return null;
}

const decodeSource = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
