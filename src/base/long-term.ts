import type { MessageData } from './message.js';

/** A message that has left the window of a role's memory. Plain data. */
export interface MemoryItem {
  /** Id of the message. */
  id: string;
  /** Name of the role that remembers it. */
  role: string;
  /** What the memory was about, as `LongTermMemoryOptions.project` said; empty when it said nothing. */
  project: string;
  /** When it left the window, in milliseconds since 1970. */
  createdAt: number;
  message: MessageData;
  /** Set for what is never forgotten by itself, whatever the limits. */
  pinned?: true;
}

/** What a person changes of a memory. */
export interface MemoryChange {
  /** What is to be remembered instead. */
  content?: string;
  pinned?: boolean;
}

/** An item as it is stored. */
export interface StoredMemory extends MemoryItem {
  /** Grows from item to item of a role. */
  number: number;
  /** The content as a vector, and whose. */
  vector?: { embedder: string; values: Float32Array };
}

/** How many numbers of items a chunk spans: chunk n is of the items from n × CHUNK_ITEMS on. */
export const CHUNK_ITEMS = 1_024;

/** What a chunk has of its items: what finds them by their words and tells of them, or their vectors. */
export type ChunkPart = 'words' | 'vectors';

/**
 * Where the older memories of one role are kept, and beside them, in chunks, what finds them, so that it need not be made of them again.
 * A chunk goes, both parts of it, with the commit that changes or removes one of the items in its span: it is never of other items than
 * those that are there. What is put or removed is so at once for `read`; it is safe with the next commit of the role, together with all
 * else that the role has changed.
 */
export interface LongTermStore {
  /** An item that no chunk is of yet: one whose number is beyond those that its chunk was made of, if there is any. The chunk stays. */
  add(item: StoredMemory): void;
  /** In the place of the item of the same number. */
  put(item: StoredMemory): void;
  /** What is not there is passed over. */
  remove(number: number): void;
  /**
   * What is stored under these numbers, in this order; where there is nothing it is passed over. It may have been written by anybody.
   * @throws RoleZeroError `storage-…`.
   */
  read(numbers: readonly number[]): Promise<unknown[]>;
  /** All items with numbers from `from` up to but without `before`, in order. @throws RoleZeroError `storage-…`. */
  readRange(from: number, before: number): Promise<unknown[]>;
  /** Keeps a part of a chunk, plain data, from the next commit on until one of its items is put or removed. */
  putChunk(chunk: number, part: ChunkPart, value: unknown): void;
  /**
   * What is stored of this part of the chunks from `from` up to but without `before`, in order. It may have been written by anybody.
   * @throws RoleZeroError `storage-…`.
   */
  readChunks(part: ChunkPart, from: number, before: number): Promise<{ chunk: number; value: unknown }[]>;
}

/** Chooses memories: those of one role or of all, at most `limit`. */
export interface MemoryQuery {
  role?: string;
  limit?: number;
}

/** Which memories are listed: page by page from the newest back, when `before` is the first of the page that was there last. */
export interface MemoryListQuery extends MemoryQuery {
  /** Id of a memory: only what comes before it. */
  before?: string;
}

/** Where a memory stands among others: by its age, and of equal ones by its number. */
export interface MemoryPlace {
  /** Milliseconds since 1970. */
  createdAt: number;
  number: number;
}

/** Which older memories are exported: those of one role or of all. */
export interface MemoryExportQuery {
  role?: string;
  /** Only so many of each role's oldest that are not pinned; all, pinned ones included, unless it is given. */
  oldest?: number;
}

/** One JSON document with the older memories of a session. */
export interface MemoryExport {
  format: 'rolezero-memory';
  version: 1;
  session: string;
  items: MemoryItem[];
}

/**
 * What the roles of a session remember beyond their windows. Roles without long-term memory have nothing here.
 * Every method rejects with `not-found` when nobody has the name in `role`.
 */
export interface SessionMemory {
  /** What fits the query, best first; 5 unless `limit` says otherwise. */
  search(query: string, options?: MemoryQuery): Promise<MemoryItem[]>;
  /**
   * The newest items, oldest first; 1,000 unless `limit` says otherwise. With `before`, the id of one of them, the newest of those that
   * come before it: the next page.
   * @throws RoleZeroError `not-found` when there is no memory of the id in `before`.
   */
  list(options?: MemoryListQuery): Promise<MemoryItem[]>;
  /**
   * Removes a message, or several at once, from what roles remember, their windows included, for good; resolves when that is stored. What
   * the model was told in the conversation in hand stays there. False when nobody remembers any of them.
   */
  forget(ids: string | readonly string[], options?: Pick<MemoryQuery, 'role'>): Promise<boolean>;
  /**
   * Changes an older memory, or pins it so that no limit makes it go; resolves when that is stored, with the memory as it is now. Null
   * when no role has it among its older memories.
   * @throws RoleZeroError `invalid` when the content is empty or longer than a million characters.
   */
  change(id: string, change: MemoryChange, options?: Pick<MemoryQuery, 'role'>): Promise<MemoryItem | null>;
  /**
   * Adds what another session's `export` gave, or an application wrote, as older memories of the role, or of the one role that has
   * long-term memory; resolves when it is stored, with how many were new. What is remembered already is passed over.
   * @throws RoleZeroError `invalid` when the document is none, or has more than 100,000 items; nothing is added then.
   */
  import(document: unknown, options?: Pick<MemoryQuery, 'role'>): Promise<number>;
  /** Everything, or so many of the oldest, role by role, oldest first. */
  export(options?: MemoryExportQuery): Promise<MemoryExport>;
  /**
   * Makes room: gives `keep` a document with so many of each role's oldest memories, which it stores elsewhere (as a download, or a
   * file on a server), and forgets them for good once `keep` has said yes. With a no, or when it rejects, all of them stay. Pinned
   * memories are never among them. `import` brings them back.
   * @returns how many are forgotten here now.
   */
  archive(
    options: MemoryExportQuery & { oldest: number },
    keep: (document: MemoryExport) => boolean | Promise<boolean>,
  ): Promise<number>;
}

/** `SessionMemory.archive`, wherever the memory is. */
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
