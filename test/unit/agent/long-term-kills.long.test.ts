import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNK_ITEMS, type StoredMemory } from '../../../src/core/long-term.js';
import { UserMessage } from '../../../src/core/message.js';
import type { Embedder } from '../../../src/core/model.js';
import type { SessionStore, Table, Write } from '../../../src/core/store.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { MemoryLongTermStore } from '../../../src/memory/memory-long-term-store.js';
import { quantizedVectors } from '../../../src/memory/vectors/index.js';
import { Journal } from '../../../src/agent/runtime/journal.js';
import { LongTermRows } from '../../../src/parts/long-term/long-term-rows.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { FileInMemory } from './runtime/file-in-memory.js';
import { rowsOfSession } from './runtime/rows-of-session.js';

const HOUR = 3_600_000;
type Stored = Record<string, unknown>;
const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord'];

/** The vector of a text counts each of the words. */
const embedder: Embedder = {
  id: 'counts',
  dimensions: WORDS.length,
  embed: async (texts) =>
    texts.map((text) => Float32Array.from(WORDS, (word) => text.split(word).length - 1 + 0.01)),
};

/** Reopens the memory of a session without anything that was not committed. */
async function visit(session: SessionStore, now: () => number, file: FileInMemory | null = null) {
  const { journal, store } = rowsOfSession(session, { openFile: async () => file });
  const memory = new LongTermMemory({
    maxMessages: 1,
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

/** The same memories in a new memory without stored chunks. */
async function rebuilt(rows: readonly StoredMemory[]): Promise<LongTermMemory> {
  const store = new MemoryLongTermStore();
  for (const row of rows) store.put(row);
  const memory = new LongTermMemory({ store, embedder, vectors: quantizedVectors() });
  await memory.restore();
  return memory;
}

/** The writes of a session with one full chunk and a few more memories. */
async function filled(file: FileInMemory | null = null): Promise<Write[]> {
  const session = await memoryStorage().open('s');
  let now = 0;
  const { memory, journal } = await visit(session, () => (now += 2 * HOUR), file);
  for (let at = 0; at < CHUNK_ITEMS + 5; at++) {
    const content = `${WORDS[at % 6]} ${WORDS[(at * at) % 5]} ${at % 97}`;
    memory.add(new UserMessage(content, { id: `old${at}` }));
  }
  await memory.embedAll();
  await journal.commit();
  const writes: Write[] = [];
  for (const table of ['memories', 'recall', 'vectors'] as const)
    writes.push(...(await session.load(table)).map((record) => ({ table, ...record })));
  const chunks = writes.filter(({ table }) => table !== 'memories');
  expect(chunks.map(({ table, key }) => [table, key])).toEqual([
    ['recall', 'Zero/0000000000'],
    ['vectors', 'Zero/0000000000'],
  ]);
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

test.each([
  ['rows', null],
  ['a file', new FileInMemory()],
])(
  'keeps chunks in %s consistent through adds, edits, deletions, recalls, commits and kills',
  async (_, first) => {
    const start = await filled(first);
    expect(first?.getSize()).not.toBe(0);
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
        const file = first && new FileInMemory();
        if (first && file) file.bytes = first.bytes.slice();
        let here = await visit(session, clock, file);
        let committed = new Map(contents(start));
        let model = new Map(committed);
        let window: string | null = null; // the message that is still in the window
        const reopen = async () => {
          here = await visit(session, clock, file);
          if (visits % 2 === 0) await here.memory.whole; // Otherwise it continues while vectors are loading.
          [model, window] = [new Map(committed), null];
          const rows = (await session.load('memories')).map(({ value }) => value as StoredMemory);
          expect(rows.map(({ id, message }) => [id, message.content])).toEqual([...committed]);
          const plain = await rebuilt(rows);
          await here.memory.whole;
          for (const query of [...WORDS.slice(0, 3), 'amber fjord 17'])
            expect((await here.memory.search(query, 30)).map(({ id }) => id)).toEqual(
              (await plain.search(query, 30)).map(({ id }) => id),
            );
          visits++;
        };
        const idOf = (number: number) => [...model.keys()].reverse()[number % model.size] ?? ''; // The new ones are chosen more often.
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
  },
  120_000,
);

test('loads a chunk without its memories, and rebuilds one that is damaged or of another embedder', async () => {
  const start = await filled();
  const session = await memoryStorage().open('s');
  await session.commit(start, session.random);
  const found = async (tamper: Partial<Record<Table, (value: Stored) => unknown>> = {}, by = embedder) => {
    const ranges: number[] = [];
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
          if (table === 'memories') ranges.push(Number(range?.from.slice(5)));
          const stored = await session.load(table, range);
          return stored.map(({ key, value }) => ({
            key,
            value: table in tamper ? tamper[table]?.(value as Stored) : value,
          }));
        },
      }),
    );
    const memory = new LongTermMemory({ store, embedder: by, vectors: quantizedVectors() });
    await memory.restore();
    const ids = async () => (await memory.search('birch 17 amber', 20)).map(({ id }) => id);
    const early = await ids();
    await memory.whole;
    return { early, ids: await ids(), from: ranges, count: memory.count() };
  };
  const whole = await found();
  expect(whole).toMatchObject({ from: [CHUNK_ITEMS], count: CHUNK_ITEMS + 4 });
  expect(whole.early).not.toEqual(whole.ids); // By words alone: the vectors were not loaded yet.
  expect((await found({ vectors: () => null })).early).toEqual(whole.early);
  const { ids, count } = whole;
  const columns = (change: (columns: Stored) => Stored) => (value: Stored) => ({
    ...value,
    columns: change(value['columns'] as Stored),
  });
  for (const words of [
    () => null,
    (value: Stored) => ({ ...value, format: 0 }),
    (value: Stored) => ({ ...value, project: 'another' }),
    (value: Stored) => ({ ...value, words: {} }),
    columns((value) => ({ ...value, ids: [] })),
    columns((value) => ({ ...value, marks: new Uint8Array(CHUNK_ITEMS) })),
    columns((value) => ({ ...value, lengths: new Uint32Array(1) })),
  ])
    expect(await found({ recall: words })).toEqual({ early: ids, ids, count, from: [0] });
  for (const vectors of [
    () => null,
    (value: Stored) => ({ ...value, format: 0 }),
    (value: Stored) => ({ ...value, last: 9 }),
    (value: Stored) => ({ ...value, embedders: 'another' }),
    (value: Stored) => ({ ...value, now: {} }),
  ])
    expect(await found({ vectors })).toEqual({ ...whole, from: [CHUNK_ITEMS, 0] });
  const other = await found({}, { ...embedder, id: 'another' });
  expect(other).toEqual({ ...whole, from: [CHUNK_ITEMS, 0] });
});

test('changes during the loading of vectors are not overwritten by stored data', async () => {
  const session = await memoryStorage().open('s');
  await session.commit(await filled(), session.random);
  const { memory, journal } = await visit(session, () => 1e10);
  expect(memory.forget('old17')).not.toBeNull();
  await memory.change('old18', { content: 'amber amber amber' });
  await memory.change('old19', { pinned: true });
  memory.addBatch([new UserMessage('amber new', { id: 'new' }), new UserMessage('now')]);
  const changed = await memory.search('amber amber amber', 3);
  expect(changed.map(({ id }) => id)).toContain('old18');
  await memory.whole;
  await memory.embedAll();
  await journal.commit();
  const rows = (await session.load('memories')).map(({ value }) => value as StoredMemory);
  expect(rows).toHaveLength(CHUNK_ITEMS + 4);
  const plain = await rebuilt(rows);
  const again = await visit(session, () => 1e10);
  await again.memory.whole;
  for (const one of [memory, again.memory])
    for (const query of ['amber amber amber', 'cedar 17', 'fjord'])
      expect((await one.search(query, 40)).map(({ id }) => id)).toEqual(
        (await plain.search(query, 40)).map(({ id }) => id),
      );
});

test('stores a partial chunk from time to time, and then reads only newer memories', async () => {
  const session = await memoryStorage().open('s');
  let now = 0;
  const { memory, journal } = await visit(session, () => (now += 2 * HOUR));
  for (let at = 0; at < 700; at++) memory.add(new UserMessage(`${WORDS[at % 6]} ${at}`, { id: `m${at}` }));
  await memory.embedAll();
  for (let at = 700; at < 720; at++) memory.add(new UserMessage(`${WORDS[at % 6]} ${at}`, { id: `m${at}` }));
  await journal.commit();
  const ranges: (string | undefined)[] = [];
  const load: SessionStore['load'] = (table, range) => {
    if (table === 'memories') ranges.push(range?.from);
    return session.load(table, range);
  };
  const open = async () => {
    const again = await visit({ ...session, read: session.read.bind(session), load }, () => 0);
    await again.memory.whole;
    const plain = await rebuilt((await session.load('memories')).map(({ value }) => value as StoredMemory));
    for (const query of ['amber 605', 'cedar 10', 'm702'])
      expect((await again.memory.search(query, 9)).map(({ id }) => id)).toEqual(
        (await plain.search(query, 9)).map(({ id }) => id),
      );
    return ranges.splice(0);
  };
  expect(await open()).toEqual(['Zero/0000000699']);
  memory.forget('m600'); // The chunk is removed with it.
  await journal.commit();
  expect(await open()).toEqual(['Zero/0000000000']);
});

test('rebuilds lost chunks in the background: memories are found by meaning at once, and by words soon', async () => {
  const count = 2 * CHUNK_ITEMS + 500;
  const texts = Array.from(
    { length: count },
    (_, at) => `${WORDS[at % 6]} ${WORDS[(at * at) % 5]} note${at}`,
  );
  const item = (at: number, content: string) => ({
    id: `m${at}`,
    role: 'Zero',
    project: '',
    createdAt: at * HOUR,
    message: new UserMessage(content, { id: `m${at}` }).toData(),
  });
  const store = new MemoryLongTermStore();
  const remember = () =>
    new LongTermMemory({ store, embedder, vectors: quantizedVectors(), role: 'Zero', now: () => 1e12 });
  const first = remember();
  const items = texts.map((text, at) => item(at, text));
  first.import({ format: 'rolezero-memory', version: 1, items });
  await first.embedAll();
  const rows = (await store.readRange(0, Infinity)) as StoredMemory[];
  for (const row of rows) store.put(row); // Its chunk is removed.

  const memory = remember();
  await memory.restore();
  expect([memory.count(), memory.unembedded, memory.holds('m0')]).toEqual([count, 0, true]);
  expect((await memory.list(3)).map(({ id }) => id)).toEqual([
    `m${count - 3}`,
    `m${count - 2}`,
    `m${count - 1}`,
  ]);
  expect(await memory.search('note77', 5)).not.toMatchObject([{ id: 'm77' }]); // Its words are not indexed yet.
  expect((await memory.search('amber amber', 1))[0]?.message.content).toMatch(/^amber amber/);
  expect(memory.forget('m0')).toBe(0);
  await memory.change('m5', { content: 'delta note5 anew' });
  memory.import({ format: 'rolezero-memory', version: 1, items: [item(count, 'ember late')] });

  const plain = new LongTermMemory({ embedder, vectors: quantizedVectors(), role: 'Zero', now: () => 1e12 });
  plain.import({ format: 'rolezero-memory', version: 1, items: [...items, item(count, 'ember late')] });
  plain.forget('m0');
  await plain.change('m5', { content: 'delta note5 anew' });
  const ask = async (of: LongTermMemory) => {
    const found: string[][] = [];
    for (const query of ['note77 amber', 'delta anew', 'late', 'fjord note2000 cedar', 'birch'])
      found.push((await of.search(query, 20)).map(({ id }) => id));
    return found;
  };
  await memory.whole;
  await memory.embedAll();
  await plain.embedAll();
  expect(await ask(memory)).toEqual(await ask(plain));

  const ranges: number[] = [];
  const readRange = store.readRange.bind(store);
  store.readRange = (from, before) => {
    ranges.push(from);
    return readRange(from, before);
  };
  const again = remember();
  await again.restore();
  await again.whole;
  expect([[count], [count + 1]]).toContainEqual(ranges); // They are stored again, the newest if it came before that.
  const anew = await rebuilt((await readRange(0, Infinity)) as StoredMemory[]);
  await anew.whole;
  expect(await ask(again)).toEqual(await ask(anew));
});
