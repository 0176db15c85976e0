import { RoleZeroError } from '../core/error.js';
import type { SessionNotes } from '../core/notes.js';
import type { SessionState } from './session-state.js';
import { rolesOf } from './team.js';

/** Creates the notes API of a session for the user. Its code is loaded with the option `notes` of a role. */
export function sessionNotes(state: SessionState): SessionNotes {
  const { name: session } = state.options;
  const notes = rolesOf(state.options).find(({ agent }) => agent.notes !== null)?.agent.notes ?? null;
  if (notes === null) return noNotes(session);
  return notes.ofSession({
    session,
    roles: async (name, purpose) => {
      await state.ready(purpose);
      return name === undefined ? state.environment.roles : [state.role(name)];
    },
    commit: (writes, options) => state.commitApart(writes, options),
    emit: (event) => state.emit(event),
  });
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
