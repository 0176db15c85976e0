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
}

/** Changes on top of a workspace that are kept or dropped as one. */
export interface StagedFiles extends Files {
  /** What to store, in the `files` table. */
  changes(): Write[];
  /** What to tell, one entry per changed path. */
  effects(): { path: string; change: 'written' | 'removed' }[];
  /** Makes the changes real in memory; to be called once they are stored. */
  apply(): void;
}

/** The files of a session. */
export interface Workspace extends Files {
  stage(): StagedFiles;
}

/** The files of a session as people see them, on the page or beside it. What is changed here is the person's, and stored at once. */
export interface SessionFiles extends Pick<
  Files,
  'read' | 'readBytes' | 'write' | 'stat' | 'remove' | 'move'
> {
  /** Everything below a directory, sorted by path; by default the whole workspace. */
  list(path?: string): Promise<FileInfo[]>;
}
