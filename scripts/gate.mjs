// @ts-check
/**
 * The gate: the long tests that each commit must pass, at a size that still finds what they are for. Together they take at most six
 * minutes on two cores, so a test that is added here replaces another, or is fast.
 */

/** Factor of the length of series in the gate. */
export const GATE_SIZE = 0.2;

/** The same for all long tests, where `--size` sets none. Tests with the tag `nightly` need 1; the nightly run works with 2. */
export const LONG_SIZE = 0.3;

/** @type {readonly string[]} */
export const GATE = [
  // Crashes: at every commit, at points of a long run in Chromium, once in each other engine; takeovers; sessions of earlier releases.
  'test/unit/session/crash.long.test.ts',
  'test/unit/subagents-kills.long.test.ts',
  'test/unit/runtimes/program-kills.long.test.ts',
  'test/unit/chaos/corpus.long.test.ts',
  'test/unit/chaos/simulation.long.test.ts',
  'test/unit/chaos/storage.long.test.ts',
  'test/e2e/reference.long.test.ts',
  'test/e2e/mixtures.long.test.ts',
  'test/e2e/take-overs.long.test.ts',
  'test/engines/reference.long.test.ts',
  // A model that obeys what it reads.
  'test/unit/attacks/attacks.long.test.ts',
  // What Python programs can reach.
  'test/browser/runtimes/hostile-python.long.test.ts',
  // A full disk in Chromium, and storage and connections in Firefox and WebKitGTK.
  'test/browser/storage/full-disk.long.test.ts',
  'test/browser/storage/indexed-db-storage.test.ts',
  'test/browser/client/connect.test.ts',
  // What users meet: the demo with a real server, another build tool, the release.
  'test/e2e/demo.long.test.ts',
  'test/package/other-consumers.long.test.ts',
  'test/unit/release/release.long.test.ts',
  'test/unit/release/workflows.long.test.ts',
];
