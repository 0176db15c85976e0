import type { MemoryItem } from '../../core/long-term.js';
import { RunCommand, UserMessage, messageFromRecord } from '../../core/message.js';
import type { AskModel } from '../../memory/llm-ranker.js';
import type { LongTermMemory } from '../../memory/long-term-memory.js';
import { headAndTail } from '../prompt/conversation.js';
import { section } from '../prompt/template.js';
import { CHARACTERS_PER_TOKEN } from '../prompt/token-count.js';
import type { AgentRuntime } from './agent-runtime.js';
import type { Recalled } from './recalled.js';
import { addSources } from './state.js';

/** Share of the window for the memories that are recalled for a request, and the maximum in characters. */
const RECALLED_SHARE = 0.1;
const MAX_RECALLED = 8_000;

const NOTHING_RECALLED: Recalled = { text: () => '', markSent: () => {} };

/**
 * Adds older memories to the conversation: once for a request, in the message that contains it, and again after a compaction. Recalled
 * memories are stored by id only, so a forgotten memory is not sent again.
 */
export class Recollection {
  readonly #agent: AgentRuntime;
  /** Text before the memories in the prompt. */
  readonly #introduction: string;
  /** Contents of the last recalled memories; read again after a reload. */
  #items: readonly MemoryItem[] | null = null;

  constructor(agent: AgentRuntime, introduction: string) {
    this.#agent = agent;
    this.#introduction = introduction;
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
  async next(ask: AskModel): Promise<Recalled> {
    const memory = this.#agent.longTerm;
    if (memory === null) return NOTHING_RECALLED;
    const before = this.#agent.state.recalled;
    const newest = memory.getByPosition(-1)?.id ?? '';
    if (!memory.isAsked || before?.for === newest) return this.#again(memory, before?.ids ?? []);
    const items = await memory.recalled(ask);
    const ids = items.map(({ id }) => id);
    const byWords = memory.wasRecalledByWords ? { byWords: true as const } : {};
    const isNews = ids.length > 0 && ids.join() !== before?.ids.join();
    return {
      text: (fresh) => (isNews || fresh ? this.#section(items) : ''),
      markSent: () => {
        this.#items = items;
        this.#agent.state.recalled = { for: newest, ids };
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

  async #again(memory: LongTermMemory, ids: readonly string[]): Promise<Recalled> {
    if (ids.length === 0) return NOTHING_RECALLED;
    try {
      // Another session may have changed a shared memory.
      if (this.#items === null || memory.isShared) this.#items = await memory.items(ids);
    } catch (error) {
      this.#agent.warn('Could not read older memories again; continuing without them.', error);
      return NOTHING_RECALLED;
    }
    const items = this.#items.filter(({ id }) => memory.holds(id));
    return { text: (fresh) => (fresh ? this.#section(items) : ''), markSent: () => {} };
  }

  #section(items: readonly MemoryItem[]): string {
    if (items.length === 0) return '';
    const most = Math.min(
      MAX_RECALLED,
      this.#agent.model.contextWindow * CHARACTERS_PER_TOKEN * RECALLED_SHARE,
    );
    const room = Math.floor(most / items.length);
    const lines = items.map((item) => `- ${this.#heading(item)}: ${headAndTail(item.message.content, room)}`);
    return section('Memories', [this.#introduction, ...lines].join('\n'));
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
