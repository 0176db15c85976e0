import { openDB, type IDBPDatabase } from 'idb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RandomState } from '../../../src/core/runtime.js';
import { indexedDbExperiences, indexedDbStorage } from '../../../src/storage/index.js';
import { databaseVersion } from '../../../src/storage/database.js';
import { put } from '../../contracts/records.js';
import { freshName } from './fresh-name.js';

/** How each version of the database was created, recorded at its release. Never change an entry. */
const MADE: ((database: IDBPDatabase) => void)[] = [
  (database) => {
    database.createObjectStore('sessions', { keyPath: 'name' });
    database.createObjectStore('records', { keyPath: ['session', 'table', 'key'] });
  },
  (database) => {
    database.createObjectStore('experiences', { keyPath: ['pool', 'uuid'] });
  },
  () => {},
];

const random: RandomState = [1, 2, 3, 4];
/** A recorded session as stored in the database. */
const session: { rows: unknown[]; records: unknown[]; document: unknown } = {
  rows: [],
  records: [],
  document: null,
};

beforeAll(async () => {
  const found = await fetch(new URL('../../fixtures/sessions/v1/team-done.json', import.meta.url));
  const databaseName = freshName();
  const storage = indexedDbStorage({ databaseName });
  await storage.import(await found.json());
  session.document = await storage.export('s');
  const raw = await openDB(databaseName);
  session.rows = await raw.getAll('sessions');
  session.records = await raw.getAll('records');
  raw.close();
});

/** Creates a database as a page with that version left it. */
async function left(version: number): Promise<string> {
  const databaseName = freshName();
  const old = await openDB(databaseName, version, {
    upgrade: (database) => MADE.slice(0, version).forEach((make) => make(database)),
  });
  for (const row of session.rows) await old.put('sessions', row);
  for (const record of session.records) await old.put('records', record);
  if (version >= 2) await old.put('experiences', { pool: 'p', uuid: 'u', value: 'learned' });
  old.close();
  return databaseName;
}

describe('databases of every version', () => {
  it('are all listed here', () => {
    expect(MADE).toHaveLength(databaseVersion);
  });

  it.each(MADE.map((_, index) => index + 1))('version %i opens with all its data', async (version) => {
    const databaseName = await left(version);
    const storage = indexedDbStorage({ databaseName });
    expect(session.records.length).toBeGreaterThan(50);
    expect(await storage.export('s')).toEqual(session.document);
    expect(await storage.list()).toMatchObject([{ name: 's' }]);
    const store = await storage.open('s');
    await store.commit([put('roles', 'New', 'written by this release')], random);
    expect((await store.load('roles')).map(({ key }) => key)).toContain('New');
    await store.close();
    const experiences = indexedDbExperiences({ databaseName });
    expect(await experiences.list('p')).toEqual(version >= 2 ? ['learned'] : []);
    const now = await openDB(databaseName);
    expect(now.version).toBe(databaseVersion);
    now.close();
  });

  it('remains intact when the page dies in the middle of an upgrade', async () => {
    const databaseName = await left(1);
    const cut = openDB(databaseName, databaseVersion, {
      upgrade(database, _old, _new, transaction) {
        MADE.slice(1).forEach((make) => make(database));
        transaction
          .objectStore('sessions')
          .clear()
          .catch(() => undefined);
        transaction.done.catch(() => undefined);
        transaction.abort(); // What the browser does with it.
      },
    });
    await expect(cut).rejects.toThrow();
    const still = await openDB(databaseName);
    expect([still.version, [...still.objectStoreNames]]).toEqual([1, ['records', 'sessions']]);
    still.close();
    expect(await indexedDbStorage({ databaseName }).export('s')).toEqual(session.document);
  });
});
