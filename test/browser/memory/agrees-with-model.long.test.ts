import { wrap, type Remote } from 'comlink';
import { afterEach, expect, test } from 'vitest';
import type { MemoryItem } from '../../../src/core/long-term.js';
import { freshName } from '../storage/fresh-name.js';
import { MemoryModel } from './memory-model.js';
import { vectorsOf, type Comparison, type Row } from './remembering.js';
import type { Remembering } from './remembering.worker.js';

/**
 * `VITE_MEMORY_SEEDS` and `VITE_MEMORY_STEPS` set the number of random stories and of steps in each,
 * `VITE_MEMORY_SEED` the first seed. Long form: `VITE_MEMORY_SEEDS=40`.
 */
const {
  VITE_MEMORY_SEEDS = '3',
  VITE_MEMORY_STEPS = '18',
  VITE_MEMORY_SEED = '1',
} = import.meta.env as Record<string, string | undefined>;
const [SEEDS, STEPS, FIRST] = [VITE_MEMORY_SEEDS, VITE_MEMORY_STEPS, VITE_MEMORY_SEED].map(Number) as [
  number,
  number,
  number,
];
const COMPARISONS: readonly Comparison[] = ['quantized', 'words', 'exact'];
/** Memories at the start of a story: enough that some chunks are stored. */
const BEGINNING = 340;
const MINUTE = 60_000;
const WORDS =
  'amber birch cedar delta ember fjord glade heron islet jetty kelp larch marsh north olive pearl quartz river spruce tide'.split(
    ' ',
  );

const workers = new Set<Worker>();

afterEach(() => {
  for (const worker of workers) worker.terminate();
  workers.clear();
});

/** Returns a random generator with a fixed sequence per seed. Each call gives an integer from 0 to below `below`. */
function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A story works with a memory, kills its worker at random moments, and compares the stored state with the model. */
class Story {
  readonly #databaseName = freshName();
  readonly #roll: (below: number) => number;
  readonly #log: string[] = [];
  #model: MemoryModel;
  #worker: Worker | null = null;
  #memory!: Remote<Remembering>;
  #clock = 0;
  #named = 0;
  readonly counts = { kills: 0, inFlight: 0, done: 0, recalls: 0 };

  constructor(
    private readonly seed: number,
    private readonly comparison: Comparison,
  ) {
    this.#roll = dice(seed);
    this.#model = new MemoryModel(vectorsOf(comparison));
  }

  async tell(): Promise<void> {
    try {
      await this.#open();
      await this.#import(BEGINNING, false);
      for (let step = 0; step < STEPS; step++) await this.#step();
      await this.#kill();
    } catch (error) {
      const reported = `story ${this.seed} (${this.comparison}): ${this.#log.join('; ')}`;
      throw new Error(`${reported}\n${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
    this.#worker?.terminate();
  }

  async #step(): Promise<void> {
    const kills = this.#roll(4) === 0;
    const chosen = this.#roll(10);
    if (chosen < 3) await this.#import(1 + this.#roll(this.#roll(3) === 0 ? 90 : 6), kills);
    else if (chosen < 5) await this.#forget(kills);
    else if (chosen < 7) await this.#change(kills);
    else if (chosen < 9) await this.#send(kills);
    else await this.#recall();
    this.counts.done++;
  }

  async #import(count: number, kills: boolean): Promise<void> {
    const items = Array.from({ length: count }, () => this.#item());
    const known = this.#model.rows[this.#roll(this.#model.rows.length)];
    if (known !== undefined && count > 1) items[0] = { ...this.#item(), id: known.id }; // not a second time
    for (const item of items) item.message.id = item.id;
    const after = this.#model.copy();
    const news = after.import(items);
    await this.#whole(`import ${count}`, after, kills, async () => {
      expect(await this.#memory.import(items)).toBe(news);
    });
  }

  async #forget(kills: boolean): Promise<void> {
    const ids = Array.from({ length: 1 + this.#roll(3) }, () => this.#anyId());
    const after = this.#model.copy();
    after.forget(ids);
    await this.#whole(`forget ${ids.join(' ')}`, after, kills, async () => {
      expect(await this.#memory.forget(ids)).toBe(true);
    });
  }

  async #change(kills: boolean): Promise<void> {
    const id = this.#anyId();
    const change = this.#roll(3) === 0 ? { content: this.#text() } : { pinned: this.#roll(4) > 0 };
    const after = this.#model.copy();
    after.change(id, change);
    await this.#whole(`change ${id}`, after, kills, async () => {
      expect(await this.#memory.change(id, change)).toBe(true);
    });
  }

  /** Adds messages. Those that do not fit into the window are remembered one by one. */
  async #send(kills: boolean): Promise<void> {
    this.#log.push(kills ? 'send, killed' : 'send');
    const work = this.#memory.send(this.#text());
    if (kills) await this.#kill(this.#model);
    else {
      expect(await work).toBe('done');
      await this.#agrees(this.#model);
    }
    if (this.#roll(2) === 0) await this.#recall();
  }

  async #recall(): Promise<void> {
    const query = this.#text();
    const limit = 1 + this.#roll(40);
    this.#log.push(`search ${limit}: ${query}`);
    expect(await this.#memory.search(query, limit)).toEqual(this.#model.search(query, limit));
    expect(await this.#memory.recall(query, limit)).toEqual(this.#model.search(query, limit, { own: false }));
    this.counts.recalls++;
  }

  /** Runs an atomic change. After a kill, either the old or the new state is stored, and nothing in between. */
  async #whole(name: string, after: MemoryModel, kills: boolean, work: () => Promise<void>): Promise<void> {
    this.#log.push(kills ? `${name}, killed` : name);
    const working = work();
    if (kills) {
      await this.#kill(after);
      return;
    }
    await working;
    this.#model = after;
    await this.#agrees(after);
  }

  /** Kills the worker at a random moment of the change. */
  async #kill(after = this.#model): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#roll(3) * this.#roll(14)));
    this.#worker?.terminate();
    this.counts.kills++;
    if (this.#roll(4) === 0) {
      void this.#start(); // The next worker may be killed while it opens.
      await new Promise((resolve) => setTimeout(resolve, this.#roll(400)));
      this.#worker?.terminate();
      this.counts.kills++;
    }
    const before = this.#model;
    await this.#open();
    const { stored } = await this.#memory.rows();
    const isBefore = isSame(stored, before.rows);
    if (!isBefore) this.counts.inFlight++;
    this.#model = isBefore ? before : after;
    await this.#agrees(this.#model);
    this.#model.reopen();
    const query = this.#text();
    const ways = [true, false].map((byWords) => this.#model.search(query, 20, { own: false, byWords }));
    expect(ways).toContainEqual(await this.#memory.recall(query, 20)); // Vectors may still be pending.
    await this.#recall();
  }

  async #open(): Promise<void> {
    await this.#start();
  }

  #start(): Promise<void> {
    if (this.#worker !== null) workers.delete(this.#worker);
    this.#worker = new Worker(new URL('./remembering.worker.ts', import.meta.url), { type: 'module' });
    workers.add(this.#worker);
    this.#memory = wrap<Remembering>(this.#worker);
    return this.#memory.open(this.#databaseName, this.comparison);
  }

  /** Compares rows and list with the model, and adopts into the model what a run has added since. */
  async #agrees(model: MemoryModel): Promise<void> {
    const { stored, listed } = await this.#memory.rows();
    model.add(stored.filter(({ number, id }) => number >= model.next && !id.startsWith('m')));
    expect(stored).toEqual(model.rows);
    expect(listed).toEqual(model.rows.map(({ id }) => id));
    expect(await this.#memory.reported()).toEqual([]);
  }

  #item(): MemoryItem {
    const id = `m${this.#named++}`;
    this.#clock += this.#roll(5) === 0 ? 90 * MINUTE : MINUTE;
    return {
      id,
      role: 'Zero',
      project: '',
      createdAt: this.#clock,
      message: {
        id,
        content: this.#text(),
        role: 'user',
        causeBy: 'UserRequirement',
        sentFrom: this.#roll(2) === 0 ? 'Ann' : 'Bob',
        sendTo: ['<all>'],
        metadata: {},
      },
    };
  }

  #text(): string {
    const words = Array.from(
      { length: 2 + this.#roll(9) },
      () => WORDS[this.#roll(1 + this.#roll(WORDS.length))],
    );
    return `${words.join(' ')}${['', '', ' Ann', '?'][this.#roll(4)]}`;
  }

  #anyId(): string {
    const { rows } = this.#model;
    return rows[this.#roll(rows.length)]?.id ?? '';
  }
}

function isSame(one: readonly Row[], other: readonly Row[]): boolean {
  const reported = (rows: readonly Row[]) => rows.map(({ id, content, pinned }) => [id, content, pinned]);
  return JSON.stringify(reported(one)) === JSON.stringify(reported(other));
}

test(
  'R-060 what is added, edited, pinned, forgotten and recalled matches an exhaustive model, whenever the worker is killed',
  async () => {
    const counts = { kills: 0, inFlight: 0, done: 0, recalls: 0 };
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const story = new Story(seed, COMPARISONS[seed % COMPARISONS.length] ?? 'words');
      await story.tell();
      for (const key of Object.keys(counts) as (keyof typeof counts)[]) counts[key] += story.counts[key];
    }
    console.info(`${SEEDS} stories: ${JSON.stringify(counts)}`);
    expect(counts.done).toBe(SEEDS * STEPS);
    expect(counts.kills).toBeGreaterThanOrEqual(SEEDS);
  },
  120_000 * Math.max(1, SEEDS / 3),
);
