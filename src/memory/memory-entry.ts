import type { StoredMemory } from '../core/long-term.js';
import { RunCommand } from '../core/message.js';
import { isUntouched } from './memory-item.js';

/** Metadata of a memory that is available without reading it. */
export interface MemoryEntry {
  id: string;
  number: number;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** See `StoredMemory.arrival`; null for a memory of an earlier release. */
  arrival: number | null;
  /** Length of the content. */
  characters: number;
  pinned: boolean;
  /** True when it belongs to the current project. Memories of other projects are stored but not found. */
  own: boolean;
  /** True when the user or another role wrote it, rather than the role itself or a command result. */
  fromOthers: boolean;
  /** True when it comes from an untrusted source; see `isUntouched`. */
  touched: boolean;
  /** Number of search terms of its content. */
  length: number;
  /** The conversation that it belongs to, among those of a shared memory; empty in others. */
  conversation: string;
}

/** Returns what identifies the role and session that have stored a shared memory; empty for one that is not shared. */
export function conversationOf({ shared, role }: Pick<StoredMemory, 'shared' | 'role'>): string {
  return shared === undefined ? '' : `${shared.session}\n${role}`;
}

/** Creates the entry of a memory with `length` search terms, as seen from `project`. */
export function entryOf(item: StoredMemory, project: string, length: number): MemoryEntry {
  const { id, number, createdAt, arrival = null, message, pinned = false } = item;
  return {
    id,
    number,
    createdAt,
    arrival,
    characters: message.content.length,
    pinned,
    own: item.project === project,
    fromOthers: message.role === 'user' && message.causeBy !== RunCommand.id,
    touched: !isUntouched(item),
    length,
    conversation: conversationOf(item),
  };
}
