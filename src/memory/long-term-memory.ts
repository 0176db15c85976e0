import type { MemoryChange, MemoryItem, MemoryPlace, StoredMemory } from '../core/long-term.js';
import { messageFromRecord, UserRequirement, type Message } from '../core/message.js';
import type { Freeable } from '../core/space.js';
import type { Write } from '../core/store.js';
import { Archive } from './archive.js';
import { chooseMemories, rateMemories, type AskModel } from './llm-ranker.js';
import { wholeNumber, type LongTermMemoryInit } from './long-term-memory-options.js';
import {
  changedMemory,
  checkContent,
  conversationOf,
  inOrderOfRoles,
  isUntouched,
  itemOf,
  readMemories,
} from './memory-item.js';
import { MemoryLongTermStore } from './memory-long-term-store.js';
import { Memory } from './memory.js';

/** Number of candidates offered to the model per wanted memory. */
const CHOICE = 3;
/** Maximum number of messages beyond `maxMessages` that stay in the window while they are needed. */
const HELD_BACK = 100;

/**
 * Memory that holds the newest `maxMessages` messages in a window and moves older ones to a store. It recalls older messages when a request
 * relates to them.
 *
 * `get` and the other `Memory` methods work on the window and are synchronous. `has`, `count`, and `add` also consider the store, so a
 * message is stored only once.
 */
export class LongTermMemory extends Memory {
  readonly maxMessages: number;
  readonly similarityTopK: number;
  readonly useLlmRanker: boolean;
  readonly #neighbors: number;
  readonly #leader: string;
  readonly #archive: Archive;
  readonly #init: LongTermMemoryInit;
  /** Ids of messages that are stored while they are still in the window; see `share`. */
  #stored: Set<string> = new Set();
  /** Memories recalled for the newest message; `byWords` is true when vectors were not loaded yet. */
  #recalled: { id: string; items: Promise<StoredMemory[]>; byWords: boolean } | null = null;

  /** @throws RoleZeroError `invalid` when a number is out of range or not an integer. */
  constructor(init: LongTermMemoryInit = {}) {
    super(init);
    this.maxMessages = wholeNumber('maxMessages', init.maxMessages ?? 200, 1);
    this.similarityTopK = wholeNumber('similarityTopK', init.similarityTopK ?? 5, 1);
    this.useLlmRanker = init.useLlmRanker ?? false;
    this.#neighbors = wholeNumber('neighbors', init.neighbors ?? 0, 0);
    this.#leader = init.leader ?? 'Mike';
    this.#init = init;
    const isShared = init.shared !== undefined;
    this.#archive = new Archive({
      store: init.store ?? new MemoryLongTermStore(),
      project: init.project ?? '',
      conversation: () => conversationOf({ ...this.#origin(), role: init.role ?? '' }),
      embedder: init.embedder,
      formerEmbedder: init.formerEmbedder,
      vectors: init.vectors,
      retention: {
        maxItems: wholeNumber('maxItems', init.maxItems ?? (isShared ? 10_000 : 50_000), 1),
        maxCharacters: wholeNumber(
          'maxCharacters',
          init.maxCharacters ?? (isShared ? 20_000_000 : 100_000_000),
          1,
        ),
        maxAgeMs: init.maxAgeMs ?? Infinity,
        untrustedFirst: isShared,
      },
      now: init.now ?? Date.now,
      lastArrival: init.lastArrival ?? (() => 0),
      warn: (message, error) => this.#init.warn?.(message, error),
    });
  }

  /** Role name without spaces. A store with several memories uses it as the name of this one. */
  get collectionName(): string {
    return (this.#init.role ?? 'role_zero').replaceAll(' ', '');
  }

  /**
   * Loads the stored memories. Vectors load in the background: see `whole`. Call it on an empty memory, before the window is filled.
   * Rejects when the store fails.
   *
   * @param stored Ids of the messages that were stored while they were in the window: the first `storedCount` ones.
   */
  restore(stored: readonly string[] = []): Promise<void> {
    this.#stored = new Set(stored);
    return this.#archive.restore();
  }

  /**
   * Stores the messages of the window in a shared memory, so that other sessions can recall them; they stay in the window. Each is stored
   * once: one that was forgotten meanwhile does not come back.
   */
  share(): void {
    if (!this.isShared) return;
    for (const message of this.get()) this.#store(message);
    this.#stored = new Set(this.get().map(({ id }) => id));
  }

  /** Number of messages in the window that are stored already. They are the oldest ones. */
  get storedCount(): number {
    return this.#stored.size === 0 ? 0 : this.get().filter(({ id }) => this.#stored.has(id)).length;
  }

  /**
   * Adds a message and returns true if it was new. Messages that no longer fit into the window move to the store; messages without content
   * are dropped. Never throws: while the store fails, they stay in the window, which is reported to `warn`.
   */
  override add(message: Message): boolean {
    const added = super.add(message);
    try {
      if (added) this.#makeRoom();
    } catch (error) {
      this.#init.warn?.('Could not store older messages; they stay in the window.', error);
    }
    return added;
  }

  /** Another role may have stored a message in a shared memory that this one has not received yet. */
  override has(message: Message): boolean {
    const { id } = message;
    return super.has(message) || (this.#archive.hasOwn(id) && !this.#stored.has(id)); // one of them is being restored
  }

  /** Returns the number of messages in the window and the store. */
  override count(): number {
    return super.count() - this.storedCount + this.#archive.size;
  }

  /** Deletes all messages from the window and, unless it is shared, the store. */
  override clear(): void {
    super.clear();
    if (!this.isShared) this.#archive.clear();
    this.#recalled = null;
  }

  /**
   * Takes over what other sessions have changed in a shared memory. Searches and lists do that first. Returns false when nothing has changed.
   * Rejects when the store fails.
   */
  async refresh(): Promise<boolean> {
    const hasChanged = await this.#archive.refresh();
    if (hasChanged) this.#recalled = null;
    return hasChanged;
  }

  /** Runs a change of the user. Returns the writes that must be stored at once. */
  byUser(change: () => void): Write[] {
    const { store } = this.#init;
    if (store?.byUser !== undefined) return store.byUser(change);
    change();
    return [];
  }

  /**
   * Changes or pins an older memory. Returns null when it does not exist. Rejects when the store fails, and with `invalid` when the content
   * is empty or longer than 1,000,000 characters.
   * @param stored Receives the writes that must be stored at once.
   */
  async change(
    id: string,
    change: MemoryChange,
    stored: (writes: Write[]) => void = () => {},
  ): Promise<StoredMemory | null> {
    checkContent(change.content);
    await this.refresh();
    const [item] = await this.#archive.items([id]);
    if (item === undefined) return null;
    const changed = changedMemory(item, change);
    stored(this.byUser(() => this.#archive.replace(changed)));
    this.#recalled = null;
    return changed;
  }

  /**
   * Imports the older memories of an exported document, in its order. Those of several roles are merged by time. Skips memories that already exist. Returns the number of
   * imported memories that are within the limits.
   * @param trusted The user or the application wrote the document.
   * @throws RoleZeroError `invalid` when the document is not a memory export; nothing is added then.
   */
  import(document: unknown, trusted = false): number {
    const inOrder = inOrderOfRoles(readMemories(document));
    const inWindow = new Set(this.storage.map(({ id }) => id));
    const news = new Map(
      inOrder.filter(({ id }) => !this.#archive.has(id) && !inWindow.has(id)).map((item) => [item.id, item]),
    );
    const role = this.#init.role ?? '';
    const label = trusted ? {} : { imported: true as const };
    const added = this.#archive.keep(
      [...news.values()].map(({ shared: _, ...item }) => ({ ...item, ...label, ...this.#origin(), role })),
    );
    this.#archive.retire();
    return added.filter(({ id }) => this.#archive.has(id)).length;
  }

  /** Deletes memories older than `maxAgeMs`. The other limits are enforced whenever a memory is stored. */
  retire(): void {
    this.#archive.retire();
  }

  /** Arrival of the newest older memory; 0 when there was none. See `StoredMemory.arrival`. */
  get lastArrival(): number {
    return this.#archive.lastArrival;
  }

  /** Equal for memories that share their older messages; null for one that shares none. */
  get place(): string | null {
    const { shared, project = '' } = this.#init;
    return shared === undefined ? null : JSON.stringify([shared, project]);
  }

  /** True when other sessions may change the older memories. */
  get isShared(): boolean {
    return this.#init.shared !== undefined;
  }

  /** Returns true when the message with this id is an older memory. */
  holds(id: string): boolean {
    return this.#archive.has(id);
  }

  /** Deletes an older memory permanently. Returns its number in the store, or null when no memory has this id. */
  forget(id: string): number | null {
    const number = this.#archive.forget(id);
    if (number !== null) this.#recalled = null;
    return number;
  }

  /**
   * Equivalent of MetaGPT's `get(k)`: returns the last `k` messages, preceded by the memories recalled for the newest one, oldest first.
   * With 0, returns the whole window and recalls nothing.
   */
  async recall(k: number): Promise<Message[]> {
    const window = this.get(k);
    if (k === 0) return window;
    const recalled = await this.recalled();
    return [...recalled.map(({ message }) => messageFromRecord(message)), ...window];
  }

  /** True when the newest message triggers a recall: a request from the user or the team leader. */
  get isAsked(): boolean {
    const newest = this.getByPosition(-1);
    if (newest === null || !newest.isUserMessage || newest.content === '') return false;
    return newest.causeBy === UserRequirement.id || newest.sentFrom === this.#leader;
  }

  /**
   * Returns the older memories that relate to the newest message, oldest first. Returns nothing unless `isAsked`. Excludes memories created
   * after untrusted content was read.
   *
   * Looks them up once per message. Never rejects: errors are reported to `warn`, and the result is empty. `ask` lets the model choose
   * among the memories.
   */
  async recalled(ask?: AskModel): Promise<MemoryItem[]> {
    await this.refresh().catch((error: unknown) =>
      this.#init.warn?.('Could not read what other sessions have stored; continuing without it.', error),
    );
    const newest = this.getByPosition(-1);
    if (newest === null || !this.isAsked || this.#archive.size === 0) return [];
    if (this.#recalled?.id !== newest.id) {
      const items = this.#lookUp(newest.content, ask).catch((error: unknown) => {
        this.#init.warn?.('Could not look up older memories; continuing without them.', error);
        return [];
      });
      this.#recalled = { id: newest.id, items, byWords: this.#archive.isReading };
    }
    return (await this.#recalled.items).map(itemOf);
  }

  /**
   * True when the memories for the newest message were found by words alone because vectors were still loading. A large memory takes a
   * moment after `restore` to load them.
   */
  get wasRecalledByWords(): boolean {
    return this.#recalled !== null && this.#recalled.byWords;
  }

  /**
   * Resolves when background loading ends. While vectors load, memories are found by words only. When many memories must be indexed again,
   * they are found by meaning before they are found by words. Never rejects.
   */
  get whole(): Promise<void> {
    return this.#archive.whole;
  }

  /** Resolves when the words of all memories are indexed: at once, unless stored indexes were lost. Never rejects. */
  get wordsIndexed(): Promise<void> {
    return this.#archive.wordsIndexed;
  }

  /** Returns the memories that match a query by themselves, best first. Rejects when the store fails. */
  async search(query: string, limit = this.similarityTopK): Promise<MemoryItem[]> {
    await this.refresh();
    return (await this.#archive.search(query, wholeNumber('limit', limit, 0), { own: true })).map(itemOf);
  }

  /**
   * Returns the memories that a role recalls for a question, best first. Includes neighbors of a match, because an answer often shares no
   * word with its question. Rejects when the store fails.
   */
  async recallFor(query: string, limit = this.similarityTopK): Promise<MemoryItem[]> {
    await this.refresh();
    return (await this.#archive.search(query, wholeNumber('limit', limit, 0))).map(itemOf);
  }

  /** Number of older memories without a vector of the current embedder; 0 without an embedder. Accurate once `whole` has resolved. */
  get unembedded(): number {
    return this.#archive.unembedded;
  }

  /** Creates the missing vectors of all older memories in batches. Rejects when the embedder or the store fails. Stops early on abort. */
  embedAll(signal: AbortSignal = new AbortController().signal): Promise<void> {
    return this.#archive.embedAll(signal);
  }

  /**
   * Returns the newest older memories, or the newest before a place; oldest first. Without a limit, returns all. Rejects when the store
   * fails.
   */
  async list(limit?: number, before?: MemoryPlace): Promise<MemoryItem[]> {
    await this.refresh();
    const most = limit === undefined ? this.#archive.size : wholeNumber('limit', limit, 0);
    return (await this.#archive.list(most, before)).map(itemOf);
  }

  /** Returns the place of an older memory in `list`, or null when it is not listed. */
  placeOf(id: string): MemoryPlace | null {
    return this.#archive.placeOf(id);
  }

  /** Returns the oldest memories in the store that are not pinned, oldest first. Rejects when the store fails. */
  async oldest(limit: number): Promise<MemoryItem[]> {
    await this.refresh();
    return (await this.#archive.oldest(wholeNumber('oldest', limit, 0))).map(itemOf);
  }

  /** Older memories that can be deleted to free space. */
  get freeable(): Freeable['memories'] {
    return this.#archive.freeable();
  }

  /** Returns the older memories with these ids that exist, in the given order. Rejects when the store fails. */
  async items(ids: readonly string[]): Promise<MemoryItem[]> {
    await this.refresh();
    return (await this.#archive.items(ids)).map(itemOf);
  }

  /**
   * Moves the messages up to and including the one with this id to the store. Stops at the first message that is still needed, and leaves
   * at least the newest `least` messages in the window.
   */
  moveUpTo(id: string, least: number): void {
    const window = this.get();
    const place = window.findIndex((message) => message.id === id);
    for (const message of window.slice(0, Math.min(place + 1, Math.max(0, window.length - least)))) {
      if (this.#init.isNeeded?.(message) === true) return;
      this.#move(message);
    }
  }

  #makeRoom(): void {
    const { isNeeded } = this.#init;
    while (super.count() > this.maxMessages) {
      const oldest = this.getByPosition(0);
      if (oldest === null) return;
      if (super.count() <= this.maxMessages + HELD_BACK && isNeeded?.(oldest) === true) return;
      this.#move(oldest);
    }
  }

  #move(message: Message): void {
    this.#store(message); // when that throws, the message stays in the window
    super.delete(message);
    this.#stored.delete(message.id);
  }

  #store(message: Message): void {
    const { now = Date.now, role = '' } = this.#init;
    const { id, content } = message;
    // Another role may have stored it in a shared memory.
    if (content === '' || this.#stored.has(id) || this.#archive.has(id)) return;
    this.#archive.keep([{ id, role, createdAt: now(), message: message.toData(), ...this.#origin() }]);
  }

  #origin(): Pick<MemoryItem, 'shared'> {
    const { shared: name, session } = this.#init;
    return name === undefined ? {} : { shared: { name, session: session?.() ?? '' } };
  }

  async #lookUp(query: string, ask: AskModel | undefined): Promise<StoredMemory[]> {
    const choose = this.#chooser(ask);
    const wanted = this.similarityTopK * (choose === null ? 1 : CHOICE);
    const inWindow = new Set(this.get().map(({ id }) => id)); // the model has them
    const found = await this.#archive.search(query, wanted, { unasked: true, without: [...inWindow] });
    const chosen = choose !== null && found.length > 0 ? await this.#choose(query, found, choose) : found;
    const all = this.#neighbors === 0 ? chosen : await this.#archive.around(chosen, this.#neighbors);
    // In a shared memory, a neighbor may belong to the conversation of another session.
    const conversations = new Set(chosen.map(conversationOf));
    return all
      .filter(
        (item) => isUntouched(item) && conversations.has(conversationOf(item)) && !inWindow.has(item.id),
      )
      .sort((one, other) => one.number - other.number);
  }

  /** Returns how to choose among the memories found, or null when those found first are recalled. */
  #chooser(ask: AskModel | undefined): Choose | null {
    const { rerank } = this.#init;
    const most = this.similarityTopK;
    if (rerank !== undefined) return (query, found) => rateMemories(query, found, most, rerank);
    if (!this.useLlmRanker || ask === undefined) return null;
    return (query, found) => chooseMemories(query, found, most, ask);
  }

  async #choose(query: string, found: readonly StoredMemory[], choose: Choose): Promise<StoredMemory[]> {
    try {
      return await choose(query, found);
    } catch (error) {
      this.#init.warn?.('The model could not choose among the memories; using those found first.', error);
      return found.slice(0, this.similarityTopK);
    }
  }
}

type Choose = (query: string, found: readonly StoredMemory[]) => Promise<StoredMemory[]>;
