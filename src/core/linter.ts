/** A problem found in a text. */
export interface Problem {
  /** Starts at 1. */
  line: number;
  /** Starts at 1; absent when only the line is known. */
  column?: number;
  /** Description without the position: problems with equal messages count as the same problem when a line has moved. */
  message: string;
}

/**
 * Finds problems that make a text unusable, such as syntax errors, but not matters of style. Detects the language from the path and returns
 * null when it does not know it; an empty list means no problems. It may throw: the text then counts as not checked.
 */
export interface Linter {
  check(path: string, text: string): Promise<readonly Problem[] | null>;
}
