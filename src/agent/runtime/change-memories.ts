/** Changes of an agent's memory by the user. Each function returns the writes that must be stored at once. */
import type { MemoryChange, MemoryItem } from '../../core/long-term.js';
import type { Write } from '../../core/store.js';
import { itemOf } from '../../memory/memory-item.js';
import type { AgentRuntime } from './agent-runtime.js';

/** Forgets a message wherever it is remembered. Returns no writes when it is not remembered. */
export function forgetMemory({ memory, longTerm, messageRows }: AgentRuntime, id: string): Write[] {
  const key = messageRows.keyOf(id);
  const message = memory.storage.find((stored) => stored.id === id);
  if (message !== undefined) memory.delete(message);
  return [
    ...(key === undefined ? [] : [{ table: 'messages' as const, key, value: undefined }]),
    ...(longTerm?.byUser(() => longTerm.forget(id)) ?? []),
  ];
}

/** Changes or pins an older memory. Returns null when it does not exist. */
export async function changeMemory(
  { longTerm }: AgentRuntime,
  id: string,
  change: MemoryChange,
): Promise<{ item: MemoryItem; writes: Write[] } | null> {
  let writes: Write[] = [];
  const changed = (await longTerm?.change(id, change, (all) => (writes = all))) ?? null;
  return changed === null ? null : { item: itemOf(changed), writes };
}

/** Adds the older memories of an exported document. Also returns how many are new. */
export function importMemories(
  { longTerm }: AgentRuntime,
  document: unknown,
  trusted: boolean,
): { count: number; writes: Write[] } {
  let count = 0;
  // Memories that are removed to make room go in the same commit: a crash must not bring them back.
  const writes = longTerm?.byUser(() => (count = longTerm.import(document, trusted)));
  return { count, writes: writes ?? [] };
}
