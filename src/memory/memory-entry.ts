import type { StoredMemory } from '../base/long-term.js';
import { RunCommand } from '../base/message.js';
import { isUntouched } from './memory-item.js';

/** What is known of a memory without reading it. */
export interface MemoryEntry {
  id: string;
  number: number;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Length of the content. */
  characters: number;
  pinned: boolean;
  /** Whether it is of the project that is remembered for: others are kept and not found. */
  own: boolean;
  /** Who said it; empty when nobody in particular. */
  speaker: string;
  /** Whether a person or another role said it, and not the role itself nor the world. */
  told: boolean;
  /** Whether it only asks: the answer is worth more. */
  asks: boolean;
  /** Whether strangers had a hand in it; see `isUntouched`. */
  touched: boolean;
  /** How many telling words it has. */
  length: number;
}

/** The entry of a memory with so many telling words, for one who remembers for `project`. */
export function entryOf(item: StoredMemory, project: string, length: number): MemoryEntry {
  const { id, number, createdAt, message, pinned = false } = item;
  return {
    id,
    number,
    createdAt,
    characters: message.content.length,
    pinned,
    own: item.project === project,
    speaker: message.sentFrom,
    told: message.role === 'user' && message.causeBy !== RunCommand.id,
    asks: /[?？]["'”’)\]]*\s*$/u.test(message.content),
    touched: !isUntouched(item),
    length,
  };
}
