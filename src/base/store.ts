import type { JsonValue } from './json.js';
import type { RandomState } from './runtime.js';
import type { StorageUsage } from './space.js';

/** The kinds of records a session is made of. Keys are unique within session and table and sort as strings. */
export const TABLES = [
  'roles', // one small state document per role
  'messages', // what a role remembers: `<role>/<number>`
  'turns', // the conversation as the model saw it: `<role>/<number>`
  'steps', // what each step of a role was, newest last, the oldest forgotten: `<role>/<number>`
  'inbox', // messages accepted for a role and not yet observed: `<role>/<number>`
  'questions', // open questions to the user, keyed by question id
  'approvals', // what the user has allowed: `role/<role>`, `answer/<question id>`, `budget`; never exported or imported
  'deliveries', // messages published among the roles and what became of them: `<number>`
  'team', // `asked`: the role a person spoke to last; `direct/<role>`: its next message answers a person directly
  'memories', // what has left the window of a role's memory: `<role>/<number>`
  'recall', // what finds the memories by words, so many at a time, made from them: `<role>/<number of the first ones / CHUNK_ITEMS>`
  'vectors', // what finds them by meaning, in the same way: read after that
  'files', // one record per file or directory, keyed by path
  'history', // what changed the files, newest last: `<number>`
  'contents', // earlier contents of files that the history needs, keyed by their hash
] as const;
export type Table = (typeof TABLES)[number];

/** Tables that are made from others, and made again when they are missing: they are in no export and no second copy. */
export const DERIVED: ReadonlySet<Table> = new Set<Table>(['recall', 'vectors']);

/** Tables that an export does not have and an import may not fill. */
export const NOT_EXPORTED: ReadonlySet<Table> = new Set<Table>([...DERIVED, 'approvals']);

/** Keys from `from` up to but without `before`, as strings sort. */
export interface KeyRange {
  from: string;
  before: string;
}

/** One record to be stored; `value: undefined` removes it. Values survive a structured clone. */
export interface Write {
  table: Table;
  key: string;
  value: unknown;
}

/** What a listing tells about a session without opening it. */
export interface SessionInfo {
  name: string;
  createdAt: number;
  updatedAt: number;
  /** Number of commits so far. */
  head: number;
}

/**
 * One session held by this writer, and the only way to write to it.
 * `commit` takes copies of the values before it returns, is all or nothing and resolves when the data is safe; it rejects with `session-fenced` once another writer has taken the
 * session over, `storage-full`, `storage-closed` or `storage-failed` otherwise, and then nothing of it was written.
 */
export interface SessionStore {
  readonly name: string;
  /** Grows with every writer; checked inside every commit. */
  readonly epoch: number;
  /** Everything of one table, or of a part of it, in key order; with `newest`, the last so many of these. */
  load(table: Table, range?: KeyRange, newest?: number): Promise<{ key: string; value: unknown }[]>;
  /** The records of these keys, in this order; a key without one is passed over. */
  read(table: Table, keys: readonly string[]): Promise<{ key: string; value: unknown }[]>;
  /** Where the session's ids and randomness go on. */
  readonly random: RandomState;
  /** With `purge`, nothing of what is replaced or removed stays in any second copy either, and that is waited for. */
  commit(writes: readonly Write[], random: RandomState, options?: { purge?: boolean }): Promise<void>;
  /**
   * Tells of what people should know of their data, first of what has been before: `storage-restored` when the browser had lost it, or
   * the newest part of it, and it was brought back from the second copy; `storage-rolled-back` when it was not; `storage-copy` when that
   * copy cannot be kept. One listener.
   */
  listen?(listener: (warning: StorageWarning) => void): void;
  /** How far the session has come; undefined where nobody could lose it without a word. */
  readonly position?: SessionPosition | undefined;
  /** Resolves when this writer has lost the session to another. */
  readonly lost: Promise<void>;
  /** Gives the session back. Idempotent. */
  close(): Promise<void>;
}

/** How far a session has come, for somebody outside its storage to keep: a storage that was emptied or set back cannot tell by itself. */
export interface SessionPosition {
  /** The database. */
  place: string;
  /** The session, unlike that of another one under its name. */
  id: string;
  /** Number of commits. */
  head: number;
}

export interface StorageWarning {
  code: 'storage-restored' | 'storage-rolled-back' | 'storage-copy';
  message: string;
  detail: Record<string, JsonValue>;
}

/** One JSON document with everything of a session; opaque but for the head. */
export interface SessionExport {
  format: 'rolezero-session';
  version: 1;
  name: string;
  createdAt: number;
  random: RandomState;
  records: { table: Table; key: string; value: unknown }[];
}

/** Where sessions live. */
export interface Storage {
  /** Names the place for all tabs and workers that see the same sessions in it; undefined where nobody else can see them. */
  readonly place?: string | undefined;
  /** Begins with what any opening needs, for a session that is about to be opened: it is there sooner then. Never throws. */
  prepare?(): void;
  /**
   * Opens a session, creating it when it is new, and becomes its one writer.
   * @param options `known`: how far the session had come when somebody looked, in whatever databases it was seen in. `wait`: until it
   *   aborts, whoever holds the session is waited for, instead of `session-busy`; where there is a `place`.
   * @throws RoleZeroError `session-busy` when another writer holds it and `takeOver` is not set; `storage-lost` when it is known to have
   *   been here and nothing of it is left.
   */
  open(
    name: string,
    options?: { takeOver?: boolean; known?: readonly SessionPosition[]; wait?: AbortSignal },
  ): Promise<SessionStore>;
  list(): Promise<SessionInfo[]>;
  /** @throws RoleZeroError `session-busy` when it is open somewhere. Removing what is not there does nothing. */
  remove(name: string): Promise<void>;
  /** @throws RoleZeroError `not-found`. */
  export(name: string): Promise<SessionExport>;
  /**
   * Restores an exported session, under another name if given.
   * @throws RoleZeroError `invalid` when the document is not an export or the name is taken.
   */
  import(document: unknown, name?: string): Promise<SessionInfo>;
  /** How much room is taken, and how much there is; null where that cannot be told. Never rejects. */
  usage?(): Promise<StorageUsage | null>;
}
