// @ts-check
/**
 * Finds unsteady tests: `npm run test:steady -- FILE…` repeats test files beside a load of busy processes, and prints each failure with
 * its first cause.
 *
 *     npm run test:steady -- test/e2e/kill.long.test.ts
 *     npm run test:steady -- test/engines --times 5 --busy 4
 *
 * `--times` is the number of rounds (default 20), `--busy` the number of busy processes (default 2), `--size` the factor of the length
 * of series (default that of the gate). Further arguments go to Vitest. Exits with 1 when any test failed.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { GATE_SIZE } from './gate.mjs';
import { runTests } from './run-tests.mjs';
import { findChromium, reportEngines } from './test-browsers.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '20' },
    busy: { type: 'string', default: '2' },
    size: { type: 'string', default: String(GATE_SIZE) },
  },
});
const times = Number(values.times);
const busy = Number(values.busy);
const size = Number(values.size);
if (positionals.length === 0 || !(times >= 1) || !(busy >= 0) || !(size > 0)) {
  console.error('Usage: npm run test:steady -- FILE… [--times 20] [--busy 2] [--size 0.1]');
  process.exit(1);
}

const browser = await findChromium();
reportEngines();
const load = Array.from({ length: busy }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
process.on('exit', () => load.forEach((child) => child.kill('SIGKILL')));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => process.exit(1));

/** The rounds in which each test failed, and the cause of the first. @type {Map<string, { rounds: number[], because: string }>} */
const failures = new Map();
let passed = 0;
for (let round = 1; round <= times; round++) {
  const started = Date.now();
  const totals = await runTests(positionals, { browser, size, isQuiet: true });
  passed += totals.passed;
  console.log(
    `${round} of ${times}: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped, ${seconds(started)} s`,
  );
  if (totals.passed + totals.failed === 0) {
    console.error('No test ran. Are the paths right?');
    process.exit(1);
  }
  for (const { test, because } of totals.failures) {
    const known = failures.get(test);
    if (known) known.rounds.push(round);
    else failures.set(test, { rounds: [round], because });
    if (!known) console.log(`  ${test}`);
  }
}

for (const [test, { rounds, because }] of failures)
  console.log(
    `\nFailed in ${rounds.length} of ${times} rounds (${rounds.join(', ')}): ${test}\n${firstLines(because)}`,
  );
const failed = [...failures.values()].reduce((sum, { rounds }) => sum + rounds.length, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** @param {number} started */
function seconds(started) {
  return Math.round((Date.now() - started) / 1000);
}

/**
 * What a test waited for, and where in its own files; indented.
 *
 * @param {string} cause
 */
function firstLines(cause) {
  return cause
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, 15)
    .map((line) => `  ${line}`)
    .join('\n');
}
