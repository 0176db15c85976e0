/**
 * Runs the tests and ends with one line of totals. Finds a Chromium first, or installs one. Tests in Firefox and WebKitGTK run where
 * these are installed; the long tests install them where they can.
 *
 * - `npm test` runs the fast tests and prints the number of long tests that it skipped.
 * - `npm run test:long` runs the long tests, which are files named `*.long.test.ts`, and the fast browser tests in Firefox
 *   and WebKitGTK.
 * - `npm run test:all` runs both.
 *
 * Further arguments go to Vitest and select from all tests: `npm test -- test/unit/plan`, `npm test -- --project
 * browser`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumPath } from './chromium.mjs';
import { extraPackages } from './extra-packages.mjs';
import { OTHER_ENGINES, otherEngines } from './other-engines.mjs';

const KINDS = ['unit', 'browser', 'e2e', 'engines', 'package'];

const root = fileURLToPath(new URL('..', import.meta.url));
const report = join(root, 'reports/tests.json');
const isPosix = process.platform !== 'win32';
const { resolve } = createRequire(import.meta.url);
const program = join(dirname(resolve('vitest/package.json')), 'vitest.mjs');

const browser = (await working(chromiumPath())) ?? (await installed());
if (browser === undefined) {
  console.error(
    'No Chromium, Chrome or Edge starts. Install one, or set its path: CHROMIUM_PATH=/path/to/chrome npm test',
  );
  process.exit(1);
}
console.log(`Browser: ${browser}`);

const [mode, ...others] = process.argv.slice(2);
const isLong = mode === '--all' || mode === '--long';
const given = isLong ? others : process.argv.slice(2);
const isFast = !isLong && given.length === 0;
if (isLong) installEngines();
if (isLong || isFast) reportEngines();

// Vite resolves it before any test runs.
if (isLong || given.some((arg) => /transformers|browser-long/.test(arg))) extraPackages('transformers');
rmSync(report, { force: true });
const started = Date.now();
const code = await vitest([...selection(), ...given]);
if (!existsSync(report)) {
  console.error('The tests ended without a report.');
  process.exit(code || 1);
}
const { passed, skipped, outside, retried, slowest, engines, ...totals } = JSON.parse(
  readFileSync(report, 'utf8'),
);
// Files that do not load and uncaught errors fail outside of any test.
const failed = totals.failed + outside || (code === 0 ? 0 : 1);
for (const { test, because } of retried) console.log(`Passed only on a retry: ${test}\n${indented(because)}`);
if (isLong) console.log(`Slowest files: ${slowest.slice(0, 12).map(timeOf).join(', ')}`);
for (const [engine, { version, ...figures }] of Object.entries(engines))
  console.log(
    `In ${version ?? engine}: ${figures.passed} passed, ${figures.failed} failed, ${figures.skipped} skipped`,
  );
console.log(`Took ${Math.round((Date.now() - started) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (isFast) console.log(`${countLongTests()} long tests not run: npm run test:all`);
process.exitCode = code || (failed > 0 ? 1 : 0);

/** What a test waited for, and where in its own files; indented. */
function indented(error) {
  return error
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, 15)
    .map((line) => `  ${line}`)
    .join('\n');
}

function timeOf({ file, ms }) {
  return `${file} ${Math.round(ms / 1000)} s`;
}

/** The arguments that select the projects of a mode. */
function selection() {
  const fast = KINDS.map((kind) => `--project=${kind}`);
  const long = [
    ...KINDS.map((kind) => `--project=${kind}-long`),
    ...otherEngines().map((engine) => `--project=browser-${engine}`),
  ];
  if (mode === '--all') return [...fast, ...long];
  if (mode === '--long') return long;
  return isFast ? fast : [];
}

/** Installs the other engines that are missing, where that needs no question to the user: as root on Debian. */
function installEngines() {
  const missing = Object.keys(OTHER_ENGINES).filter((engine) => !otherEngines().includes(engine));
  if (missing.length === 0 || !canInstall()) return;
  console.log(
    `Installing ${missing.map((engine) => OTHER_ENGINES[engine].label).join(' and ')} with apt-get.`,
  );
  aptInstall(missing.flatMap((engine) => OTHER_ENGINES[engine].packages));
}

/** Says for each other engine whether tests run in it. */
function reportEngines() {
  for (const [engine, { label, packages }] of Object.entries(OTHER_ENGINES)) {
    if (otherEngines().includes(engine)) console.log(`${label}: installed`);
    else
      console.log(
        `${label}: not installed, its tests are skipped. Debian: apt-get install ${packages.join(' ')}`,
      );
  }
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], env);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], env);
}

/**
 * Returns the path if a browser starts from it. Some distributions install a script there that only prints how to get
 * one.
 */
async function working(path) {
  if (path === undefined) return undefined;
  try {
    const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
    await browser.close();
    return path;
  } catch (error) {
    console.log(`${path} does not start: ${String(error.message).split('\n')[0]}`);
    return undefined;
  }
}

/** Installs a Chromium: Playwright's own, or else the distribution's. */
async function installed() {
  if (process.env.CHROMIUM_PATH) return undefined; // never replace the requested browser
  console.log('No browser found: installing Chromium with Playwright.');
  const playwright = join(dirname(resolve('playwright/package.json')), 'cli.js');
  run(process.execPath, [playwright, 'install', 'chromium']);
  const own = await working(existing(chromium.executablePath()));
  if (own !== undefined) return own;
  if (!canInstall()) return undefined;
  console.log('That failed: installing Chromium with apt-get.');
  aptInstall(['chromium']);
  return working(existing('/usr/bin/chromium'));
}

function existing(path) {
  return path && existsSync(path) ? path : undefined;
}

/** Runs a step that may fail, and prints its output only in that case. */
function run(command, args, env = process.env) {
  try {
    execFileSync(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  } catch (error) {
    const output = String(error.stderr ?? error.message).trim();
    console.log(`${command} ${args.join(' ')} failed: ${output.split('\n').slice(-3).join(' | ')}`);
  }
}

async function vitest(args) {
  const child = spawn(process.execPath, [program, 'run', ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CHROMIUM_PATH: browser, TEST_REPORT: report },
    detached: isPosix, // A process group, so that workers, servers and browsers end with an interrupted run.
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signalGroup(child, signal));
  const exitCode = await new Promise((done) => child.on('close', (code) => done(code ?? 1)));
  for (let second = 0; signalGroup(child, second < 10 ? 'SIGTERM' : 'SIGKILL') && second < 11; second++)
    await sleep(1000);
  return exitCode;
}

/** Sends a signal to every process of a run. Returns false when none is left. */
function signalGroup(child, signal) {
  if (!isPosix) return child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** Counts the long tests in the source, without running them. A table of tests and a shared suite count as one test. */
function countLongTests() {
  const files = readdirSync(join(root, 'test'), { recursive: true }).filter((path) =>
    path.endsWith('.long.test.ts'),
  );
  const testsIn = (path) =>
    readFileSync(join(root, 'test', path), 'utf8').match(/^\s*(?:it|test)\b[.(]/gm) ?? [];
  return files.reduce((sum, path) => sum + Math.max(1, testsIn(path).length), 0);
}
