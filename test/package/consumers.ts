import * as esbuild from 'esbuild';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Source } from './browser.js';
import { extraPackages } from '../../scripts/extra-packages.mjs';
import { root } from './paths.js';
import { node, start } from './run.js';
import { serveFolder, type Site } from './static-server.js';

/** The application in `app/`, built for browsers without any configuration except the list of its pages. */
export interface Consumer {
  name: string;
  /** Where the ready-made worker comes from: its file, or the text inside the page's code. */
  spawnsFrom: Source;
  /**
   * Where the terminal's worker comes from: text during development, and where the build tool does not signal worker
   * support.
   */
  shellFrom: Source;
  /** `folder` is a new copy of the application with the installed package. */
  serve(folder: string): Promise<Site>;
}

const vite8 = () => Promise.resolve(join(root, 'node_modules/vite/bin/vite.js'));
const vite = (group: 'vite-6' | 'vite-7') => () =>
  Promise.resolve(join(extraPackages(group), 'node_modules/vite/bin/vite.js'));

const viteDev = (program: () => Promise<string>) => async (folder: string) => {
  const args = [await program(), '--host', '127.0.0.1', '--port', '0', '--clearScreen', 'false'];
  const { match, stop } = await start(args, folder, /http:\/\/127\.0\.0\.1:\d+/);
  return { origin: match, close: stop };
};

const viteBuild = (program: () => Promise<string>) => async (folder: string) => {
  const pages = ['own.html', 'spawn.html'].map((page) => JSON.stringify(join(folder, page)));
  // A single page would need no configuration.
  writeFileSync(
    join(folder, 'vite.config.js'),
    `export default { base: './', build: { rollupOptions: { input: [${pages.join(', ')}] } } };`,
  );
  await node([await program(), 'build', '--logLevel', 'warn'], folder);
  return serveFolder(join(folder, 'dist'));
};

/** The part of webpack's interface that is used here; Rspack has the same. */
type Webpack = (options: object) => {
  run(done: (error: Error | null, stats?: Stats) => void): void;
  close(done: () => void): void;
};

interface Stats {
  hasErrors(): boolean;
  hasWarnings(): boolean;
  toString(): string;
}

const webpackBuild = (compilerOf: () => Webpack) => async (folder: string) => {
  const compiler = compilerOf()({
    mode: 'production',
    context: folder,
    entry: { own: './own.js', spawn: './spawn.js' },
    output: { path: join(folder, 'dist') },
    performance: { hints: false },
  });
  const stats = await new Promise<Stats | undefined>((resolve, reject) => {
    compiler.run((error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
  await new Promise<void>((resolve) => compiler.close(resolve));
  if (stats === undefined || stats.hasErrors() || stats.hasWarnings()) throw new Error(stats?.toString());
  return servePages(folder);
};

function webpack(): Webpack {
  return createRequire(join(extraPackages('webpack'), 'package.json'))('webpack') as Webpack;
}

function rspack(): Webpack {
  const from = createRequire(join(extraPackages('rspack'), 'package.json'));
  return (from('@rspack/core') as { rspack: Webpack }).rspack;
}

/**
 * Rollup reads packages and CommonJS through its two plugins, and takes the worker as a separate entry. It does not
 * bundle workers of packages: the terminal uses its inline text.
 */
async function rollupBuild(folder: string): Promise<Site> {
  const tool = extraPackages('rollup');
  const agent = join(folder, 'agent.worker.js');
  const text = readFileSync(agent, 'utf8');
  writeFileSync(agent, text.replace('rolezero/tools/terminal', 'rolezero/tools/terminal/inline'));
  writeFileSync(
    join(folder, 'rollup.config.mjs'),
    `import { createRequire } from 'node:module';
    const from = createRequire(${JSON.stringify(join(tool, 'package.json'))});
    const { nodeResolve } = from('@rollup/plugin-node-resolve');
    const commonjs = from('@rollup/plugin-commonjs');
    export default {
      input: ['own.js', 'spawn.js', 'agent.worker.js'],
      plugins: [nodeResolve({ browser: true }), commonjs()],
      output: { dir: 'dist', entryFileNames: '[name].js' },
    };`,
  );
  await node([join(tool, 'node_modules/rollup/dist/bin/rollup'), '--config', '--silent'], folder);
  return servePages(folder);
}

/**
 * Parcel reads the `exports` of packages only when the application's package.json enables it. Scope hoisting breaks
 * names of workers.
 */
async function parcelBuild(folder: string): Promise<Site> {
  const program = join(extraPackages('parcel'), 'node_modules/parcel/lib/bin.js');
  const manifest = join(folder, 'package.json');
  const settings = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
  writeFileSync(
    manifest,
    JSON.stringify({ ...settings, '@parcel/resolver-default': { packageExports: true } }),
  );
  const options = ['--no-cache', '--no-scope-hoist', '--public-url', './'];
  await node([program, 'build', 'own.html', 'spawn.html', ...options], folder);
  return serveFolder(join(folder, 'dist'));
}

/** The same two pages as components of a Next application, exported as static files. */
async function nextBuild(folder: string): Promise<Site> {
  const home = extraPackages('next');
  // Turbopack reads nothing outside of its root, so the application lies in the folder that has Next.
  const place = mkdtempSync(join(home, 'consumer-'));
  try {
    for (const name of ['play.js', 'agent.worker.js']) cpSync(join(folder, name), join(place, name));
    copyPackages(folder, place);
    cpSync(join(root, 'test/package/next'), place, { recursive: true });
    await node([join(home, 'node_modules/next/dist/bin/next'), 'build'], place);
    cpSync(join(place, 'out'), join(folder, 'out'), { recursive: true });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return serveFolder(join(folder, 'out'));
}

async function esbuildBuild(folder: string): Promise<Site> {
  const { warnings } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: ['own.js', 'spawn.js', 'agent.worker.js'],
    bundle: true,
    minify: true,
    format: 'esm',
    outdir: 'dist',
    logLevel: 'silent',
  });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'));
  return servePages(folder);
}

/** Copies the installed package and its dependencies. React is left out: an application has one copy of it. */
export function copyPackages(app: string, folder: string): void {
  const from = join(app, 'node_modules');
  for (const name of readdirSync(from)) {
    if (['.bin', '@mlc-ai', '@vue', 'react', 'vue'].includes(name)) continue;
    cpSync(join(from, name), join(folder, 'node_modules', name), { recursive: true });
  }
}

function servePages(folder: string): Promise<Site> {
  for (const page of ['own.html', 'spawn.html']) cpSync(join(folder, page), join(folder, 'dist', page));
  return serveFolder(join(folder, 'dist'));
}

/** The build tool of the fast tests. */
export const VITE: Consumer = {
  name: 'Vite 8, build',
  spawnsFrom: 'file',
  shellFrom: 'file',
  serve: viteBuild(vite8),
};

/** The dev servers and builds of other versions of Vite. */
export const viteConsumers: readonly Consumer[] = [
  { name: 'Vite 8, dev server', spawnsFrom: 'file', shellFrom: 'text', serve: viteDev(vite8) },
  { name: 'Vite 7, dev server', spawnsFrom: 'text', shellFrom: 'text', serve: viteDev(vite('vite-7')) },
  { name: 'Vite 7, build', spawnsFrom: 'file', shellFrom: 'file', serve: viteBuild(vite('vite-7')) },
  { name: 'Vite 6, dev server', spawnsFrom: 'text', shellFrom: 'text', serve: viteDev(vite('vite-6')) },
  { name: 'Vite 6, build', spawnsFrom: 'file', shellFrom: 'file', serve: viteBuild(vite('vite-6')) },
];

/** All other build tools. */
export const otherConsumers: readonly Consumer[] = [
  {
    name: 'webpack 5',
    spawnsFrom: 'file',
    shellFrom: 'file',
    serve: webpackBuild(webpack),
  },
  { name: 'Rspack', spawnsFrom: 'file', shellFrom: 'file', serve: webpackBuild(rspack) },
  { name: 'esbuild', spawnsFrom: 'text', shellFrom: 'text', serve: esbuildBuild },
  { name: 'Rollup', spawnsFrom: 'text', shellFrom: 'text', serve: rollupBuild },
  { name: 'Parcel', spawnsFrom: 'file', shellFrom: 'file', serve: parcelBuild },
  { name: 'Next, build', spawnsFrom: 'file', shellFrom: 'file', serve: nextBuild },
];
