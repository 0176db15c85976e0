/** Changes of an agent's memory by the user. Each function returns the writes that must be stored at once. */
import type { MemoryChange, MemoryItem } from '../../core/long-term.js';
import type { Write } from '../../core/store.js';
import { itemOf } from '../../memory/memory-item.js';
import type { AgentRuntime } from './agent-runtime.js';
import { memoryAddition, memoryRemovals, memoryWrites } from './memory-writes.js';

/** Forgets a message wherever it is remembered. Returns no writes when it is not remembered. */
export function forgetMemory(agent: AgentRuntime, id: string): Write[] {
  const { memory, longTerm, messageRows, name } = agent;
  const key = messageRows.keyOf(id);
  const message = memory.storage.find((stored) => stored.id === id);
  if (message !== undefined) memory.delete(message);
  const number = longTerm?.forget(id) ?? null;
  return [
    ...(key === undefined ? [] : [{ table: 'messages' as const, key, value: undefined }]),
    ...(number === null ? [] : memoryRemovals(name, number)),
  ];
}

/** Changes or pins an older memory. Returns null when it does not exist. */
export async function changeMemory(
  { name, longTerm }: AgentRuntime,
  id: string,
  change: MemoryChange,
): Promise<{ item: MemoryItem; writes: Write[] } | null> {
  const changed = (await longTerm?.change(id, change)) ?? null;
  return changed === null ? null : { item: itemOf(changed), writes: memoryWrites(name, changed) };
}

/** Adds the older memories of an exported document. Also returns how many are new. */
export function importMemories(
  { name, longTerm }: AgentRuntime,
  document: unknown,
  trusted: boolean,
): { count: number; writes: Write[] } {
  const { added, gone } = longTerm?.import(document, trusted) ?? { added: [], gone: [] };
  // Memories that were removed to make room go in the same commit: a crash must not bring them back.
  const writes = [
    ...added.map((item) => memoryAddition(name, item)),
    ...gone.flatMap((number) => memoryRemovals(name, number)),
  ];
  return { count: added.length, writes };
}
