// @ts-check
/**
 * Runs the tests and ends with one line of totals. Finds a Chromium first, or installs one. Tests in Firefox and WebKitGTK run where
 * these are installed; the gate and the long tests install them where they can.
 *
 * - `npm test` runs the fast tests and prints the number of long tests that it skipped.
 * - `npm run test:gate` runs the long tests of `gate.mjs`, with short series. CI runs it after the fast tests.
 * - `npm run test:long` runs the long tests, which are files named `*.long.test.ts`, and the fast browser tests in Firefox
 *   and WebKitGTK. The size is 0.3: short series, and no test with the tag `nightly`. `-- --size 3` makes series of kills, attacks,
 *   and simulations ten times as long, and leaves out nothing.
 * - `npm run test:all` runs the fast and the long tests.
 *
 * Further arguments go to Vitest and select from all tests, at size 1: `npm test -- test/unit/plan`, `npm test --
 * --project browser`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extraPackages } from './extra-packages.mjs';
import { GATE, GATE_SIZE, LONG_SIZE } from './gate.mjs';
import { otherEngines } from './other-engines.mjs';
import { runTests } from './run-tests.mjs';
import { findChromium, installEngines, reportEngines } from './test-browsers.mjs';

const KINDS = ['unit', 'browser', 'e2e', 'engines', 'package'];
const MODES = ['--gate', '--long', '--all'];

const root = fileURLToPath(new URL('..', import.meta.url));
const browser = await findChromium();

const { mode, size, given } = readArguments(process.argv.slice(2));
if (mode !== 'fast' && mode !== 'selected') installEngines();
if (mode !== 'selected') reportEngines();

// Vite resolves it before any test runs.
if (mode === '--long' || mode === '--all' || given.some((arg) => /transformers|browser-long/.test(arg)))
  extraPackages('transformers');
const started = Date.now();
const { code, passed, failed, skipped, slowest, engines } = await runTests([...selection(), ...given], {
  browser,
  size,
});
if (mode !== 'fast' && mode !== 'selected')
  console.log(`Slowest files: ${slowest.slice(0, 12).map(timeOf).join(', ')}`);
for (const [engine, { version, ...figures }] of Object.entries(engines))
  console.log(
    `In ${version ?? engine}: ${figures.passed} passed, ${figures.failed} failed, ${figures.skipped} skipped`,
  );
console.log(`Took ${Math.round((Date.now() - started) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (mode === 'fast') console.log(`${countLongTests()} long tests not run: npm run test:all`);
process.exitCode = code || (failed > 0 ? 1 : 0);

/**
 * Separates our arguments from those for Vitest.
 *
 * @param {string[]} args
 */
function readArguments(args) {
  const mode = MODES.find((each) => args.includes(each));
  const others = args.filter((arg) => arg !== mode);
  const at = others.indexOf('--size');
  const [, text] = at === -1 ? [] : others.splice(at, 2);
  const standard = mode === '--gate' ? GATE_SIZE : mode === undefined ? 1 : LONG_SIZE;
  const size = Number(text ?? standard);
  if (!(size > 0)) {
    console.error(`--size must be a positive number, got ${text}.`);
    process.exit(1);
  }
  return { mode: mode ?? (others.length === 0 ? 'fast' : 'selected'), size, given: others };
}

/** @param {{ file: string, ms: number }} file */
function timeOf({ file, ms }) {
  return `${file} ${Math.round(ms / 1000)} s`;
}

/** The arguments that select the projects of a mode, and the files of the gate. */
function selection() {
  const fast = KINDS.map((kind) => `--project=${kind}`);
  const long = KINDS.map((kind) => `--project=${kind}-long`);
  const others = otherEngines().map((engine) => `--project=browser-${engine}`);
  if (mode === '--all') return [...fast, ...long, ...others];
  if (mode === '--long') return [...long, ...others];
  if (mode === '--gate') return [...long, ...others, ...GATE];
  return mode === 'fast' ? fast : [];
}

/** Counts the long tests in the source, without running them. A table of tests and a shared suite count as one test. */
function countLongTests() {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.long.test.ts'),
  );
  /** @param {string} path */
  const testsIn = (path) =>
    readFileSync(join(root, 'test', path), 'utf8').match(/^\s*(?:it|test)\b[.(]/gm) ?? [];
  return files.reduce((sum, path) => sum + Math.max(1, testsIn(path).length), 0);
}
