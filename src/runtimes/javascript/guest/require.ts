import type { ResolvedModule } from '../guest-contract.js';
import { call, compile, host } from './host.js';

interface Module {
  id: string;
  filename: string;
  path: string;
  loaded: boolean;
  exports: unknown;
  require: Require;
  children: Module[];
}

type Require = ((specifier: string) => unknown) & {
  resolve: (specifier: string) => string;
  cache: Record<string, Module>;
  main?: Module;
};

/** Loads modules that `require` names. `builtins` are by name without `node:`. */
export function createLoader(builtins: Readonly<Record<string, unknown>>, mainPath: string | null) {
  const cache = Object.create(null) as Record<string, Module>;
  let main: Module | undefined;

  function load({ path, kind }: ResolvedModule): unknown {
    if (kind === 'builtin') return builtins[path];
    const known = cache[path];
    if (known !== undefined) return known.exports;
    if (kind === 'module') return importNow(path);
    const module: Module = {
      id: path,
      filename: path,
      path: path.slice(0, path.lastIndexOf('/')) || '/',
      loaded: false,
      exports: {},
      require: requireFrom(path),
      children: [],
    };
    cache[path] = module;
    if (path === mainPath) {
      main = module;
      module.id = '.';
      module.require = requireFrom(path);
    }
    try {
      if (kind === 'json') module.exports = call('json', path);
      else runModule(module, call<string>('source', path));
    } catch (error) {
      Reflect.deleteProperty(cache, path);
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  /** Runs the text of a CommonJS module, which may not be in a file. */
  function runModule(module: Module, source: string): void {
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
    const run = compile(wrapped, module.filename) as (...args: unknown[]) => void;
    run.call(module.exports, module.exports, module.require, module, module.filename, module.path);
  }

  function requireFrom(base: string): Require {
    const require = ((specifier: string) => load(resolve(specifier, base))) as Require;
    require.resolve = (specifier) => resolve(specifier, base).path;
    require.cache = cache;
    if (main !== undefined) require.main = main;
    return require;
  }

  /** Returns the exports of an ES module that needs no waiting. */
  function importNow(path: string): unknown {
    const state: { namespace?: Record<string, unknown>; error?: unknown; isDone?: true } = {};
    const start = compile('(path) => import(path)', '/') as (
      path: string,
    ) => Promise<Record<string, unknown>>;
    start(path).then(
      (namespace) => Object.assign(state, { namespace, isDone: true }),
      (error: unknown) => Object.assign(state, { error, isDone: true }),
    );
    host().runJobs();
    if (state.namespace !== undefined) return state.namespace['module.exports'] ?? state.namespace;
    if (state.isDone) throw state.error;
    throw Object.assign(new Error(`require() cannot be used on an ESM graph with top-level await: ${path}`), {
      code: 'ERR_REQUIRE_ASYNC_MODULE',
    });
  }

  /** Runs a program that is no file, such as that of `-e`. */
  function runText(source: string, name: string, directory: string): unknown {
    const filename = `${directory === '/' ? '' : directory}/${name}`;
    const module: Module = {
      id: name,
      filename,
      path: directory,
      loaded: false,
      exports: {},
      require: requireFrom(filename),
      children: [],
    };
    Object.assign(globalThis, {
      require: module.require,
      module,
      exports: module.exports,
      __filename: name,
      __dirname: '.',
    });
    return compile(source, name);
  }

  return { load, requireFrom, runText };
}

function resolve(specifier: unknown, base: string): ResolvedModule {
  if (typeof specifier !== 'string')
    throw Object.assign(new TypeError('The "id" argument must be of type string.'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  return call<ResolvedModule>('resolve', specifier, base);
}
