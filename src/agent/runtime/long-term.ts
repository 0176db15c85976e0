import { checkSharedName } from '../../core/shared-name.js';
import type { LongTermMemoryOptions } from '../../memory/long-term-memory-options.js';
import { LongTermMemory } from '../../memory/long-term-memory.js';
import type { AgentRuntime, LongTermFactory } from './agent-runtime.js';
import { LongTermRows } from './long-term-rows.js';
import { Recollection } from './recollection.js';
import { SharedMemoryRows } from './shared-memory-rows.js';
import { freeableMemories, userMemories } from './user-memories.js';

/** Long-term memory as an option of a role. Without it, a bundle does not contain its code. */
export interface LongTermSource extends LongTermFactory {
  /** Creates what recalls memories for the prompt. `introduction` is the text before them. */
  recollection(agent: AgentRuntime, introduction: string): Recollection;
}

/**
 * Creates long-term memory for a role, as its option `longTermMemory`. Off by default.
 *
 * @example new RoleZero({ model, longTermMemory: longTermMemory({ maxMessages: 100 }) })
 * @throws RoleZeroError `invalid` when the name in `shared` is empty or longer than 200 characters.
 */
export function longTermMemory(options: LongTermMemoryOptions = {}): LongTermSource {
  const { shared } = options;
  if (shared !== undefined) checkSharedName('longTermMemory()', shared);
  return {
    memory: (agent, listeners) => {
      const journal = () => agent.journal;
      const context = () => agent.context;
      const store =
        shared === undefined
          ? new LongTermRows(agent.name, journal, context)
          : new SharedMemoryRows(shared, journal, context);
      return new LongTermMemory({
        ...options,
        ...listeners,
        role: agent.name,
        store,
        session: () => agent.context.session,
        now: () => agent.context.runtime.now(),
        lastArrival: () => agent.context.lastArrival?.() ?? 0,
        warn: (message, error) => agent.warn(message, error),
        isNeeded: ({ id }) => agent.state.unread.includes(id), // the model has not read it yet
      });
    },
    ofSession: userMemories,
    freeable: freeableMemories,
    recollection: (agent, introduction) => new Recollection(agent, introduction),
  };
}
