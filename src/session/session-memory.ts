import {
  archiveMemories,
  type MemoryExport,
  type MemoryItem,
  type MemoryPlace,
  type SessionMemory,
} from '../core/long-term.js';
import { RoleZeroError } from '../core/error.js';
import { changeMemory, forgetMemory, importMemories } from '../agent/runtime/change-memories.js';
import type { TeamRole } from '../agent/runtime/team-role.js';
import { rolesWithMemory } from './session-queries.js';
import type { SessionState } from './session-state.js';

type LongTermMemory = NonNullable<TeamRole['agent']['longTerm']>;

const FOUND = 5;
const LISTED = 1_000;

/** Creates the memory API of a session for the user, over the memories of all roles. */
export function sessionMemory(state: SessionState): SessionMemory {
  const rolesFor = async (
    name: string | undefined,
    purpose: Parameters<typeof state.ready>[0] = 'write',
  ): Promise<readonly TeamRole[]> => {
    await state.ready(purpose);
    const roles = name === undefined ? state.environment.roles : [state.role(name)];
    for (const { agent } of roles) await agent.longTerm?.refresh();
    return roles;
  };
  const memoriesOf = async (name: string | undefined): Promise<LongTermMemory[]> =>
    rolesWithMemory(await rolesFor(name, 'read')).flatMap(({ agent }) => agent.longTerm ?? []);
  const memory: SessionMemory = {
    search: async (query, { role, limit = FOUND } = {}) => searchAll(await memoriesOf(role), query, limit),
    list: async ({ role, limit = LISTED, before } = {}) => listAll(await memoriesOf(role), limit, before),
    async forget(ids, { role } = {}) {
      const chosen = typeof ids === 'string' ? [ids] : ids;
      const roles = await rolesFor(role, 'free');
      const writes = roles.flatMap(({ agent }) => chosen.flatMap((id) => forgetMemory(agent, id)));
      if (writes.length === 0) return false;
      await state.commitApart(writes, { purge: true });
      return true;
    },
    async change(id, change, { role } = {}) {
      for (const { agent } of await rolesFor(role)) {
        const changed = await changeMemory(agent, id, change);
        if (changed === null) continue;
        await state.commitApart(changed.writes, { purge: change.content !== undefined });
        if (agent.longTerm?.isShared !== true) return changed.item;
        return (await agent.longTerm.items([id]))[0] ?? null; // another session may have changed it at the same time
      }
      return null;
    },
    async import(document, { role, trusted = false } = {}) {
      const { agent } = importingRole(await rolesFor(role));
      const { count, writes } = importMemories(agent, document, trusted);
      if (count > 0) await state.commitApart(writes);
      return count;
    },
    export: async ({ role, oldest } = {}) => exportAll(state.options.name, await memoriesOf(role), oldest),
    archive: (options, keep) => archiveMemories(memory, options, keep),
  };
  return memory;
}

async function searchAll(
  memories: readonly LongTermMemory[],
  query: string,
  limit: number,
): Promise<MemoryItem[]> {
  const searched = memories.map(async (memory) => {
    await memory.whole; // a search by the user waits for the complete index
    return memory.search(query, limit);
  });
  return byTurns(await Promise.all(searched)).slice(0, limit);
}

async function listAll(
  memories: readonly LongTermMemory[],
  limit: number,
  before: string | undefined,
): Promise<MemoryItem[]> {
  const places = before === undefined ? [] : placesBefore(memories, before);
  const listed = await Promise.all(memories.map((memory, at) => memory.list(limit, places[at])));
  const all = listed.flatMap((items, at) =>
    items.map((item) => ({ item, arrival: memories[at]?.placeOf(item.id)?.arrival ?? 0 })),
  );
  all.sort((one, other) => one.arrival - other.arrival);
  return limit === 0 ? [] : all.slice(-limit).map(({ item }) => item);
}

async function exportAll(
  session: string,
  memories: readonly LongTermMemory[],
  oldest: number | undefined,
): Promise<MemoryExport> {
  const chosen = memories.map((memory) => (oldest === undefined ? memory.list() : memory.oldest(oldest)));
  return { format: 'rolezero-memory', version: 1, session, items: (await Promise.all(chosen)).flat() };
}

/** Returns the only role with long-term memory. @throws RoleZeroError `invalid` when there is none, or there are several. */
function importingRole(roles: readonly TeamRole[]): TeamRole {
  const owners = rolesWithMemory(roles);
  const [owner] = owners;
  if (owner !== undefined && owners.length === 1) return owner;
  throw new RoleZeroError('invalid', 'Set the option `role` to the role that remembers this.', {
    roles: owners.map(({ name }) => name),
  });
}

/**
 * Returns, for each memory, the place after everything listed before the memory with this id. Among equal arrivals, memories of earlier roles
 * come first.
 */
function placesBefore(
  memories: readonly { placeOf(id: string): MemoryPlace | null }[],
  id: string,
): MemoryPlace[] {
  const places = memories.map((memory) => memory.placeOf(id));
  const owner = places.findIndex((place) => place !== null);
  const found = places[owner];
  if (!found) throw new RoleZeroError('not-found', `There is no older memory ${id}.`, { id });
  const { arrival, number } = found;
  return memories.map((_, at) => ({ arrival, number: at === owner ? number : at < owner ? Infinity : -1 }));
}

/** Merges the lists by rank: all first items, then all second ones. The scores of several memories are not comparable. */
function byTurns(lists: readonly (readonly MemoryItem[])[]): MemoryItem[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
}
