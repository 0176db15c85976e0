import { RoleZeroError } from '../base/error.js';
import type {
  LongTermStore,
  MemoryChange,
  MemoryItem,
  MemoryPlace,
  StoredMemory,
} from '../base/long-term.js';
import { messageFromRecord, UserRequirement, type Message } from '../base/message.js';
import type { Embedder } from '../base/model.js';
import type { Freeable } from '../base/space.js';
import { Archive } from './archive.js';
import { rankingPrompt, readRanking } from './llm-ranker.js';
import { Memory, type MemoryListeners } from './memory.js';
import { isUntouched, itemOf, readMemories } from './memory-item.js';
import { MemoryLongTermStore } from './memory-long-term-store.js';
import type { VectorIndexFactory } from './vector-index.js';

/** What an application decides (spec 3). */
export interface LongTermMemoryOptions {
  /** Messages in the window; older ones move to the store. Default 200. */
  memoryK?: number;
  /** Memories that are recalled; default 5. */
  similarityTopK?: number;
  /** Let the model choose among the memories found: one more call for a requirement. Default false. */
  useLlmRanker?: boolean;
  /** Finds memories by meaning, not by shared words alone. */
  embedder?: Embedder;
  /**
   * The embedder used before: its vectors serve until every memory has one of `embedder`, which happens a batch at a time in the
   * background. Without it, memories are embedded anew before they are compared.
   */
  formerEmbedder?: Embedder;
  /** Compares vectors. Default: each one exactly, for some ten thousand; `quantizedVectors` of `rolezero/memory/vectors` is for more. */
  vectors?: VectorIndexFactory;
  /** Messages before and after a recalled one that come along; default 0. */
  neighbours?: number;
  /** Memories of another project are kept apart. Default: the session is the project. */
  project?: string;
  /** Whose messages count as requirements, besides a person's: the name of the team's leader. Default `Mike`. */
  leader?: string;
  /** Older memories of a role; beyond, the oldest are forgotten. Default 50,000. */
  maxItems?: number;
  /** Characters of all of a role's older memories; beyond, the oldest are forgotten. Default 100,000,000. */
  maxCharacters?: number;
  /** Milliseconds; older memories are forgotten. Default: none is too old. */
  maxAgeMs?: number;
}

/** What the owner provides. */
export interface LongTermHost extends MemoryListeners {
  /** Name of the role that remembers. Default: none. */
  role?: string;
  /** Default: in RAM. */
  store?: LongTermStore;
  /** Milliseconds since 1970; default the machine's clock. */
  now?: () => number;
  /** Hears of faults that the memory goes on without. */
  warn?: (message: string, error: unknown) => void;
  /** A message that should not leave the window yet, and with it those after it: up to 100 are held back. Default: none. */
  isNeeded?: (message: Message) => boolean;
}

/** Puts a question of its own to the model. */
export type AskModel = (prompt: string) => Promise<string>;

/** Characters of a memory that a person writes. */
const MOST_CHARACTERS = 1_000_000;
/** For each memory wanted, how many the model may choose from. */
const CHOICE = 3;
/** Messages in the window beyond `memoryK`, as long as they are needed. */
const HELD_BACK = 100;

/**
 * A memory whose newest `memoryK` messages stay at hand, while older ones move to a store, and come back when a person asks for something
 * they have to do with (spec 3). `get` and all else a `Memory` can do is about the window and never waits; `has`, `count` and `add` know
 * of both, so that a message is remembered once wherever it is.
 */
export class LongTermMemory extends Memory {
  readonly memoryK: number;
  readonly similarityTopK: number;
  readonly useLlmRanker: boolean;
  readonly #neighbours: number;
  readonly #leader: string;
  readonly #archive: Archive;
  readonly #host: LongTermHost;
  /** What was recalled for the newest message. */
  #recalled: { id: string; items: Promise<StoredMemory[]>; byWords: boolean } | null = null;

  /** @throws RoleZeroError `invalid` when a number makes no sense. */
  constructor(init: LongTermMemoryOptions & LongTermHost = {}) {
    super(init);
    this.memoryK = whole('memoryK', init.memoryK ?? 200, 1);
    this.similarityTopK = whole('similarityTopK', init.similarityTopK ?? 5, 1);
    this.useLlmRanker = init.useLlmRanker ?? false;
    this.#neighbours = whole('neighbours', init.neighbours ?? 0, 0);
    this.#leader = init.leader ?? 'Mike';
    this.#host = init;
    this.#archive = new Archive({
      store: init.store ?? new MemoryLongTermStore(),
      project: init.project ?? '',
      embedder: init.embedder,
      formerEmbedder: init.formerEmbedder,
      vectors: init.vectors,
      retention: {
        maxItems: whole('maxItems', init.maxItems ?? 50_000, 1),
        maxCharacters: whole('maxCharacters', init.maxCharacters ?? 100_000_000, 1),
        maxAgeMs: init.maxAgeMs ?? Infinity,
      },
      now: init.now ?? Date.now,
      warn: (message, error) => this.#host.warn?.(message, error),
    });
  }

  /** The role's name without spaces (spec 6.2): what a store that holds several memories calls this one. */
  get collectionName(): string {
    return (this.#host.role ?? 'role_zero').replaceAll(' ', '');
  }

  /**
   * Takes in what the store holds already, but for vectors, which follow by themselves: see `whole`. For an empty memory, before the
   * window is filled. Rejects when the store fails.
   */
  restore(): Promise<void> {
    return this.#archive.restore();
  }

  /** Whether it was new. What no longer fits into the window moves to the store; a message without content is just forgotten. */
  override add(message: Message): boolean {
    const added = super.add(message);
    if (added) this.#makeRoom();
    return added;
  }

  override has(message: Message): boolean {
    return super.has(message) || this.#archive.has(message.id);
  }

  /** How many are remembered, in the window and beyond. */
  override count(): number {
    return super.count() + this.#archive.size;
  }

  /** Forgets everything, in the window and beyond. */
  override clear(): void {
    super.clear();
    this.#archive.clear();
    this.#recalled = null;
  }

  /**
   * Changes or pins an older memory; null when it is not among them. Rejects when the store fails, and with `invalid` for a content that
   * is empty or too long.
   */
  async change(id: string, change: MemoryChange): Promise<StoredMemory | null> {
    const { content } = change;
    if (content !== undefined && (content.trim() === '' || content.length > MOST_CHARACTERS)) {
      throw new RoleZeroError(
        'invalid',
        `A memory has 1 to ${MOST_CHARACTERS} characters, not ${content.length}.`,
        {
          length: content.length,
        },
      );
    }
    const changed = await this.#archive.change(id, change);
    if (changed !== null) this.#recalled = null;
    return changed;
  }

  /**
   * Adds the older memories of an exported document, in their order of time; those remembered already are passed over. `added` is what
   * is new and within the limits, `gone` the numbers of older ones that had to make room for it.
   * @throws RoleZeroError `invalid` when the document is none; nothing is added then.
   */
  import(document: unknown): { added: StoredMemory[]; gone: number[] } {
    const inTime = readMemories(document).sort((one, other) => one.createdAt - other.createdAt);
    const inWindow = new Set(this.storage.map(({ id }) => id));
    const news = new Map(
      inTime.filter(({ id }) => !this.#archive.has(id) && !inWindow.has(id)).map((item) => [item.id, item]),
    );
    const role = this.#host.role ?? '';
    const { kept, gone } = this.#archive.keep([...news.values()].map((item) => ({ ...item, role })));
    gone.push(...this.#archive.retire());
    return { added: kept.filter(({ id }) => this.#archive.has(id)), gone };
  }

  /** Forgets what is older than `maxAgeMs` by now. Beyond the other limits nothing ever is. */
  retire(): void {
    this.#archive.retire();
  }

  /** Whether the message of this id is among the older memories. */
  holds(id: string): boolean {
    return this.#archive.has(id);
  }

  /** Forgets an older memory for good. Its number in the store; null when there is none of this id. */
  forget(id: string): number | null {
    const number = this.#archive.forget(id);
    if (number !== null) this.#recalled = null;
    return number;
  }

  /**
   * What MetaGPT's `get(k)` gives: the last `k` messages, and before them, oldest first, what was recalled for the newest. With 0 it is
   * the whole window, and nothing is recalled.
   */
  async recall(k: number): Promise<Message[]> {
    const window = this.get(k);
    if (k === 0) return window;
    const recalled = await this.recalled();
    return [...recalled.map(({ message }) => messageFromRecord(message)), ...window];
  }

  /** True when the newest message is one that memories are looked up for: what a person asks for, or the team's leader. */
  get isAsked(): boolean {
    const newest = this.getByPosition(-1);
    if (newest === null || !newest.isUserMessage || newest.content === '') return false;
    return newest.causeBy === UserRequirement.id || newest.sentFrom === this.#leader;
  }

  /**
   * What older memories have to do with the newest message, oldest first; nothing unless it `isAsked`, and nothing that was said after
   * strangers had been read. Looked up once for a message. Never
   * rejects: a fault is told to the host, and the role goes on without. `ask` is for a model that chooses.
   */
  async recalled(ask?: AskModel): Promise<MemoryItem[]> {
    const newest = this.getByPosition(-1);
    if (newest === null || !this.isAsked || this.#archive.size === 0) return [];
    if (this.#recalled?.id !== newest.id) {
      const items = this.#lookUp(newest.content, ask).catch((error: unknown) => {
        this.#host.warn?.('Older memories could not be looked up; the work goes on without them.', error);
        return [];
      });
      this.#recalled = { id: newest.id, items, byWords: this.#archive.isReading };
    }
    return (await this.#recalled.items).map(itemOf);
  }

  /**
   * Whether what was recalled for the newest message was found by words alone, for the vectors were still being read: with a large memory
   * that takes a moment after `restore`.
   */
  get wasRecalledByWords(): boolean {
    return this.#recalled !== null && this.#recalled.byWords;
  }

  /**
   * Resolves when all that was stored is here. As long as vectors are being read nothing is found by its meaning, only by its words; and
   * where chunks have to be made again of many memories, these are found by their meaning first. Never rejects.
   */
  get whole(): Promise<void> {
    return this.#archive.whole;
  }

  /** What fits a query by itself, best first. Rejects when the store fails. */
  async search(query: string, limit = this.similarityTopK): Promise<MemoryItem[]> {
    return (await this.#archive.search(query, whole('limit', limit, 0), { own: true })).map(itemOf);
  }

  /**
   * What a role recalls for a question, best first: what fits, and what was said right beside it, for an answer often shares no word with
   * its question. Rejects when the store fails.
   */
  async recallFor(query: string, limit = this.similarityTopK): Promise<MemoryItem[]> {
    return (await this.#archive.search(query, whole('limit', limit, 0))).map(itemOf);
  }

  /** How many older memories have no vector of the embedder yet, once the memory is `whole`; 0 without an embedder. */
  get unembedded(): number {
    return this.#archive.unembedded;
  }

  /** Gives all older memories a vector of the embedder, some at a time. Rejects when the embedder or the store fails; ends early on abort. */
  embedAll(signal: AbortSignal = new AbortController().signal): Promise<void> {
    return this.#archive.embedAll(signal);
  }

  /** The newest of the older memories, or of those before a place, oldest first; all without a limit. Rejects when the store fails. */
  async list(limit = this.#archive.size, before?: MemoryPlace): Promise<MemoryItem[]> {
    return (await this.#archive.list(whole('limit', limit, 0), before)).map(itemOf);
  }

  /** Where an older memory stands in `list`; null when it is not in it. */
  placeOf(id: string): MemoryPlace | null {
    return this.#archive.placeOf(id);
  }

  /** The oldest of the older memories that are not pinned, oldest first. Rejects when the store fails. */
  async oldest(limit: number): Promise<MemoryItem[]> {
    return (await this.#archive.oldest(whole('oldest', limit, 0))).map(itemOf);
  }

  /** What of the older memories could go to make room. */
  get freeable(): Freeable['memories'] {
    return this.#archive.freeable();
  }

  /** Those of these older memories that still are there, in this order. Rejects when the store fails. */
  async items(ids: readonly string[]): Promise<MemoryItem[]> {
    return (await this.#archive.items(ids)).map(itemOf);
  }

  /**
   * Moves the messages up to the one of this id to the store, as those that no longer fit into the window; `least` of the newest stay,
   * and so does what is still needed.
   */
  moveUpTo(id: string, least: number): void {
    const window = this.get();
    const place = window.findIndex((message) => message.id === id);
    for (const message of window.slice(0, Math.min(place + 1, Math.max(0, window.length - least)))) {
      if (this.#host.isNeeded?.(message) === true) return;
      this.#move(message);
    }
  }

  #makeRoom(): void {
    const { isNeeded } = this.#host;
    while (super.count() > this.memoryK) {
      const oldest = this.getByPosition(0);
      if (oldest === null) return;
      if (super.count() <= this.memoryK + HELD_BACK && isNeeded?.(oldest) === true) return;
      this.#move(oldest);
    }
  }

  #move(message: Message): void {
    const { now = Date.now, role = '' } = this.#host;
    super.delete(message);
    if (message.content !== '')
      this.#archive.keep([{ id: message.id, role, createdAt: now(), message: message.toData() }]);
  }

  async #lookUp(query: string, ask: AskModel | undefined): Promise<StoredMemory[]> {
    const choosing = this.useLlmRanker && ask !== undefined;
    const wanted = this.similarityTopK * (choosing ? CHOICE : 1);
    const found = await this.#archive.search(query, wanted, { unasked: true });
    const chosen = choosing && found.length > 0 ? await this.#chosen(query, found, ask) : found;
    const all = this.#neighbours === 0 ? chosen : await this.#archive.around(chosen, this.#neighbours);
    return all
      .filter(isUntouched)
      .sort((one, other) => one.createdAt - other.createdAt || one.number - other.number);
  }

  async #chosen(query: string, found: readonly StoredMemory[], ask: AskModel): Promise<StoredMemory[]> {
    const documents = found.map(({ message }) => message.content);
    try {
      const ranking = readRanking(await ask(rankingPrompt(query, documents)), found.length);
      return ranking.slice(0, this.similarityTopK).flatMap((place) => found[place] ?? []);
    } catch (error) {
      this.#host.warn?.('The model could not choose among the memories; those found first are taken.', error);
      return found.slice(0, this.similarityTopK);
    }
  }
}

function whole(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  throw new RoleZeroError('invalid', `${name} must be a whole number from ${least}, not ${value}.`, {
    [name]: value,
  });
}
