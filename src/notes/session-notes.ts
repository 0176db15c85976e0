import { RoleZeroError } from '../core/error.js';
import type { NewNote, Note, NoteChange, SessionNotes } from '../core/notes.js';
import type { Write } from '../core/store.js';
import type { PartAccess } from '../agent/runtime/part.js';

/** The notes of a role, for the user. See `AgentNotes`. */
interface UserNotes {
  readonly place: string;
  list(): Promise<Note[]>;
  write(note: NewNote): Promise<{ note: Note; writes: Write[] }>;
  change(id: string, change: NoteChange): Promise<{ note: Note; writes: Write[] } | null>;
  remove(ids: readonly string[]): Promise<Write[]>;
  import(document: unknown, trusted: boolean): Promise<{ count: number; writes: Write[] }>;
}

interface NotesOwner {
  role: string;
  notes: UserNotes;
}

interface NotesAccess extends Pick<PartAccess, 'session' | 'commit' | 'emit'> {
  /** Resolves with the notes of the role of this name, or of all roles that have notes. */
  readonly owners: (
    role: string | undefined,
    purpose: 'read' | 'write' | 'free',
  ) => Promise<readonly NotesOwner[]>;
}

/** Creates the notes API of a session for the user, over the notes of all roles. */
export function createSessionNotes({ session, owners: find, commit, emit }: NotesAccess): SessionNotes {
  /** Returns the roles with notes; of those that share the same ones, the first. */
  const ownersOf = async (
    name: string | undefined,
    purpose: 'read' | 'write' | 'free' = 'write',
  ): Promise<NotesOwner[]> => {
    const owners = await find(name, purpose);
    return [...new Map(owners.toReversed().map((owner) => [owner.notes.place, owner])).values()].toReversed();
  };
  const changed = (role: string, ids: string[]): void =>
    emit({ type: 'notes-changed', role, ids, by: 'user' });
  const notes: SessionNotes = {
    async list({ role } = {}) {
      const owners = await ownersOf(role, 'read');
      return (await Promise.all(owners.map(({ notes: each }) => each.list()))).flat();
    },
    async write(note, { role } = {}) {
      const owner = only(await ownersOf(role));
      const written = await owner.notes.write(note);
      await commit(written.writes);
      changed(owner.role, [written.note.id]);
      return written.note;
    },
    async change(id, change, { role } = {}) {
      for (const owner of await ownersOf(role)) {
        const found = await owner.notes.change(id, change);
        if (found === null) continue;
        await commit(found.writes);
        changed(owner.role, [id]);
        return found.note;
      }
      return null;
    },
    async remove(ids, { role } = {}) {
      const chosen = typeof ids === 'string' ? [ids] : [...ids];
      const owners = await ownersOf(role, 'free');
      const removals = await Promise.all(owners.map(({ notes: each }) => each.remove(chosen)));
      const writes = removals.flat();
      if (writes.length === 0) return false;
      await commit(writes, { purge: true });
      for (const [at, owner] of owners.entries()) if (removals[at]?.length !== 0) changed(owner.role, chosen);
      return true;
    },
    async export(options = {}) {
      return { format: 'rolezero-notes', version: 1, session, notes: await notes.list(options) };
    },
    async import(document, { role, trusted = false } = {}) {
      const owner = only(await ownersOf(role));
      const { count, writes } = await owner.notes.import(document, trusted);
      if (count === 0) return 0;
      await commit(writes);
      changed(owner.role, []);
      return count;
    },
  };
  return notes;
}

/** Returns the only owner of notes. @throws RoleZeroError `invalid` when there are several, or the role has none. */
function only(owners: readonly NotesOwner[]): NotesOwner {
  const [owner] = owners;
  if (owner !== undefined && owners.length === 1) return owner;
  throw new RoleZeroError('invalid', 'Set the option `role` to a role that has notes.', {
    roles: owners.map(({ role }) => role),
  });
}
