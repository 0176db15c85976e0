import type { DerivedFile } from '../core/store.js';

/** A folder of small files outside the database that holds the replica of one session. */
export interface JournalFolder {
  names(): Promise<string[]>;
  /** Reads a file; with `last`, at least that many bytes at its end. The first character may be damaged then. */
  read(name: string, last?: number): Promise<string>;
  /** Creates a file, or opens an existing one, for appending until it is closed. */
  create(name: string): Promise<JournalFile>;
  remove(name: string): Promise<void>;
  /** Opens a file beside the replica, see `SessionStore.openFile`. Rejects while it is open. Absent where a test has no other files. */
  openFile?(name: string): Promise<OpenFile>;
}

export interface OpenFile extends DerivedFile {
  close(): void;
}

export interface JournalFile {
  /** Appends text. It survives a browser crash immediately, and a power cut after `flush`. */
  append(text: string): void;
  flush(): void;
  close(): void;
}
