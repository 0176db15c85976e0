/**
 * Builds `dist/`: one module per source file for everything that is imported, and bundles for files that are loaded
 * by URL: the ready-made worker (bundlers find it through the literal URL in `spawn/start-worker.js`), the same as
 * text, and pages without a bundler.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import ts from 'typescript';
import { bundleDriver, driverModule } from './driver-source.mjs';
import { packedModules, runtimeModules } from './runtime-modules.mjs';
import { thirdPartyLicenses } from './third-party-licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const from = (path) => join(root, 'src', path);
const to = (path) => join(root, 'dist', path);

rmSync(to(''), { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript-native/bin/tsc'); // writes the same declarations as `typescript`, in a fifth of the time
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
emitModules();

/** The engine of a worker as text: its first line sets it. */
const GIVEN_ENGINE = 'export const { engine, extensions } = globalThis.engine;';

const modules = new Set();
const worker = await bundle('spawn/worker.ts', 'spawn/worker.js');
writeFileSync(to('spawn/worker-inline.js'), `export const source = ${JSON.stringify(worker)};\n`);
// The shell's interpreter is large. Node and the worker file share one copy; the inline worker needs its own.
const zlib = { 'node:zlib': from('tools/terminal/zlib.ts') };
const shell = await bundle('tools/terminal/shell-worker.ts', null, { alias: zlib });
writeFileSync(
  to('tools/terminal/shell-worker-inline.js'),
  `export const source = ${JSON.stringify(shell)};\n`,
);
await bundle('tools/terminal/just-bash.ts', 'tools/terminal/just-bash.js', { alias: zlib });
await bundle('tools/terminal/shell-worker.ts', 'tools/terminal/shell-worker.js', {
  external: [/\/just-bash\.js$/],
});
await bundleRuntime('javascript', 'run-node', { hasEngine: true });
await bundleRuntime('sqlite', 'run-sqlite', { hasEngine: true });
await bundleRuntime('git', 'run-git');
await bundleRuntime('python', 'interpreter');
await bundleRuntime('typescript', 'run-tsc');
const driver = await bundleDriver();
for (const id of driver.moduleIds) modules.add(id);
writeFileSync(to('tools/browser/driver-source.js'), driverModule(driver.text));
const { wrapperDocument } = await import(new URL('../dist/tools/browser/frame/wrapper.js', import.meta.url));
writeFileSync(to('page-frame.html'), wrapperDocument([]));
await bundle('tools/browser/driver/site/allow-driving.ts', 'page-driver.js');
await bundle('index.ts', 'index.bundle.js');
await bundle('spawn/index.ts', 'spawn/index.bundle.js', { external: [/worker-inline/] });
for (const id of packedModules) modules.add(id);
writeFileSync(to('third-party-licenses.txt'), thirdPartyLicenses(modules));

const whole = [
  'index.bundle.js',
  'page-driver.js',
  'spawn/index.bundle.js',
  'spawn/worker.js',
  'tools/terminal/just-bash.js',
];
for (const path of whole) {
  console.log(
    `dist/${path}: ${(gzipSync(readFileSync(to(path)), { level: 9 }).length / 1000).toFixed(1)} kB gzip`,
  );
}
console.log(
  `the Browser tool's driver: ${(gzipSync(driver.text, { level: 9 }).length / 1000).toFixed(1)} kB gzip`,
);

/** Writes each source file as JavaScript without comments; the declarations that `tsc` wrote keep them. */
function emitModules() {
  const { options } = ts.convertCompilerOptionsFromJson(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config.compilerOptions,
    root,
  );
  const compilerOptions = { ...options, noEmit: false, incremental: false, removeComments: true };
  for (const path of readdirSync(from(''), { recursive: true }).filter(isModule)) {
    const { outputText } = ts.transpileModule(readFileSync(from(path), 'utf8'), { compilerOptions });
    writeFileSync(to(path.replace(/\.ts$/, '.js')), outputText);
  }
}

/**
 * The library of the JavaScript interpreter is in a bundle.
 *
 * @param {string} path below `src/`
 */
function isModule(path) {
  return path.endsWith('.ts') && !path.replaceAll('\\', '/').startsWith('runtimes/javascript/guest/');
}

/**
 * Bundles the worker of a runtime, also as text. Node and the worker file share what runs programs; these and the text share the engine,
 * which is most of the bytes.
 *
 * @param {string} name folder
 * @param {string} main module that runs programs
 * @param {{ hasEngine?: boolean }} [options]
 */
async function bundleRuntime(name, main, { hasEngine = false } = {}) {
  const folder = `runtimes/${name}`;
  const worker = `${folder}/${name}-worker`;
  const engine = /\/engine\.js$/;
  if (hasEngine) await bundle(`${folder}/engine.ts`, `${folder}/engine.js`);
  await bundle(`${folder}/${main}.ts`, `${folder}/${main}.js`, { external: hasEngine ? [engine] : [] });
  await bundle(`${worker}.ts`, `${worker}.js`, { external: [new RegExp(`/${main}\\.js$`)] });
  const given = {
    name: 'given-engine',
    load: (/** @type {string} */ id) => (id.endsWith('/engine.ts') ? GIVEN_ENGINE : null),
  };
  const text = await bundle(`${worker}.ts`, null, { plugins: hasEngine ? [given] : [] });
  const source = hasEngine
    ? `import * as engine from './engine.js';\nexport const source = \`globalThis.engine=\${JSON.stringify(engine)};\n\` + ${JSON.stringify(text)};\n`
    : `export const source = ${JSON.stringify(text)};\n`;
  writeFileSync(to(`${folder}/worker-inline.js`), source);
}

/**
 * Bundles `input` and all its imports into one minified file. Source maps are omitted: they would be larger than the
 * rest of the package, and every module also exists unminified.
 *
 * @param output path in `dist`; null writes nothing
 * @returns the code
 */
async function bundle(input, output, { external = [], alias = {}, plugins = [] } = {}) {
  const { output: chunks } = await build({
    input: from(input),
    platform: 'browser',
    external,
    plugins: [...plugins, runtimeModules()],
    resolve: { alias, extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { target: 'es2022' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message); // A missing import must fail the build.
    },
    write: output !== null,
    output: { file: to(output ?? input), format: 'es', codeSplitting: false, minify: true },
  });
  if (chunks.filter(({ type }) => type === 'chunk').length !== 1)
    throw new Error(`${output ?? input} is not one file`);
  for (const id of chunks[0].moduleIds) modules.add(id);
  return chunks[0].code;
}
