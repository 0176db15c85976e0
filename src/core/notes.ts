/**
 * What a standing note is. `fact`: about the user or the project. `decision`: what was decided, and why. `instruction`: what the user wants in
 * all later work. `summary`: one line about a session.
 */
export type NoteKind = 'fact' | 'decision' | 'instruction' | 'summary';

export const NOTE_KINDS = [
  'fact',
  'decision',
  'instruction',
  'summary',
] as const satisfies readonly NoteKind[];

/** Where the agent wrote a note. */
export interface NoteSource {
  session: string;
  role: string;
  /** Id of the request that it worked on; empty without one. */
  message: string;
  /** Id of the command (`callId`), which also names the step. */
  command: string;
}

/** One version of a note. */
export interface NoteVersion {
  /** One line. */
  text: string;
  /** In milliseconds since 1970. Only for display: the order is that of arrival. */
  createdAt: number;
  by: 'agent' | 'user';
  /** Absent when the user or the application wrote it. */
  source?: NoteSource;
}

/** A standing note. Plain data. The newest version is the note itself. */
export interface Note extends NoteVersion {
  id: string;
  kind: NoteKind;
  /** Name of the role that has the note. */
  role: string;
  /** Untrusted sources that were read before it was written. Such a note is in no prompt until the user vouches for it. */
  untrusted?: string[];
  /** Versions that it has replaced, oldest first; at most 20. */
  earlier: NoteVersion[];
}

/** A note that the user or the application writes. */
export interface NewNote {
  kind: NoteKind;
  text: string;
}

/** The properties of a note that a user can change. A new text is a new version. */
export interface NoteChange {
  kind?: NoteKind;
  text?: string;
  /** Removes the untrusted sources of the note. Default: it keeps them, because the user may have changed only a part. */
  trusted?: true;
}

interface NoteQuery {
  role?: string;
}

interface NoteImportOptions extends NoteQuery {
  /** True when the user or the application wrote the document. Default false. */
  trusted?: boolean;
}

/** A JSON document with the notes of a session. */
interface NoteExport {
  format: 'rolezero-notes';
  version: 1;
  session: string;
  notes: Note[];
}

/**
 * The standing notes of the roles of a session. Roles without the option `notes` have none. Every method rejects with `not-found` when no
 * role has the name in `role`.
 */
export interface SessionNotes {
  /** Returns all notes, oldest first. */
  list(options?: NoteQuery): Promise<Note[]>;
  /**
   * Writes a note of the user for a role. Default: the only role with notes. Resolves with the note when it is stored.
   * @throws RoleZeroError `invalid` when the text is empty or too long, and when there are too many notes.
   */
  write(note: NewNote, options?: NoteQuery): Promise<Note>;
  /**
   * Changes a note, or vouches for it. Resolves with the new note when it is stored, or with null when no role has it.
   * @throws RoleZeroError `invalid` when the text is empty or too long.
   */
  change(id: string, change: NoteChange, options?: NoteQuery): Promise<Note | null>;
  /**
   * Permanently removes one or more notes with their earlier versions. Resolves when that is stored, in the replica too. The messages and
   * steps in which they were written, and the prompts that contained them, remain. Returns false when no role has any of them.
   */
  remove(ids: string | readonly string[], options?: NoteQuery): Promise<boolean>;
  /** Exports all notes with their labels. */
  export(options?: NoteQuery): Promise<NoteExport>;
  /**
   * Adds notes from `export` of another session to a role. Default: the only role with notes. Resolves with the number of new notes when they
   * are stored. Skips notes that already exist.
   *
   * Imported notes are untrusted: they are in no prompt until the user vouches for them. With `trusted`, only those are that have a label.
   * @throws RoleZeroError `invalid` when the document is not an export, and when there are too many notes; nothing is added then.
   */
  import(document: unknown, options?: NoteImportOptions): Promise<number>;
}
