import * as esbuild from 'esbuild';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LoopOptions } from './loops.js';
import { FORMER } from './report.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The compared libraries, in the versions that were current when this was written. */
const PEERS = {
  ai: '7.0.173',
  '@langchain/langgraph': '1.7.3',
  '@langchain/core': '1.4.0',
  '@openai/agents': '0.20.0',
  '@tanstack/ai': '0.58.0',
  langchain: '1.5.14',
  '@earendil-works/pi-agent-core': '1.6.0',
  zod: '4.6.7',
};

/** Not development dependencies: they would be most of what `npm ci` downloads. */
const CACHE = here('../../node_modules/.cache/bench-peers');

/** A library in the table: its name, and the file that runs its loop. */
export interface Contender {
  name: string;
  version: string;
  file: string;
  /** A minified bundle for a worker; null when bundling fails. */
  script: string | null;
  /** The reason for that. */
  reason: string;
}

const LOOPS: readonly { name: string; file: string }[] = [
  { name: 'rolezero', file: 'ours.ts' },
  { name: 'a bare loop', file: 'bare.mjs' },
  { name: '@earendil-works/pi-agent-core', file: 'pi.mjs' },
  { name: 'ai', file: 'ai.mjs' },
  { name: '@tanstack/ai', file: 'tanstack.mjs' },
  { name: '@langchain/langgraph', file: 'langgraph.mjs' },
  { name: 'langchain', file: 'langchain.mjs' },
  { name: '@openai/agents', file: 'openai-agents.mjs' },
];

/** Installs missing peers, and bundles the loop of each for a worker. `alone`: only ours and the bare loop. `before`: ours of another checkout, too. */
export async function contenders({
  alone = false,
  before,
}: Pick<LoopOptions, 'alone' | 'before'> = {}): Promise<Contender[]> {
  if (!alone) await install();
  const all = await Promise.all(
    (alone ? LOOPS.slice(0, 2) : LOOPS).map(async ({ name, file }) => {
      const version = name in PEERS ? versionOf(name) : '';
      try {
        return { name, version, file, script: await bundled(here(`./loop/${file}`)), reason: '' };
      } catch (error) {
        const [first = ''] = (error as esbuild.BuildFailure).errors.map(({ text }) => text);
        return { name, version, file, script: null, reason: `cannot be bundled for a browser: ${first}` };
      }
    }),
  );
  if (before === undefined) return all;
  // Its own file knows its options.
  const script = await bundled(resolve(before, 'scripts/bench/loop/ours.ts'));
  return [...all, { name: FORMER, version: '', file: 'before', script, reason: '' }];
}

/** A script for a worker or a page, with its imports; with `before`, those of `src/` come from another checkout. */
export async function bundled(entry: string, before?: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    nodePaths: [`${CACHE}/node_modules`],
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: STAND_INS_OF_GLOBALS },
    plugins: [...(before === undefined ? [] : [fromCheckout(before)]), standIns, fromCache],
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

const STAND_INS_OF_GLOBALS =
  'globalThis.process ??= { env: {}, versions: {}, platform: "browser", cwd: () => "/", emitWarning() {}, nextTick: (work, ...args) => queueMicrotask(() => work(...args)) }; globalThis.global ??= globalThis;';

/**
 * Some peers import modules of Node that their loop does not need in a browser. The stub exports every name as a
 * no-op, except for AsyncLocalStorage, which holds one value.
 */
const standIns: esbuild.Plugin = {
  name: 'stand-ins',
  setup(build) {
    const nodes =
      /^(node:.*|@opentelemetry\/api|async_hooks|fs|path|os|http|https|stream|util|url|child_process|crypto|net|tls|zlib|buffer|events|module|readline|assert|querystring|http2|process|fs\/promises|dns|stream\/promises|timers\/promises)$/;
    build.onResolve({ filter: nodes }, ({ path }) => ({ path, namespace: 'stand-in' }));
    build.onLoad({ filter: /.*/, namespace: 'stand-in' }, () => ({
      contents: `
        class AsyncLocalStorage {
          run(value, work, ...args) { const before = this.value; this.value = value; try { return work(...args); } finally { this.value = before; } }
          enterWith(value) { this.value = value; }
          getStore() { return this.value; }
        }
        const nothing = class {};
        module.exports = new Proxy({ AsyncLocalStorage, __esModule: false }, {
          get: (known, name) => name in known ? known[name] : name === 'promisify' ? (work) => work : nothing,
        });`,
      loader: 'js',
    }));
  },
};

/** Imports the compared versions, if they are installed, also where this project has another one. */
const fromCache: esbuild.Plugin = {
  name: 'from-cache',
  setup(build) {
    if (!existsSync(`${CACHE}/node_modules`)) return;
    build.onResolve({ filter: /^[@a-z]/ }, ({ path, kind, resolveDir, pluginData }) => {
      const isPeer = Object.keys(PEERS).some((name) => path === name || path.startsWith(`${name}/`));
      if (!isPeer || pluginData === fromCache || resolveDir.startsWith(CACHE)) return undefined;
      return build.resolve(path, { kind, resolveDir: CACHE, pluginData: fromCache });
    });
  },
};

/** Imports the library from another checkout, to compare with it. */
function fromCheckout(checkout: string): esbuild.Plugin {
  return {
    name: 'from-checkout',
    setup(build) {
      build.onResolve({ filter: /^\.\.\/.*\/src\// }, ({ path }) => ({
        path: resolve(checkout, path.slice(path.indexOf('src/')).replace(/\.js$/, '.ts')),
      }));
    },
  };
}

async function install(): Promise<void> {
  const wanted = `${JSON.stringify({ private: true, dependencies: PEERS }, null, 2)}\n`;
  const note = `${CACHE}/package.json`;
  const installed = existsSync(note) && readFileSync(note, 'utf8') === wanted;
  if (installed && existsSync(`${CACHE}/node_modules/.package-lock.json`)) return;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(note, wanted);
  console.error('Installing the libraries to compare with, once.');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await promisify(execFile)(
    npm,
    ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'],
    { cwd: CACHE, maxBuffer: 2 ** 26 },
  );
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(`${CACHE}/node_modules/${name}/package.json`, 'utf8')) as {
    version: string;
  };
  return version;
}
