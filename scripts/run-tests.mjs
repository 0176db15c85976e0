// @ts-check
/** Runs Vitest in a process group of its own, so that workers, servers and browsers end with an interrupted run. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const reportFile = join(root, 'reports/tests.json');
const isPosix = process.platform !== 'win32';
const program = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** @typedef {import('./test-report.mjs').Totals} Totals */

/**
 * Runs Vitest and returns its report. Ends the process when Vitest wrote none.
 *
 * @param {readonly string[]} args
 * @param {{ browser: string, size?: number, isQuiet?: boolean }} options `size` is the factor of the length of series; a quiet run
 *   prints nothing.
 * @returns {Promise<Totals & { code: number }>} `failed` includes what failed outside of any test.
 */
export async function runTests(args, { browser, size = 1, isQuiet = false }) {
  rmSync(reportFile, { force: true });
  const child = spawn(process.execPath, [program, 'run', ...args], {
    cwd: root,
    stdio: ['ignore', isQuiet ? 'ignore' : 'inherit', isQuiet ? 'ignore' : 'inherit'],
    env: { ...process.env, CHROMIUM_PATH: browser, TEST_REPORT: reportFile, TEST_SIZE: String(size) },
    detached: isPosix,
  });
  /** @type {(signal: NodeJS.Signals) => void} */
  const forward = (signal) => void signalGroup(child, signal);
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, forward);
  /** @type {number} */
  const code = await new Promise((done) => child.on('close', (exitCode) => done(exitCode ?? 1)));
  for (const signal of signals) process.off(signal, forward);
  for (let second = 0; signalGroup(child, second < 10 ? 'SIGTERM' : 'SIGKILL') && second < 11; second++)
    await sleep(1000);
  if (!existsSync(reportFile)) {
    console.error('The tests ended without a report.');
    process.exit(code || 1);
  }
  /** @type {Totals} */
  const totals = JSON.parse(readFileSync(reportFile, 'utf8'));
  return { ...totals, failed: totals.failed + totals.outside || (code === 0 ? 0 : 1), code };
}

/**
 * Sends a signal to every process of a run. Returns false when none is left.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (!isPosix) return child.kill(signal);
  try {
    return process.kill(-(child.pid ?? 0), signal);
  } catch {
    return false;
  }
}
