import { describe, expect, it } from 'vitest';
import type { SessionStore, Storage, Table } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel, type Script } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { bind } from './storages.js';

const FILES = 40;
const long = (name: string): string => `${name}\n`.repeat(1_000);
const path = (index: number): string => `/d/${String(index).padStart(2, '0')}.txt`;

async function open(
  storage: Storage,
  script: Script = [],
  limits: { historyBytes?: number } = {},
): Promise<Session> {
  const session = await Session.begin({
    storage,
    name: 's',
    roles: [new RoleZero({ model: scriptedModel(script), tools: editor() })],
    askUser: null,
    emit: () => {},
    limits,
  });
  await session.filesLoaded();
  return session;
}

/** A session with long files. */
async function filled(): Promise<Storage> {
  const storage = memoryStorage();
  const session = await open(storage);
  const files = Array.from({ length: FILES }, (_, index) => ({
    path: path(index),
    content: long(path(index)),
  }));
  await session.files.writeAll(files);
  await session.close();
  return storage;
}

/** Records how many contents each access reads, and the rows of files that are longer than their metadata. */
function counted(storage: Storage): { storage: Storage; contents: number[]; longRows: () => number } {
  const contents: number[] = [];
  let longRows = 0;
  const note = (table: Table, rows: { value: unknown }[]): void => {
    if (table === 'contents') contents.push(rows.length);
    if (table === 'files')
      longRows += rows.filter(({ value }) => JSON.stringify(value).length > 1_000).length;
  };
  const counting: Storage = {
    ...bind(storage),
    async open(name, given) {
      const store = await storage.open(name, given);
      const load: SessionStore['load'] = store.load.bind(store);
      const read: SessionStore['read'] = store.read.bind(store);
      store.load = async (table, ...rest) => {
        const rows = await load(table, ...rest);
        note(table, rows);
        return rows;
      };
      store.read = async (table, keys) => {
        const rows = await read(table, keys);
        note(table, rows);
        return rows;
      };
      return store;
    },
  };
  return { storage: counting, contents, longRows: () => longRows };
}

async function contentKeys(storage: Storage): Promise<string[]> {
  const store = await storage.open('s');
  const rows = await store.load('contents');
  await store.close();
  return rows.map(({ key }) => key);
}

const storedText = async (storage: Storage): Promise<string> => JSON.stringify(await storage.export('s'));

describe('a session with long files', () => {
  it('reads one content for a file, and none for the list', async () => {
    const { storage, contents, longRows } = counted(await filled());
    const session = await open(storage);
    expect(await session.files.list()).toHaveLength(FILES + 1);
    expect(await session.files.stat(path(3))).toMatchObject({ size: long(path(3)).length });
    expect([contents, longRows()]).toEqual([[], 0]);
    expect(await session.files.read(path(3))).toBe(long(path(3)));
    await session.files.readBytes(path(3));
    expect([contents, longRows()]).toEqual([[1], 0]);
    await session.close();
  });

  it('starts a run with the contents of the files that its prompt describes', async () => {
    const { storage, contents, longRows } = counted(await filled());
    const rest = async (): Promise<void> => {
      const session = await open(storage, { think: [commands(['end', {}])] });
      await (
        await session.send('Rest.')
      ).result;
      await session.close();
    };
    await rest();
    expect(contents).toEqual([1, 2, 4, 8, 16]); // of 20 files, read ahead
    await rest();
    expect([contents, longRows()]).toEqual([[1, 2, 4, 8, 16], 0]);
  });

  it('reads more contents at once when they are read one after the other', async () => {
    const { storage, contents } = counted(await filled());
    const session = await open(storage);
    const all = await session.files.readAll();
    expect(all.filter(({ content }) => content !== undefined)).toHaveLength(FILES);
    for (const { path: each, content } of all)
      if (content !== undefined) expect(new TextDecoder().decode(content)).toBe(long(each));
    expect(contents).toEqual([1, 2, 4, 8, 16, 9]);
    await session.close();
  });

  it('replaces, moves, copies and removes files without reading them, and undoes it after a reload', async () => {
    const { storage, contents } = counted(await filled());
    const first = await open(storage);
    await first.files.write(path(0), long('new'));
    await first.files.move(path(1), '/moved.txt');
    await first.files.copy(path(2), '/copy.txt');
    await first.files.remove(path(3));
    expect(contents).toEqual([]);
    await first.close();

    const second = await open(storage);
    expect(await second.files.read('/moved.txt')).toBe(long(path(1)));
    expect(await second.files.read('/copy.txt')).toBe(long(path(2)));
    const history = await second.files.history();
    for (const { id } of history.slice(1).reverse()) await second.files.undo(id);
    const texts = await second.files.readAll();
    expect(texts.map(({ path: each }) => each)).toEqual([
      '/d',
      ...Array.from({ length: FILES }, (_, index) => path(index)),
    ]);
    for (const { path: each, content } of texts)
      if (content !== undefined) expect(new TextDecoder().decode(content)).toBe(long(each));
    await second.close();
  });

  it('stores a content once for copies, until no file and no change needs it', async () => {
    const storage = memoryStorage();
    const session = await open(storage);
    await session.files.write('/a', long('a'));
    await session.files.copy('/a', '/b');
    await session.files.remove('/a');
    await session.files.write('/other', 'short');
    await session.files.forgetHistory(1);
    expect(await session.files.read('/b')).toBe(long('a'));
    await session.close();
    expect(await contentKeys(storage)).toEqual(['0000000001']);

    const again = await open(storage);
    expect(await again.files.read('/b')).toBe(long('a'));
    await again.files.remove('/b');
    await again.files.write('/other', 'changed');
    expect((await again.space()).history.bytes).toBe(long('a').length + 'short'.length);
    expect(await again.files.forgetHistory(1)).toBe(long('a').length);
    await again.close();
    expect(await contentKeys(storage)).toHaveLength(1); // the short one before the last change
  });

  it('removes the content of a replaced file at once when it is too long for the history', async () => {
    const storage = memoryStorage();
    const session = await open(storage, [], { historyBytes: 100 });
    await session.files.write('/a', long('one'));
    const other = 'y'.repeat(5_000); // has nothing in common, so no slice names the former content
    await session.files.write('/a', other);
    expect(await session.files.read('/a')).toBe(other);
    await session.close();
    expect(await contentKeys(storage)).toEqual(['0000000002']);
  });

  it('keeps nothing of what was replaced in a file after its history is forgotten, but what can be undone', async () => {
    const storage = memoryStorage();
    const session = await open(storage);
    await session.files.write('/a', `${long('a')} SECRET ${long('b')}`);
    await session.files.write('/a', `${long('a')} PUBLIC ${long('b')}`);
    await session.files.write('/other', 'short');
    await session.files.forgetHistory(2);
    expect(await storedText(storage)).toContain('SECRET'); // the second change can be undone
    await session.files.forgetHistory(1);
    expect(await storedText(storage)).not.toContain('SECRET');
    expect(await session.files.read('/a')).toBe(`${long('a')} PUBLIC ${long('b')}`);
    expect(await session.files.forgetHistory(1)).toBe(0);
    await session.close();
    const again = await open(storage);
    expect(await again.files.read('/a')).toBe(`${long('a')} PUBLIC ${long('b')}`);
    await again.files.write('/a', `${long('a')} CHANGED ${long('b')}`);
    await again.files.undo((await again.files.history()).at(-1)?.id ?? '');
    expect(await again.files.read('/a')).toBe(`${long('a')} PUBLIC ${long('b')}`);
    await again.close();
  });

  it('does not give a file the content of another one after the history is forgotten', async () => {
    const storage = memoryStorage();
    for (const name of ['one', 'two', 'three']) {
      const session = await open(storage, [], { historyBytes: 100 });
      await session.files.write(`/${name}`, long(name));
      await session.files.write('/last', long(`last of ${name}`));
      await session.files.forgetHistory(1);
      await session.close();
    }
    const session = await open(storage);
    for (const name of ['one', 'two', 'three']) expect(await session.files.read(`/${name}`)).toBe(long(name));
    expect(await session.files.read('/last')).toBe(long('last of three'));
    await session.close();
  });

  it('reads a file that is replaced while it is being read', async () => {
    const inner = memoryStorage();
    const first = await open(inner);
    await first.files.write('/a', long('one'));
    await first.close();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const storage: Storage = {
      ...bind(inner),
      async open(name, given) {
        const store = await inner.open(name, given);
        const read: SessionStore['read'] = store.read.bind(store);
        store.read = async (...wanted) => {
          await released;
          return read(...wanted);
        };
        return store;
      },
    };
    const session = await open(storage, [], { historyBytes: 100 });
    const reading = session.files.read('/a');
    await session.files.write('/a', long('two'));
    release();
    expect(await reading).toBe(long('two'));
    await session.close();
  });

  it('reports a content that is missing or damaged, and reads the others', async () => {
    const storage = await filled();
    const store = await storage.open('s');
    await store.commit(
      [
        { table: 'contents', key: '0000000001', value: undefined },
        { table: 'contents', key: '0000000002', value: 'damaged' },
      ],
      store.random,
    );
    await store.close();
    const session = await open(storage);
    for (const index of [0, 1])
      await expect(session.files.read(path(index))).rejects.toMatchObject({
        code: 'storage-corrupt',
        detail: { table: 'contents' },
      });
    expect(await session.files.read(path(2))).toBe(long(path(2)));
    await session.files.write(path(0), 'again');
    expect(await session.files.read(path(0))).toBe('again');
    await session.close();
  });
});
