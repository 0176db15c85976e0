import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNK_ITEMS, type StoredMemory } from '../../../src/base/long-term.js';
import { UserMessage } from '../../../src/base/message.js';
import type { Embedder } from '../../../src/base/model.js';
import type { SessionStore, Write } from '../../../src/base/store.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { MemoryLongTermStore } from '../../../src/memory/memory-long-term-store.js';
import { quantizedVectors } from '../../../src/memory/vectors/index.js';
import { Journal } from '../../../src/role/journal.js';
import { LongTermRows } from '../../../src/role/long-term-rows.js';
import { memoryStorage } from '../../../src/storage/index.js';

const HOUR = 3_600_000;
const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord'];

/** A text means how often it has each of the words. */
const embedder: Embedder = {
  id: 'counts',
  dimensions: WORDS.length,
  embed: async (texts) =>
    texts.map((text) => Float32Array.from(WORDS, (word) => text.split(word).length - 1 + 0.01)),
};

/** A visit: a memory over what a session holds, with everything that was not committed before gone. */
async function visit(session: SessionStore, now: () => number) {
  const journal = new Journal(
    (writes) => session.commit(writes, session.random),
    () => {},
  );
  const store = new LongTermRows(
    'Zero',
    () => journal,
    () => ({
      read: (table, keys) => session.read(table, keys),
      load: (table, range) => session.load(table, range),
    }),
  );
  const memory = new LongTermMemory({
    memoryK: 1,
    role: 'Zero',
    store,
    now,
    embedder,
    vectors: quantizedVectors(),
    warn: (message, error) => {
      throw new Error(message, { cause: error });
    },
  });
  await memory.restore();
  return { memory, journal };
}

/** The same memories in a new memory that has never seen a chunk. */
async function rebuilt(rows: readonly StoredMemory[]): Promise<LongTermMemory> {
  const store = new MemoryLongTermStore();
  for (const row of rows) store.put(row);
  const memory = new LongTermMemory({ store, embedder, vectors: quantizedVectors() });
  await memory.restore();
  return memory;
}

/** A session with one full chunk and a few memories more, as its writes. */
async function filled(): Promise<Write[]> {
  const session = await memoryStorage().open('s');
  let now = 0;
  const { memory, journal } = await visit(session, () => (now += 2 * HOUR));
  for (let at = 0; at < CHUNK_ITEMS + 5; at++) {
    const content = `${WORDS[at % 6]} ${WORDS[(at * at) % 5]} ${at % 97}`;
    memory.add(new UserMessage(content, { id: `old${at}` }));
  }
  await memory.embedAll();
  await journal.commit();
  const writes: Write[] = [];
  for (const table of ['memories', 'recall'] as const)
    writes.push(...(await session.load(table)).map((record) => ({ table, ...record })));
  expect(writes.filter(({ table }) => table === 'recall').map(({ key }) => key)).toEqual(['Zero/0000000000']);
  return writes;
}

const which = fc.nat(CHUNK_ITEMS + 40);
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('add' as const), text, which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('forget' as const), text, which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), text, which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('recall' as const), text, which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('commit' as const), text, which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), text, which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill after the commit' as const), text, which }) },
);

test('whatever is added, edited, forgotten, recalled, committed and killed, chunks and rows tell the same', async () => {
  const start = await filled();
  const contents = (rows: readonly Write[]) =>
    rows.flatMap(({ table, value }): [string, string][] =>
      table === 'memories' ? [[(value as StoredMemory).id, (value as StoredMemory).message.content]] : [],
    );
  let visits = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const session = await memoryStorage().open('s');
      await session.commit(start, session.random);
      let now = 1e10;
      const clock = () => (now += 2 * HOUR);
      let here = await visit(session, clock);
      let committed = new Map(contents(start));
      let model = new Map(committed);
      let window: string | null = null; // the message that is still at hand
      const reopen = async () => {
        here = await visit(session, clock);
        [model, window] = [new Map(committed), null];
        const rows = (await session.load('memories')).map(({ value }) => value as StoredMemory);
        expect(rows.map(({ id, message }) => [id, message.content])).toEqual([...committed]);
        const plain = await rebuilt(rows);
        for (const query of [...WORDS.slice(0, 3), 'amber fjord 17'])
          expect((await here.memory.search(query, 30)).map(({ id }) => id)).toEqual(
            (await plain.search(query, 30)).map(({ id }) => id),
          );
        visits++;
      };
      const idOf = (number: number) => [...model.keys()].reverse()[number % model.size] ?? ''; // the new ones are meant more often
      const last = { do: 'kill after the commit' as const, text: '', which: 0 };
      for (const [at, one] of [...steps, last].entries()) {
        const { memory, journal } = here;
        if (one.do === 'add') {
          memory.add(new UserMessage(one.text, { id: `new${at}` }));
          const left = steps[Number(window?.slice(3))];
          if (window !== null && left !== undefined) model.set(window, left.text);
          window = `new${at}`;
        } else if (one.do === 'forget') {
          const id = idOf(one.which);
          expect(memory.forget(id)).not.toBeNull();
          model.delete(id);
        } else if (one.do === 'edit') {
          const id = idOf(one.which);
          expect(await memory.change(id, { content: one.text })).toMatchObject({ id });
          model.set(id, one.text);
        } else if (one.do === 'recall') {
          await memory.embedAll();
          for (const { id, message } of await memory.search(one.text, 50))
            expect(message.content).toBe(model.get(id));
        } else if (one.do === 'commit' || one.do === 'kill after the commit') {
          await journal.commit();
          committed = new Map(model);
        }
        if (one.do.startsWith('kill')) await reopen();
        expect((await here.memory.list(30)).map(({ id, message }) => [id, message.content])).toEqual(
          [...model].slice(-30),
        );
        expect(here.memory.count()).toBe(model.size + (window === null ? 0 : 1));
      }
    }),
    { numRuns: 8 },
  );
  expect(visits).toBeGreaterThanOrEqual(8);
}, 120_000);

test('a chunk is taken in without reading its memories; what is damaged, or for another embedder, is made again of them', async () => {
  const start = await filled();
  const session = await memoryStorage().open('s');
  await session.commit(start, session.random);
  const found = async (tamper: (value: Record<string, unknown>) => unknown, by = embedder) => {
    const ranges: string[] = [];
    const [chunk] = await session.load('recall');
    const store = new LongTermRows(
      'Zero',
      () =>
        new Journal(
          async () => {},
          () => {},
        ),
      () => ({
        read: (table, keys) => session.read(table, keys),
        load: async (table, range) => {
          if (table === 'recall')
            return [{ key: 'Zero/0000000000', value: tamper(chunk?.value as Record<string, unknown>) }];
          ranges.push(range.from);
          return session.load(table, range);
        },
      }),
    );
    const memory = new LongTermMemory({ store, embedder: by, vectors: quantizedVectors() });
    await memory.restore();
    const ids = (await memory.search('amber 17', 20)).map(({ id }) => id);
    return { ids, from: Number(ranges[0]?.slice(5)), count: memory.count() };
  };
  const whole = await found((value) => value);
  expect(whole).toMatchObject({ from: CHUNK_ITEMS, count: CHUNK_ITEMS + 4 });
  for (const tamper of [
    () => null,
    (value: Record<string, unknown>) => ({ ...value, format: 0 }),
    (value: Record<string, unknown>) => ({ ...value, project: 'another' }),
    (value: Record<string, unknown>) => ({ ...value, ids: [] }),
    (value: Record<string, unknown>) => ({
      ...value,
      numbers: (value['numbers'] as Float64Array).map((it) => it + 1),
    }),
    (value: Record<string, unknown>) => ({ ...value, words: {} }),
    (value: Record<string, unknown>) => ({ ...value, vectors: null }),
    (value: Record<string, unknown>) => ({ ...value, vectors: { now: {}, former: null } }),
  ])
    expect(await found(tamper)).toEqual({ ...whole, from: 0 });
  const other = await found((value) => value, { ...embedder, id: 'another' });
  expect(other).toEqual({ ...whole, from: 0 });
});
