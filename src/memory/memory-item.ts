import { isRecord } from '../base/json.js';
import type { MemoryItem, StoredMemory } from '../base/long-term.js';
import type { MessageData } from '../base/message.js';

/** A stored value as an item, what matters checked; null when it is none. */
export function readMemory(value: unknown): StoredMemory | null {
  if (!isRecord(value)) return null;
  const { id, role, project, createdAt, number, message, vector } = value;
  if (typeof id !== 'string' || typeof role !== 'string' || typeof project !== 'string') return null;
  if (!Number.isFinite(createdAt) || !Number.isSafeInteger(number)) return null;
  if (!isRecord(message) || message['id'] !== id || typeof message['content'] !== 'string') return null;
  return {
    id,
    role,
    project,
    createdAt: createdAt as number,
    number: number as number,
    message: message as unknown as MessageData, // read field by field when it becomes a message again
    ...(isVector(vector) ? { vector } : {}),
  };
}

/** What people and prompts get to see of a stored item. */
export function itemOf({ id, role, project, createdAt, message }: StoredMemory): MemoryItem {
  return { id, role, project, createdAt, message };
}

function isVector(value: unknown): value is { embedder: string; values: Float32Array } {
  return isRecord(value) && typeof value['embedder'] === 'string' && value['values'] instanceof Float32Array;
}
