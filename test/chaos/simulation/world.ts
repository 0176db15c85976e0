import { RoleZeroError } from '../../../src/core/error.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { Question } from '../../../src/core/human.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../../../src/core/model.js';
import type { RandomState } from '../../../src/core/runtime.js';
import type { SessionStore, Storage, Table, Write } from '../../../src/core/store.js';
import type { RoleState } from '../../../src/agent/runtime/state.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import type { Dice } from './dice.js';
import { strikes, type Fault, type FaultKind, type Place } from './faults.js';

const never = (): Promise<never> => new Promise(() => {});

/** One worker from its start to its end. After its death, its calls never return. */
export class Life {
  alive = true;
  readonly died: Promise<'died'>;
  #die: (how: 'died') => void = () => {};

  constructor() {
    this.died = new Promise((resolve) => (this.#die = resolve));
  }

  end(): void {
    this.alive = false;
    this.#die('died');
  }
}

/** An effect outside of the session. */
export interface Effect {
  tool: string;
  key: string;
  input: string;
}

/** Everything that survives the worker: the disk, external effects, the user, and the faults to come. */
export class World {
  readonly disk: Storage;
  /** External effects in order. */
  readonly effects: Effect[] = [];
  readonly violations: string[] = [];
  readonly reported: AgentEvent[] = [];
  /** How often the user approved repeating a possible effect. */
  repeats = 0;
  /** Ids of calls that were stored before their commands were run. */
  readonly intents = new Set<string>();
  readonly struck: FaultKind[] = [];
  instants = 0;
  modelCalls = 0;
  /** Milliseconds since 1970. */
  now = 1_700_000_000_000;
  /** What each writer has only logged, by session and epoch. */
  readonly logs = new Map<string, LogPart[]>();
  /** The user presses Stop. */
  stop: () => void = () => {};
  /** Another worker takes the session over at this moment. */
  steal: () => void = () => {};

  constructor(
    private readonly dice: Dice,
    readonly faults: Fault[],
  ) {
    this.disk = memoryStorage({ now: () => this.now });
  }

  /**
   * One instant: the session accesses the outside. `work` takes effect; `struck` handles a fault.
   * @throws the error caused by the fault.
   */
  async touch<Value>(
    life: Life,
    place: Place,
    work: () => Value | Promise<Value>,
    struck: (fault: FaultKind) => void = () => {},
  ): Promise<Value> {
    if (!life.alive) return never();
    this.instants += 1;
    for (let turns = this.dice.below(3); turns > 0; turns--) await Promise.resolve(); // Others may run first.
    if (!life.alive) return never();
    const at = this.faults.findIndex((fault) => strikes(fault, place, this.instants));
    const fault = at < 0 ? undefined : this.faults.splice(at, 1)[0];
    if (fault === undefined) return this.unlessDead(life, await work());
    this.struck.push(fault.kind);
    switch (fault.kind) {
      case 'crash':
      case 'power':
        if (fault.after) await work();
        if (fault.kind === 'power') this.losePower();
        life.end();
        return never();
      case 'theft':
        this.steal();
        break;
      case 'stop':
        this.stop();
        break;
      case 'clock':
        this.now += (this.dice.below(2 * 86_400) - 86_400) * 1000;
        break;
      case 'io':
        throw new RoleZeroError('storage-failed', 'The database failed: simulated.', {});
      case 'quota':
        throw new RoleZeroError('storage-full', 'The disk is full: simulated.', {});
      case 'closed':
        throw new RoleZeroError('storage-closed', 'The connection was closed: simulated.', {});
      default:
        struck(fault.kind);
    }
    return this.unlessDead(life, await work());
  }

  /** The disk as seen by one worker. */
  storageOf(life: Life): Storage {
    const { disk } = this;
    return {
      list: () => disk.list(),
      remove: (name) => disk.remove(name),
      export: (name) => disk.export(name),
      import: (document, name) => disk.import(document, name),
      open: async (name, options) => {
        const store = await this.touch(life, 'open', async () => {
          const opened = await disk.open(name, options);
          const key = logKey(name, opened.epoch - 1);
          // The commit of these parts may be stored already.
          if (this.logs.get(key)?.at(-1)?.head === (await headOf(disk, name)))
            await commitParts(opened, this.logs.get(key) ?? []);
          this.logs.delete(key);
          return opened;
        });
        return new SeenStore(store, this, life);
      },
    };
  }

  /** The newest parts of the logs were not flushed. */
  private losePower(): void {
    for (const parts of this.logs.values()) parts.length = this.dice.below(parts.length + 1);
  }

  /** A model with the replies of `reply`, over a connection that may break. */
  modelOf(life: Life, traits: ModelTraits, reply: (request: ChatRequest) => string): ChatModel {
    return new SeenModel(this, life, traits, reply);
  }

  /** Runs an external effect. */
  effect(life: Life, effect: Effect, once: boolean): Promise<void> {
    return this.touch(life, 'tool', () => {
      if (once && this.effects.some(({ key }) => key === effect.key)) return; // The receiver drops the second one.
      this.effects.push(effect);
    });
  }

  /** Records the contents of a commit. */
  see(writes: readonly Write[]): void {
    for (const { table, value } of writes) {
      if (table !== 'roles') continue;
      const stage = (value as RoleState).turn?.stage;
      if (stage?.name === 'act' && stage.attempt !== null) this.intents.add(stage.attempt.callId);
    }
  }

  async ask(life: Life, question: Question, answer: (question: Question) => string): Promise<string | null> {
    let silent = false;
    const answers = await this.touch(
      life,
      'user',
      () => answer(question),
      () => (silent = true),
    );
    if (!silent && /again\?$/.test(question.text)) this.repeats += 1;
    return silent ? null : answers;
  }

  private unlessDead<Value>(life: Life, value: Value): Value | Promise<never> {
    return life.alive ? value : never();
  }
}

/**
 * The store of a session; each use is an instant. A class: an object literal with a getter would retain its world
 * until the heap is swept.
 */
class SeenStore implements SessionStore {
  readonly name: string;
  readonly epoch: number;
  readonly lost: SessionStore['lost'];
  /** What is only in the log. */
  private logged: LogPart[] = [];

  constructor(
    private readonly store: SessionStore,
    private readonly world: World,
    private readonly life: Life,
  ) {
    this.name = store.name;
    this.epoch = store.epoch;
    this.lost = store.lost;
  }

  get random(): SessionStore['random'] {
    return this.logged.at(-1)?.random ?? this.store.random;
  }

  load(table: Table): ReturnType<SessionStore['load']> {
    return this.world.touch(this.life, 'load', async () => {
      await this.commitLog();
      return this.store.load(table);
    });
  }

  read(table: Table, keys: readonly string[]): ReturnType<SessionStore['read']> {
    return this.world.touch(this.life, 'load', async () => {
      await this.commitLog();
      return this.store.read(table, keys);
    });
  }

  async log(writes: readonly Write[], random: RandomState): Promise<boolean> {
    const part = { writes: structuredClone(writes), random };
    try {
      await this.world.touch(this.life, 'commit', async () => {
        const head = await headOf(this.world.disk, this.name);
        this.logged.push({ ...part, head });
        this.world.logs.set(this.logKey, [...this.logged]);
        this.world.see(writes);
      });
      return true;
    } catch {
      return false;
    }
  }

  async settle({ discard = false } = {}): Promise<void> {
    if (this.logged.length === 0) return;
    try {
      await this.world.touch(this.life, 'commit', () => this.commitLog());
    } catch (error) {
      if (!discard) throw error;
      this.logged = [];
      this.world.logs.delete(this.logKey);
    }
  }

  commit(...args: Parameters<SessionStore['commit']>): Promise<void> {
    const [writes, ...rest] = args;
    const copy = structuredClone(writes);
    return this.world.touch(this.life, 'commit', async () => {
      const logged = this.logged.flatMap((part) => part.writes);
      await this.store.commit([...logged, ...copy], ...rest);
      this.logged = [];
      this.world.logs.delete(this.logKey);
      this.world.see(copy);
    });
  }

  private async commitLog(): Promise<void> {
    await commitParts(this.store, this.logged);
    this.logged = [];
    this.world.logs.delete(this.logKey);
  }

  private get logKey(): string {
    return logKey(this.name, this.epoch);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** A part of the commit after `head`. */
interface LogPart {
  writes: readonly Write[];
  random: RandomState;
  head: number;
}

async function headOf(disk: Storage, session: string): Promise<number> {
  return (await disk.list()).find(({ name }) => name === session)?.head ?? 0;
}

function logKey(session: string, epoch: number): string {
  return `${session} ${epoch}`;
}

async function commitParts(store: SessionStore, parts: readonly LogPart[]): Promise<void> {
  const last = parts.at(-1);
  if (last === undefined) return;
  await store.commit(
    parts.flatMap(({ writes }) => writes),
    last.random,
  );
}

/** A class for the same reason as the store: a generator that has run would retain its world. */
class SeenModel implements ChatModel {
  readonly id: string;
  readonly contextWindow: number;
  declare readonly supports?: NonNullable<ChatModel['supports']>;
  declare readonly countTokens?: NonNullable<ChatModel['countTokens']>;

  constructor(
    private readonly world: World,
    private readonly life: Life,
    traits: ModelTraits,
    private readonly reply: (request: ChatRequest) => string,
  ) {
    this.id = traits.id;
    this.contextWindow = traits.contextWindow;
    if (traits.supports !== undefined) this.supports = traits.supports;
    if (traits.countTokens !== undefined) this.countTokens = traits.countTokens;
  }

  async *chat(request: ChatRequest): AsyncGenerator<ChatChunk, void> {
    const { world, life } = this;
    world.modelCalls += 1;
    let fault: FaultKind | null = null;
    const text = await world.touch(
      life,
      // What a tool requests runs into the tool's limit, and compaction is optional: both lead to another history.
      request.purpose === 'other' || request.purpose === 'compact' ? 'tool' : 'model',
      () => this.reply(request),
      (kind) => (fault = kind),
    );
    const half = Math.ceil(text.length / 2);
    yield { type: 'text-delta', text: text.slice(0, half) };
    switch (fault as FaultKind | null) {
      case 'broken-stream':
        throw new RoleZeroError('model-request', 'The reply broke off: simulated.', { retryable: true });
      case 'dead-model':
        throw new RoleZeroError('model-unreachable', 'Nobody answers: simulated.', {});
      case 'hang':
        await never();
        break;
      default:
    }
    yield { type: 'text-delta', text: text.slice(half) };
    yield { type: 'usage', promptTokens: 900, completionTokens: 60, costUsd: 0.001 };
    yield { type: 'finish', reason: 'stop' };
  }
}

/** Constant properties of a model. */
type ModelTraits = Pick<ChatModel, 'id' | 'contextWindow' | 'supports' | 'countTokens'>;
