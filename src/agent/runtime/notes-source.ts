import type { AgentRuntime } from './agent-runtime.js';
import type { RoleNotes } from './role-notes.js';

/** Standing notes as an option of a role: `notes()` of `rolezero/notes`. Without it, a bundle does not contain their code. */
export interface NotesSource {
  /** Creates the notes of an agent. */
  notesOf(agent: AgentRuntime): RoleNotes;
}
