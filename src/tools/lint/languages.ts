import type { Linter, Problem } from '../../core/linter.js';
import { baseName } from '../../files/path.js';

/** Maximum number of reported problems per text. */
export const MAX_LINT_PROBLEMS = 50;

/** Creates a linter for files with certain extensions, given without the dot. */
export function linterFor(
  endings: readonly string[],
  check: (text: string, ending: string) => Problem[],
): Linter {
  return {
    async check(path, text) {
      const ending = /\.(\w+)$/u.exec(baseName(path))?.[1]?.toLowerCase() ?? '';
      return endings.includes(ending) ? check(text, ending).slice(0, MAX_LINT_PROBLEMS) : null;
    },
  };
}

/** Converts problems of a part of a text to problems of the whole text. `line` and `column`, both from 1, are the start of the part. */
export function moved(problems: readonly Problem[], line: number, column: number): Problem[] {
  return problems.map((problem) => ({
    ...problem,
    line: problem.line + line - 1,
    ...(problem.column === undefined || problem.line > 1 ? {} : { column: problem.column + column - 1 }),
  }));
}
