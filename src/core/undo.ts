/**
 * How a conflict of an undo or a redo is solved: the file stays as it is `now`; it is `restored`, without what was changed since; or it has
 * `both` versions of the lines that contradict each other, between the marks of version control.
 */
export type ConflictChoice = 'now' | 'restored' | 'both';

/** Lines of a file that have changed since, and that an undo or a redo would change, too. */
export interface ConflictPlace {
  /** Number of the first of these lines in the present file, from 1. */
  line: number;
  now: string[];
  /** The lines in the version from which both were made. */
  base: string[];
  restored: string[];
}

/** A file that an undo or a redo cannot change without losing what was changed since. */
export interface FileConflict {
  path: string;
  /** The reason, as the end of a sentence: "the same lines were changed since then". */
  why: string;
  /** The places, where only some lines contradict each other; empty where it is the file as a whole. */
  places: ConflictPlace[];
  /** The file as it is; null when it does not exist or is not text. */
  now: string | null;
  /** The file as it was before it was changed since. */
  base: string | null;
  /** The file as it would be without what was changed since. */
  restored: string | null;
  /** What is possible. */
  choices: ConflictChoice[];
  /** What was chosen; null for nothing yet. */
  choice: ConflictChoice | null;
}

export interface UndoOptions {
  /** Undoes only the changes of this file, or of the files below this directory. */
  path?: string;
  /** Solves conflicts: all in the same way, or each by its path. */
  resolve?: ConflictChoice | Readonly<Record<string, ConflictChoice>>;
}

/** Result of an undo or a redo. */
export interface UndoResult {
  /** Id of the undo, which undoes it. Empty when nothing was done. */
  id: string;
  /** Changed files, sorted. */
  paths: string[];
  /** Conflicts, sorted by path. While one is without a `choice`, nothing was changed: ask the user, and call again with `resolve`. */
  conflicts: FileConflict[];
}
