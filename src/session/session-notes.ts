import { RoleZeroError } from '../core/error.js';
import type { SessionNotes } from '../core/notes.js';
import { sessionPart } from './session-parts.js';
import type { SessionState } from './session-state.js';

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
