import type { Linter, Problem } from '../../base/linter.js';
import { baseName } from '../../files/path.js';

/** Problems one text is told to have at most. */
export const MAX_PROBLEMS = 50;

/** A linter for the files with some endings, given without the dot. */
export function linterFor(
  endings: readonly string[],
  check: (text: string, ending: string) => Problem[],
): Linter {
  return {
    async check(path, text) {
      const ending = /\.(\w+)$/u.exec(baseName(path))?.[1]?.toLowerCase() ?? '';
      return endings.includes(ending) ? check(text, ending).slice(0, MAX_PROBLEMS) : null;
    },
  };
}

/** Problems of a part of a text as problems of the whole: `line` and `column`, both from 1, are where the part begins. */
export function moved(problems: readonly Problem[], line: number, column: number): Problem[] {
  return problems.map((problem) => ({
    ...problem,
    line: problem.line + line - 1,
    ...(problem.column === undefined || problem.line > 1 ? {} : { column: problem.column + column - 1 }),
  }));
}
