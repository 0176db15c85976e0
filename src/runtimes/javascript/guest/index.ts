import { removePrelude } from './prelude.js';
import assert from 'assert/';
import * as buffer from 'buffer/';
import EventEmitter from 'events/';
import path from 'path-browserify';
import { consoleObject } from './console.js';
import { crypto, webCrypto } from './crypto.js';
import { fs, fsPromises } from './fs.js';
import type { GuestHost, ResolvedModule, Start } from '../guest-contract.js';
import { setHost } from './host.js';
import { installIntl } from './intl.js';
import { createProcess } from './process.js';
import { readline, readlinePromises } from './readline.js';
import { createLoader } from './require.js';
import { installStackTraces, showError } from './stack-traces.js';
import { testModule } from './test-runner.js';
import { runDueTimer, timersModule, timersPromises, untilNextTimer } from './timers.js';
import { URL, url, URLSearchParams } from './url.js';
import { util } from './util.js';

/** What the host's loop needs of the guest. */
export interface Guest {
  /** `resolved`: a `ResolvedModule` as JSON. */
  runMain(resolved: string): void;
  runText(source: string, name: string, print: boolean): void;
  /** Returns the exported names of a module for `import`. In and out is JSON. */
  namesOf(resolved: string): string;
  untilNextTimer(): number;
  runDueTimer(): void;
  emitExit(): void;
  /** Returns whether a listener of the program handled the error. */
  emitError(event: string, error: unknown): boolean;
  describe(error: unknown): string;
  exitCode(): number;
}

/** Sets up what Node has besides the language, and returns what the host needs. Called once, before the program. */
export function start(host: GuestHost, facts: Start): Guest {
  removePrelude();
  installStackTraces();
  setHost(host);
  const { process, emitExit } = createProcess(facts);
  Object.assign(process, { on: process.on.bind(process) });
  const events = Object.assign(EventEmitter, { EventEmitter });
  const { isDeepStrictEqual: _same, ...types } = util;
  const posix = Object.assign(path, { posix: path, win32: path });
  const builtins: Record<string, unknown> = {
    assert,
    'assert/strict': Object.assign(assert.strict, { strict: assert.strict }),
    buffer,
    console: { ...consoleObject, Console: undefined },
    crypto,
    events,
    fs,
    'fs/promises': fsPromises,
    module: {
      createRequire: (from: unknown) =>
        loader.requireFrom(String(from).startsWith('file:') ? url.fileURLToPath(String(from)) : String(from)),
      builtinModules: [] as string[],
    },
    os: {
      EOL: '\n',
      arch: () => 'wasm32',
      cpus: () => [],
      homedir: () => '/',
      hostname: () => 'localhost',
      platform: () => 'linux',
      tmpdir: () => '/tmp',
      type: () => 'Linux',
      totalmem: () => 0,
      freemem: () => 0,
      userInfo: () => ({ username: 'user', homedir: '/' }),
    },
    path: posix,
    'path/posix': posix,
    perf_hooks: { performance },
    process,
    readline,
    'readline/promises': readlinePromises,
    test: testModule,
    timers: timersModule,
    'timers/promises': timersPromises,
    url,
    util: Object.assign(util, { types: types.types }),
    'util/types': util.types,
  };
  (builtins['module'] as { builtinModules: string[] }).builtinModules = Object.keys(builtins);
  const loader = createLoader(builtins, facts.main);
  const { Buffer } = buffer;
  const globals = {
    ...timersModule,
    Buffer,
    URL,
    URLSearchParams,
    console: consoleObject,
    crypto: webCrypto,
    global: globalThis,
    process,
  };
  for (const [name, value] of Object.entries(globals))
    if (name !== 'promises')
      Object.defineProperty(globalThis, name, {
        value,
        writable: true,
        configurable: true,
        enumerable: false,
      });
  installIntl();
  const guest: Guest = {
    runMain: (resolved) => void loader.load(JSON.parse(resolved) as ResolvedModule),
    runText(source, name, print) {
      const value = loader.runText(source, name, facts.cwd);
      if (print) consoleObject.log(value);
    },
    namesOf: (resolved) => JSON.stringify(exportedNames(loader.load(JSON.parse(resolved) as ResolvedModule))),
    untilNextTimer,
    runDueTimer,
    emitExit,
    emitError: (event, error) => process.emit(event, error, event),
    describe: showError,
    exitCode: () => Number(process.exitCode ?? 0),
  };
  // Modules that the host writes for `import` call it.
  Object.defineProperty(globalThis, '__load', { value: loader.load });
  Object.defineProperty(globalThis, '__meta', {
    value: (file: string) => ({
      url: url.pathToFileURL(file).href,
      filename: file,
      dirname: path.dirname(file),
      resolve: (specifier: string) => {
        const found = loader.requireFrom(file).resolve(specifier);
        return found.startsWith('/') ? url.pathToFileURL(found).href : `node:${found}`;
      },
      main: file === facts.main,
    }),
  });
  return guest;
}

function exportedNames(exported: unknown): string[] {
  if ((typeof exported !== 'object' && typeof exported !== 'function') || exported === null) return [];
  return Object.keys(exported).filter(
    (name) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && name !== 'default',
  );
}
