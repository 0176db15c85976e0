import 'fake-indexeddb/auto';
import { readFile } from 'node:fs/promises';
import { openDB } from 'idb';
import { expect, it } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { SessionRow } from '../../../src/storage/session-row.js';
import { Session } from '../../../src/session/session.js';
import { databaseVersion } from '../../../src/storage/database.js';
import { storageWith } from '../../../src/storage/indexed-db-storage.js';
import { commands, scriptedModel } from '../../../src/testing/scripted-model.js';
import { editor } from '../../../src/tools/editor/editor.js';

if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

/** A session that waits for an answer, as the release with version 2 of the database stored it. Never change it. */
const FIXTURE = new URL('../../fixtures/databases/v2.json', import.meta.url);

async function left(databaseName: string): Promise<void> {
  const { sessions, records } = JSON.parse(await readFile(FIXTURE, 'utf8')) as Record<string, unknown[]>;
  const old = await openDB(databaseName, 2, {
    upgrade(database) {
      database.createObjectStore('sessions', { keyPath: 'name' });
      database.createObjectStore('records', { keyPath: ['session', 'table', 'key'] });
      database.createObjectStore('experiences', { keyPath: ['pool', 'uuid'] });
    },
  });
  for (const row of sessions ?? []) await old.put('sessions', row);
  for (const record of records ?? []) await old.put('records', record);
  old.close();
}

it('continues a session of version 2, whose records repeat their texts, with its undo history', async () => {
  const databaseName = 'version-2';
  await left(databaseName);
  const storage = storageWith({
    databaseName,
    waitMs: 0,
    openMs: 5000,
    transactionMs: 30_000,
    now: Date.now,
    journals: null,
  });
  const model = scriptedModel({
    think: [
      commands(['Editor.undo_edit', { path: '/src/a.ts' }]),
      commands(['Editor.undo_edit', { path: '/src/c.ts' }]),
      commands(['end', {}]),
    ],
  });
  const before = await storage.export('s');
  const session = await Session.open({
    name: 's',
    storage,
    roles: [
      new RoleZero({
        name: 'Zero',
        language: 'English',
        summarize: false,
        tools: [...editor()],
        model,
      }),
    ],
    askUser: () => Promise.resolve('yes'),
    emit: () => {},
  });
  const [request, written] = session.messages();
  expect(request?.content).toBe('Write two files.');
  expect(written?.content).toContain('Editor.write');
  expect((await (await session.resume()).result).status).toBe('done');
  expect(await session.files.read('/src/a.ts')).toContain('value 5 of part 1'); // two edits of it were left to undo
  expect(await session.files.stat('/src/c.ts')).toBeNull();
  expect(await session.files.read('/src/b.ts')).toContain('value 29 of part 3');
  await session.close();
  const raw = await openDB<{ sessions: { key: string; value: SessionRow } }>(databaseName);
  expect([raw.version, (await raw.get('sessions', 's'))?.version]).toEqual([databaseVersion, 3]);
  raw.close();
  const after = await storage.export('s');
  expect(after.records.length).toBeGreaterThan(before.records.length);
  expect(after.records.map(({ table }) => table)).not.toContain('texts');
});
