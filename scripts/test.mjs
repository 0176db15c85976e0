/**
 * `npm test`: makes sure there is a Chromium, runs all tests, and ends with one line of totals. Arguments go to Vitest:
 * `npm test -- test/unit/plan`, `npm test -- --project browser`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumPath } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const report = join(root, 'reports/tests.json');
const isPosix = process.platform !== 'win32';
const { resolve } = createRequire(import.meta.url);

const browser = (await working(chromiumPath())) ?? (await installed());
if (browser === undefined) {
  console.error(
    'No Chromium, Chrome or Edge that starts. Install one, or name it: CHROMIUM_PATH=/path/to/chrome npm test',
  );
  process.exit(1);
}
console.log(`Browser: ${browser}`);

rmSync(report, { force: true });
const started = Date.now();
const code = await vitest(process.argv.slice(2));
const totals = readTotals();
if (totals === null) {
  console.error('The tests ended without a report.');
  process.exit(code || 1);
}
const { passed, skipped, outside } = totals;
// What fails outside of any test, such as a file that cannot be loaded or an error nobody caught, is no test in the report.
const failed = totals.failed + outside || (code === 0 ? 0 : 1);
console.log(`Took ${Math.round((Date.now() - started) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = code || (failed > 0 ? 1 : 0);

/** The path if a browser there really starts: some distributions install a script in its place that only tells how to get it. */
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

/** Gets a Chromium: Playwright's own, else the distribution's. */
async function installed() {
  if (process.env.CHROMIUM_PATH) return undefined; // the one that was asked for, or none
  console.log('No browser found: installing Chromium with Playwright.');
  const playwright = join(dirname(resolve('playwright/package.json')), 'cli.js');
  run(process.execPath, [playwright, 'install', 'chromium']);
  const own = await working(existing(chromium.executablePath()));
  if (own !== undefined) return own;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log('That did not work: installing Chromium with apt-get.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], env);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], env);
  return working(existing('/usr/bin/chromium'));
}

function existing(path) {
  return path && existsSync(path) ? path : undefined;
}

/** Runs a step which may fail; what it says is shown only then. */
function run(command, args, env = process.env) {
  try {
    execFileSync(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  } catch (error) {
    const said = String(error.stderr ?? error.message).trim();
    console.log(`${command} ${args.join(' ')} failed: ${said.split('\n').slice(-3).join(' | ')}`);
  }
}

async function vitest(args) {
  const program = join(dirname(resolve('vitest/package.json')), 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(process.execPath, [program, 'run', ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CHROMIUM_PATH: browser },
    detached: isPosix, // a process group: the workers of a run that is cut off, their servers and browsers end with it
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => tell(child, signal));
  const exitCode = await new Promise((done) => child.on('close', (code) => done(code ?? 1)));
  for (let second = 0; tell(child, second < 10 ? 'SIGTERM' : 'SIGKILL') && second < 11; second++)
    await sleep(1000);
  return exitCode;
}

/** Sends a signal to everything a run has started; false when nothing of it is left. */
function tell(child, signal) {
  if (!isPosix) return child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

function readTotals() {
  if (!existsSync(report)) return null;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const outside = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
    outside: outside.length,
  };
}
