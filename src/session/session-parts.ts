import { RoleZeroError } from '../core/error.js';
import type { SessionApprovals } from '../core/human.js';
import { archiveMemories, type SessionMemory, type UserMemories } from '../core/long-term.js';
import type { SessionNotes } from '../core/notes.js';
import type { Write } from '../core/store.js';
import { approvalsKey } from '../agent/policy/approvals.js';
import type { PartAccess } from '../agent/runtime/part.js';
import type { TeamRole } from '../agent/runtime/work.js';
import type { SessionState } from './session-state.js';
import { ownedParts, rolesOf } from './team.js';

/** Returns the methods that the part of this name adds to a session; null when no role has it, or it adds none. */
function sessionPart(state: SessionState, name: string): object | null {
  const [owner] = ownedParts(rolesOf(state.options), name);
  return owner?.part.session?.(accessOf(state, name)) ?? null;
}

/** Calls a method that a part adds to a session. @throws RoleZeroError `not-found` naming the part or method that does not exist. */
export async function callPart(
  state: SessionState,
  name: string,
  method: string,
  input: unknown,
): Promise<unknown> {
  const methods = sessionPart(state, name);
  if (methods === null)
    throw new RoleZeroError('not-found', `No role of this session has a part "${name}" with methods.`, {
      part: name,
    });
  const call = Object.hasOwn(methods, method) ? (methods as Record<string, unknown>)[method] : undefined;
  if (typeof call === 'function') return (call as (input: unknown) => unknown)(input);
  const all = Object.keys(methods);
  throw new RoleZeroError(
    'not-found',
    `The part "${name}" has no method "${method}". Its methods are ${all.join(', ')}.`,
    { part: name, methods: all },
  );
}

function accessOf(state: SessionState, name: string): PartAccess {
  return {
    session: state.options.name,
    parts: async (role, purpose) => {
      await state.ready(purpose);
      return ownedParts(role === undefined ? state.environment.roles : [state.role(role)], name);
    },
    commit: (writes, options) => state.commitApart(writes, options),
    emit: state.emit,
  };
}

/** Creates the notes API of a session for the user. Its code is loaded with the option `notes` of a role. */
export function sessionNotes(state: SessionState): SessionNotes {
  return (sessionPart(state, 'notes') as SessionNotes | null) ?? noNotes(state.options.name);
}

function noNotes(session: string): SessionNotes {
  const refuse = async (): Promise<never> => {
    throw new RoleZeroError(
      'invalid',
      'No role of this session has notes. Give a role the option `notes: notes()` of rolezero/notes.',
      { session },
    );
  };
  return {
    list: async () => [],
    write: refuse,
    change: async () => null,
    remove: async () => false,
    export: async () => ({ format: 'rolezero-notes', version: 1, session, notes: [] }),
    import: refuse,
  };
}

/** Creates the memory API of a session for the user, over the memories of all roles. */
export function sessionMemory(state: SessionState): SessionMemory {
  const memory: SessionMemory = {
    ...((sessionPart(state, 'memories') as UserMemories | null) ?? noMemories(state)),
    async forget(ids, { role } = {}) {
      const chosen = typeof ids === 'string' ? [ids] : ids;
      const roles = await rolesFor(state, role, 'free');
      for (const { agent } of roles) for (const part of agent.parts) await part.refresh?.();
      const writes = roles.flatMap(({ agent }) => forgetMessages(agent, chosen));
      if (writes.length === 0) return false;
      await state.commitApart(writes, { purge: true });
      return true;
    },
    archive: (options, keep) => archiveMemories(memory, options, keep),
  };
  return memory;
}

async function rolesFor(
  state: SessionState,
  name: string | undefined,
  purpose: Parameters<typeof state.ready>[0],
): Promise<readonly TeamRole[]> {
  await state.ready(purpose);
  return name === undefined ? state.environment.roles : [state.role(name)];
}

/** Forgets messages wherever the agent remembers them. Returns no writes when it remembers none. */
function forgetMessages(agent: TeamRole['agent'], ids: readonly string[]): Write[] {
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

/** The API of a session whose roles have no long-term memory. */
function noMemories(state: SessionState): UserMemories {
  const session = state.options.name;
  const none = async (name: string | undefined): Promise<[]> => {
    await rolesFor(state, name, 'read');
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
      await rolesFor(state, role, 'write');
      throw new RoleZeroError(
        'invalid',
        'No role of this session has long-term memory. Give a role the option `longTermMemory: longTermMemory()`.',
        { session },
      );
    },
  };
}

/** Creates the approvals API of a session for the user. */
export function sessionApprovals(state: SessionState): SessionApprovals {
  return {
    list: async () => {
      await state.ready();
      return state.environment.roles.flatMap(({ name: role, agent }) =>
        agent.approvals.granted().map((each) => ({ ...each, role })),
      );
    },
    revoke: async (ids) => {
      await state.ready();
      const wanted = new Set([ids].flat());
      const writes = state.environment.roles.flatMap(({ name, agent }) =>
        agent.approvals.revoke(wanted)
          ? [{ table: 'approvals', key: approvalsKey(name), value: agent.approvals.snapshot() } as const]
          : [],
      );
      if (writes.length > 0) await state.commitApart(writes);
      return writes.length > 0;
    },
  };
}
