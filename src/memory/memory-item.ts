import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import type { MemoryChange, MemoryItem, StoredMemory } from '../core/long-term.js';
import { type MessageData, RunCommand } from '../core/message.js';

/** Validates the essential fields of a stored value and returns it as an item, or null when it is invalid. */
export function readMemory(value: unknown): StoredMemory | null {
  if (!isRecord(value)) return null;
  const { id, role, project, createdAt, number, arrival, message, vector, pinned, imported, shared } = value;
  if (typeof id !== 'string' || typeof role !== 'string' || typeof project !== 'string') return null;
  if (!Number.isFinite(createdAt) || !Number.isSafeInteger(number)) return null;
  if (!isRecord(message) || message['id'] !== id || typeof message['content'] !== 'string') return null;
  return {
    id,
    role,
    project,
    createdAt: createdAt as number,
    number: number as number,
    ...(Number.isSafeInteger(arrival) ? { arrival: arrival as number } : {}),
    // Validated field by field when it is converted to a `Message`. An imported one may have no speaker.
    message: (typeof message['sentFrom'] === 'string'
      ? message
      : { ...message, sentFrom: '' }) as unknown as MessageData,
    ...(pinned === true ? { pinned } : {}),
    ...(imported === true ? { imported } : {}),
    ...(isOrigin(shared) ? { shared } : {}),
    ...(isVector(vector) ? { vector } : {}),
  };
}

/** Maximum number of characters of a memory that the user edits. */
const MAX_EDITED_CHARACTERS = 1_000_000;
/** Maximum number of items in one document. */
const MAX_IMPORTED_ITEMS = 100_000;

/**
 * Reads the memories of an exported document.
 * @throws RoleZeroError `invalid` when it is not a memory export of this version.
 */
export function readMemories(document: unknown): MemoryItem[] {
  const { format, version, items } = isRecord(document) ? document : {};
  if (
    format !== 'rolezero-memory' ||
    version !== 1 ||
    !Array.isArray(items) ||
    items.length > MAX_IMPORTED_ITEMS
  ) {
    throw new RoleZeroError(
      'invalid',
      `This is no export of a memory of this release, or has more than ${MAX_IMPORTED_ITEMS} items.`,
      { format, version },
    );
  }
  return items.map((value: unknown, place) => {
    const item = isRecord(value) ? readMemory({ ...value, number: place, vector: undefined }) : null;
    if (item !== null && item.message.content !== '') return itemOf(item);
    throw new RoleZeroError('invalid', `items[${place}] is not a memory.`, { place });
  });
}

/** Merges the memories of several roles by time, without changing the order within a role: its clock may have gone back. */
export function inOrderOfRoles(items: readonly MemoryItem[]): MemoryItem[] {
  const latest = new Map<string, number>();
  const timed = items.map((item) => {
    const at = Math.max(item.createdAt, latest.get(item.role) ?? -Infinity);
    latest.set(item.role, at);
    return { item, at };
  });
  return timed.sort((one, other) => one.at - other.at).map(({ item }) => item);
}

/** Checks the content that a user gives to a memory. @throws RoleZeroError `invalid` when it is empty or too long. */
export function checkContent(content: string | undefined): void {
  if (content === undefined || (content.trim() !== '' && content.length <= MAX_EDITED_CHARACTERS)) return;
  throw new RoleZeroError(
    'invalid',
    `A memory has 1 to ${MAX_EDITED_CHARACTERS} characters, not ${content.length}.`,
    {
      length: content.length,
    },
  );
}

/**
 * Returns a memory with a change applied. Its vector remains while the content is the same. A trusted memory is no longer marked as imported
 * or as untrusted.
 */
export function changedMemory(memory: StoredMemory, change: MemoryChange): StoredMemory {
  const { pinned: wasPinned, vector, imported, ...item } = memory;
  const content = change.content ?? item.message.content;
  const pinned = change.pinned ?? wasPinned;
  const isTrusted = change.trusted === true;
  const { untrusted: _, ...vouchedFor } = item.message.metadata;
  const metadata = isTrusted ? vouchedFor : item.message.metadata;
  return {
    ...item,
    message: { ...item.message, content, metadata },
    ...(pinned === true ? { pinned } : {}),
    ...(imported === true && !isTrusted ? { imported } : {}),
    ...(vector !== undefined && content === item.message.content ? { vector } : {}),
  };
}

/** Source of memories that were imported. */
const IMPORTED_MEMORIES = 'imported memories';

/** Returns the untrusted sources of a memory; see `ToolContext.untrusted`. */
function sourcesOfMemory({ message, imported }: Pick<StoredMemory, 'message' | 'imported'>): string[] {
  const { untrusted } = message.metadata;
  return [
    ...(Array.isArray(untrusted) ? untrusted.map(String) : []),
    ...(imported === true ? [IMPORTED_MEMORIES] : []),
  ];
}

/** Returns true when no untrusted content had been read before the message was created; see `ToolContext.untrusted`. */
export function isUntouched({ message }: Pick<StoredMemory, 'message'>): boolean {
  return message.metadata['untrusted'] === undefined;
}

/** Returns the fields of a stored item that users and prompts may see. */
export function itemOf(memory: StoredMemory): MemoryItem {
  const { id, role, project, createdAt, message, pinned, shared } = memory;
  const sources = sourcesOfMemory(memory);
  const untrusted = sources.length > 0 ? sources : undefined;
  return { id, role, project, createdAt, message, ...defined({ pinned, untrusted, shared }) };
}

function isOrigin(value: unknown): value is { name: string; session: string } {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['session'] === 'string';
}

function isVector(value: unknown): value is { embedder: string; values: Float32Array } {
  return isRecord(value) && typeof value['embedder'] === 'string' && value['values'] instanceof Float32Array;
}

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
export function memoryEntry(item: StoredMemory, project: string, length: number): MemoryEntry {
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
