import { RoleZeroError } from '../core/error.js';
import type { PartAccess } from '../agent/runtime/part.js';
import type { SessionState } from './session-state.js';
import { ownedParts, rolesOf } from './team.js';

/** Returns the methods that the part of this name adds to a session; null when no role has it, or it adds none. */
export function sessionPart(state: SessionState, name: string): object | null {
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
