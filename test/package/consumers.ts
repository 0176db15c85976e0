import * as esbuild from 'esbuild';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import webpack from 'webpack';
import type { Source } from './browser.js';
import { root } from './paths.js';
import { node, npm, start } from './run.js';
import { serveFolder, type Site } from './static-server.js';

/** An application as `app/`, made ready for browsers without any configuration beyond naming its pages. */
export interface Consumer {
  name: string;
  /** Where the ready-made worker comes from: its file, or the text inside the page's code. */
  spawnsFrom: Source;
  /** Where the terminal's worker comes from; text while developing, and where nothing says that a build knows workers. */
  shellFrom: Source;
  /** `folder` is a fresh copy of the application with the package installed. */
  serve(folder: string): Promise<Site>;
}

/** Not among the dependencies of development: their lock file could not hold two majors of Vite on every platform. */
const VITE_7 = '7.3.8';

const vite8 = () => Promise.resolve(join(root, 'node_modules/vite/bin/vite.js'));

/** Installed once and kept with the other dependencies. */
async function vite7(): Promise<string> {
  const folder = join(root, `node_modules/.cache/vite-${VITE_7}`);
  const program = join(folder, 'node_modules/vite/bin/vite.js');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    await npm(['install', '--prefer-offline', `vite@${VITE_7}`], folder);
  }
  return program;
}

const viteDev = (program: () => Promise<string>) => async (folder: string) => {
  const args = [await program(), '--host', '127.0.0.1', '--port', '0', '--clearScreen', 'false'];
  const { match, stop } = await start(args, folder, /http:\/\/127\.0\.0\.1:\d+/);
  return { origin: match, close: stop };
};

const viteBuild = (program: () => Promise<string>) => async (folder: string) => {
  const pages = ['own.html', 'spawn.html'].map((page) => JSON.stringify(join(folder, page)));
  // One page would need no configuration at all.
  writeFileSync(
    join(folder, 'vite.config.js'),
    `export default { base: './', build: { rollupOptions: { input: [${pages.join(', ')}] } } };`,
  );
  await node([await program(), 'build', '--logLevel', 'warn'], folder);
  return serveFolder(join(folder, 'dist'));
};

async function webpackBuild(folder: string): Promise<Site> {
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry: { own: './own.js', spawn: './spawn.js' },
    output: { path: join(folder, 'dist') },
    performance: { hints: false },
  });
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    compiler.run((error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
  await new Promise((resolve) => compiler.close(resolve));
  if (stats === undefined || stats.hasErrors() || stats.hasWarnings()) throw new Error(stats?.toString());
  return servePages(folder);
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

function servePages(folder: string): Promise<Site> {
  for (const page of ['own.html', 'spawn.html']) cpSync(join(folder, page), join(folder, 'dist', page));
  return serveFolder(join(folder, 'dist'));
}

export const consumers: readonly Consumer[] = [
  { name: 'Vite 8, dev server', spawnsFrom: 'file', shellFrom: 'text', serve: viteDev(vite8) },
  { name: 'Vite 8, build', spawnsFrom: 'file', shellFrom: 'file', serve: viteBuild(vite8) },
  { name: 'Vite 7, dev server', spawnsFrom: 'text', shellFrom: 'text', serve: viteDev(vite7) },
  { name: 'Vite 7, build', spawnsFrom: 'file', shellFrom: 'file', serve: viteBuild(vite7) },
  { name: 'webpack 5', spawnsFrom: 'file', shellFrom: 'file', serve: webpackBuild },
  { name: 'esbuild', spawnsFrom: 'text', shellFrom: 'text', serve: esbuildBuild },
];
