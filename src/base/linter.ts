/** Something wrong with a text. */
export interface Problem {
  /** From 1. */
  line: number;
  /** From 1; left out when only the line is known. */
  column?: number;
  /** What is wrong, without the place: problems that say the same are taken for the same one when a line has moved. */
  message: string;
}

/**
 * Finds what makes a text unusable, such as errors of syntax; matters of taste are not its business. Null when it does not know the
 * language, which it tells by the path; an empty list when all is well. It may throw: the text then counts as not checked.
 */
export interface Linter {
  check(path: string, text: string): Promise<readonly Problem[] | null>;
}
