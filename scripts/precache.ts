/** Makes the demo work offline: a service worker that caches every file of the build. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import type { Plugin } from 'vite';
import { PYTHON_FOLDER } from './python-files.js';

const source = fileURLToPath(new URL('../demo/offline/service-worker.ts', import.meta.url));

/** In bytes. A larger file is a model engine: it is cached on first use, and so is Python. */
const LARGEST = 3_000_000;

/** For Vite: writes `service-worker.js` next to the output. Its version changes when any of the files does. */
export function precachePlugin(): Plugin {
  let directory = '';
  return {
    name: 'rolezero-precache',
    apply: 'build',
    configResolved({ root, build: { outDir } }) {
      directory = resolve(root, outDir);
    },
    async closeBundle() {
      const files = await readFiles(directory);
      const hash = createHash('sha256');
      for (const { path, bytes } of files) hash.update(path).update(bytes);
      const paths = files
        .filter(({ path, bytes }) => bytes.length <= LARGEST && !path.startsWith(PYTHON_FOLDER))
        .map(({ path }) => path);
      const { output } = await build({
        input: source,
        platform: 'browser',
        write: false,
        transform: {
          define: { VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)), FILES: JSON.stringify(paths) },
        },
        output: { format: 'iife', minify: true },
      });
      await writeFile(join(directory, 'service-worker.js'), output[0].code);
    },
  };
}

/** Lists all files below a directory, sorted by path, without the service worker of an earlier build. */
async function readFiles(directory: string): Promise<{ path: string; bytes: Buffer }[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name !== 'service-worker.js')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    paths.map(async (path) => ({
      path: relative(directory, path).split(sep).join('/'),
      bytes: await readFile(path),
    })),
  );
}
