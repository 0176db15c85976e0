import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const ROOT = path('../../');
const CACHE = join(ROOT, 'node_modules/.cache/try-page');
/** What a build depends on: files, and folders with everything below. */
const SOURCES = ['src', 'demo', 'scripts', 'vite.config.ts', 'package-lock.json'];
/** In ms, how long an earlier build stays: another process may serve it. */
const MAX_AGE = 86_400_000;

/** Returns the folder with the page of this script, built as an application would build it. Builds it when a source has changed. */
export async function builtPage(): Promise<string> {
  const folder = join(CACHE, await versionOfSources());
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  await removeOld();
  const made = await mkdtemp(join(CACHE, 'new-'));
  await build({
    root: path('./page'),
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: made, emptyOutDir: true },
  });
  try {
    await rename(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    await rm(made, { recursive: true, force: true }); // Another process has built the same.
  }
  return folder;
}

async function versionOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES)
    for (const file of await filesIn(source))
      hash.update(`${file}\0`).update(await readFile(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

/** The files at a path relative to the root, in a fixed order. */
async function filesIn(source: string): Promise<string[]> {
  if ((await stat(join(ROOT, source))).isFile()) return [source];
  const entries = await readdir(join(ROOT, source), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort();
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const { mtimeMs } = await stat(join(CACHE, name));
    if (Date.now() - mtimeMs > MAX_AGE) await rm(join(CACHE, name), { recursive: true, force: true });
  }
}
