import * as esbuild from 'esbuild';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, inject, test } from 'vitest';
import { root } from './paths.js';
import { node } from './run.js';

const { tarball, files, app } = inject('packed');

/** What is one line of text or other people's code. */
const WITHOUT_MAP =
  /(worker-inline|tools\/terminal\/(shell-worker|just-bash)|browser\/driver-source)\.js\.map$/;

interface Manifest {
  exports: Record<string, unknown>;
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json');

test('the tarball holds the source, four files for each of its modules, the whole files, and nothing else', () => {
  const modules = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.ts$/, ''));
  const built = modules.flatMap((name) => [
    `src/${name}.ts`,
    `dist/${name}.js`,
    `dist/${name}.js.map`,
    `dist/${name}.d.ts`,
    `dist/${name}.d.ts.map`,
  ]);
  const whole = ['dist/index.bundle.js', 'dist/page-driver.js', 'dist/spawn/index.bundle.js'].flatMap(
    (name) => [name, `${name}.map`],
  );
  const papers = ['README.md', 'CHANGELOG.md'].filter((name) => existsSync(join(root, name)));
  const expected = [
    ...built.filter((name) => !WITHOUT_MAP.test(name)),
    ...whole,
    ...papers,
    'dist/page-frame.html',
    'dist/third-party-licenses.txt',
    'LICENSE',
    'package.json',
    // What makes the files of two embedders from their packages.
    'scripts/glove-embeddings.mjs',
    'scripts/universal-sentence-encoder.mjs',
  ];
  expect(files.toSorted()).toEqual(expected.toSorted());
});

test('publint has nothing to say', async () => {
  const data = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg as Record<string, unknown>))).toEqual([]);
});

test('types are found and right under every module resolution that knows ESM', async () => {
  const attw = createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json');
  const program = join(attw, '../dist/index.js');
  // It ends with 1, and `node` rejects with the table, when anything is wrong.
  const table = await node([program, tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'], root);
  for (const entry of entries) expect(table).toContain(`"${entry.replace('.', 'rolezero')}"`);
});

test('every public entry can be imported on a server, and touches nothing of a browser', async () => {
  writeFileSync(
    join(app, 'import-all.js'),
    `const touched = [];
    const browser = ['window', 'document', 'self', 'location', 'navigator', 'indexedDB', 'localStorage', 'Worker', 'postMessage'];
    for (const name of browser) {
      const get = () => {
        const asker = new Error(name).stack.split('\\n')[2];
        // zod looks for Cloudflare in \`navigator\`, if there is one; the shell's interpreter, web-llm and what draws pages for a DOM.
        if (!/\\/zod\\/|just-bash\\.js|\\/web-llm\\/lib\\/|page-driver\\.js/.test(asker)) touched.push(name + asker);
      };
      Object.defineProperty(globalThis, name, { configurable: true, get });
    }
    const exported = {};
    for (const entry of ${JSON.stringify(entries)}) {
      exported[entry] = Object.keys(await import(entry.replace('.', 'rolezero'))).length > 0;
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

test.each(['spawn/worker', 'tools/terminal/shell-worker'])(
  '%s needs no other file, and its text is the file letter by letter',
  async (name) => {
    const worker = join(app, 'node_modules/rolezero/dist', name);
    const file = readFileSync(`${worker}.js`, 'utf8');
    const { source } = (await import(`${worker}-inline.js`)) as { source: string };
    // Not `toBe` on the texts: the difference of two minified files is nothing to look at.
    expect(file.replace(/\n\/\/# sourceMappingURL=[\w.-]+\n?$/, '\n') === source).toBe(true);

    const { metafile } = await esbuild.build({
      entryPoints: [`${worker}.js`],
      bundle: true,
      external: ['*'],
      format: 'esm',
      metafile: true,
      write: false,
    });
    expect(
      Object.values(metafile.outputs).flatMap(({ imports, exports }) => [...imports, ...exports]),
    ).toEqual([]);
  },
);
