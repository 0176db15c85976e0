import type { RoleZeroError } from './error.js';
import type { JsonValue } from './json.js';
import type { RandomState } from './runtime.js';
import type { StorageUsage } from './space.js';

/** The tables of a session. Keys are unique within session and table and sort as strings. */
export const TABLES = [
  'roles', // one small state document per role
  'tools', // states of the tools of a role by group: `<role>/<group>`
  'messages', // what a role remembers: `<role>/<number>`
  'turns', // the conversation that the model received: `<role>/<number>`
  'steps', // records of the steps of a role, newest last, the oldest removed: `<role>/<number>`
  'inbox', // messages accepted for a role and not yet observed: `<role>/<number>`
  'questions', // open questions to the user, keyed by question id
  'approvals', // what the user has allowed: `role/<role>`, `answer/<question id>`, `budget`; never exported or imported
  'deliveries', // messages published among the roles, with their outcome: `<number>`
  'team', // `asked`: the role the user addressed last; `direct/<role>`: its next message answers the user directly
  'memories', // messages that have left a role's memory window: `<role>/<number>`; shared ones: `<name>/<id>/<revision>`
  'recall', // keyword index of the memories, in chunks, derived from them: `<role>/<number of the first item / CHUNK_ITEMS>`
  'vectors', // vector index in the same chunks, read after `recall`; of shared memories: one record per memory, with its key
  'notes', // standing notes of a role: `<role>/<id>`
  'parts', // rows of other parts of a role: `<role>/<part>/<key>`
  'files', // one record per file or directory, keyed by path; quotes a long content by its key in `contents`
  'history', // changes of the files, newest last: `<number>`
  'contents', // long contents of files, and earlier ones that the history needs: `<number>`, or the hash of a short earlier one
  'checkpoints', // the state before each request, and what `rewind` needs besides; see `session/checkpoints.ts`
  'branches', // parts of the conversation that were left: `info/<id>`, and their rows `rows/<id>/<number>`
  'texts', // long texts that records of other tables quote, see `storage/texts.ts`: `<epoch>.<number>`
] as const;
export type Table = (typeof TABLES)[number];

/** Tables derived from other tables and rebuilt when they are missing. They are in no export and no replica. */
export const DERIVED_TABLES: ReadonlySet<Table> = new Set<Table>(['recall', 'vectors']);

/** Tables that are excluded from exports and that an import must not fill. Exported records contain the texts that they quote. */
export const NOT_EXPORTED: ReadonlySet<Table> = new Set<Table>([...DERIVED_TABLES, 'approvals', 'texts']);

/** Tables of which a checkpoint holds all rows. */
export const WHOLE_TABLES = [
  'roles',
  'tools',
  'team',
  'inbox',
  'questions',
] as const satisfies readonly Table[];
/** Tables with rows `<role>/<number>`, which only grow. */
export const GROWING = ['messages', 'turns', 'steps', 'memories'] as const satisfies readonly Table[];
/** Keys from `from` (inclusive) to `before` (exclusive), in string order. */
export interface KeyRange {
  from: string;
  before: string;
}

/** One record to store; `value: undefined` removes it. Values must be structured-cloneable. */
export interface Write {
  table: Table;
  key: string;
  value: unknown;
  /**
   * Name of what shares the record, for one that belongs to no session. It is stored in the same transaction as the session's own records, and
   * is in no replica, log, or export of a session.
   */
  shared?: string;
  /** A shared record without which this one is not stored: another session may have removed it meanwhile. */
  requires?: { table: Table; key: string };
}

/** Identifies a record of a session. */
export interface RecordPlace {
  table: Table;
  key: string;
}

/** Data of a session that a listing returns without opening the session. */
export interface SessionInfo {
  name: string;
  createdAt: number;
  updatedAt: number;
  /** Number of commits so far. */
  head: number;
}

/** A file that only this writer has open. Reads and writes are synchronous. `read` and `write` return the number of bytes. */
export interface DerivedFile {
  getSize(): number;
  read(bytes: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
}

/**
 * One session held by this writer, and the only way to write to it. `commit` copies the values before it returns. It is atomic and resolves
 * when the data is durable. It rejects with `session-fenced` when another writer has taken the session over, and otherwise with
 * `storage-full`, `storage-closed` or `storage-failed`. Nothing is written then.
 */
export interface SessionStore {
  readonly name: string;
  /** Increases with every writer; checked in every commit. */
  readonly epoch: number;
  /** Loads a table, or a range of it, in key order. With `newest`, loads only that many of the last records. */
  load(table: Table, range?: KeyRange, newest?: number): Promise<{ key: string; value: unknown }[]>;
  /** Loads several tables at one moment, which is faster than one by one; in the order of the tables. */
  loadAll?(tables: readonly Table[]): Promise<{ key: string; value: unknown }[][]>;
  /** Reads the records with these keys, in this order. Skips keys without a record. */
  read(table: Table, keys: readonly string[]): Promise<{ key: string; value: unknown }[]>;
  /**
   * Loads the records of a table that sessions share under a name, in key order; with `keys`, those with these keys, as `read` does. Absent
   * where records cannot be shared.
   */
  loadShared?(
    shared: string,
    table: Table,
    keys?: readonly string[],
  ): Promise<{ key: string; value: unknown }[]>;
  /** Returns the keys of the records that `loadShared` loads, in order. */
  sharedKeys?(shared: string, table: Table): Promise<string[]>;
  /**
   * Opens a file for data derived from records, which is in no export and no replica. It is closed and removed with the session. Returns null
   * where there are no files. Rejects while an earlier writer has it open. Absent where there are never any.
   */
  openFile?(name: string): Promise<DerivedFile | null>;
  /** State from which the session's ids and random numbers continue. */
  readonly random: RandomState;
  /** With `purge`, also removes replaced and removed data from all replicas and waits for that. */
  commit(writes: readonly Write[], random: RandomState, options?: { purge?: boolean }): Promise<void>;
  /**
   * Appends writes to a log, which survives a killed tab at once, and a power cut after half a second. They become part of the next commit,
   * whatever else that stores. After a crash, opening the session stores them. Costs a fraction of a commit. Returns false, and does
   * nothing, where there is no log or it cannot be written: commit then. Absent where there is never one.
   */
  log?(writes: readonly Write[], random: RandomState): Promise<boolean>;
  /**
   * Commits what is only in the log. With `discard`, drops it when that fails: call it before the session is loaded again, because `load`
   * and `read` do not find it then.
   */
  settle?(options?: { discard?: boolean }): Promise<void>;
  /**
   * True while the session is read-only: there was no space to record this writer. Reading works, and commits with `purge` that only remove
   * records. Absent where that cannot happen.
   */
  readonly isReadOnly?: boolean;
  /**
   * Makes a read-only session writable. Returns whether stored records changed: load the session again then.
   * @throws RoleZeroError `storage-full` while there is no space.
   */
  becomeWritable?(): Promise<boolean>;
  /**
   * Sets the one listener for warnings about the data, starting with earlier ones. `storage-restored`: the browser lost the session or its
   * newest part, or records were damaged, and it was restored from the replica. `storage-rolled-back`, `storage-corrupt`: it could not be
   * restored. `storage-copy`: the replica cannot be written.
   */
  listen?(listener: (warning: StorageWarning) => void): void;
  /**
   * Restores records from the replica that the caller found damaged, and emits a warning about them. Returns whether one was restored. The
   * storage restores what the check of `open` rejects itself.
   */
  restore?(damaged: readonly RecordPlace[]): Promise<boolean>;
  /** Position of the session; undefined where data cannot be lost without notice. */
  readonly position?: SessionPosition | undefined;
  /** Resolves when another writer has taken over the session; with an error `storage-lost` when the browser has deleted it. */
  readonly lost: Promise<RoleZeroError | void>;
  /** Releases the session. Idempotent. */
  close(): Promise<void>;
}

/** Position of a session, to be stored outside its storage: a storage that was emptied or rolled back cannot detect that itself. */
export interface SessionPosition {
  /** Identifies the database. */
  place: string;
  /** Identifies the session, and differs from that of another session with the same name. */
  id: string;
  /** Number of commits. */
  head: number;
}

export interface StorageWarning {
  code: 'storage-restored' | 'storage-rolled-back' | 'storage-corrupt' | 'storage-copy';
  message: string;
  detail: Record<string, JsonValue>;
}

/** A JSON document with everything of a session; opaque except for the header. */
export interface SessionExport {
  format: 'rolezero-session';
  version: 1;
  name: string;
  createdAt: number;
  random: RandomState;
  records: { table: Table; key: string; value: unknown }[];
}

/** Opens and exports sessions: what a session needs of its storage while it runs. */
export interface SessionOpener {
  /** Name of the place, equal for all tabs and workers that see the same sessions; undefined where no one else can see them. */
  readonly place?: string | undefined;
  /** Starts the work that every opening needs, so that a session opens sooner. Never throws. */
  prepare?(): void;
  /**
   * Opens a session, creates it when it is new, and becomes its only writer.
   * @param options `known`: earlier observed positions of the session, in any database. `wait`: waits until the current owner releases the
   * session, instead of rejecting with `session-busy`, until the signal aborts; only with a `place`. `check`: called with each record that
   * is loaded or read; throws `invalid` for a damaged one, which is then restored from the replica.
   * @throws RoleZeroError `session-busy` when another writer holds it and `takeOver` is not set; `storage-lost` when it is known to have
   * existed here and nothing of it is left.
   */
  open(
    name: string,
    options?: {
      takeOver?: boolean;
      known?: readonly SessionPosition[];
      wait?: AbortSignal;
      check?: (record: Write) => void;
    },
  ): Promise<SessionStore>;
  /** @throws RoleZeroError `not-found`. */
  export(name: string): Promise<SessionExport>;
  /** Returns the used and the available storage; null where the browser does not report it. Never rejects. */
  usage?(): Promise<StorageUsage | null>;
}

/** Stores sessions. */
export interface Storage extends SessionOpener {
  list(): Promise<SessionInfo[]>;
  /** @throws RoleZeroError `session-busy` when it is open somewhere. Removing a session that does not exist does nothing. */
  remove(name: string): Promise<void>;
  /** Removes all records that sessions share under a name. Open sessions may add new ones. Absent where records cannot be shared. */
  removeShared?(shared: string): Promise<void>;
  /**
   * Restores an exported session, under another name if given. Calls `check` with each record before anything is stored; it throws to
   * reject the document.
   * @throws RoleZeroError `invalid` when the document is not an export or the name is taken.
   */
  import(document: unknown, name?: string, check?: (record: Write) => void): Promise<SessionInfo>;
}
