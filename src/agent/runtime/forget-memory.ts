import type { Write } from '../../core/store.js';
import type { AgentRuntime } from './agent-runtime.js';

/** Forgets a message wherever it is remembered. Returns no writes when it is not remembered. */
export function forgetMemory({ memory, longTerm, messageRows, inbox }: AgentRuntime, id: string): Write[] {
  const rows = [
    ['messages', messageRows.keyOf(id)],
    ['inbox', inbox.takenKey(id)],
  ] as const;
  const message = memory.storage.find((stored) => stored.id === id);
  if (message !== undefined) memory.delete(message);
  return [
    ...rows.flatMap(([table, key]) => (key === undefined ? [] : { table, key, value: undefined })),
    ...(longTerm?.byUser(() => longTerm.forget(id)) ?? []),
  ];
}
