import { existsSync, readFileSync } from 'node:fs';
import { publicEntries } from './scripts/public-entries.mjs';

const { scripts } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The source files of the package's entry points, under every condition. */
const published = ['types', 'node', 'default']
  .flatMap((condition) => [...publicEntries(condition).values()].map((path) => `src/${path}`))
  .filter((path) => existsSync(new URL(path, import.meta.url)));

/** Programs that scripts/run.mjs starts, such as `npm run bench`. */
const programs = Object.values(scripts).flatMap((line) => /scripts\/run\.mjs (\S+)/.exec(line)?.[1] ?? []);

/** @type {import('knip').KnipConfig} */
export default {
  entry: [
    ...new Set(published),
    ...programs,
    'scripts/*.mjs',
    // The documentation site.
    'docs/.vitepress/config.ts',
    'docs/.vitepress/theme/index.js',
    // Loaded by URL.
    '**/*.worker.{ts,js}',
    '**/*.thread.ts',
    // Scripts of HTML pages.
    'demo/{main,stage,view}.ts',
    'scripts/try/page/main.ts',
    'test/e2e/*/main.ts',
    'test/package/app/{own,play,spawn}.js',
    // Pages of Next.js.
    'test/package/next/{next.config.mjs,app/**/*.js}',
    // Bundled or run by scripts and tests.
    'src/tools/terminal/zlib.ts',
    'src/runtimes/javascript/guest/{index,util-for-assert}.ts',
    'scripts/bench/loop/*.{mjs,ts}',
    'test/e2e/snippets/{connect,page}.ts',
    'test/tiny-model/build-library.mjs',
    // Checked by the compiler alone.
    'test/types/*.ts',
  ],
  project: ['{src,test,demo,scripts,docs/.vitepress}/**/*.{ts,mts,mjs,js,svelte}', '*.{js,ts}'],
  // There are no .vue files.
  vue: false,
  // Resolved by name at run time.
  ignoreDependencies: ['pyodide', 'oxlint', 'oxlint-tsgolint', 'typedoc-plugin-missing-exports'],
  // System tools.
  ignoreBinaries: ['clang', 'fallocate'],
  // The tests copy the pages to a folder that has this file.
  ignoreUnresolved: ['../../play.js'],
  // scripts/extra-packages.mjs installs what benchmarks compare, and what builds the documentation site.
  ignoreIssues: {
    '{scripts,test}/bench/**': ['unlisted'],
    'docs/.vitepress/theme/*': ['unlisted', 'unresolved'],
    // Samples of documents, which a plugin of the tests resolves.
    'test/browser/{memory/cross-encoder,keys/keys-page}.long.test.ts': ['unlisted'],
  },
};
