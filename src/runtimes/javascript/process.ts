import type { Output } from '../output.js';
import type { ProgramFiles } from '../program-files.js';
import type { PackageFiles } from './packages.js';

/** What to run. */
export type ProgramEntry =
  { path: string } | { text: string; name: string; print: boolean; isModule: boolean };

/** Everything that a program starts with. */
export interface Process {
  entry: ProgramEntry;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  stdin: Uint8Array;
}

/** Where a program runs, and its limits. */
export interface ProgramSurroundings {
  files: ProgramFiles;
  output: Output;
  /** Packages that the application allows. */
  packages: PackageFiles;
  memoryBytes: number;
  /** In terms of `performance.now()`. */
  deadline: number;
}

/** Result of the tests that a program defined. */
export interface TestReport {
  totals: Record<'tests' | 'suites' | 'pass' | 'fail' | 'skipped' | 'todo', number>;
  failures: string[];
}

export interface Exit {
  exitCode: number;
  /** Absent when the program defined no tests. */
  report?: TestReport;
  /** True when it ended at the deadline. */
  isLate: boolean;
}
