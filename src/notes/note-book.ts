import { RoleZeroError } from '../core/error.js';
import type { Note, NoteChange, NoteKind, NoteVersion } from '../core/notes.js';
import { termsOf } from '../memory/words.js';
import type { NoteLimits } from './options.js';
import { labelled, MAX_EARLIER, noteOf, oneLine, newestVersion, type StoredNote } from './stored-note.js';

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
    const earlier = before === null ? [] : [...before.earlier, newestVersion(before)].slice(-MAX_EARLIER);
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
    const versions = [...earlier, newestVersion(note)].slice(-MAX_EARLIER);
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

/**
 * Chooses the notes for a request: standing instructions first, then those that share words with it, rare words counting more, then the newest
 * ones. Labelled notes are never chosen. Returns them in the order of arrival.
 */
export function chooseNotes(
  notes: readonly StoredNote[],
  query: string,
  { recalled, recalledCharacters }: Pick<NoteLimits, 'recalled' | 'recalledCharacters'>,
): StoredNote[] {
  const candidates = notes.filter(({ untrusted }) => untrusted === undefined);
  const score = scorer(candidates, query);
  const ranked = candidates
    .map((note) => ({ note, score: note.kind === 'instruction' ? Infinity : score(note) }))
    .toSorted((one, other) =>
      one.score === other.score ? other.note.number - one.note.number : other.score - one.score,
    );
  const chosen: StoredNote[] = [];
  let left = recalledCharacters;
  for (const { note } of ranked) {
    if (chosen.length === recalled) break;
    if (note.text.length > left) continue;
    left -= note.text.length;
    chosen.push(note);
  }
  return chosen.toSorted((one, other) => one.number - other.number);
}

/** Returns the notes that share words with a query, best first; all notes in their order for an empty one. */
export function searchNotes(notes: readonly StoredNote[], query: string): StoredNote[] {
  if (query.trim() === '') return [...notes];
  const score = scorer(notes, query);
  return notes
    .map((note) => ({ note, score: score(note) }))
    .filter((found) => found.score > 0)
    .toSorted((one, other) => other.score - one.score || other.note.number - one.note.number)
    .map(({ note }) => note);
}

/** Returns a function that rates how much a note has to do with a query. */
function scorer(notes: readonly StoredNote[], query: string): (note: StoredNote) => number {
  const terms = new Map(notes.map(({ id, text }) => [id, new Set(termsOf(text))]));
  const weights = [...new Set(termsOf(query))].map((term): [string, number] => {
    const having = [...terms.values()].filter((each) => each.has(term)).length;
    return [term, Math.log(1 + (notes.length - having + 0.5) / (having + 0.5))];
  });
  return ({ id }) =>
    weights.reduce((sum, [term, weight]) => sum + (terms.get(id)?.has(term) === true ? weight : 0), 0);
}
