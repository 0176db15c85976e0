import { RoleZeroError } from '../core/error.js';
import type { LongTermStore } from '../core/long-term.js';
import type { Message } from '../core/message.js';
import type { Embedder } from '../core/model.js';
import type { MemoryListeners } from './memory.js';
import type { VectorIndexFactory } from './vector-index.js';

/** Settings of the long-term memory that an application can choose. */
export interface LongTermMemoryOptions {
  /**
   * Number of messages in the window. Older ones move to the store.
   * @default 200
   */
  maxMessages?: number;
  /**
   * Number of memories to recall.
   * @default 5
   */
  similarityTopK?: number;
  /**
   * Lets the model choose among the memories found. Costs one extra model call per request.
   * @default false
   */
  useLlmRanker?: boolean;
  /**
   * Rates how well each text answers the query, for example with a cross-encoder: one finite number per text, higher is better. Receives
   * three times `similarityTopK` memories, and the best `similarityTopK` are recalled. Has 5 s; if it fails, those found first are recalled.
   * Replaces `useLlmRanker`.
   */
  rerank?: (query: string, texts: readonly string[], signal: AbortSignal) => Promise<readonly number[]>;
  /** Finds memories by meaning as well as by shared words. */
  embedder?: Embedder;
  /**
   * Previous embedder. Its vectors are used until every memory has a vector of `embedder`, which are created in batches in the background.
   * Without it, memories are embedded again before they are compared.
   */
  formerEmbedder?: Embedder;
  /**
   * Creates the vector index. The default compares every vector exactly and suits about ten thousand memories. For more, use
   * `quantizedVectors` from `rolezero/memory/vectors`.
   */
  vectors?: VectorIndexFactory;
  /**
   * Number of messages before and after a recalled one to include.
   * @default 0
   */
  neighbors?: number;
  /**
   * Name of a shared memory. All roles with this name store their messages there when a turn has ended or was interrupted, and recall those
   * of all sessions of the database, also in other tabs. Without it, each role of each session has its own, with older messages only.
   *
   * @default none
   */
  shared?: string;
  /** Project of the memories. Memories of other projects are not found. By default, each session is its own project. */
  project?: string;
  /**
   * Name of the team leader, whose messages count as requests like those of the user.
   * @default 'Mike'
   */
  leader?: string;
  /**
   * Maximum number of older memories of a role, or of a shared memory. Beyond it, the oldest are deleted; in a shared memory, first those
   * that were created after untrusted content was read.
   * @default 50_000, and 10_000 with `shared`
   */
  maxItems?: number;
  /**
   * Maximum total characters of these memories. Beyond it, they are deleted in the same order.
   * @default 100_000_000, and 20_000_000 with `shared`
   */
  maxCharacters?: number;
  /**
   * Maximum age in milliseconds. Older memories are deleted.
   * @default Infinity
   */
  maxAgeMs?: number;
}

/** The settings, and what the owner of the memory provides. */
export interface LongTermMemoryInit extends LongTermMemoryOptions, MemoryListeners {
  /** Name of the role that owns the memory. Default: no owner. */
  role?: string;
  /** Store for older memories. By default, in RAM. */
  store?: LongTermStore;
  /** Name of the session that uses a shared memory. Default: the empty name. */
  session?: () => string;
  /**
   * Returns milliseconds since 1970.
   * @default Date.now
   */
  now?: () => number;
  /**
   * Returns the arrival of the newest memory of all roles that share a session; see `StoredMemory.arrival`. By default, of this memory.
   */
  lastArrival?: () => number;
  /** Called with recoverable errors. */
  warn?: (message: string, error: unknown) => void;
  /**
   * Returns true for a message that must not leave the window yet. It also retains later messages, up to 100 beyond `maxMessages`. By default,
   * no message is needed.
   */
  isNeeded?: (message: Message) => boolean;
}

/** Checks a setting or an argument. @throws RoleZeroError `invalid` when it is not an integer of at least `least`. */
export function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  throw new RoleZeroError('invalid', `${name} must be a whole number from ${least}, not ${value}.`, {
    [name]: value,
  });
}
