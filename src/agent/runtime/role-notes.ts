import type { AgentEvent } from '../../core/events.js';
import type { SessionNotes } from '../../core/notes.js';
import type { Write } from '../../core/store.js';
import type { Tool } from '../../core/tool.js';
import type { Recalled } from './recalled.js';

/** The notes of an agent. */
export interface RoleNotes {
  /** The commands with which the model writes notes. */
  readonly tools: readonly Tool[];
  /** Reads the stored notes. @throws RoleZeroError `storage-…`. */
  restore(): Promise<void>;
  /** Chooses notes for the next message to the model. Never rejects. */
  next(): Promise<Recalled>;
  /** Creates the notes API of a session for the user, over the notes of all its roles. */
  ofSession(access: NotesAccess): SessionNotes;
}

/** What the notes API of a session uses. */
export interface NotesAccess {
  /** Name of the session. */
  session: string;
  /** Resolves with the role of this name, or with all roles, when the session may be read, changed, or freed of data. */
  roles: (
    name: string | undefined,
    purpose: 'read' | 'write' | 'free',
  ) => Promise<readonly { name: string; agent: { notes: RoleNotes | null } }[]>;
  /** Stores changes of the user. With `purge`, also removes what they replace from the replica. */
  commit: (writes: readonly Write[], options?: { purge?: boolean }) => Promise<void>;
  emit: (event: AgentEvent) => void;
}
