import type { Write } from '../../core/store.js';
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
