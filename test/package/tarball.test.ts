import * as esbuild from 'esbuild';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, inject, test } from 'vitest';
import { localFile, mapLinks } from '../../docs/.vitepress/links.js';
import { publicEntries } from '../../scripts/public-entries.mjs';
import { BUDGET, overBudget } from '../budget.js';
import { root } from './paths.js';
import { node } from './run.js';

const { tarball, files, app } = inject('packed');

/** Pages of `docs/` that are not in the package. */
const NOT_SHIPPED = [
  'api',
  'architecture',
  'benchmarks',
  'comparison',
  'coverage',
  'durability-tests',
  'threat-model',
].map((page) => `${page}.md`);

const entries = [...publicEntries().keys()];

test('the tarball contains two files per module, the bundles, the guides, and nothing else', () => {
  const modules = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.ts$/, ''))
    .filter((name) => !name.startsWith('runtimes/javascript/guest/')); // the library of the interpreter is in a bundle
  // The driver of pages is in bundles. Only these two modules of it are used elsewhere, and the types of another one.
  const driver = 'tools/browser/driver';
  const used = [`${driver}/site/handshake`, `${driver}/view/quote`];
  const built = modules.flatMap((name) => {
    if (name === `${driver}/site/allow-driving`) return [`dist/${name}.d.ts`];
    if (name.startsWith(`${driver}/`) && !used.includes(name)) return [];
    return [`dist/${name}.js`, `dist/${name}.d.ts`];
  });
  const bundles = ['dist/index.bundle.js', 'dist/page-driver.js', 'dist/spawn/index.bundle.js'];
  const guides = ['docs', 'docs/how-to'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md') && !NOT_SHIPPED.includes(name))
      .map((name) => `${folder}/${name}`),
  );
  const papers = ['AGENTS.md', 'README.md', 'CHANGELOG.md'].filter((name) => existsSync(join(root, name)));
  const expected = [
    ...built,
    ...bundles,
    ...guides,
    ...papers,
    'dist/page-frame.html',
    'dist/third-party-licenses.txt',
    'LICENSE',
    'package.json',
    // This script produces the model files of an embedder.
    'scripts/universal-sentence-encoder.mjs',
  ];
  expect(files.toSorted()).toEqual(expected.toSorted());
});

test('the tarball stays within its budget', () => {
  const { size } = statSync(tarball);
  expect(overBudget([{ what: 'tarball', value: size, limit: BUDGET.tarball }], 'kB')).toEqual([]);
});

test('links of the README, the guides and the changelog work in the package: each is absolute or leads to a file of it', () => {
  const pages = files.filter((name) => name.endsWith('.md'));
  let count = 0;
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(app, 'node_modules/rolezero', page), 'utf8');
    const links: string[] = [];
    mapLinks(text, (href) => {
      links.push(href);
      return href;
    });
    return links.flatMap((href) => {
      if (/^(?:[a-z]+:|#)/i.test(href)) return [];
      count += 1;
      const target = localFile(href, page)?.file ?? '';
      return files.includes(target) ? [] : [`${page}: ${href}`];
    });
  });
  expect(dead).toEqual([]);
  expect(count).toBeGreaterThan(100);
});

test('unpkg and jsdelivr serve the bundle that works without a bundler', () => {
  const installed = readFileSync(join(app, 'node_modules/rolezero/package.json'), 'utf8');
  const { unpkg, jsdelivr } = JSON.parse(installed) as Record<string, string>;
  expect([unpkg, jsdelivr]).toEqual(['./dist/spawn/index.bundle.js', './dist/spawn/index.bundle.js']);
});

test('publint reports nothing', async () => {
  const data = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg as Record<string, unknown>))).toEqual([]);
});

test('every public entry can be imported on a server and uses no browser API', async () => {
  writeFileSync(
    join(app, 'import-all.js'),
    `const touched = [];
    const browser = ['window', 'document', 'self', 'location', 'navigator', 'indexedDB', 'localStorage', 'Worker', 'postMessage'];
    for (const name of browser) {
      const get = () => {
        const asker = new Error(name).stack.split('\\n')[2];
        // zod looks for Cloudflare in \`navigator\`, if there is one, and the JSON Schema validator for a base URL; the shell's interpreter,
        // git's library, web-llm, Vue, lit and what draws pages for a DOM.
        if (!/\\/zod\\/|just-bash\\.js|run-git\\.js|\\/web-llm\\/lib\\/|page-driver\\.js|\\/@vue\\/|\\/lit-html\\//.test(asker)) touched.push(name + asker);
      };
      Object.defineProperty(globalThis, name, { configurable: true, get });
    }
    const exported = {};
    for (const entry of ${JSON.stringify(entries)}) {
      exported[entry] = Object.keys(await import(entry)).length > 0;
    }
    console.log(JSON.stringify({ touched, exported }));`,
  );
  expect(JSON.parse(await node(['import-all.js'], app))).toEqual({
    touched: [],
    exported: Object.fromEntries(entries.map((entry) => [entry, true])),
  });
});

test('in Node the terminal runs without a worker', async () => {
  writeFileSync(
    join(app, 'terminal.js'),
    `import { commands, runRole, scriptedModel } from 'rolezero/testing';
    import { editor } from 'rolezero/tools';
    import { terminal } from 'rolezero/tools/terminal';
    import { RoleZero } from 'rolezero/worker';

    const work = commands(
      ['Editor.write', { path: '/a.txt', content: 'b\\na\\n' }],
      ['Terminal.run_command', { cmd: 'sort /a.txt | gzip | zcat > /b.txt' }],
      ['end', {}],
    );
    const role = new RoleZero({ model: scriptedModel({ think: work }), tools: [...editor(), ...terminal()] });
    const { files } = await runRole(role, 'sort it');
    console.log(JSON.stringify(files));`,
  );
  expect(JSON.parse(await node(['terminal.js'], app))).toEqual({ '/a.txt': 'b\na\n', '/b.txt': 'a\nb\n' });
});

/** The modules that a file of the package imports or exports. */
async function linksOf(path: string): Promise<string[]> {
  const { metafile } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    external: ['*'],
    format: 'esm',
    metafile: true,
    write: false,
  });
  return Object.values(metafile.outputs).flatMap(({ imports, exports }) => [
    ...imports.map((each) => each.path),
    ...exports,
  ]);
}

test('the ready-made worker needs no other file, and its inline text is the same', async () => {
  const worker = join(app, 'node_modules/rolezero/dist/spawn/worker');
  const { source } = (await import(`${worker}-inline.js`)) as { source: string };
  // Not `toBe` on the texts: a difference of two minified files is unreadable.
  expect(readFileSync(`${worker}.js`, 'utf8') === source).toBe(true);
  expect(await linksOf(`${worker}.js`)).toEqual([]);
});

test("the shell's worker needs only its interpreter, and its inline text nothing", async () => {
  const worker = join(app, 'node_modules/rolezero/dist/tools/terminal/shell-worker');
  expect(await linksOf(`${worker}.js`)).toEqual(['./just-bash.js']);
  const { source } = (await import(`${worker}-inline.js`)) as { source: string };
  const inline = join(app, 'inline-shell.js');
  writeFileSync(inline, source);
  expect(await linksOf(inline)).toEqual([]);
});
