import type { Write } from './store.js';

/** What is known of one file or directory. */
export interface FileInfo {
  /** Absolute, `/`-separated, inside the workspace. */
  path: string;
  type: 'file' | 'directory';
  /** Bytes; 0 for a directory. */
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** Where what is in it comes from, as far as that is outside of the session; missing when nothing is known to. */
  untrusted?: readonly string[];
}

/** What a command has come by in files. */
export interface Touched {
  /** Files whose content was read. */
  read: string[];
  /** Files that were written or removed. */
  changed: string[];
  /** Those of them that a person had put there. */
  overwritten: string[];
  /** Where what was read, names included, comes from when that is outside of the session. */
  untrusted: string[];
  /** Something was read that a person had put there, or a role that knew of such. */
  private: boolean;
}

/** A text file as it was and as it would be; null where there is none, or no text. */
export interface FileDifference {
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * The files a tool works on. Paths may be relative to `/`; one that would leave the workspace is refused with `permission`.
 * Text is UTF-8. What a tool changes here is kept together with its result or, when it fails, not at all.
 */
export interface Files {
  /** @throws RoleZeroError `not-found` when there is no such file. */
  read(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Replaces the whole file; missing directories are made. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Null when nothing is there. */
  stat(path: string): Promise<FileInfo | null>;
  /** Everything below a directory, the directory itself left out, sorted by path. */
  list(path?: string, options?: { recursive?: boolean }): Promise<FileInfo[]>;
  makeDirectory(path: string): Promise<void>;
  /** A file, or a directory with everything in it. @throws RoleZeroError `not-found`. */
  remove(path: string): Promise<void>;
  /** @throws RoleZeroError `not-found`, or `invalid` when something is at the target. */
  move(from: string, to: string): Promise<void>;
  /** A file, or a directory with everything in it. @throws RoleZeroError as `move` does. */
  copy(from: string, to: string): Promise<void>;
  /**
   * Files and directories whose path fits a pattern, sorted by path: `*` for any characters of a name, `?` for one, `**` as a whole
   * name for any number of names. Without a slash in it a pattern is one of names in any directory.
   */
  glob(pattern: string): Promise<FileInfo[]>;
}

/** Whose change of the files it is, for the history; see `FileHistoryEntry`. */
export type ChangeOrigin = Pick<FileHistoryEntry, 'by' | 'name'> & { id?: string; role?: string };

/** Changes on top of a workspace that are kept or dropped as one. */
export interface StagedFiles extends Files {
  /** What to store, in the `files` table and, when it is said whose changes these are, for the history. */
  changes(origin?: ChangeOrigin): Write[];
  /** What to tell, one entry per changed path. */
  effects(): { path: string; change: FileChange }[];
  /** Makes the changes real in memory; to be called once they are stored. */
  apply(): void;
  /**
   * What is written here, before and after, carries these sources, and those of whatever is read here. `by`: a person writes (default), a
   * role that knows nothing private, or one that does.
   */
  mark(untrusted: readonly string[], by: 'person' | 'open' | 'secret'): void;
  /** Called with the path of each file before it is read, copied or moved; what it throws keeps that from happening. */
  guard(check: (path: string) => void): void;
  touched(): Touched;
  /** What happened to these files; `told` stands for the content of those that are no text. */
  differences(paths: readonly string[], told: (bytes: Uint8Array) => string): FileDifference[];
}

/** The files of a session. */
export interface Workspace extends Files {
  stage(): StagedFiles;
  /** What a person did to them after the change of this number; 0 for all that is still known. */
  changedByPerson(after: number): PersonChanges;
}

/**
 * Each file once, as it was left, sorted by path; `upTo` is the number of the newest change, whose ever it was. Of files that strangers had
 * a hand in there is only the count: their names may be theirs, too.
 */
export interface PersonChanges {
  upTo: number;
  changes: { path: string; change: FileChange }[];
  strange: number;
}

type FileChange = 'written' | 'removed';

/** A file to be written, or without content a directory to be there. */
export interface FileInput {
  path: string;
  content?: string | Uint8Array;
  /** Where what is in it comes from, as `readAll` and `after` tell it of another session's; see `WriteAllOptions` for all of them. */
  untrusted?: readonly string[];
}

export interface WriteAllOptions {
  /** What becomes of a file that is there already and differs: `fail` (default) writes nothing at all. */
  existing?: 'fail' | 'replace' | 'keep';
  /** What the history calls it; default `write`. */
  name?: string;
  /** Names the source when strangers wrote them: who reads them has read what comes from outside. Default: they are the person's own. */
  untrusted?: string;
}

/** A file as it is, or without content a directory. */
export interface FileOutput extends FileInfo {
  content?: Uint8Array;
}

/** One change of the files as a whole: what a command did, or a person with one call. */
export interface FileHistoryEntry {
  /** For `undo`. A command's call id; one of ours for what a person did. */
  id: string;
  /** The step of the role, for `undo` of all its commands; the same as `id` for what a person did. */
  step: string;
  by: 'agent' | 'person';
  /** The command, such as `Editor.write`; `write`, `remove`, `move`, `undo` and the like for a person. */
  name: string;
  /** Empty for a person. */
  role: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Files (not directories) that were written or removed, sorted. */
  paths: string[];
  /** It was undone. */
  undone: boolean;
}

/** A file as a change of the files left it. */
export interface FileAfter {
  path: string;
  /** Bytes; 0 when it was removed. */
  size: number;
  /** What the change did to it; null when it left it alone. */
  change: FileChange | null;
  /** Where what was in it then comes from, as far as that is outside of the session; to be written with it elsewhere. */
  untrusted?: readonly string[];
}

/** What came of an undo. */
export interface UndoResult {
  /** Undoes the undo. Empty when nothing was to be changed. */
  id: string;
  /** Files that are as they were before, or as they were but for what others changed in other lines of them; sorted. */
  paths: string[];
  /** Files that were left as they are, and why; empty unless `partly` was asked for. */
  conflicts: { path: string; why: string }[];
}

export interface FileChangeEvent {
  path: string;
  change: FileChange;
  by: 'agent' | 'person';
}

/** The files of a session as people see them, on the page or beside it. What is changed here is the person's, and stored at once. */
export interface SessionFiles extends Omit<Files, 'list'> {
  /** Everything below a directory, sorted by path; by default the whole workspace. */
  list(path?: string): Promise<FileInfo[]>;
  /**
   * Everything below a directory with its content, as it is at one moment; of a file, that file. For exports.
   * @throws RoleZeroError `not-found`.
   */
  readAll(path?: string): Promise<FileOutput[]>;
  /**
   * Writes many files in one transaction: all of them or, whatever happens, none. Files that have the content already are left alone.
   *
   * @returns the paths that were written.
   * @throws RoleZeroError `conflict` naming what is there already, `invalid` beyond a limit or for two files of one path, `permission`.
   */
  writeAll(files: readonly FileInput[], options?: WriteAllOptions): Promise<string[]>;
  /** What changed the files, oldest first; what is too long ago is forgotten. */
  history(): Promise<FileHistoryEntry[]>;
  /**
   * How the files were after a command, a step or a change of the person's, named as for `undo`: all that were there, and those that it
   * removed, sorted by path. Reads no contents: `difference` gives one.
   *
   * @throws RoleZeroError `not-found` when there is no such entry of the history (any more).
   */
  after(id: string): Promise<FileAfter[]>;
  /**
   * One of those files as it was before and after, as text; the same twice when it was left alone.
   *
   * @throws RoleZeroError `not-found` when there is no such entry, no such file at either moment, or what it held is not kept any more.
   */
  difference(id: string, path: string): Promise<FileDifference>;
  /**
   * What one of those files held after, as it was byte by byte; for what is no text, too.
   *
   * @throws RoleZeroError `not-found` when there is no such entry, no such file then, or what it held is not kept any more.
   */
  bytesAfter(id: string, path: string): Promise<Uint8Array>;
  /**
   * Makes room: forgets what is kept to undo all changes but the newest `keep` (20 unless it is given, and at least one); the files
   * stay as they are. What a person changed and no role has been told of yet, the roles then find out by reading.
   * @returns the bytes of earlier contents that are kept no more.
   */
  forgetHistory(keep?: number): Promise<number>;
  /**
   * Takes back what a command did to the files, or all commands of a step, or all of a piece of work: by the `id` of a history entry, its
   * `step`, or the beginning of one up to a dot. What others have changed in the same file since then stays, when it is in other lines;
   * otherwise that is a conflict, and nothing at all is undone. With `partly` each file counts for itself, and only those in conflict are
   * left. One transaction; the undo is an entry of the history, too.
   *
   * @throws RoleZeroError `conflict` with `detail.conflicts`; `not-found` when there is no such entry, or it is undone already.
   */
  undo(id: string, options?: { partly?: boolean }): Promise<UndoResult>;
  /**
   * Calls the listener after each change of a file that is `path`, is below it, or fits it as a pattern (see `glob`), whoever made it:
   * agent, shell or person. Returns how to stop that.
   */
  watch(path: string, listener: (event: FileChangeEvent) => void): () => void;
}
