import type { MessageData } from './message.js';
import type { Write } from './store.js';

/** A message that has left the memory window of a role. Plain data. */
export interface MemoryItem {
  /** Id of the message. */
  id: string;
  /** Name of the role that remembers it. */
  role: string;
  /** The project, as `LongTermMemoryOptions.project` returned it; empty when it returned nothing. */
  project: string;
  /** Time at which it left the window, in milliseconds since 1970. Only for display: the order is that of arrival. */
  createdAt: number;
  message: MessageData;
  /** Set when the memory is never removed automatically, whatever the limits. */
  pinned?: true;
  /** Untrusted sources: what was read before it was written, or that it was imported. Absent without any. */
  untrusted?: string[];
  /** Set in a shared memory: its name, and the session that stored the message there. */
  shared?: { name: string; session: string };
}

/** The properties of a memory that a user can change. */
export interface MemoryChange {
  /** New content of the memory. */
  content?: string;
  pinned?: boolean;
  /** Removes the untrusted sources of the memory. Default: it keeps them, because the user may have changed only a part. */
  trusted?: true;
}

/** An item as it is stored. */
export interface StoredMemory extends MemoryItem {
  /** Increases from item to item of a role. */
  number: number;
  /** Increases from item to item of all roles of a session, whatever the clock says. Absent in items of earlier releases. */
  arrival?: number;
  /** Set when it was imported and the user has not vouched for it. */
  imported?: true;
  /** Embedding of the content, with the id of its embedder. */
  vector?: { embedder: string; values: Float32Array };
}

/** Range of item numbers in one chunk: chunk n covers the items from n × CHUNK_ITEMS. */
export const CHUNK_ITEMS = 1_024;

/** Returns the chunk of the item with this number. */
export function chunkOf(number: number): number {
  return Math.floor(number / CHUNK_ITEMS);
}

/** Part of a chunk: either the keyword index with the data of its items, or their vectors. */
export type ChunkPart = 'words' | 'vectors';

/** What other sessions have changed in shared memories. */
export interface SharedChanges {
  /** New and changed items, with their numbers. The values may come from an untrusted source. */
  entered: unknown[];
  /** Numbers of the removed ones. */
  gone: number[];
}

/**
 * Stores the older memories of one role and, in chunks, their search data, so that it need not be rebuilt. The commit that changes or
 * removes an item also removes both parts of its chunk. A chunk therefore never describes items that no longer exist. `read` sees changes
 * immediately. They become durable with the next commit of the role, together with all its other changes.
 */
export interface LongTermStore {
  /**
   * Adds an item that no chunk covers yet: its number is beyond those its chunk was built from, if that chunk exists. The chunk remains
   * valid.
   */
  add(item: StoredMemory): void;
  /** Replaces the item with the same number. */
  put(item: StoredMemory): void;
  /** Ignores a number that does not exist. */
  remove(number: number): void;
  /**
   * Returns the values stored under these numbers, in this order, and skips missing ones. The values may come from an untrusted source.
   * @throws RoleZeroError `storage-…`.
   */
  read(numbers: readonly number[]): Promise<unknown[]>;
  /**
   * Does the same as `read`, but the values may lack their vectors. Absent where that is not faster.
   * @throws RoleZeroError `storage-…`.
   */
  readWithoutVectors?(numbers: readonly number[]): Promise<unknown[]>;
  /** Returns all items with numbers from `from` (inclusive) to `before` (exclusive), in order. @throws RoleZeroError `storage-…`. */
  readRange(from: number, before: number): Promise<unknown[]>;
  /** Stores a part of a chunk, plain data, with the next commit. It is valid until one of its items is put or removed. */
  putChunk(chunk: number, part: ChunkPart, value: unknown): void;
  /**
   * Returns this part of the chunks from `from` (inclusive) to `before` (exclusive), in order. The values may come from an untrusted
   * source.
   * @throws RoleZeroError `storage-…`.
   */
  readChunks(part: ChunkPart, from: number, before: number): Promise<{ chunk: number; value: unknown }[]>;
  /**
   * Runs a change of the user. Returns the writes that must be stored at once, apart from the next commit of the role. Absent where items need
   * no commit.
   */
  byUser?(change: () => void): Write[];
  /** Stores the vector of an item whose content has not changed. Absent where items are stored with their vectors. */
  putVector?(item: StoredMemory): void;
  /**
   * Reads what other sessions have changed since the last call, and calls `take` with it. No item is added between the two. Absent where
   * only this session changes items.
   * @throws RoleZeroError `storage-…`.
   */
  refresh?(take: (changes: SharedChanges) => void): Promise<void>;
}

/** Selects memories of one role or of all roles, at most `limit`. */
interface MemoryQuery {
  role?: string;
  limit?: number;
}

/** Searches memories of one role or of all roles. */
interface MemorySearch extends MemoryQuery {
  /**
   * Waits until a large memory can be searched by meaning. Without it, the first search after opening may be by words alone.
   * @default false
   */
  byMeaning?: boolean;
}

/** Lists memories page by page, newest first, when `before` is the first memory of the previous page. */
interface MemoryListQuery extends MemoryQuery {
  /** Id of a memory: lists only memories before it. */
  before?: string;
}

/** Sort position of a memory: by arrival in the session, then by number. */
export interface MemoryPlace {
  arrival: number;
  number: number;
}

/** Selects the older memories to export: those of one role or of all roles. */
interface MemoryExportQuery {
  role?: string;
  /** Number of the oldest memories of each role to export, without pinned ones. Default: all, including pinned ones. */
  oldest?: number;
}

interface MemoryImportOptions {
  role?: string;
  /** True when the user or the application wrote the document. Default false. */
  trusted?: boolean;
}

/** A JSON document with the older memories of a session. */
export interface MemoryExport {
  format: 'rolezero-memory';
  version: 1;
  session: string;
  items: MemoryItem[];
}

/**
 * The memories of the roles of a session beyond their windows. Roles without long-term memory have none. Every method rejects with
 * `not-found` when no role has the name in `role`.
 */
export interface SessionMemory {
  /**
   * Returns the memories that match the query, best first. Default `limit`: 5. Right after a session with an embedder is opened, the vectors
   * of its memories are still being read: until then, searches are by words, unless `byMeaning` is set.
   */
  search(query: string, options?: MemorySearch): Promise<MemoryItem[]>;
  /**
   * Returns the newest memories, oldest first. Default `limit`: 1,000. With `before`, the id of a memory, returns the newest ones before
   * it: the next page.
   * @throws RoleZeroError `not-found` when no memory has the id in `before`.
   */
  list(options?: MemoryListQuery): Promise<MemoryItem[]>;
  /**
   * Permanently removes one or more messages from the memory of the roles, including their windows. Resolves when that is stored. Messages
   * already in the current conversation with the model remain there. Returns false when no role remembers any of them.
   */
  forget(ids: string | readonly string[], options?: Pick<MemoryQuery, 'role'>): Promise<boolean>;
  /**
   * Changes an older memory, or pins it so that no limit removes it. Resolves with the new memory when it is stored, or with null when no
   * role has it among its older memories.
   * @throws RoleZeroError `invalid` when the content is empty or longer than a million characters.
   */
  change(id: string, change: MemoryChange, options?: Pick<MemoryQuery, 'role'>): Promise<MemoryItem | null>;
  /**
   * Adds memories from `export` of another session, or memories written by an application, to the older memories of the role. Default: the
   * only role with long-term memory. Resolves with the number of new memories when they are stored. Skips memories that already exist.
   *
   * Imported memories are untrusted: a role that recalls one asks before effects outside the session. With `trusted`, they are the user's,
   * except for those that were created after untrusted content was read.
   * @throws RoleZeroError `invalid` when the document is not an export or has more than 100,000 items; nothing is added then.
   */
  import(document: unknown, options?: MemoryImportOptions): Promise<number>;
  /** Exports all memories, or the `oldest` ones of each role, role by role, oldest first. */
  export(options?: MemoryExportQuery): Promise<MemoryExport>;
  /**
   * Frees space: calls `keep` with a document of each role's oldest memories, to store them elsewhere (as a download or on a server).
   * Removes them permanently when `keep` returns true. When it returns false or rejects, all of them remain. Pinned memories are never
   * included. `import` restores them.
   * @returns the number of removed memories.
   */
  archive(
    options: MemoryExportQuery & { oldest: number },
    keep: (document: MemoryExport) => boolean | Promise<boolean>,
  ): Promise<number>;
}

/** The methods that need long-term memory. Forgetting does not: it also concerns the newest messages. */
export type UserMemories = Omit<SessionMemory, 'forget' | 'archive'>;

/** Implements `SessionMemory.archive` for any location of the memory. */
export async function archiveMemories(
  memory: Pick<SessionMemory, 'export' | 'forget'>,
  ...[options, keep]: Parameters<SessionMemory['archive']>
): Promise<number> {
  const document = await memory.export(options);
  const { items } = document;
  if (items.length === 0 || !(await keep(document))) return 0;
  const ids = items.map(({ id }) => id);
  await memory.forget(ids, options.role === undefined ? {} : { role: options.role });
  return items.length;
}
