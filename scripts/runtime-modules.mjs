// @ts-check
/**
 * Modules of the runtimes whose text is made from packages: the library of the JavaScript interpreter as a script, and WebAssembly in base64. The
 * build, Vite, and the bundler of test workers load them in the place of placeholder modules.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';

/** @param {string} path below `src/runtimes/` */
const source = (path) =>
  fileURLToPath(new URL(`../src/runtimes/${path}`, import.meta.url)).replaceAll('\\', '/');
/** @param {string} path below `node_modules/` */
const packed = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

/** @typedef {{ text: string, moduleIds: string[] }} Generated */

/** @type {Record<string, () => Promise<Generated>>} */
const generated = {
  [source('javascript/guest-source.ts')]: bundleGuest,
  [source('javascript/engine.ts')]: async () => {
    const engine = packed('quickjs-wasi/quickjs.wasm');
    const extensions = ['encoding', 'structured-clone'].map((name) =>
      packed(`quickjs-wasi/extensions/${name}/${name}.so`),
    );
    const [encoding = '', clone = ''] = extensions.map(pack);
    return {
      text: `export const engine = ${pack(engine)};\nexport const extensions = { encoding: ${encoding}, 'structured-clone': ${clone} };\n`,
      moduleIds: [engine, ...extensions],
    };
  },
  [source('sqlite/engine.ts')]: async () => {
    const engine = packed('sql.js/dist/sql-wasm-browser.wasm');
    return { text: `export const engine = ${pack(engine)};\n`, moduleIds: [engine] };
  },
};

/**
 * Returns a file as gzip in base64, in quotes. Compressed text of base64 would be a third larger.
 * @param {string} path
 */
function pack(path) {
  return JSON.stringify(gzipSync(readFileSync(path), { level: 9 }).toString('base64'));
}

/** @returns {Promise<Generated>} */
async function bundleGuest() {
  const { output } = await build({
    input: source('javascript/guest/index.ts'),
    platform: 'browser',
    write: false,
    resolve: {
      alias: { 'util/': source('javascript/guest/util-for-assert.ts') },
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
    transform: {
      target: 'es2022',
      define: {
        global: 'globalThis',
        'process.env.NODE_ENV': '"production"',
        'process.env.NODE_DEBUG': 'undefined',
      },
    },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
    output: { format: 'iife', name: 'guestLibrary', codeSplitting: false, minify: true },
  });
  const [{ code, moduleIds }] = output;
  return { text: `export const guestSource = ${JSON.stringify(code)};\n`, moduleIds };
}

/** Ids of all modules that were packed into the generated ones, for the list of licenses. @type {Set<string>} */
export const packedModules = new Set();

/**
 * For Vite, Vitest and Rolldown.
 * @returns {{ name: string, enforce: 'pre', load(id: string): Promise<string | undefined> }}
 */
export function runtimeModules() {
  return {
    name: 'rolezero-runtime-modules',
    enforce: 'pre',
    async load(id) {
      const make = generated[(id.split('?')[0] ?? '').replaceAll('\\', '/')];
      if (make === undefined) return undefined;
      const { text, moduleIds } = await make();
      for (const each of moduleIds) packedModules.add(each);
      return text;
    },
  };
}
