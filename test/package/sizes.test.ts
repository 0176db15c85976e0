import * as esbuild from 'esbuild';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { root } from './paths.js';

const { app } = inject('packed');

/** Maximum size in bytes, after minify and gzip -9, of an import statement or of a file of the package. */
const budget = JSON.parse(readFileSync(join(root, 'size-budget.json'), 'utf8')) as {
  lines: Record<string, number>;
  files: Record<string, number>;
};

const gzip = (code: string) => gzipSync(code, { level: 9 }).length;

/** The bundle of an import: the bytes loaded at once, and the packages in them. */
async function bundled(line: string): Promise<{ bytes: number; packages: string[] }> {
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: line, resolveDir: app },
    absWorkingDir: app,
    bundle: true,
    minify: true,
    splitting: true, // The inline worker is loaded on demand and is no part of the page's code.
    format: 'esm',
    external: [
      '@mlc-ai/web-llm',
      '@modelcontextprotocol/client',
      '@opentelemetry/api',
      'react',
      'unpdf',
      'vue',
    ], // Applications that import their adapters have chosen them.
    conditions: ['production'], // As bundlers with worker support define it.
    outdir: 'sizes',
    metafile: true,
    write: false,
  });
  const [output] = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint === '<stdin>');
  const loaded = new Set(output === undefined ? [] : [output[0]]);
  for (const path of loaded) {
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') loaded.add(next);
  }
  const names = [...loaded].map((path) => basename(path));
  const code = outputFiles.filter(({ path }) => names.includes(basename(path))).map(({ text }) => text);
  const inputs = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  const packages = inputs.flatMap((path) => /node_modules\/([^/]+)\//.exec(path)?.[1] ?? []);
  return { bytes: gzip(code.join('')), packages: [...new Set(packages)].toSorted() };
}

test('the page contains Comlink alone, and IndexedDB if it lists sessions', async () => {
  const packagesOf = async (line: string) => (await bundled(line)).packages;
  expect(await packagesOf(`export { connect, pageTool } from 'rolezero'`)).toEqual(['comlink', 'rolezero']);
  expect(await packagesOf(`export * from 'rolezero/spawn'`)).toEqual(['comlink', 'rolezero']);
  expect(await packagesOf(`export * from 'rolezero'`)).toEqual(['comlink', 'idb', 'rolezero']);
});

test('the worker contains no schema library', async () => {
  const { packages } = await bundled(`export { RoleZero, serve } from 'rolezero/worker'`);
  expect(packages).toEqual(['@stablelib', 'comlink', 'idb', 'rolezero', 'tokenx']);
});

test('every public import stays within its budget', async () => {
  const lines = await Promise.all(
    Object.entries(budget.lines).map(async ([line, most]) => {
      const { bytes } = await bundled(line.replace(/^import/, 'export'));
      return { what: line, bytes, most };
    }),
  );
  const files = Object.entries(budget.files).map(([file, most]) => {
    const code = readFileSync(join(app, 'node_modules/rolezero', file), 'utf8');
    return { what: file, bytes: gzip(code), most };
  });
  const all = [...lines, ...files];
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(2)} kB`.padStart(9);
  console.log(all.map(({ what, bytes, most }) => `${kB(bytes)} of ${kB(most)}  ${what}`).join('\n'));
  expect(all.filter(({ bytes, most }) => bytes > most)).toEqual([]);
});
