import { messageFromRecord, type Message } from '../../core/message.js';
import { checkSharedName } from '../../core/shared-name.js';
import type { Freeable } from '../../core/space.js';
import type { Table, Write } from '../../core/store.js';
import type { LongTermMemoryOptions } from '../../memory/long-term-memory-options.js';
import { LongTermMemory } from '../../memory/long-term-memory.js';
import type { MemoryListeners } from '../../memory/memory.js';
import type {
  AgentPart,
  Occasion,
  OwnedPart,
  PartAccess,
  PartAgent,
  PartFactory,
  Section,
} from '../../agent/runtime/part.js';
import type { MemorySnapshot } from '../../agent/runtime/state.js';
import { LongTermRows } from './long-term-rows.js';
import { Recollection } from './recollection.js';
import { SharedMemoryRows } from './shared-memory-rows.js';
import { freeableMemories, userMemories, type RememberingRole, type UserMemories } from './user-memories.js';

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
  readonly #recollection: Recollection;
  #memory: LongTermMemory | null = null;

  constructor(agent: PartAgent, options: LongTermMemoryOptions) {
    this.#agent = agent;
    this.#options = options;
    this.tables = options.shared === undefined ? ['memories'] : [];
    this.#recollection = new Recollection(agent, this);
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
