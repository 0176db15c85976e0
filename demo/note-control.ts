import type { Note, Session } from 'rolezero';
import { roleNames } from './agent-config.js';
import { isTeam } from './state/session-names.js';
import type { Store } from './state/app-state.js';

/** The standing notes of the agents, as the user reads and changes them. */
export class NoteControl {
  /** Increases with every load; results of earlier ones are dropped. */
  #loads = 0;
  /** A note is being added: a double click adds one. */
  #isAdding = false;

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
    private readonly guarded: (work: () => Promise<unknown>) => Promise<void>,
  ) {}

  /** Loads them, newest first. */
  async list(): Promise<void> {
    const load = ++this.#loads;
    await this.guarded(async () => {
      const session = this.session();
      const items = (await session?.notes.list()) ?? [];
      if (load !== this.#loads || session !== this.session()) return;
      this.store.update({ notes: { ...this.store.state.notes, items: items.toReversed() } });
    });
  }

  /** Adds a note for the agent that receives the requests. */
  async add(kind: Note['kind'], text: string): Promise<void> {
    if (this.#isAdding) return;
    this.#isAdding = true;
    await this.#change(async (session) => {
      const [role] = roleNames(isTeam(session.name));
      await session.notes.write({ kind, text }, { role });
    });
    this.#isAdding = false;
  }

  async edit(id: string, kind: Note['kind'], text: string): Promise<void> {
    await this.#change((session) => session.notes.change(id, { kind, text }));
    this.open(null);
  }

  /** The user vouches for a note that was written after untrusted content was read. */
  vouch(id: string): Promise<void> {
    return this.#change((session) => session.notes.change(id, { trusted: true }));
  }

  remove(id: string): Promise<void> {
    return this.#change((session) => session.notes.remove(id));
  }

  /** Opens the form of a note; null closes it. */
  open(editing: string | null): void {
    this.store.update({ notes: { ...this.store.state.notes, editing } });
  }

  async #change(work: (session: Session) => Promise<unknown>): Promise<void> {
    await this.guarded(async () => {
      const session = this.session();
      if (session !== null) await work(session);
    });
    await this.list();
  }
}
