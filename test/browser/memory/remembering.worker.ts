import { expose } from 'comlink';
import type { MemoryChange, MemoryItem, StoredMemory } from '../../../src/core/long-term.js';
import type { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { answering } from '../../unit/session/answering.js';
import { embedder, MOST_ITEMS, rowOf, vectorsOf, WINDOW, type Comparison, type Row } from './remembering.js';

/** A session with a remembering role in a worker. The test controls and kills it. */
const remembering = {
  session: null as Session | null,
  role: null as RoleZero | null,
  warnings: [] as string[],

  async open(databaseName: string, comparison: Comparison): Promise<void> {
    const vectors = vectorsOf(comparison);
    this.role = new RoleZero({
      name: 'Zero',
      model: answering(),
      longTermMemory: longTermMemory({
        maxMessages: WINDOW,
        maxItems: MOST_ITEMS,
        ...(vectors === null ? {} : { embedder, vectors }),
      }),
    });
    this.session = await Session.open({
      storage: indexedDbStorage({ databaseName }),
      name: 's',
      takeOver: true,
      roles: [this.role],
      askUser: async () => null,
      emit: (event) => {
        if (event.type === 'warning' && event.code !== 'storage-full') this.warnings.push(event.message); // The tests reach this limit on purpose.
      },
    });
  },
  /** The rows in the database, and the list of the memory. */
  async rows(): Promise<{ stored: Row[]; listed: string[] }> {
    const { records } = await this.opened().export();
    const stored = records.filter(({ table }) => table === 'memories');
    const listed = await this.opened().memory.list({ limit: 10_000 });
    return {
      stored: stored.map(({ value }) => rowOf(value as StoredMemory)),
      listed: listed.map(({ id }) => id),
    };
  },
  import(items: MemoryItem[]): Promise<number> {
    return this.opened().memory.import({ format: 'rolezero-memory', version: 1, items });
  },
  forget(ids: string[]): Promise<boolean> {
    return this.opened().memory.forget(ids);
  },
  async change(id: string, change: MemoryChange): Promise<boolean> {
    return (await this.opened().memory.change(id, change)) !== null;
  },
  /** Runs the steps: recalls, adds what no longer fits into the window, and stores vectors and chunks. */
  async send(text: string): Promise<string> {
    return (await (await this.opened().send(text)).result).status;
  },
  async search(query: string, limit: number): Promise<string[]> {
    return (await this.opened().memory.search(query, { limit, byMeaning: true })).map(({ id }) => id);
  },
  /** Returns what the role would recall at once. While vectors are loading, only words count. */
  async recall(query: string, limit: number): Promise<string[]> {
    return ((await this.memory?.recallFor(query, limit)) ?? []).map(({ id }) => id);
  },
  /** Resolves when everything in the memory is found again. */
  async whole(): Promise<void> {
    await this.memory?.whole;
  },
  get memory(): LongTermMemory | undefined {
    return this.role?.memory as LongTermMemory | undefined;
  },
  reported(): string[] {
    return this.warnings;
  },
  opened(): Session {
    if (this.session === null) throw new Error('not open');
    return this.session;
  },
};

export type Remembering = typeof remembering;
expose(remembering);
