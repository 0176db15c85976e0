import { RoleZeroError } from '../core/error.js';
import type { Note, NoteChange, NoteKind, NoteVersion } from '../core/notes.js';
import type { NoteLimits } from './options.js';
import { labelled, MAX_EARLIER, noteOf, oneLine, versionOf, type StoredNote } from './stored-note.js';

/** The notes of a role in memory. Every change returns the note to store. */
export class NoteBook {
  readonly #limits: NoteLimits;
  #notes: ReadonlyMap<string, StoredNote> = new Map();

  constructor(limits: NoteLimits) {
    this.#limits = limits;
  }

  /** Replaces all notes. */
  restore(notes: readonly StoredNote[]): void {
    const inOrder = notes.toSorted((one, other) => one.number - other.number || (one.id < other.id ? -1 : 1));
    this.#notes = new Map(inOrder.map((note) => [note.id, note]));
  }

  get(id: string): StoredNote | null {
    return this.#notes.get(id) ?? null;
  }

  /** All notes; those that were written or changed last come last. */
  get all(): StoredNote[] {
    return [...this.#notes.values()];
  }

  /**
   * Adds a note, or a version of the note with this id. A command that runs again after an interruption changes nothing.
   * @throws RoleZeroError `invalid` when the text is empty or too long, or there are too many notes.
   */
  write(
    { id, kind, role, untrusted }: { id: string; kind: NoteKind; role: string; untrusted: readonly string[] },
    version: NoteVersion,
  ): StoredNote {
    const before = this.get(id);
    const { source } = version;
    if (before !== null && source !== undefined && before.source?.command === source.command) return before;
    const newest = { ...version, text: this.#checked(version.text) };
    if (before === null) this.#checkRoom(1);
    const earlier = before === null ? [] : [...before.earlier, versionOf(before)].slice(-MAX_EARLIER);
    const label = [...(before?.untrusted ?? []), ...untrusted];
    return this.#put(labelled({ id, kind, role, ...newest, earlier }, label));
  }

  /** Changes a note. @throws RoleZeroError `invalid` when the text is empty or too long. */
  change(note: StoredNote, { kind = note.kind, text, trusted }: NoteChange, now: number): StoredNote {
    const { untrusted, ...rest } = noteOf(note);
    const label = trusted === true ? [] : (untrusted ?? []);
    if (text === undefined) return this.#put(labelled({ ...rest, kind }, label));
    const newest: NoteVersion = { text: this.#checked(text), createdAt: now, by: 'user' };
    const { id, role, earlier } = rest;
    const versions = [...earlier, versionOf(note)].slice(-MAX_EARLIER);
    return this.#put(labelled({ id, kind, role, ...newest, earlier: versions }, label));
  }

  /** Removes a note. Returns false when it does not exist. */
  remove(id: string): boolean {
    const notes = new Map(this.#notes);
    const isRemoved = notes.delete(id);
    this.#notes = notes;
    return isRemoved;
  }

  /** Adds notes that do not exist yet. @throws RoleZeroError `invalid` when there are too many, or one is too long. */
  add(notes: readonly Note[]): StoredNote[] {
    const unknown = new Map(notes.filter(({ id }) => !this.#notes.has(id)).map((note) => [note.id, note]));
    for (const { text } of unknown.values()) this.#checked(text);
    this.#checkRoom(unknown.size);
    return [...unknown.values()].map((note) => this.#put(note));
  }

  #put(note: Note): StoredNote {
    const newest = this.all.at(-1)?.number ?? -1;
    const stored = { ...note, number: newest + 1 };
    const notes = new Map(this.#notes);
    notes.delete(note.id); // the map is in the order of changes
    this.#notes = notes.set(note.id, stored);
    return stored;
  }

  #checked(text: string): string {
    const { maxCharacters } = this.#limits;
    const line = oneLine(text);
    if (line !== '' && line.length <= maxCharacters) return line;
    throw new RoleZeroError(
      'invalid',
      `A note has 1 to ${maxCharacters} characters, but this one has ${line.length}. Write it in one short sentence.`,
      { length: line.length, maxCharacters },
    );
  }

  #checkRoom(added: number): void {
    const { maxNotes } = this.#limits;
    if (this.#notes.size + added <= maxNotes) return;
    throw new RoleZeroError(
      'invalid',
      `There are ${this.#notes.size} notes, and at most ${maxNotes} can be stored. Replace or remove notes that are out of date.`,
      { notes: this.#notes.size, maxNotes },
    );
  }
}
