import { archiveMemories, type SessionMemory } from '../core/long-term.js';
import { RoleZeroError } from '../core/error.js';
import { forgetMemory } from '../agent/runtime/forget-memory.js';
import type { TeamRole } from '../agent/runtime/team-role.js';
import type { MemoryAccess, UserMemories } from '../agent/runtime/user-memories.js';
import type { SessionState } from './session-state.js';
import { rolesOf } from './team.js';

/** Creates the memory API of a session for the user, over the memories of all roles. */
export function sessionMemory(state: SessionState): SessionMemory {
  const rolesFor = async (
    name: string | undefined,
    purpose: Parameters<typeof state.ready>[0],
  ): Promise<readonly TeamRole[]> => {
    await state.ready(purpose);
    const roles = name === undefined ? state.environment.roles : [state.role(name)];
    for (const { agent } of roles) await agent.longTerm?.refresh();
    return roles;
  };
  const owner = rolesOf(state.options).find(({ agent }) => agent.longTermSource !== undefined);
  const access: MemoryAccess = {
    session: state.options.name,
    roles: rolesFor,
    commit: (writes, options) => state.commitApart(writes, options),
  };
  const memory: SessionMemory = {
    ...(owner?.agent.longTermSource?.ofSession(access) ?? noMemories(access)),
    async forget(ids, { role } = {}) {
      const chosen = typeof ids === 'string' ? [ids] : ids;
      const roles = await rolesFor(role, 'free');
      const writes = roles.flatMap(({ agent }) => chosen.flatMap((id) => forgetMemory(agent, id)));
      if (writes.length === 0) return false;
      await state.commitApart(writes, { purge: true });
      return true;
    },
    archive: (options, keep) => archiveMemories(memory, options, keep),
  };
  return memory;
}

/** The API of a session whose roles have no long-term memory. */
function noMemories({ session, roles }: MemoryAccess): UserMemories {
  const none = async (name: string | undefined): Promise<[]> => {
    await roles(name, 'read');
    return [];
  };
  return {
    search: (_query, { role } = {}) => none(role),
    list: ({ role } = {}) => none(role),
    change: async (_id, _change, { role } = {}) => (await none(role), null),
    export: async ({ role } = {}) => ({
      format: 'rolezero-memory',
      version: 1,
      session,
      items: await none(role),
    }),
    async import(_document, { role } = {}) {
      await roles(role, 'write');
      throw new RoleZeroError(
        'invalid',
        'No role of this session has long-term memory. Give a role the option `longTermMemory: longTermMemory()`.',
        { session },
      );
    },
  };
}
