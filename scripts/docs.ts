/**
 * Writes `docs/api.md` and builds the documentation site, or serves the site while you write:
 *
 *     npm run docs                      builds into reports/site
 *     npm run docs -- --base /rolezero/ builds for a folder of a host; further options go to VitePress
 *     npm run docs:dev                  serves the pages; they reload when you save them
 */
import { spawn } from 'node:child_process';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiReport } from './api-report.js';
import { extraPackages } from './extra-packages.mjs';
import { main as writeReference } from './reference.js';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function main(args: readonly string[]): Promise<number> {
  if (args[0] !== 'dev') {
    writeFileSync(join(root, 'docs/api.md'), apiReport());
    return buildSite(args);
  }
  const code = existsSync(join(root, 'reports/reference')) ? 0 : await writeReference([]);
  return code || vitepress(args);
}

/** Builds the reference and the site. Returns the exit code. */
export async function buildSite(args: readonly string[]): Promise<number> {
  return (await writeReference([])) || vitepress(['build', ...args]);
}

/** Runs VitePress for the folder `docs`. */
function vitepress([command = '', ...options]: readonly string[]): Promise<number> {
  const packages = join(extraPackages('vitepress'), 'node_modules');
  const link = join(root, 'docs/.vitepress/node_modules');
  rmSync(link, { force: true });
  symlinkSync(packages, link, 'junction'); // The theme and the build import VitePress from there.
  const program = join(packages, 'vitepress/bin/vitepress.js');
  const child = spawn(process.execPath, [program, command, 'docs', ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
