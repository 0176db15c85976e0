/**
 * Builds `dist/`: one module per source file for everything that is imported, and whole files for what is loaded by its address: the
 * ready-made worker (bundlers find it through the literal URL in `spawn/start-worker.js`), the same as text, and pages without a bundler.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const from = (path) => join(root, 'src', path);
const to = (path) => join(root, 'dist', path);

rmSync(to(''), { recursive: true, force: true });
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });

const modules = new Set();
const worker = await bundle('spawn/worker.ts', 'spawn/worker.js');
writeFileSync(to('spawn/worker-inline.js'), `export const source = ${JSON.stringify(worker)};\n`);
rmSync(to('spawn/worker-inline.js.map')); // it described the stub
await bundle('index.ts', 'index.bundle.js');
await bundle('spawn/index.ts', 'spawn/index.bundle.js', [/worker-inline/]);
writeFileSync(to('third-party-licenses.txt'), licenses());

for (const path of ['index.bundle.js', 'spawn/index.bundle.js', 'spawn/worker.js']) {
  console.log(
    `dist/${path}: ${(gzipSync(readFileSync(to(path)), { level: 9 }).length / 1000).toFixed(1)} kB gzip`,
  );
}

/** Writes `input` and all it needs as one file beside a source map; gives its code without the reference to the map. */
async function bundle(input, output, external = []) {
  const { output: chunks } = await build({
    input: from(input),
    platform: 'browser',
    external,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { target: 'es2022' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message); // an import that is not found must not wait for a user to find it
    },
    output: { file: to(output), format: 'es', codeSplitting: false, minify: true, sourcemap: true },
  });
  if (chunks.filter(({ type }) => type === 'chunk').length !== 1)
    throw new Error(`${output} is not one file`);
  for (const id of chunks[0].moduleIds) modules.add(id);
  return chunks[0].code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
}

/** The bundles hold parts of other packages, whose licences want to be told along. */
function licenses() {
  const packages = new Map();
  for (const id of modules) {
    const folder = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replaceAll('\\', '/'));
    if (folder) packages.set(folder[2], folder[1]);
  }
  const texts = [...packages].sort().map(([name, folder]) => {
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file && statSync(join(folder, file)).isFile() ? readFileSync(join(folder, file), 'utf8') : '';
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return `The bundled files contain parts of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
