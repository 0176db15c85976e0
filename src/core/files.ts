import type { RunFacts } from './events.js';
import type { Write } from './store.js';

/** Metadata of one file or directory. */
export interface FileInfo {
  /** Absolute, `/`-separated, inside the workspace. */
  path: string;
  type: 'file' | 'directory';
  /** Bytes; 0 for a directory. */
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** Untrusted sources of the content, outside the session. Absent when none is known. */
  untrusted?: readonly string[];
}

/** Records what a command did with files. */
export interface Touched {
  /** Paths of the files whose content was read. */
  read: string[];
  /** Paths of the files that were written or removed. */
  changed: string[];
  /** The subset of `changed` that had been written by the user, as they were before. */
  overwritten: OverwrittenFile[];
  /** Untrusted sources, outside the session, of what was read. File names count as read content. */
  untrusted: string[];
  /** True when the command read something written by the user, or by a role that had access to private data. */
  private: boolean;
}

/** A file of the user that a command changed, with the untrusted sources that it had before. */
export interface OverwrittenFile {
  path: string;
  untrusted: readonly string[];
}

/** A text file before and after a change. Null means that the file does not exist or is not text. */
export interface FileDifference {
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * The files that a tool works on. Paths may be relative to `/`. A path outside the workspace is rejected with `permission`. Text is UTF-8.
 * Changes are stored together with the result of the tool. When the tool fails, none of them is stored.
 */
export interface Files {
  /** @throws RoleZeroError `not-found` when the file does not exist. */
  read(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Replaces the whole file. Creates missing directories. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Returns null when the path does not exist. */
  stat(path: string): Promise<FileInfo | null>;
  /** Lists everything below a directory, sorted by path, without the directory itself. */
  list(path?: string, options?: { recursive?: boolean }): Promise<FileInfo[]>;
  makeDirectory(path: string): Promise<void>;
  /** Removes a file, or a directory with everything in it. @throws RoleZeroError `not-found`. */
  remove(path: string): Promise<void>;
  /** @throws RoleZeroError `not-found`, or `invalid` when the target exists. */
  move(from: string, to: string): Promise<void>;
  /** Copies a file, or a directory with everything in it. @throws RoleZeroError as `move` does. */
  copy(from: string, to: string): Promise<void>;
  /**
   * Returns the files and directories whose path matches a pattern, sorted by path. `*` matches any characters of a name, `?` matches one
   * character, and `**` as a whole name matches any number of names. A pattern without a slash matches names in any directory.
   */
  glob(pattern: string): Promise<FileInfo[]>;
}

/** The files of one command. */
export interface ToolFiles extends Files {
  /**
   * Returns whether the rules of the application let the command read a file. The command fails if it attempts to read another one. Absent
   * when no role runs the tool.
   */
  mayRead?(path: string): boolean;
  /**
   * Returns whether the command may store a file at a path without a question. Otherwise its whole result may be refused. Absent when no role
   * runs the tool.
   */
  mayWrite?(path: string): boolean;
  /**
   * Returns what would be lost if the command replaced a whole file; null for nothing, when the role has seen the present content, and when it was
   * asked about this content before. Absent when no role runs the tool.
   */
  replacementLoss?(path: string): Promise<ReplacementLoss | null>;
  /**
   * Returns all files, with the contents of those that are wanted. They do not count as read: whoever passes one on reads it again with
   * `readBytes`. Do not change them. Absent when no role runs the tool.
   */
  snapshot?(wanted: WantedFiles): Promise<readonly FileOutput[]>;
}

/** Chooses among files by what is known without their contents. */
export type WantedFiles = (all: readonly FileInfo[]) => (path: string) => boolean;

/** Content of a file that the role has not seen, or that an earlier command of the same list has written. */
export type ReplacementLoss = 'unseen' | 'just-written';

/** Identifies who changed the files, for the history; see `FileHistoryEntry`. */
export type ChangeOrigin = Pick<FileHistoryEntry, 'by' | 'name'> & { id?: string; role?: string };

/** Changes on top of a workspace that are stored or dropped as one unit. */
export interface StagedFiles extends ToolFiles {
  /** Returns the writes to store: those of the `files` table and, when `origin` is given, those of the history. */
  changes(origin?: ChangeOrigin): Write[];
  /** Returns the effects to emit, one entry per changed path. */
  effects(): { path: string; change: FileChange }[];
  /** Applies the changes in memory. Call it after they are stored. */
  apply(): void;
  /**
   * Marks everything written here, before and after this call, with these sources and with the sources of everything read here. `by` is the
   * writer: the user (default), a role without private data (`open`), or a role with private data (`secret`).
   */
  mark(untrusted: readonly string[], by: 'user' | 'open' | 'secret'): void;
  /**
   * Calls `check` with the path of each file before the file is read, copied or moved. An error thrown by `check` prevents the operation.
   */
  guard(check: (path: string) => void): void;
  touched(): Touched;
  /** Returns what changed in these files. `describeBinary` supplies the content shown for files that are not text. */
  differences(
    paths: readonly string[],
    describeBinary: (bytes: Uint8Array) => string,
  ): Promise<FileDifference[]>;
}

/** The files of a session. */
export interface Workspace extends Files {
  /** Number of the last change of the files; 0 before the first one. */
  readonly lastChange: number;
  stage(): StagedFiles;
  /** Returns the changes the user made after the change with this number; 0 returns all that are still stored. */
  changedByUser(after: number): UserChanges;
  /** Returns the files that roles changed after the change with this number, sorted by path, without undone changes. */
  changedByRoles(after: number): RunFacts['files'];
  /** Returns the paths that a role has changed, as far as that is still stored. */
  pathsChangedBy(role: string): ReadonlySet<string>;
  /** Returns who changed a file last; null when that is no longer stored. `role` is empty for the user. */
  lastOriginOf(path: string): Pick<FileHistoryEntry, 'id' | 'name' | 'role'> | null;
}

/**
 * Lists each changed file once, in its latest state, sorted by path. `upTo` is the number of the newest change, by the user or a role.
 * Files with content from an untrusted source are only counted in `strange`, because their names may be untrusted, too.
 */
export interface UserChanges {
  upTo: number;
  changes: { path: string; change: FileChange }[];
  strange: number;
}

type FileChange = 'written' | 'removed';

/** A file to write; without `content`, a directory to create. */
export interface FileInput {
  path: string;
  content?: string | Uint8Array;
  /**
   * Untrusted sources of the content, as `readAll` and `after` of another session return them. See `WriteAllOptions` to set one for all
   * files.
   */
  untrusted?: readonly string[];
}

export interface WriteAllOptions {
  /** Handling of an existing file whose content differs. `fail` (default) writes nothing at all. */
  existing?: 'fail' | 'replace' | 'keep';
  /** Name of the change in the history; default `write`. */
  name?: string;
  /**
   * Names the source when the files come from an untrusted source: reading them counts as reading outside content. Default: the files are
   * the user's.
   */
  untrusted?: string;
  /** Removes the untrusted sources of the files that are replaced. Default: they keep them. */
  trusted?: boolean;
}

interface WriteOptions {
  /** Removes the untrusted sources of the file. Default: it keeps them, because the user may have changed only a part. */
  trusted?: boolean;
}

/** A file with its content; without `content`, a directory. */
export interface FileOutput extends FileInfo {
  content?: Uint8Array;
}

/** One change of the files as a whole: one command of a role, or one call by the user. */
export interface FileHistoryEntry {
  /** Id to pass to `undo`: the call id of a command, or a generated id for a change by the user. */
  id: string;
  /** Step of the role, to `undo` all its commands. Equals `id` for a change by the user. */
  step: string;
  by: 'agent' | 'user';
  /** The command, such as `Editor.write`. For the user: `write`, `remove`, `move`, `undo` and similar. */
  name: string;
  /** Empty for a change by the user. */
  role: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Files (not directories) that were written or removed, sorted. */
  paths: string[];
  /** True when the whole change was undone. */
  undone: boolean;
  /** Those of its paths that were undone, sorted. */
  undonePaths: string[];
}

/**
 * A moment in the history of the files: before or after the changes that an id names as for `undo`, at the end of a branch of the
 * conversation, or now.
 */
export type FilesAt = 'now' | { before: string } | { after: string } | { branch: string };

/** A file that differs between two moments. */
export interface FileDiff {
  path: string;
  change: 'created' | 'changed' | 'removed';
  /** Number of added and of removed lines; 0 when the lines are not known. */
  added: number;
  removed: number;
  /** The changed parts with three lines around each; null when the file is not text, is too large, or is no longer stored. */
  parts: DiffPart[] | null;
}

/** A changed part of a file. */
export interface DiffPart {
  /** Numbers of its first line, from 1. */
  before: number;
  after: number;
  /** Each line after its sign: a space, `-`, or `+`. */
  lines: string[];
}

/** The state of a file after a change. */
export interface FileAfter {
  path: string;
  /** Bytes; 0 when the file was removed. */
  size: number;
  /** The effect of the change on the file; null when it did not change it. */
  change: FileChange | null;
  /** Untrusted sources, outside the session, of the content at that time. Pass them along when the file is written elsewhere. */
  untrusted?: readonly string[];
}

export interface FileChangeEvent {
  path: string;
  change: FileChange;
  by: 'agent' | 'user';
}

/** The files of a session for application code, on the page or next to it. Changes made here are the user's and are stored immediately. */
export interface SessionFiles extends Omit<Files, 'list' | 'write'> {
  /** Replaces the whole file. Creates missing directories. */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** Lists everything below a directory, sorted by path. Default: the whole workspace. */
  list(path?: string): Promise<FileInfo[]>;
  /**
   * Returns everything below a directory with its content, as a snapshot. For a file, returns that file. Intended for exports.
   * @throws RoleZeroError `not-found`.
   */
  readAll(path?: string): Promise<FileOutput[]>;
  /**
   * Writes many files in one transaction: all of them or none. Files that already have the content are not changed.
   *
   * @returns the paths that were written.
   * @throws RoleZeroError `conflict` with the existing files, `invalid` beyond a limit or for two files with one path, `permission`.
   */
  writeAll(files: readonly FileInput[], options?: WriteAllOptions): Promise<string[]>;
  /** Returns the changes of the files, oldest first. Old entries are removed. */
  history(): Promise<FileHistoryEntry[]>;
  /**
   * Returns the files as they were after a command, a step or a change by the user. `id` has the same form as for `undo`. The result
   * contains all files that existed and those that the change removed, sorted by path. Does not read contents: use `difference`.
   *
   * @throws RoleZeroError `not-found` when the history has no such entry, or no longer has it.
   */
  after(id: string): Promise<FileAfter[]>;
  /**
   * Returns one of those files as text, before and after the change. Both are equal when the change did not touch the file.
   *
   * @throws RoleZeroError `not-found` when there is no such entry, the file did not exist at either moment, or its content is no longer
   * stored.
   */
  difference(id: string, path: string): Promise<FileDifference>;
  /**
   * Returns the bytes of one of those files after the change, also for files that are not text.
   *
   * @throws RoleZeroError `not-found` when there is no such entry, the file did not exist then, or its content is no longer stored.
   */
  bytesAfter(id: string, path: string): Promise<Uint8Array>;
  /**
   * Frees space: removes the undo data of all changes except the newest `keep` (default 20, at least 1). The files do not change. Roles
   * that have not yet been notified of a removed change by the user only see it when they read the file.
   * @returns the number of bytes of earlier contents that were removed.
   */
  forgetHistory(keep?: number): Promise<number>;
  /**
   * Undoes the file changes of a command, a step, a turn or a run. `id` is the `id` of a history entry, its `step`, a prefix of one that ends
   * before a dot, or the id of the request that started the run. Later changes in other lines of a file remain. A conflict with one in the
   * same lines is part of the result: nothing is undone then, until `resolve` solves all of them. Runs in one transaction. The undo is
   * itself an entry of the history.
   *
   * @throws RoleZeroError `not-found` when there is no such entry, or when it is already undone.
   */
  undo(id: string, options?: UndoOptions): Promise<UndoResult>;
  /**
   * Repeats what was undone. `id` is the one of the changes, as for `undo`, or of the undo. Default: the last undo. Later changes and
   * conflicts are handled as by `undo`.
   *
   * @throws RoleZeroError `not-found` when nothing of that is undone.
   */
  redo(id?: string, options?: UndoOptions): Promise<UndoResult>;
  /**
   * Compares all files at two moments. Returns those that differ, sorted by path, with their changed lines.
   *
   * @throws RoleZeroError `not-found` when a moment is not known, or no longer.
   */
  diff(from: FilesAt, to?: FilesAt): Promise<FileDiff[]>;
  /**
   * Calls the listener after each change of a file that is `path`, is below it, or matches it as a pattern (see `glob`). Reports changes by
   * agents, the shell and the user. Returns a function that stops watching.
   */
  watch(path: string, listener: (event: FileChangeEvent) => void): () => void;
}

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
