import { expect, it } from 'vitest';
import { CHUNK_ITEMS, type StoredMemory } from '../../../../src/core/long-term.js';
import { LongTermRows } from '../../../../src/parts/long-term/long-term-rows.js';
import { memoryStorage } from '../../../../src/storage/index.js';
import { FileInMemory } from './file-in-memory.js';
import { rowsOfSession } from './rows-of-session.js';

const COUNT = 5;
const all = [0, 1, 2, 3, 4];

function memoryOf(number: number, content = `amber ${number}`): StoredMemory {
  const id = `m${number}`;
  const message = { id, content, role: 'user', causeBy: '', sentFrom: '', sendTo: [], metadata: {} };
  const vector = { embedder: 'e', values: Float32Array.of(number) };
  return { id, role: 'Zero', project: '', createdAt: 1, number, message, vector };
}

/** A session whose visits share a file. Ending a visit without a commit is a crash. */
async function places() {
  const session = await memoryStorage().open('s');
  const file = new FileInMemory();
  const database = { reads: 0, beforeLoad: async () => {} };
  const visit = async () => {
    const { journal, store } = rowsOfSession(session, {
      read: (table, keys) => {
        database.reads++;
        return session.read(table, keys);
      },
      load: async (table, range) => {
        const rows = await session.load(table, range);
        if (table === 'memories') await database.beforeLoad();
        return rows;
      },
      openFile: async () => file,
    });
    await store.readChunks('words', 0, Infinity); // opens the file
    const found = async (numbers = all) => {
      database.reads = 0;
      const values = (await store.readWithoutVectors(numbers)) as StoredMemory[];
      return { contents: values.map(({ message }) => message.content), reads: database.reads };
    };
    return { store, found, commit: () => journal.commit() };
  };
  return { session, file, visit, database };
}

/** Stores memories, their chunk, and the copies. */
async function filled() {
  const place = await places();
  const here = await place.visit();
  for (const number of all) here.store.add(memoryOf(number));
  here.store.putChunk(0, 'words', { index: true });
  await here.commit();
  await here.store.copied;
  await here.commit();
  return { ...place, here };
}

const amber = all.map((number) => `amber ${number}`);

it('reads memories of a stored chunk without the database, also in the next visit', async () => {
  const { here, visit } = await filled();
  expect(await here.found()).toEqual({ contents: amber, reads: 0 });
  const next = await visit();
  expect(await next.found()).toEqual({ contents: amber, reads: 0 });
  expect(await next.store.readWithoutVectors([3])).toEqual([{ ...memoryOf(3), vector: undefined }]);
  expect(await next.store.read([3])).toEqual([memoryOf(3)]);
  expect(await next.store.readChunks('words', 0, 9)).toEqual([{ chunk: 0, value: { index: true } }]);
});

it('reads newer memories from the database, and skips missing ones', async () => {
  const { here, visit } = await filled();
  here.store.add(memoryOf(COUNT));
  const wanted = { contents: ['amber 5', 'amber 0'], reads: 0 };
  expect(await here.found([COUNT, COUNT + 1, 0])).toEqual({ ...wanted, reads: 1 });
  await here.commit();
  expect(await (await visit()).found([COUNT, COUNT + 1, 0])).toEqual({ ...wanted, reads: 1 });
});

it.each(['before', 'after'])(
  'never returns what was removed or replaced, %s the commit, and in later visits',
  async (when) => {
    const { here, file, visit } = await filled();
    here.store.remove(1);
    here.store.put(memoryOf(2, 'birch'));
    if (when === 'after') await here.commit();
    const contents = ['amber 0', 'birch', 'amber 3', 'amber 4'];
    expect((await here.found()).contents).toEqual(contents);
    expect(new TextDecoder().decode(file.bytes)).not.toContain('amber');
    await here.commit();
    expect((await (await visit()).found()).contents).toEqual(contents);
  },
);

it('returns what is committed after a crash between a change and its commit', async () => {
  const { here, visit } = await filled();
  here.store.put(memoryOf(2, 'birch'));
  here.store.remove(3);
  const next = await visit();
  expect(await next.found()).toEqual({ contents: amber, reads: 1 });
});

it('returns what is committed after a crash between the copies and their commit', async () => {
  const { visit, file } = await places();
  const here = await visit();
  for (const number of all) here.store.add(memoryOf(number));
  here.store.putChunk(0, 'words', { index: true });
  await here.commit();
  await here.store.copied;
  expect(await here.found()).toEqual({ contents: amber, reads: 0 });
  const next = await visit();
  await expect.poll(() => new TextDecoder().decode(file.bytes).includes('amber')).toBe(false);
  expect(await next.found()).toEqual({ contents: amber, reads: 1 });
  await next.store.copied; // lost copies are made again
  await next.commit();
  expect(await (await visit()).found()).toEqual({ contents: amber, reads: 0 });
});

it.each(['put', 'add', 'remove'] as const)(
  'does not copy a memory that changes meanwhile with %s',
  async (change) => {
    const { visit, database } = await places();
    const here = await visit();
    for (const number of all) here.store.add(memoryOf(number));
    here.store.putChunk(0, 'words', { index: true });
    database.beforeLoad = async () => {
      database.beforeLoad = async () => {};
      if (change === 'remove') here.store.remove(4);
      else here.store[change](memoryOf(4, 'cedar'));
      await here.commit();
    };
    await here.commit();
    await here.store.copied;
    await here.commit();
    const contents = [...amber.slice(0, 4), ...(change === 'remove' ? [] : ['cedar'])];
    expect((await here.found()).contents).toEqual(contents);
    expect((await (await visit()).found()).contents).toEqual(contents);
  },
);

it('replaces a copied memory that the index of its chunk does not cover', async () => {
  const { here, visit } = await filled();
  here.store.add(memoryOf(4, 'delta'));
  await here.commit();
  const contents = [...amber.slice(0, 4), 'delta'];
  expect((await here.found()).contents).toEqual(contents);
  expect((await (await visit()).found()).contents).toEqual(contents);
});

it.each([
  ['keeps the copies', 'before', 1],
  ['also copies newer memories', 'after', 0],
] as const)(
  '%s when a larger index replaces that of the chunk, %s the commit of new copies',
  async (_, when, reads) => {
    const { here, visit } = await filled();
    here.store.add(memoryOf(COUNT));
    here.store.putChunk(0, 'words', { index: 'larger' });
    await here.commit();
    await here.store.copied;
    if (when === 'after') await here.commit();
    const next = await visit();
    expect(await next.found()).toEqual({ contents: amber, reads: 0 });
    expect(await next.found([0, COUNT])).toEqual({ contents: ['amber 0', 'amber 5'], reads });
  },
);

it.each(['a closed file', 'a lost file', 'a full disk', 'no file'])(
  'reads from the database with %s',
  async (what) => {
    const { here, file, visit, session } = await filled();
    if (what === 'a closed file')
      file.read = () => {
        throw new DOMException('Closed.', 'InvalidStateError');
      };
    if (what === 'a lost file') file.truncate(0);
    if (what === 'a full disk') {
      file.room = 0;
      here.store.put(memoryOf(0));
      here.store.putChunk(0, 'words', { index: true });
      await here.commit();
    }
    const store = new LongTermRows(
      'Zero',
      () => {
        throw new Error('nothing is written');
      },
      () => ({ read: session.read.bind(session), load: session.load.bind(session) }),
    );
    await store.readChunks('words', 0, Infinity);
    const read = what === 'no file' ? store : (await visit()).store;
    const values = (await read.readWithoutVectors([0, 1])) as StoredMemory[];
    expect(values.map(({ message }) => message.content)).toEqual(['amber 0', 'amber 1']);
  },
);

it('copies the chunks of a large import one after the other', async () => {
  const { visit } = await places();
  const here = await visit();
  for (let number = 0; number < 3 * CHUNK_ITEMS; number++) here.store.add(memoryOf(number));
  for (const chunk of [0, 1, 2]) here.store.putChunk(chunk, 'words', { index: chunk });
  await here.commit();
  await here.store.copied;
  await here.commit();
  const numbers = [2 * CHUNK_ITEMS + 7, 3, CHUNK_ITEMS];
  const contents = numbers.map((number) => `amber ${number}`);
  expect(await (await visit()).found(numbers)).toEqual({ contents, reads: 0 });
});
