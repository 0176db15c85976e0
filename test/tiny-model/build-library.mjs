/**
 * `node test/tiny-model/build-library.mjs`: compiles `library/` to `library.wasm`, which is committed, so that only a change of
 * `library/` needs a C compiler. Needs clang and lld (Debian: `apt-get install clang lld`). `library.json` says which sources it was made from; a
 * test compares.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const sources = readdirSync(here('library')).toSorted();

execFileSync(
  'clang',
  [
    '--target=wasm32',
    '-O2',
    '-Wall',
    '-Werror',
    '-nostdlib',
    '-fno-builtin',
    '-Wl,--no-entry',
    '-Wl,--strip-all',
    '-Wl,-z,stack-size=65536',
    '-o',
    here('library.wasm'),
    ...sources.filter((name) => name.endsWith('.c')).map((name) => here(`library/${name}`)),
  ],
  { stdio: 'inherit' },
);

const digest = (path) =>
  createHash('sha256')
    .update(readFileSync(here(path)))
    .digest('hex');
const madeFrom = Object.fromEntries(sources.map((name) => [name, digest(`library/${name}`)]));
writeFileSync(
  here('library.json'),
  `${JSON.stringify({ wasm: digest('library.wasm'), sources: madeFrom }, null, 2)}\n`,
);
