import { archiveMemories, type MemoryItem, type MemoryPlace, type SessionMemory } from '../core/long-term.js';
import { RoleZeroError } from '../core/error.js';
import type { Write } from '../core/store.js';
import type { TeamRole } from '../agent/runtime/team-role.js';

/** The methods that the memory API needs from its session. */
export interface SessionMemoryHost {
  session: string;
  /** Resolves when the memory matches the store. */
  ready(): Promise<void>;
  /** Returns the role of that name, or all. @throws RoleZeroError `not-found`. */
  roles(name: string | undefined): readonly TeamRole[];
  /** Removes messages from the memory of these roles and stores that. Returns false when no role remembers any of them. */
  forget(ids: readonly string[], roles: readonly TeamRole[]): Promise<boolean>;
  /** Stores changes that were already made in memory; with `purge`, removes the old data from all replicas. */
  store(writes: readonly Write[], options?: { purge?: boolean }): Promise<void>;
}

const FOUND = 5;
const LISTED = 1_000;

/** Creates the memory API of a session for the user, over the memories of all roles. */
export function sessionMemory(host: SessionMemoryHost): SessionMemory {
  const memories = async (role: string | undefined) => {
    await host.ready();
    return host.roles(role).flatMap(({ agent }) => agent.longTerm ?? []);
  };
  const memory: SessionMemory = {
    async search(query, { role, limit = FOUND } = {}) {
      const searched = (await memories(role)).map(async (memory) => {
        await memory.whole; // a search by the user waits for the complete index
        return memory.search(query, limit);
      });
      const found = await Promise.all(searched);
      return byTurns(found).slice(0, limit);
    },
    async list({ role, limit = LISTED, before } = {}) {
      const owners = await memories(role);
      const places = before === undefined ? [] : placesBefore(owners, before);
      const listed = await Promise.all(owners.map((memory, at) => memory.list(limit, places[at])));
      const all = listed.flat().sort((one, other) => one.createdAt - other.createdAt);
      return limit === 0 ? [] : all.slice(-limit);
    },
    async forget(ids, { role } = {}) {
      await host.ready();
      return host.forget(typeof ids === 'string' ? [ids] : ids, host.roles(role));
    },
    async change(id, change, { role } = {}) {
      await host.ready();
      for (const one of host.roles(role)) {
        const changed = await one.agent.changeMemory(id, change);
        if (changed === null) continue;
        await host.store(changed.writes, { purge: change.content !== undefined });
        return changed.item;
      }
      return null;
    },
    async import(document, { role } = {}) {
      await host.ready();
      const [owner, ...others] = host.roles(role).filter(({ agent }) => agent.longTerm !== null);
      if (owner === undefined || others.length > 0) {
        throw new RoleZeroError('invalid', 'Set the option `role` to the role that remembers this.', {
          roles: [owner, ...others].flatMap((one) => one?.name ?? []),
        });
      }
      const { count, writes } = owner.agent.importMemories(document);
      if (count > 0) await host.store(writes);
      return count;
    },
    async export({ role, oldest } = {}) {
      const chosen = (await memories(role)).map((one) =>
        oldest === undefined ? one.list() : one.oldest(oldest),
      );
      const items = (await Promise.all(chosen)).flat();
      return { format: 'rolezero-memory', version: 1, session: host.session, items };
    },
    archive: (options, keep) => archiveMemories(memory, options, keep),
  };
  return memory;
}

/**
 * Returns, for each memory, the place after everything listed before the memory with this id. Among equal ages, memories of earlier roles
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
  const { createdAt, number } = found;
  return memories.map((_, at) => ({ createdAt, number: at === owner ? number : at < owner ? Infinity : -1 }));
}

/** Merges the lists by rank: all first items, then all second ones. The scores of several memories are not comparable. */
function byTurns(lists: readonly (readonly MemoryItem[])[]): MemoryItem[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
}
