import type { Write } from '../../core/store.js';
import type { AgentRuntime } from './agent-runtime.js';

/** Forgets messages wherever the agent remembers them. Returns no writes when it remembers none. */
export function forgetMessages(agent: AgentRuntime, ids: readonly string[]): Write[] {
  const { memory, messageRows, inbox, parts } = agent;
  return ids.flatMap((id) => {
    const rows = [
      ['messages', messageRows.keyOf(id)],
      ['inbox', inbox.takenKey(id)],
    ] as const;
    const message = memory.storage.find((stored) => stored.id === id);
    if (message !== undefined) memory.delete(message);
    return [
      ...rows.flatMap(([table, key]): Write[] =>
        key === undefined ? [] : [{ table, key, value: undefined }],
      ),
      ...parts.flatMap((part) => part.forget?.(id) ?? []),
    ];
  });
}
