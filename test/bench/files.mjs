/**
 * `npm run bench:files`: files and archives compared with other libraries in one run, in a worker of a real Chromium.
 * Prints the figures and writes them to `docs/benchmarks/files.json`. With the name of a part, such as `-- opening`, measures only that.
 */
import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { format } from 'prettier';
import { chromiumPath, launchArguments } from '../../scripts/chromium.mjs';
import { extraPackages } from '../../scripts/extra-packages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const extra = extraPackages('file-systems');
const { resolve } = createRequire(join(extra, 'package.json'));

/** memfs is written for Node: it gets the usual polyfills. */
const standIns = {
  'node:buffer': resolve('buffer/'),
  'node:events': resolve('events/'),
  'node:path': resolve('path-browserify'),
};
const { outputFiles } = await build({
  entryPoints: [join(root, 'test/bench/files.worker.ts')],
  bundle: true,
  minify: true,
  format: 'iife',
  platform: 'browser',
  nodePaths: [join(extra, 'node_modules')],
  write: false,
  logLevel: 'error',
  alias: { ...standIns, 'node:zlib': join(root, 'src/tools/terminal/zlib.ts') },
  plugins: [
    {
      name: 'stand-ins',
      setup(bundler) {
        const contents = {
          'node:url':
            'export const URL = globalThis.URL; export const fileURLToPath = (url) => new URL(url).pathname;',
          'node:stream': 'export class Readable {} export class Writable {}', // Streams of files are not measured.
        };
        bundler.onResolve({ filter: /^node:(url|stream)$/ }, ({ path }) => ({ path, namespace: 'stand-in' }));
        bundler.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({ contents: contents[path] }));
      },
    },
  ],
  banner: {
    js: 'globalThis.process = { env: {}, platform: "browser", cwd: () => "/", nextTick: (work, ...args) => queueMicrotask(() => work(...args)), emitWarning() {}, versions: {}, getuid: () => 0, getgid: () => 0 }; globalThis.global = globalThis;',
  },
});
const script = outputFiles[0]?.text ?? '';
const server = createServer((request, response) => {
  const isScript = request.url === '/worker.js';
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  response.end(isScript ? script : '<!doctype html><title>bench</title>');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const executablePath = chromiumPath();
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: launchArguments,
});
let rows;
try {
  const page = await browser.newPage();
  page.on('console', (message) => console.error(message.text()));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  ({ rows } = await page.evaluate(
    (part) =>
      new Promise((done, fail) => {
        const worker = new Worker('/worker.js');
        worker.onmessage = ({ data }) => (data.error ? fail(new Error(data.error)) : done(data));
        worker.onerror = (event) => fail(new Error(event.message));
        worker.postMessage(part);
      }),
    process.argv[2] ?? '',
  ));
} finally {
  await browser.close();
  server.close();
}

const version = (name) => {
  const folder = [root, extra].find((from) => existsSync(join(from, 'node_modules', name)));
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
};
const peers = [
  'just-bash',
  'memfs',
  '@zenfs/core',
  '@isomorphic-git/lightning-fs',
  'fflate',
  'jszip',
  '@zip.js/zip.js',
].map((name) => `${name} ${version(name)}`);
const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}; Chromium ${browser.version()}; ${new Date().toISOString().slice(0, 10)}`;
const folder = join(root, 'docs/benchmarks');
const file = join(folder, 'files.json');
const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { machine, rows: [] };
const others = before.rows.filter(({ task }) => rows.every((row) => row.task !== task));
const of = others.length === 0 ? machine : before.machine; // most rows are of that run
mkdirSync(folder, { recursive: true });
writeFileSync(
  file,
  await format(JSON.stringify({ machine: of, peers, rows: [...others, ...rows] }), { parser: 'json' }),
);
console.table(rows.map(({ task, who, median, best }) => ({ task, who, median, best })));
console.log('`npm run bench -- --report` adds them to docs/benchmarks.md.');
