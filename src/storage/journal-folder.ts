import type { DerivedFile } from '../core/store.js';

/** A folder of small files outside the database that holds the replica of one session. */
export interface JournalFolder {
  names(): Promise<string[]>;
  /** Returns the bytes of a file, which are read later. */
  read(name: string): Promise<Blob>;
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
  /** Appends text or bytes. They survive a browser crash immediately, and a power cut after `flush`. */
  append(content: string | Uint8Array): void;
  flush(): void;
  close(): void;
}
