import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import { NOTE_KINDS, type Note, type NoteKind, type NoteSource, type NoteVersion } from '../core/notes.js';
import { MAX_SOURCE, MAX_SOURCES } from '../core/sources.js';

/** A note as it is stored. */
export interface StoredNote extends Note {
  /** Increases with every change of a note among all notes of the role. */
  number: number;
}

/** Maximum number of earlier versions of a note; the oldest are removed. */
export const MAX_EARLIER = 20;
/** Maximum number of notes in one document. */
const MAX_IMPORTED_NOTES = 10_000;
/** Maximum characters of a stored text, of any limit that an application sets. */
const MAX_NOTE_CHARACTERS = 100_000;
const IMPORTED_NOTES = 'imported notes';

const ID = /^[\w-]{1,64}$/;

/** Reads a stored value, and checks each field; null when it is not a note. */
export function readNote(value: unknown): StoredNote | null {
  if (!isRecord(value)) return null;
  const { id, kind, role, number, untrusted, earlier } = value;
  const newest = readVersion(value);
  if (newest === null || typeof id !== 'string' || !ID.test(id) || typeof role !== 'string') return null;
  if (!NOTE_KINDS.includes(kind as NoteKind) || !Number.isSafeInteger(number)) return null;
  const versions = Array.isArray(earlier) ? earlier.map(readVersion) : [];
  if (versions.includes(null)) return null;
  const label = untrusted === undefined ? null : sourcesOf(untrusted);
  return {
    id,
    kind: kind as NoteKind,
    role,
    ...newest,
    ...(label === null ? {} : { untrusted: label }),
    earlier: (versions as NoteVersion[]).slice(-MAX_EARLIER),
    number: number as number,
  };
}

/**
 * Reads the notes of an exported document.
 * @throws RoleZeroError `invalid` when it is not an export of notes of this version.
 */
export function readNoteExport(document: unknown, trusted: boolean): Note[] {
  const { format, version, notes } = isRecord(document) ? document : {};
  if (
    format !== 'rolezero-notes' ||
    version !== 1 ||
    !Array.isArray(notes) ||
    notes.length > MAX_IMPORTED_NOTES
  )
    throw new RoleZeroError(
      'invalid',
      `This is no export of the notes of this release, or has more than ${MAX_IMPORTED_NOTES} notes.`,
      { format: typeof format === 'string' ? format : null },
    );
  return notes.map((value: unknown, place) => {
    const note = isRecord(value) ? readNote({ ...value, number: place }) : null;
    if (note === null)
      throw new RoleZeroError('invalid', `notes[${place}] is not a note. Export the notes again.`, { place });
    return labelled(noteOf(note), trusted ? [] : [IMPORTED_NOTES]);
  });
}

/** Returns the note with these sources added to its label. */
export function labelled(note: Note, sources: readonly string[]): Note {
  const all = [...new Set([...(note.untrusted ?? []), ...sources])].slice(0, MAX_SOURCES);
  return { ...note, ...defined({ untrusted: all.length === 0 ? undefined : all }) };
}

/** Returns what users see of a stored note. */
export function noteOf({ number: _, ...note }: StoredNote): Note {
  return note;
}

/** Returns the newest version of a note. */
export function newestVersion({ text, createdAt, by, source }: NoteVersion): NoteVersion {
  return { text, createdAt, by, ...defined({ source }) };
}

/** Returns a text as one line: a note must not look like a part of the prompt around it. */
export function oneLine(text: string): string {
  return text.replace(INVISIBLE_IN_NOTE, '').replace(/\s+/gu, ' ').trim();
}

/** Characters that a reader does not see. */
const INVISIBLE_IN_NOTE = /(?![\n\r\t])[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

function readVersion(value: unknown): NoteVersion | null {
  if (!isRecord(value)) return null;
  const { text, createdAt, by, source } = value;
  if (typeof text !== 'string' || text.length > MAX_NOTE_CHARACTERS || oneLine(text) === '') return null;
  if (typeof createdAt !== 'number' || !Number.isFinite(createdAt) || Math.abs(createdAt) > 8.64e15)
    return null;
  if (by !== 'agent' && by !== 'user') return null;
  return { text: oneLine(text), createdAt, by, ...defined({ source: readSource(source) }) };
}

function readSource(value: unknown): NoteSource | undefined {
  if (!isRecord(value)) return undefined;
  const { session, role, message, command } = value;
  if (typeof session !== 'string' || typeof role !== 'string') return undefined;
  if (typeof message !== 'string' || typeof command !== 'string') return undefined;
  return { session, role, message, command };
}

/** A label that cannot be read still is one. */
function sourcesOf(value: unknown): string[] {
  const sources = Array.isArray(value)
    ? value.filter((source): source is string => typeof source === 'string')
    : [];
  const all = sources.map((source) => source.slice(0, MAX_SOURCE)).slice(0, MAX_SOURCES);
  return all.length === 0 ? ['an unknown source'] : all;
}
