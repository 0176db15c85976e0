/** The memory API of a session for the user, as far as it needs long-term memory: code that comes with `longTermMemory()`. */
import type {
  MemoryChange,
  MemoryExport,
  MemoryItem,
  MemoryPlace,
  UserMemories,
} from '../../core/long-term.js';
import { RoleZeroError } from '../../core/error.js';
import type { Freeable } from '../../core/space.js';
import type { Write } from '../../core/store.js';
import type { LongTermMemory } from '../../memory/long-term-memory.js';
import { itemOf } from '../../memory/memory-item.js';
import type { PartAccess } from '../../agent/runtime/part.js';

const FOUND = 5;
const LISTED = 1_000;

/** A role with long-term memory. */
export interface RememberingRole {
  readonly name: string;
  readonly memory: LongTermMemory;
}

/** What the memory API of a session uses. */
export interface MemoryAccess extends Pick<PartAccess, 'session' | 'commit'> {
  /** Resolves with the role of this name, or with all roles, of those with long-term memory. Their shared memories are up to date. */
  readonly roles: (
    name: string | undefined,
    purpose: 'read' | 'write',
  ) => Promise<readonly RememberingRole[]>;
}

/** Returns the roles with different memories; of those that share the same one, the first. */
function owners(roles: readonly RememberingRole[]): RememberingRole[] {
  const places = new Set<string>();
  return roles.filter(({ memory: { place } }) => {
    if (place === null) return true;
    const isFirst = !places.has(place);
    places.add(place);
    return isFirst;
  });
}

/** Creates the memory API over the long-term memories of all roles of a session. */
export function userMemories({ session, roles, commit }: MemoryAccess): UserMemories {
  const memoriesOf = async (name: string | undefined): Promise<LongTermMemory[]> =>
    owners(await roles(name, 'read')).map(({ memory }) => memory);
  return {
    search: async (query, { role, limit = FOUND, byMeaning = false } = {}) =>
      searchAll(await memoriesOf(role), query, limit, byMeaning),
    list: async ({ role, limit = LISTED, before } = {}) => listAll(await memoriesOf(role), limit, before),
    async change(id, change, { role } = {}) {
      for (const { memory } of await roles(role, 'write')) {
        const changed = await changeMemory(memory, id, change);
        if (changed === null) continue;
        await commit(changed.writes, { purge: change.content !== undefined });
        if (!memory.isShared) return changed.item;
        return (await memory.items([id]))[0] ?? null; // another session may have changed it at the same time
      }
      return null;
    },
    async import(document, { role, trusted = false } = {}) {
      const { memory } = importingRole(await roles(role, 'write'));
      const { count, writes } = importMemories(memory, document, trusted);
      if (count > 0) await commit(writes);
      return count;
    },
    export: async ({ role, oldest } = {}) => exportAll(session, await memoriesOf(role), oldest),
  };
}

/** Changes or pins an older memory. Returns null when it does not exist. */
async function changeMemory(
  memory: LongTermMemory,
  id: string,
  change: MemoryChange,
): Promise<{ item: MemoryItem; writes: Write[] } | null> {
  let writes: Write[] = [];
  const changed = await memory.change(id, change, (all) => (writes = all));
  return changed === null ? null : { item: itemOf(changed), writes };
}

/** Adds the older memories of an exported document. Also returns how many are new. */
function importMemories(
  memory: LongTermMemory,
  document: unknown,
  trusted: boolean,
): { count: number; writes: Write[] } {
  let count = 0;
  // Memories that are removed to make room go in the same commit: a crash must not bring them back.
  const writes = memory.byUser(() => (count = memory.import(document, trusted)));
  return { count, writes };
}

async function searchAll(
  memories: readonly LongTermMemory[],
  query: string,
  limit: number,
  byMeaning: boolean,
): Promise<MemoryItem[]> {
  const searched = memories.map(async (memory) => {
    await (byMeaning ? memory.whole : memory.wordsIndexed);
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

/** Returns the only role with long-term memory. @throws RoleZeroError `invalid` unless exactly one has it. */
function importingRole(roles: readonly RememberingRole[]): RememberingRole {
  const all = owners(roles);
  const [owner] = all;
  if (owner !== undefined && all.length === 1) return owner;
  throw new RoleZeroError('invalid', 'Set the option `role` to the role that remembers this.', {
    roles: all.map(({ name }) => name),
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

/** Returns the size of the older memories of all roles that could be removed. */
export function freeableMemories(roles: readonly RememberingRole[]): Freeable['memories'] {
  const memories: Freeable['memories'] = { count: 0, characters: 0, oldest: null, pinned: 0 };
  for (const { memory } of owners(roles)) {
    const { count, characters, oldest, pinned } = memory.freeable;
    memories.count += count;
    memories.characters += characters;
    memories.pinned += pinned;
    if (oldest !== null) memories.oldest = Math.min(memories.oldest ?? oldest, oldest);
  }
  return memories;
}
