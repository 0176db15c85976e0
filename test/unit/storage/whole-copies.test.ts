import { expect, it } from 'vitest';
import type { Write } from '../../../src/core/store.js';
import { SessionJournal, type ReadWhole } from '../../../src/storage/journal.js';
import { readJournal, tailOf } from '../../../src/storage/journal-reading.js';
import { newRow, type SessionRow } from '../../../src/storage/session-row.js';
import type { Quote } from '../../../src/storage/texts.js';
import { Dice } from '../../chaos/simulation/dice.js';
import { put } from '../../contracts/records.js';
import { DyingFolder, MemoryFolder } from './memory-folder.js';

const RUNS = 100;
const ROW: SessionRow = { ...newRow('s', 0), epoch: 1 };
/** Number of newest texts that later commits may quote. No commit removes them. */
const RECENT = 3;

type Content = ReadonlyMap<string, unknown>;

/** A session of one worker, whose replica is rewritten again and again while commits are stored, until the worker dies. */
class Worker {
  readonly files = new Map<string, string>();
  readonly contents: Content[] = [new Map()];
  /** Number of commits that are in the replica. */
  appended = 0;
  /** Number of whole copies that were read while commits were stored. */
  mixed = 0;
  readonly #dice: Dice;
  readonly #folder: DyingFolder;
  readonly #texts: [key: string, text: string][] = [];
  #isPurging = false;

  constructor(seed: number) {
    this.#dice = new Dice(seed);
    this.#folder = new DyingFolder(this.files, 20 + this.#dice.below(400));
  }

  async run(): Promise<void> {
    await Promise.race([this.#work(), this.#folder.death]);
  }

  async #work(): Promise<void> {
    const opening = { names: [], tail: null, recovered: null };
    const journal = await SessionJournal.open(this.#folder, opening, ROW, this.#readWhole, () => {});
    for (let commits = 0; commits < 60 && !this.#folder.isDead; commits++) {
      const writes = this.#someWrites();
      const head = this.contents.length;
      this.contents.push(applied(this.#newest, writes));
      await this.#pause();
      journal.append({ ...ROW, head }, writes, false, (text) => this.#find(text));
      if (!this.#folder.isDead) this.appended = head;
      if (!this.#isPurging && this.#dice.once(3)) {
        this.#isPurging = true;
        void journal.purge().then(() => (this.#isPurging = false));
      }
      await this.#pause();
    }
  }

  /** Reads one record after the other, with commits between them. */
  readonly #readWhole: ReadWhole = async (take) => {
    const before = this.contents.length;
    let piece = 0;
    for (const table of ['contents', 'texts'])
      for (let after = ''; ;) {
        const next = [...this.#newest.keys()]
          .filter((place) => place.startsWith(table) && place > after)
          .sort()[0];
        if (next === undefined) break;
        take([writeOf(next, this.#newest.get(next))], piece++);
        after = next;
        await this.#pause();
      }
    if (this.contents.length > before) this.mixed += 1;
    return { ...ROW, head: this.contents.length - 1 };
  };

  get #newest(): Content {
    return this.contents.at(-1) ?? new Map();
  }

  async #pause(): Promise<void> {
    for (let turns = this.#dice.below(4); turns > 0; turns--)
      await new Promise((resolve) => setImmediate(resolve));
  }

  #find(text: string): Omit<Quote, 'path'> | null {
    const [key] = this.#texts.slice(-RECENT).find(([, known]) => known === text) ?? [];
    return key === undefined ? null : { text: key };
  }

  /** Adds a text now and then, writes contents that are one, and removes texts and contents. */
  #someWrites(): Write[] {
    const writes: Write[] = [];
    if (this.#texts.length < RECENT || this.#dice.once(2)) {
      const text: [string, string] = [
        String(this.contents.length).padStart(3, '0'),
        `${this.#dice.word()} `.repeat(300),
      ];
      this.#texts.push(text);
      writes.push(put('texts', ...text));
    }
    if (this.#texts.length > RECENT && this.#dice.once(2))
      writes.push(put('texts', this.#texts.splice(0, 1)[0]?.[0] ?? '', undefined));
    for (let count = 1 + this.#dice.below(3); count > 0; count--) {
      const [, text] = this.#dice.pick(this.#texts.slice(-RECENT));
      writes.push(put('contents', String(this.#dice.below(6)), this.#dice.once(5) ? undefined : text));
    }
    return writes;
  }
}

function writeOf(place: string, value: unknown): Write {
  const [table, key = ''] = place.split('/');
  return { table: table as 'texts', key, value };
}

function applied(content: Content, writes: readonly Write[]): Content {
  const next = new Map(content);
  for (const { table, key, value } of writes)
    if (value === undefined) next.delete(`${table}/${key}`);
    else next.set(`${table}/${key}`, value);
  return next;
}

const listed = (content: Content): string =>
  JSON.stringify([...content].sort(([one], [other]) => (one < other ? -1 : 1)));

it('a replica that is rewritten while commits are stored has every commit, wherever its worker dies', async () => {
  let mixed = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const worker = new Worker(seed);
    await worker.run();
    mixed += worker.mixed;
    const folder = new MemoryFolder();
    for (const [name, bytes] of worker.files) folder.files.set(name, bytes);
    const restored = await readJournal(folder);
    const head = restored?.row.head ?? 0;
    const found = new Map(restored?.writes.map(({ table, key, value }) => [`${table}/${key}`, value]));
    expect(head, `seed ${seed}`).toBeGreaterThanOrEqual(worker.appended);
    expect(listed(found), `seed ${seed}, commit ${head}`).toBe(listed(worker.contents[head] ?? new Map()));
    const tail = await tailOf(folder, await folder.names());
    if (head > 0) expect(tail?.row.head, `seed ${seed}`).toBe(head);
  }
  expect(mixed).toBeGreaterThan(RUNS);
});
