// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {number} outside Files that did not load, and errors outside of any test.
 * @property {Record<string, { passed: number, failed: number, skipped: number, version?: string }>} engines
 * @property {{ test: string, because: string }[]} failures Each failed test, with the lines of its errors.
 * @property {{ file: string, project: string, ms: number }[]} slowest All files, the slowest first.
 */

/**
 * A Vitest reporter that writes the totals of a run as JSON, for `scripts/test.mjs`: passed, failed, and skipped tests, in all and per
 * browser engine, each failure with its cause, and the time of each file.
 */
export default class TestReport {
  #file;

  /** @param {{ file: string }} options */
  constructor({ file }) {
    this.#file = file;
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    /** @type {Totals} */
    const totals = {
      passed: 0,
      failed: 0,
      skipped: 0,
      outside: unhandledErrors.length,
      engines: {},
      failures: unhandledErrors.map((error) => ({
        test: 'outside of any test',
        because: describe(error).join('\n'),
      })),
      slowest: [],
    };
    for (const module of modules) {
      let ownFailures = 0;
      for (const test of module.children.allTests()) {
        const { state: result, errors } = test.result();
        const state = result === 'pending' ? 'skipped' : result;
        totals[state] += 1;
        countInEngine(totals.engines, test, state);
        if (state !== 'failed') continue;
        ownFailures += 1;
        totals.failures.push({
          test: `${module.relativeModuleId} > ${test.fullName}`,
          because: (errors ?? []).flatMap(describe).join('\n'),
        });
      }
      if (module.state() === 'failed' && ownFailures === 0) {
        totals.outside += 1;
        totals.failures.push({
          test: module.relativeModuleId,
          because: module.errors().flatMap(describe).join('\n'),
        });
      }
      const { duration, collectDuration } = module.diagnostic();
      totals.slowest.push({
        file: module.relativeModuleId,
        project: module.project.name,
        ms: Math.round(duration + collectDuration),
      });
    }
    totals.slowest.sort((a, b) => b.ms - a.ms);
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(totals, null, 2));
  }
}

/**
 * Adds a test that ran in a browser of which the engine is known: by its own data, or by its project.
 *
 * @param {Totals['engines']} engines
 * @param {import('vitest/node').TestCase} test
 * @param {'passed' | 'failed' | 'skipped'} state
 */
function countInEngine(engines, test, state) {
  const { engine = engineOf(test.project.name), engineVersion } =
    /** @type {{ engine?: string, engineVersion?: string }} */ (test.meta());
  if (engine === undefined) return;
  const figures = (engines[engine] ??= { passed: 0, failed: 0, skipped: 0 });
  figures[state] += 1;
  if (engineVersion) figures.version = engineVersion;
}

/**
 * The browser tests: `browser` and `browser-long` run in Chromium, `browser-firefox` in Firefox.
 *
 * @param {string} project
 */
function engineOf(project) {
  if (/^browser(-long)?( |$)/.test(project)) return 'chromium';
  return /^browser-(firefox|webkit)/.exec(project)?.[1];
}

/**
 * The lines of an error: what it expected and received, and where.
 *
 * @param {{ message: string, stack?: string | undefined, diff?: string | undefined }} error
 */
function describe({ message, stack, diff }) {
  const lines = stripVTControlCharacters(diff ?? '').split('\n');
  return [...lines.filter((line) => /^[+-]/.test(line)).slice(0, 8), stack ?? message];
}
