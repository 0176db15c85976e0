import { describe, RoleZeroError } from '../../base/error.js';
import type { Linter, Problem } from '../../base/linter.js';
import type { Edited } from './edit-text.js';

/** Milliseconds a linter has for one text, and characters of a text that is given to one. */
const LINT_TIMEOUT = 10_000;
const MAX_LINTED = 1_000_000;

/** What the linters say of an edit: the problems it brought, or why they could not tell. */
export interface Verdict {
  problems: Problem[];
  /** Null when the text was checked, or when no linter knows its language. */
  unchecked: string | null;
}

/**
 * Judges an edit by the problems that are new with it (spec 14.6): those in the lines that came in, beyond what was wrong there before
 * . Elsewhere problems count only when there were none at all, since a parser that stops at the first one says nothing about those
 * after it. A linter that fails or hangs never stands in the way of an edit.
 */
export async function judge(
  linters: readonly Linter[],
  path: string,
  before: string,
  edited: Edited,
): Promise<Verdict> {
  if (Math.max(before.length, edited.text.length) > MAX_LINTED)
    return { problems: [], unchecked: 'The file is too large for it.' };
  try {
    const after = await lint(linters, path, edited.text);
    if (after === null || after.length === 0) return { problems: [], unchecked: null };
    return {
      problems: freshProblems((await lint(linters, path, before)) ?? [], after, edited),
      unchecked: null,
    };
  } catch (error) {
    return { problems: [], unchecked: describe(error) };
  }
}

/** What the first linter that knows the language finds. */
async function lint(
  linters: readonly Linter[],
  path: string,
  text: string,
): Promise<readonly Problem[] | null> {
  for (const linter of linters) {
    const problems = await inTime(linter.check(path, text));
    if (problems !== null) return problems;
  }
  return null;
}

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `The check did not end within ${LINT_TIMEOUT / 1000} seconds.`;
    timer = setTimeout(() => reject(new RoleZeroError('tool-timeout', message)), LINT_TIMEOUT);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The problems an edit brought. A parser often names the line before or after, so those belong to the edited ones. */
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
