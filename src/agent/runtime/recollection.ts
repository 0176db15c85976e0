import type { AgentEvent } from '../../core/events.js';
import type { MemoryItem } from '../../core/long-term.js';
import { RunCommand, UserMessage, messageFromRecord } from '../../core/message.js';
import type { AskModel, LongTermMemory } from '../../memory/long-term-memory.js';
import { headAndTail } from '../prompt/conversation.js';
import { section } from '../prompt/template.js';
import type { RoleState } from './state.js';

/** What recalling needs of its role. */
export interface RecollectionHost {
  name: string;
  /** Null when the role has no long-term memory. */
  memory(): LongTermMemory | null;
  state(): RoleState;
  /** Returns the maximum characters of recalled memories in the prompt. */
  room(): number;
  /** Text before the memories in the prompt. */
  introduction: string;
  tell(event: AgentEvent): void;
  warn(message: string, error: unknown): void;
}

/** Memories that were recalled for the next message to the model. */
export interface Recalled {
  /** Returns the section for the prompt; empty when there is nothing new. `fresh`: the prompt has lost the earlier one. */
  text(fresh: boolean): string;
  /** Called when the model has received it; changes state that is committed with the reply. */
  told(): void;
}

const NOTHING_RECALLED: Recalled = { text: () => '', told: () => {} };

/**
 * Adds older memories to the conversation: once for a request, in the message that contains it, and again after a compaction. Recalled
 * memories are stored by id only, so a forgotten memory is not sent again.
 */
export class Recollection {
  readonly #host: RecollectionHost;
  /** Contents of the last recalled memories; read again after a reload. */
  #items: readonly MemoryItem[] | null = null;

  constructor(host: RecollectionHost) {
    this.#host = host;
  }

  /** Drops cached memories after a restore. */
  restart(): void {
    this.#items = null;
  }

  /** Recalls memories once for a new request. Never rejects. */
  async next(ask: AskModel): Promise<Recalled> {
    const memory = this.#host.memory();
    if (memory === null) return NOTHING_RECALLED;
    const before = this.#host.state().recalled;
    const newest = memory.getByPosition(-1)?.id ?? '';
    if (!memory.isAsked || before?.for === newest) return this.#again(memory, before?.ids ?? []);
    const items = await memory.recalled(ask);
    const ids = items.map(({ id }) => id);
    const byWords = memory.wasRecalledByWords ? { byWords: true as const } : {};
    const isNews = ids.length > 0 && ids.join() !== before?.ids.join();
    return {
      text: (fresh) => (isNews || fresh ? this.#section(items) : ''),
      told: () => {
        this.#items = items;
        this.#host.state().recalled = { for: newest, ids };
        if (items.length > 0) this.#host.state().private = true;
        if (isNews) this.#host.tell({ type: 'memory-recalled', role: this.#host.name, ids, ...byWords });
      },
    };
  }

  async #again(memory: LongTermMemory, ids: readonly string[]): Promise<Recalled> {
    if (ids.length === 0) return NOTHING_RECALLED;
    try {
      this.#items ??= await memory.items(ids);
    } catch (error) {
      this.#host.warn('Could not read older memories again; continuing without them.', error);
      return NOTHING_RECALLED;
    }
    const items = this.#items.filter(({ id }) => memory.holds(id));
    return { text: (fresh) => (fresh ? this.#section(items) : ''), told: () => {} };
  }

  #section(items: readonly MemoryItem[]): string {
    if (items.length === 0) return '';
    const room = Math.floor(this.#host.room() / items.length);
    const lines = items.map((item) => `- ${this.#heading(item)}: ${headAndTail(item.message.content, room)}`);
    return section('Memories', [this.#host.introduction, ...lines].join('\n'));
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
