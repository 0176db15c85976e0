import { afterEach, expect, it, vi } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { scriptedModel } from '../../../src/testing/index.js';
import { freshName } from './fresh-name.js';

const FILE = 100_000;
const FILES = 30;
const content = (index: number): string => `${index % 10}`.repeat(FILE);

afterEach(() => vi.restoreAllMocks());

/** Opens a session as a worker does before the first call for its files. */
async function open(databaseName: string): Promise<Session> {
  const session = await Session.begin({
    storage: indexedDbStorage({ databaseName }),
    name: 'large',
    roles: [new RoleZero({ model: scriptedModel([]) })],
    askUser: null,
    emit: () => {},
  });
  await session.filesLoaded();
  return session;
}

/** Counts the characters that are read from the database from now on. */
function charactersRead(): () => number {
  let read = 0;
  const count = <Request extends IDBRequest>(request: Request): Request => {
    request.addEventListener('success', () => (read += JSON.stringify(request.result ?? '').length));
    return request;
  };
  const { get, getAll } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, query) {
    return count(get.call(this, query));
  });
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function (
    this: IDBObjectStore,
    ...args: Parameters<typeof getAll>
  ) {
    return count(getAll.apply(this, args));
  });
  return () => read;
}

it('reads from the database only the file that is asked for, and no content for a list', async () => {
  const databaseName = freshName();
  const first = await open(databaseName);
  await first.files.writeAll(
    Array.from({ length: FILES }, (_, index) => ({ path: `/f${index}`, content: content(index) })),
  );
  await first.close();

  const read = charactersRead();
  const session = await open(databaseName);
  expect(await session.files.list()).toHaveLength(FILES);
  expect(read()).toBeLessThan(FILE);
  expect(await session.files.read('/f7')).toBe(content(7));
  expect(read()).toBeLessThan(2 * FILE);
  await session.files.write('/f7', 'short');
  await session.files.undo((await session.files.history()).at(-1)?.id ?? '');
  expect(await session.files.read('/f7')).toBe(content(7));
  expect(read()).toBeLessThan(3 * FILE);
  await session.close();
});
