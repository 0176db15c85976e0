import { expect, test } from 'vitest';
import { CHUNK_ITEMS } from '../../../src/core/long-term.js';
import type { Embedder } from '../../../src/core/model.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { quantizedVectors } from '../../../src/memory/vectors/index.js';
import { indexedDbStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { freshName } from './fresh-name.js';

const SECRET = 'swordfish-4711';

/** A vector with a first number that no other text has. */
const embedder: Embedder = {
  id: 'first-letters',
  dimensions: 4,
  embed: async (texts) =>
    texts.map((text) => Float32Array.of(text.includes(SECRET) ? 0.47110814 : 0.25, 0.5, 0.5, 0.5)),
};

function open(databaseName: string): Promise<Session> {
  return Session.open({
    storage: indexedDbStorage({ databaseName }),
    name: 's',
    roles: [
      new RoleZero({
        name: 'Zero',
        model: scriptedModel({ think: [commands(['end', {}])] }),
        longTermMemory: longTermMemory({ embedder, vectors: quantizedVectors(), similarityTopK: 1 }),
      }),
    ],
    askUser: async () => null,
    emit: () => undefined,
  });
}

/** Everything in every store of the database as text, including the numbers of vectors. */
async function raw(databaseName: string): Promise<string> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('cannot open'));
  });
  const all = await Promise.all(
    [...database.objectStoreNames].map(
      (name) =>
        new Promise<unknown>((resolve, reject) => {
          const request = database.transaction(name).objectStore(name).getAll();
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error ?? new Error('cannot read'));
        }),
    ),
  );
  database.close();
  return JSON.stringify(all, (_key, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value,
  );
}

test('leaves nothing of a forgotten memory in the database: no word and no vector, neither in its row nor in its chunk', async () => {
  const databaseName = freshName();
  const item = (id: string, content: string) => ({
    id,
    role: 'Zero',
    project: '',
    createdAt: 1,
    message: {
      id,
      content,
      role: 'user',
      causeBy: 'UserRequirement',
      sentFrom: 'User',
      sendTo: ['<all>'],
      metadata: {},
    },
  });
  const items = [item('a'.repeat(32), `The word is ${SECRET}.`), item('b'.repeat(32), 'It rains.')];
  for (let at = items.length; at < CHUNK_ITEMS + 2; at++) items.push(item(`c${at}`, `filler ${at}`));
  const session = await open(databaseName);
  expect(await session.memory.import({ format: 'rolezero-memory', version: 1, session: 's', items })).toBe(
    items.length,
  );
  await (
    await session.send('It rains.')
  ).result; // Recalls the other one, and stores all vectors and the chunk.
  const before = await raw(databaseName);
  for (const trace of [SECRET, '0.47110', '"table":"recall"', '"table":"vectors"'])
    expect(before).toContain(trace);

  expect(await session.memory.forget('a'.repeat(32))).toBe(true);
  const after = await raw(databaseName);
  for (const trace of [
    SECRET,
    'swordfish',
    '0.47110',
    'a'.repeat(32),
    '"table":"recall"',
    '"table":"vectors"',
  ])
    expect(after).not.toContain(trace);
  expect(after).toContain('It rains.');
  await session.close();

  const again = await open(databaseName);
  const left = (await again.memory.list({ limit: 5_000 })).map(({ message }) => message.content);
  expect([left.length, left[0]]).toEqual([items.length - 1, 'It rains.']);
  await (
    await again.send('Still raining?')
  ).result; // Stores the chunk again without the forgotten memory.
  const later = await raw(databaseName);
  for (const table of ['recall', 'vectors']) expect(later).toContain(`"table":"${table}"`);
  for (const trace of [SECRET, 'swordfish', '0.47110', 'a'.repeat(32)]) expect(later).not.toContain(trace);
  await again.close();
});
