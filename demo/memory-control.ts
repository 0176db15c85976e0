import { sessions, type Session } from 'rolezero';
import { offer } from './offer.js';
import type { Store } from './state/app-state.js';

/** The memories of the agents, as the user reads and changes them. */
export class MemoryControl {
  /** Increases with every load; results of earlier ones are dropped. */
  #loads = 0;

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
  ) {}

  /** Loads the newest memories, or those that match a search. */
  async list(query = this.store.state.memories.query): Promise<void> {
    const session = this.session();
    if (session === null) return;
    const load = ++this.#loads;
    const items =
      query.trim() === ''
        ? (await session.memory.list({ limit: 200 })).toReversed()
        : await session.memory.search(query, { limit: 20 });
    // The user may type during the search: a later search will follow, and their text is preserved.
    if (load === this.#loads && session === this.session())
      this.store.update({ memories: { ...this.store.state.memories, items } });
  }

  /**
   * Downloads the older half of the unpinned memories of each role; they are removed after the user confirms that the
   * file of this name is saved.
   */
  async archive(isSaved: (fileName: string) => Promise<boolean>): Promise<void> {
    const session = this.session();
    if (session === null) return;
    const { memories } = await session.space();
    await session.memory.archive({ oldest: Math.ceil(memories.count / 2) }, (archive) => {
      const fileName = `${session.name}-memories.json`;
      offer(fileName, JSON.stringify(archive));
      return isSaved(fileName);
    });
    await this.list();
  }

  /** Deletes what sessions share, in all of them. */
  async removeShared(shared: string): Promise<void> {
    await sessions.removeShared(shared);
    await this.list();
  }
}
