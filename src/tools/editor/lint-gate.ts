import { describe, RoleZeroError } from '../../core/error.js';
import { inTime } from '../../core/in-time.js';
import type { Linter, Problem } from '../../core/linter.js';
import type { Edited } from './edit-text.js';

/** Time limit in ms of a linter for one text, and maximum characters of a text to check. */
const LINT_TIMEOUT = 10_000;
const MAX_LINTED = 1_000_000;

/** Result of the linters for an edit: the new problems, or the reason why there is no result. */
export interface LintVerdict {
  problems: Problem[];
  /** Reason why the text was not checked. Null if it was checked, or if no linter supports its language. */
  unchecked: string | null;
}

/**
 * Checks an edit for new problems. In the added lines, these are problems beyond those already there. In other lines, problems count only
 * if the text had none before. A parser that stops at the first problem does not report later ones. A linter that fails or hangs never
 * blocks an edit.
 */
export async function lintEdit(
  linters: readonly Linter[],
  path: string,
  before: string,
  edited: Edited,
): Promise<LintVerdict> {
  if (Math.max(before.length, edited.text.length) > MAX_LINTED)
    return { problems: [], unchecked: 'The file is too large for it.' };
  try {
    const after = await runLinters(linters, path, edited.text);
    if (after === null || after.length === 0) return { problems: [], unchecked: null };
    return {
      problems: freshProblems((await runLinters(linters, path, before)) ?? [], after, edited),
      unchecked: null,
    };
  } catch (error) {
    return { problems: [], unchecked: describe(error) };
  }
}

/** Returns the problems of a text; null if it cannot be checked. */
export async function problemsOf(
  linters: readonly Linter[],
  path: string,
  text: string,
): Promise<readonly Problem[] | null> {
  if (text.length > MAX_LINTED) return null;
  try {
    return await runLinters(linters, path, text);
  } catch {
    return null;
  }
}

/** Returns the problems from the first linter that supports the language; null if none does. */
async function runLinters(
  linters: readonly Linter[],
  path: string,
  text: string,
): Promise<readonly Problem[] | null> {
  for (const linter of linters) {
    const problems = await inTime(linter.check(path, text), LINT_TIMEOUT, tooLate);
    if (problems !== null) return problems;
  }
  return null;
}

function tooLate(): never {
  throw new RoleZeroError('tool-timeout', `The check did not end within ${LINT_TIMEOUT / 1000} seconds.`);
}

/** Returns the problems that an edit introduced. Parsers often report the line before or after, so these count as edited lines. */
function freshProblems(before: readonly Problem[], after: readonly Problem[], edited: Edited): Problem[] {
  if (before.length === 0) return [...after];
  const { line, lastLine, added } = edited;
  const known = new Map<string, number>();
  for (const problem of before) {
    if (problem.line < line - 1 || problem.line > lastLine + 1) continue;
    known.set(problem.message, (known.get(problem.message) ?? 0) + 1);
  }
  return after.filter((problem) => {
    if (problem.line < added.first - 1 || problem.line > added.last + 1) return false;
    const left = known.get(problem.message) ?? 0;
    known.set(problem.message, left - 1);
    return left <= 0;
  });
}
