import { cannotShare } from '../core/shared-name.js';
import type { Write } from '../core/store.js';
import type { PartAgent } from '../agent/runtime/part.js';
import { readNote, type StoredNote } from './stored-note.js';

/** Where notes are stored: as rows of the role in its session, or under a name that sessions share. */
export class NoteRows {
  readonly #agent: PartAgent;
  readonly shared: string | null;

  constructor(agent: PartAgent, shared: string | null) {
    this.#agent = agent;
    this.shared = shared;
  }

  /** Differs for different notes. */
  get place(): string {
    return this.shared === null ? `role ${this.#agent.name}` : `shared ${this.shared}`;
  }

  /** Reads all notes; null without a store. @throws RoleZeroError `storage-…`; `invalid` when the storage cannot share records. */
  async load(): Promise<StoredNote[] | null> {
    const { context, name } = this.#agent;
    if (context.load === undefined) return null;
    const rows =
      this.shared === null
        ? await context.load('notes', { from: `${name}/`, before: `${name}/~` }) // sorts after all characters of an id
        : await this.#loadShared(this.shared);
    const notes = rows.map(({ key, value }) => ({ key, note: readNote(value) }));
    // The name of a role may start with another name and a slash.
    return notes.flatMap(({ key, note }) => (note !== null && key === this.#keyOf(note.id) ? note : []));
  }

  /** Returns the write of a note. A replaced one is not stored again when another session has removed it meanwhile. */
  put(note: StoredNote, isReplaced: boolean): Write {
    const place = { table: 'notes' as const, key: this.#keyOf(note.id) };
    const write: Write = { ...place, value: note };
    if (this.shared === null) return write;
    return { ...write, shared: this.shared, ...(isReplaced ? { requires: place } : {}) };
  }

  remove(id: string): Write {
    const write: Write = { table: 'notes', key: this.#keyOf(id), value: undefined };
    return this.shared === null ? write : { ...write, shared: this.shared };
  }

  async #loadShared(shared: string): Promise<{ key: string; value: unknown }[]> {
    const { loadShared } = this.#agent.context;
    if (loadShared !== undefined) return loadShared(shared, 'notes');
    throw cannotShare('notes()', shared);
  }

  /** Names what shares the note, too: a commit has one write for each key. */
  #keyOf(id: string): string {
    return `${this.shared ?? this.#agent.name}/${id}`;
  }
}
