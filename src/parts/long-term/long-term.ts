import type { MemoryItem, UserMemories } from '../../core/long-term.js';
import { messageFromRecord, type Message, RunCommand, UserMessage } from '../../core/message.js';
import { checkSharedName } from '../../core/shared-name.js';
import type { Freeable } from '../../core/space.js';
import type { Table, Write } from '../../core/store.js';
import { headAndTail } from '../../agent/prompt/conversation.js';
import { section } from '../../agent/prompt/template.js';
import { CHARACTERS_PER_TOKEN } from '../../agent/prompt/token-count.js';
import type {
  AgentPart,
  Occasion,
  OwnedPart,
  PartAccess,
  PartAgent,
  PartFactory,
  Section,
} from '../../agent/runtime/part.js';
import { type MemorySnapshot, addSources } from '../../agent/runtime/state.js';
import type { LongTermMemoryOptions } from '../../memory/long-term-memory-options.js';
import { LongTermMemory } from '../../memory/long-term-memory.js';
import type { MemoryListeners } from '../../memory/memory.js';
import { LongTermRows } from './long-term-rows.js';
import { SharedMemoryRows } from './shared-memory-rows.js';
import { freeableMemories, userMemories, type RememberingRole } from './user-memories.js';

/** Messages that stay in memory after they left the prompt: repetitions are detected among the newest ones. */
const STAYS_AT_HAND = 20;

/**
 * Creates long-term memory for a role, as its option `longTermMemory`. Off by default.
 *
 * @example new RoleZero({ model, longTermMemory: longTermMemory({ maxMessages: 100 }) })
 * @throws RoleZeroError `invalid` when the name in `shared` is empty or longer than 200 characters.
 */
export function longTermMemory(options: LongTermMemoryOptions = {}): PartFactory {
  if (options.shared !== undefined) checkSharedName('longTermMemory()', options.shared);
  return (agent) => new LongTermPart(agent, options);
}

/** The long-term memory of an agent. Its rows are committed with everything else. */
class LongTermPart implements AgentPart {
  readonly name = 'memories';
  readonly tables: readonly Table[];
  readonly #agent: PartAgent;
  readonly #options: LongTermMemoryOptions;
  readonly #recollection: MemoryRecall;
  #memory: LongTermMemory | null = null;

  constructor(agent: PartAgent, options: LongTermMemoryOptions) {
    this.#agent = agent;
    this.#options = options;
    this.tables = options.shared === undefined ? ['memories'] : [];
    this.#recollection = new MemoryRecall(agent, this);
  }

  /** The memory of the agent: what it was given with `createMemory`. */
  get memory(): LongTermMemory {
    return (this.#memory ??= this.createMemory({}));
  }

  createMemory({ onRemove, ...listeners }: MemoryListeners): LongTermMemory {
    const agent = this.#agent;
    const { shared } = this.#options;
    const journal = () => agent.journal;
    const context = () => agent.context;
    const memory: LongTermMemory = new LongTermMemory({
      ...this.#options,
      ...listeners,
      onRemove: (message) => {
        this.#storeForCheckpoints(memory, message);
        onRemove?.(message);
      },
      role: agent.name,
      store:
        shared === undefined
          ? new LongTermRows(agent.name, journal, context)
          : new SharedMemoryRows(shared, journal, context),
      session: () => agent.context.session,
      now: () => agent.context.runtime.now(),
      lastArrival: () =>
        Math.max(
          0,
          ...rememberingRoles(agent.context.parts?.(this.name)).map((role) => role.memory.lastArrival),
        ),
      warn: (message, error) => agent.warn(message, error),
      isNeeded: ({ id }) => agent.state.unread.includes(id), // the model has not read it yet
    });
    return (this.#memory = memory);
  }

  async restore({ messages }: MemorySnapshot): Promise<void> {
    this.#recollection.restart();
    const stored = Number(this.#agent.state.parts[this.name]?.['stored'] ?? 0);
    await this.memory.restore(messages.slice(0, stored).map(({ value }) => messageFromRecord(value).id));
  }

  /** Replies that a user types need no memories. */
  section(occasion: Occasion): Promise<Section | null> | null {
    return this.#agent.isMetered ? this.#recollection.section(occasion) : null;
  }

  untrusted(): string[] {
    return this.#recollection.untrusted;
  }

  onCompaction(left: string): void {
    this.memory.moveUpTo(left, STAYS_AT_HAND);
  }

  onTurnEnd(): void {
    this.memory.share();
  }

  /** A shared memory stores messages that are still in the window: how many, is stored with the role. */
  onCommit(): void {
    const { parts } = this.#agent.state;
    if (this.memory.isShared) parts[this.name] = { ...parts[this.name], stored: this.memory.storedCount };
  }

  refresh(): Promise<boolean> {
    return this.memory.refresh();
  }

  forget(messageId: string): Write[] {
    return this.memory.byUser(() => this.memory.forget(messageId));
  }

  session(access: PartAccess): UserMemories {
    return userMemories({
      ...access,
      async roles(name, purpose) {
        const roles = rememberingRoles(await access.parts(name, purpose));
        for (const { memory } of roles) await memory.refresh();
        return roles;
      },
    });
  }

  space(parts: readonly OwnedPart[]): Freeable['memories'] {
    return freeableMemories(rememberingRoles(parts));
  }

  /** A message that moves to the memory leaves its row to earlier checkpoints. */
  #storeForCheckpoints(memory: LongTermMemory, message: Message): void {
    const { journal, messageRows } = this.#agent;
    const key = messageRows.keyOf(message.id);
    if (key === undefined || memory.isShared || !memory.holds(message.id)) return;
    journal.put('checkpoints', messageRows.replacedKeyOf(key), message.toData());
  }
}

function rememberingRoles(
  parts: readonly { readonly role: string; readonly part: object }[] = [],
): RememberingRole[] {
  return parts.flatMap(({ role: name, part }) =>
    part instanceof LongTermPart ? [{ name, memory: part.memory }] : [],
  );
}

/** Share of the window for the memories that are recalled for a request, and the maximum in characters. */
const RECALLED_SHARE = 0.1;
const MAX_RECALLED = 8_000;

/** The part whose memory recalls. */
interface RecallOwner {
  readonly name: string;
  readonly memory: LongTermMemory;
}

/**
 * Adds older memories to the conversation: once for a request, in the message that contains it, and again after a compaction. Recalled
 * memories are stored by id only, so a forgotten memory is not sent again.
 */
class MemoryRecall {
  readonly #agent: PartAgent;
  readonly #owner: RecallOwner;
  /** Contents of the last recalled memories; read again after a reload. */
  #items: readonly MemoryItem[] | null = null;

  constructor(agent: PartAgent, owner: RecallOwner) {
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
