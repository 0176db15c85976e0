import { deleteDB, openDB } from 'idb';
import { expect, it, vi } from 'vitest';
import type { Experience } from '../../../src/core/experience.js';
import { ExperiencePool } from '../../../src/experience/pool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { indexedDbExperiences, indexedDbStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { put } from '../../contracts/records.js';
import { experienceStoreContract } from '../../contracts/experience-store-contract.js';
import { freshName } from './fresh-name.js';

experienceStoreContract('IndexedDB', () => {
  const place = { databaseName: freshName() };
  return { store: indexedDbExperiences(place), elsewhere: indexedDbExperiences(place) };
});

const experience: Experience = {
  uuid: 'a',
  tag: 'T',
  req: 'request',
  resp: 'reply',
  expType: 'success',
  entryType: 'Automatic',
  timestamp: 1,
};

it('a database of the previous release is upgraded with all its sessions', async () => {
  const databaseName = freshName();
  const old = await openDB(databaseName, 1, {
    upgrade(database) {
      database.createObjectStore('sessions', { keyPath: 'name' });
      database.createObjectStore('records', { keyPath: ['session', 'table', 'key'] });
    },
  });
  await old.put('sessions', {
    name: 'game',
    id: '0123',
    createdAt: 1_000,
    updatedAt: 2_000,
    head: 3,
    epoch: 2,
    random: [1, 2, 3, 4],
    version: 1,
  });
  const records = ['/a.txt', '/b.txt'].map((key) => ({
    session: 'game',
    table: 'files',
    key,
    value: { key },
  }));
  for (const record of records) await old.put('records', record);
  old.close();

  const storage = indexedDbStorage({ databaseName, waitMs: 0 });
  expect(await storage.list()).toEqual([{ name: 'game', createdAt: 1_000, updatedAt: 2_000, head: 3 }]);
  const session = await storage.open('game');
  expect([session.epoch, session.random, await session.load('files')]).toEqual([
    3,
    [1, 2, 3, 4],
    records.map(({ key, value }) => ({ key, value })),
  ]);
  await session.commit([put('files', '/c.txt', 1)], [5, 6, 7, 8]);
  await session.close();
  const experiences = indexedDbExperiences({ databaseName });
  await experiences.put('shop', [experience]);
  expect(await experiences.list('shop')).toEqual([experience]);
});

it('a tab of the previous release does not block the upgrade', async () => {
  const databaseName = freshName();
  const old = await openDB(databaseName, 1, {
    upgrade(database) {
      database.createObjectStore('sessions', { keyPath: 'name' });
      database.createObjectStore('records', { keyPath: ['session', 'table', 'key'] });
    },
    blocking: () => old.close(),
  });
  const experiences = indexedDbExperiences({ databaseName });
  await experiences.put('shop', [experience]);
  expect(await experiences.get('shop', 'a')).toEqual(experience);
});

it('experiences outlive their session, and commits do not wait for them', async () => {
  const databaseName = freshName();
  const storage = indexedDbStorage({ databaseName, waitMs: 0 });
  const experiences = indexedDbExperiences({ databaseName });
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
  await (await storage.open('game')).close();
  await experiences.put('shop', [experience]);
  await storage.remove('game');
  expect(await experiences.list('shop')).toEqual([experience]);
  const stores = transaction.mock.calls.map(([names]) => names);
  vi.restoreAllMocks();
  expect(stores).toEqual([
    ['sessions', 'records'],
    ['experiences'],
    ['sessions', 'records'],
    ['experiences'],
  ]);
  await deleteDB(databaseName);
});

it('experiences of one session are available to others in the same database', async () => {
  const databaseName = freshName();
  const visit = async (name: string, think: string[]) => {
    const model = scriptedModel({ think });
    const experiencePool = new ExperiencePool({
      name: 'shop',
      store: indexedDbExperiences({ databaseName }),
      enableRead: true,
      enableWrite: true,
    });
    const session = await Session.open({
      storage: indexedDbStorage({ databaseName }),
      name,
      roles: [new RoleZero({ model, tools: editor(), experiencePool })],
      askUser: async () => null,
      emit: () => {},
    });
    const { status } = await (await session.send('write hi into /a.txt')).result;
    const file = await session.files.read('/a.txt');
    await session.close();
    return [status, file, model.requests.filter(({ purpose }) => purpose === 'think').length];
  };
  const write = commands(['Editor.write', { path: '/a.txt', content: 'hi' }]);
  expect(await visit('monday', [write, commands(['end', {}])])).toEqual(['done', 'hi', 2]);
  expect(await visit('tuesday', [])).toEqual(['done', 'hi', 0]);
});
