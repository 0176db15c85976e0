import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * A Vitest reporter that writes the totals of a run as JSON, for `scripts/test.mjs`: passed, failed, and skipped tests, in all and per
 * browser engine, files and errors that failed outside of any test, each test that passed only after a retry and why
 * the first try failed, and the time of each file.
 */
export default class TestReport {
  #file;

  constructor({ file }) {
    this.#file = file;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const totals = {
      passed: 0,
      failed: 0,
      skipped: 0,
      outside: unhandledErrors.length,
      engines: {},
      retried: [],
      slowest: [],
    };
    for (const module of modules) {
      let ownFailures = 0;
      for (const test of module.children.allTests()) {
        const { state: result, errors } = test.result();
        const state = result === 'pending' ? 'skipped' : result;
        totals[state] += 1;
        if (state === 'failed') ownFailures += 1;
        countInEngine(totals.engines, test, state);
        if (test.diagnostic()?.flaky)
          totals.retried.push({
            test: `${module.relativeModuleId} > ${test.fullName}`,
            because: (errors ?? []).flatMap(describe).join('\n'),
          });
      }
      if (module.state() === 'failed' && ownFailures === 0) totals.outside += 1;
      const { duration, collectDuration } = module.diagnostic();
      totals.slowest.push({ file: module.relativeModuleId, ms: Math.round(duration + collectDuration) });
    }
    totals.slowest.sort((a, b) => b.ms - a.ms);
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(totals, null, 2));
  }
}

/** Adds a test that ran in a browser of which the engine is known: by its own data, or by its project. */
function countInEngine(engines, test, state) {
  const { engine = engineOf(test.project.name), engineVersion } = test.meta();
  if (engine === undefined) return;
  const figures = (engines[engine] ??= { passed: 0, failed: 0, skipped: 0 });
  figures[state] += 1;
  if (engineVersion) figures.version = engineVersion;
}

/** The browser tests: `browser` and `browser-long` run in Chromium, `browser-firefox` in Firefox. */
function engineOf(project) {
  if (/^browser(-long)?( |$)/.test(project)) return 'chromium';
  return /^browser-(firefox|webkit)/.exec(project)?.[1];
}

/**
 * The lines of an error: what it expected and received, and where.
 *
 * @param {{ message: string, stack?: string, diff?: string }} error
 */
function describe({ message, stack, diff }) {
  const lines = stripVTControlCharacters(diff ?? '').split('\n');
  return [...lines.filter((line) => /^[+-]/.test(line)).slice(0, 8), stack ?? message];
}
