import type { PartAccess } from '../agent/runtime/part.js';
import type { SessionState } from './session-state.js';
import { ownedParts, rolesOf } from './team.js';

/** Returns the methods that the part of this name adds to a session; null when no role has it, or it adds none. */
export function sessionPart(state: SessionState, name: string): object | null {
  const [owner] = ownedParts(rolesOf(state.options), name);
  return owner?.part.session?.(accessOf(state, name)) ?? null;
}

function accessOf(state: SessionState, name: string): PartAccess {
  return {
    session: state.options.name,
    parts: async (role, purpose) => {
      await state.ready(purpose);
      return ownedParts(role === undefined ? state.environment.roles : [state.role(role)], name);
    },
    commit: (writes, options) => state.commitApart(writes, options),
    emit: (event) => state.emit(event),
  };
}
