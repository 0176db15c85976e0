import { RoleZeroError } from '../core/error.js';
import type { MemoryList } from './memory-list.js';
import type { LongTermStore } from '../core/long-term.js';
import type { Embedder } from '../core/model.js';
import type { VectorIndexFactory } from './vector-index.js';

/** Limits of long-term memory. Pinned memories count but are never deleted. */
export interface Retention {
  maxItems: number;
  /** Maximum total characters of all contents. */
  maxCharacters: number;
  /** Maximum age in ms. */
  maxAgeMs: number;
  /** Deletes memories from untrusted sources before all others, so that these cannot displace them. */
  untrustedFirst: boolean;
}

/** Returns the number of the oldest memory that must be deleted now. Returns null when the limits hold or only pinned memories are left. */
export function overdue(
  list: MemoryList,
  { maxItems, maxCharacters, maxAgeMs, untrustedFirst }: Retention,
  now: number,
): number | null {
  const isFull = list.size > maxItems || list.characters > maxCharacters;
  if (!isFull && maxAgeMs === Infinity) return null;
  if (isFull && untrustedFirst)
    for (const number of list.touched) if (list.get(number)?.pinned === false) return number;
  const oldest = list.oldestFree(); // numbers follow the order of arrival, so later ones are younger
  if (oldest === null || isFull) return oldest;
  return now - (list.get(oldest)?.createdAt ?? now) > maxAgeMs ? oldest : null;
}

export function limitReached({ maxItems, maxCharacters, maxAgeMs }: Retention): RoleZeroError {
  return new RoleZeroError('storage-full', 'A limit of long-term memory is reached.', {
    maxItems,
    maxCharacters,
    maxAgeMs,
  });
}

export interface ArchiveOptions {
  store: LongTermStore;
  /** Memories of other projects remain stored but are not found. */
  project: string;
  /** Returns which memories of a shared memory the role itself has stored; see `conversationOf`. */
  conversation: () => string;
  embedder: Embedder | undefined;
  formerEmbedder: Embedder | undefined;
  vectors: VectorIndexFactory | undefined;
  retention: Retention;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Returns the arrival of the newest memory of all roles of the session. */
  lastArrival: () => number;
  /** Called with recoverable errors. */
  warn(message: string, error: unknown): void;
}
