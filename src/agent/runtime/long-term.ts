import {
  LongTermMemory,
  type LongTermHost,
  type LongTermMemoryOptions,
} from '../../memory/long-term-memory.js';
import type { RoleContext } from './context.js';
import type { Journal } from './journal.js';
import { LongTermRows } from './long-term-rows.js';
import { Recollection, type RecollectionHost } from './recollection.js';

/** What long-term memory needs of its role, so that memories are committed with everything else. */
interface LongTermOwner extends Omit<LongTermHost, 'store' | 'role'> {
  role: string;
  journal: () => Journal;
  context: () => RoleContext;
}

/** Long-term memory as an option of a role. Without it, a bundle does not contain its code. */
export interface LongTermSource {
  memory(owner: LongTermOwner): LongTermMemory;
  recollection(host: RecollectionHost): Recollection;
}

/**
 * Creates long-term memory for a role, as its option `longTermMemory`. Off by default.
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
