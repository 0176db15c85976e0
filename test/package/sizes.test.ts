import * as esbuild from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { BUDGET, overBudget } from '../budget.js';
import { root } from './paths.js';

const { app } = inject('packed');

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
      'mammoth',
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
  expect(packages).toEqual(['@stablelib', 'comlink', 'diff', 'idb', 'rolezero', 'tokenx']);
});

test('every public import stays within its budget', async () => {
  const lines = await Promise.all(
    Object.entries(BUDGET.lines).map(async ([what, limit]) => {
      const { bytes } = await bundled(what.replace(/^import/, 'export'));
      return { what, value: bytes, limit };
    }),
  );
  const files = Object.entries(BUDGET.files).map(([what, limit]) => {
    const code = readFileSync(join(app, 'node_modules/rolezero', what), 'utf8');
    return { what, value: gzip(code), limit };
  });
  // The benchmark page shows the sizes that were stored last.
  const stored = process.env['STORE_SIZES'];
  if (stored !== undefined)
    writeFileSync(
      join(root, stored),
      `${JSON.stringify(Object.fromEntries(lines.map(({ what, value }) => [what, value])), null, 2)}\n`,
    );
  expect(overBudget([...lines, ...files], 'kB')).toEqual([]);
});
