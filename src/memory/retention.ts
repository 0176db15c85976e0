import { RoleZeroError } from '../base/error.js';
import type { MemoryList } from './memory-list.js';

/** How much is remembered; what is pinned counts and stays. */
export interface Retention {
  maxItems: number;
  /** Characters of all contents together. */
  maxCharacters: number;
  /** Milliseconds; what is older goes. */
  maxAgeMs: number;
}

/** The number of the oldest memory that has to go now; null when there is none, or when all that is left is pinned. */
export function overdue(
  list: MemoryList,
  { maxItems, maxCharacters, maxAgeMs }: Retention,
  now: number,
): number | null {
  const isFull = list.size > maxItems || list.characters > maxCharacters;
  if (!isFull && maxAgeMs === Infinity) return null;
  const oldest = list.oldestFree(); // in the order they came: the next are younger
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
