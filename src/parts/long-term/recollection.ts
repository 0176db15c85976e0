import type { MemoryItem } from '../../core/long-term.js';
import { RunCommand, UserMessage, messageFromRecord } from '../../core/message.js';
import type { LongTermMemory } from '../../memory/long-term-memory.js';
import { headAndTail } from '../../agent/prompt/conversation.js';
import { section } from '../../agent/prompt/template.js';
import { CHARACTERS_PER_TOKEN } from '../../agent/prompt/token-count.js';
import type { Occasion, PartAgent, Section } from '../../agent/runtime/part.js';
import { addSources } from '../../agent/runtime/state.js';

/** Share of the window for the memories that are recalled for a request, and the maximum in characters. */
const RECALLED_SHARE = 0.1;
const MAX_RECALLED = 8_000;

/** The part whose memory recalls. */
interface Owner {
  readonly name: string;
  readonly memory: LongTermMemory;
}

/**
 * Adds older memories to the conversation: once for a request, in the message that contains it, and again after a compaction. Recalled
 * memories are stored by id only, so a forgotten memory is not sent again.
 */
export class Recollection {
  readonly #agent: PartAgent;
  readonly #owner: Owner;
  /** Contents of the last recalled memories; read again after a reload. */
  #items: readonly MemoryItem[] | null = null;

  constructor(agent: PartAgent, owner: Owner) {
    this.#agent = agent;
    this.#owner = owner;
  }

  /** Drops cached memories after a restore. */
  restart(): void {
    this.#items = null;
  }

  /** The contents of recalled memories that have untrusted sources. */
  get untrusted(): string[] {
    const items = this.#items ?? [];
    return items.filter(({ untrusted }) => untrusted !== undefined).map(({ message }) => message.content);
  }

  /** Recalls memories once for a new request. Never rejects. */
  async section({ ask }: Occasion): Promise<Section | null> {
    const { memory } = this.#owner;
    const before = this.#last;
    const newest = memory.getByPosition(-1)?.id ?? '';
    if (!memory.isAsked || before?.for === newest) return this.#again(memory, before?.ids ?? []);
    const items = await memory.recalled((text) => ask('rank', text));
    const ids = items.map(({ id }) => id);
    const byWords = memory.wasRecalledByWords ? { byWords: true as const } : {};
    const isNews = ids.length > 0 && ids.join() !== before?.ids.join();
    return {
      text: (fresh) => (isNews || fresh ? this.#textOf(items) : ''),
      markSent: () => {
        this.#items = items;
        const { parts } = this.#agent.state;
        const { name } = this.#owner;
        parts[name] = { ...parts[name], for: newest, ids };
        if (items.length > 0) this.#agent.state.private = true;
        addSources(
          this.#agent.state,
          items.flatMap(({ untrusted = [] }) => untrusted),
        );
        if (isNews)
          this.#agent.journal.tell({ type: 'memory-recalled', role: this.#agent.name, ids, ...byWords });
      },
    };
  }

  /** The last recall: the id of the message it was for, and the ids of the recalled memories. */
  get #last(): { for: string; ids: readonly string[] } | undefined {
    const { for: newest, ids } = this.#agent.state.parts[this.#owner.name] ?? {};
    return typeof newest === 'string' && Array.isArray(ids)
      ? { for: newest, ids: ids.map(String) }
      : undefined;
  }

  async #again(memory: LongTermMemory, ids: readonly string[]): Promise<Section | null> {
    if (ids.length === 0) return null;
    try {
      // Another session may have changed a shared memory.
      if (this.#items === null || memory.isShared) this.#items = await memory.items(ids);
    } catch (error) {
      this.#agent.warn('Could not read older memories again; continuing without them.', error);
      return null;
    }
    const items = this.#items.filter(({ id }) => memory.holds(id));
    return { text: (fresh) => (fresh ? this.#textOf(items) : '') };
  }

  #textOf(items: readonly MemoryItem[]): string {
    if (items.length === 0) return '';
    const most = Math.min(
      MAX_RECALLED,
      this.#agent.model.contextWindow * CHARACTERS_PER_TOKEN * RECALLED_SHARE,
    );
    const room = Math.floor(most / items.length);
    const lines = items.map((item) => `- ${this.#heading(item)}: ${headAndTail(item.message.content, room)}`);
    return section('Memories', [this.#agent.settings.prompts.memories, ...lines].join('\n'));
  }

  /** Returns the date and the author of a memory. */
  #heading({ createdAt, message: data }: MemoryItem): string {
    const message = messageFromRecord(data);
    const day = new Date(createdAt).toISOString().slice(0, 10);
    if (message instanceof UserMessage && message.causeBy === RunCommand.id) return `${day}, your commands`;
    if (message.isAiMessage) return `${day}, ${message.sentFrom === '' ? 'you' : message.sentFrom}`;
    return `${day}, ${message.sentFrom === '' ? message.role : message.sentFrom}`;
  }
}
