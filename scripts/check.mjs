/**
 * `npm run check`: runs the type check, the linter, the format check, the search for unused code and the spell check
 * in parallel. The type check, the format check and the spell check use caches in `node_modules/.cache`; `npm run
 * check -- --no-cache`, which CI runs, ignores them.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { resolve } = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const cached = !process.argv.includes('--no-cache');
const cache = (name) =>
  cached ? ['--cache', '--cache-strategy=content', `--cache-location=node_modules/.cache/${name}`] : [];

const checks = {
  types: [
    // The native compiler takes a fifth of the time. It has no API, so that scripts and tests use the other one.
    fileURLToPath(new URL('../node_modules/typescript-native/bin/tsc', import.meta.url)),
    ...(cached ? [] : ['--incremental', 'false', '--tsBuildInfoFile', 'null']),
  ],
  rules: [resolve('oxlint/package.json').replace('package.json', 'bin/oxlint'), '.'],
  format: [
    resolve('prettier/package.json').replace('package.json', 'bin/prettier.cjs'),
    '--check',
    '.',
    '--log-level=warn',
    ...cache('prettier-check'),
  ],
  unused: [fileURLToPath(new URL('../node_modules/knip/bin/knip.js', import.meta.url)), '--no-progress'],
  spelling: [
    fileURLToPath(new URL('../node_modules/cspell/bin.mjs', import.meta.url)),
    'lint',
    '--no-progress',
    '--no-summary',
    ...(cached ? [] : ['--no-cache']),
  ],
};

const results = await Promise.all(Object.entries(checks).map(([name, args]) => run(name, args)));
process.exitCode = results.every((code) => code === 0) ? 0 : 1;

/** Runs one check and prints its output when it has ended. Returns its exit code. */
function run(name, args) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  return new Promise((done) => {
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
      if (output.trim() !== '') console.log(output.trimEnd());
      done(code ?? 1);
    });
  });
}
