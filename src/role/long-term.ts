import { LongTermMemory, type LongTermHost, type LongTermMemoryOptions } from '../memory/long-term-memory.js';
import type { RoleContext } from './context.js';
import type { Journal } from './journal.js';
import { LongTermRows } from './long-term-rows.js';
import { Recollection, type RecollectionHost } from './recollection.js';

/** What a role needs for its older memories to be stored with everything else it does. */
interface LongTermOwner extends Omit<LongTermHost, 'store' | 'role'> {
  role: string;
  journal: () => Journal;
  context: () => RoleContext;
}

/** Long-term memory as a role sees it: a role that is given none does not carry its code. */
export interface LongTermSource {
  memory(owner: LongTermOwner): LongTermMemory;
  recollection(host: RecollectionHost): Recollection;
}

/**
 * Long-term memory for a role, as its option `longTermMemory`. Off by default (spec 26).
 *
 * @example new RoleZero({ model, longTermMemory: longTermMemory({ memoryK: 100 }) })
 */
export function longTermMemory(options: LongTermMemoryOptions = {}): LongTermSource {
  return {
    memory: ({ journal, context, ...host }) =>
      new LongTermMemory({ ...options, ...host, store: new LongTermRows(host.role, journal, context) }),
    recollection: (host) => new Recollection(host),
  };
}
