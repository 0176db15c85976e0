import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { initialState } from '../../../src/agent/runtime/state.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { checkSessionRecord } from '../../../src/core/session-record-check.js';
import type { SessionExport, Table } from '../../../src/core/store.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';
import { scriptedModel } from '../../../src/testing/scripted-model.js';
import { readSessions } from '../../chaos/corpus/recorded.js';
import { errorOf } from '../../contracts/storage-contract.js';

const folder = fileURLToPath(new URL('../../fixtures/sessions/', import.meta.url));
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const read = (name: string): SessionExport =>
  JSON.parse(readFileSync(folder + name, 'utf8')) as SessionExport;
const recorded = [
  ...names.filter((name) => name.endsWith('.json')).map(read),
  ...names
    .filter((name) => name.endsWith('.jsonl.br'))
    .flatMap((name) => readSessions(folder + name).map(({ document }) => document)),
];

const documentWith = (table: Table, key: string, value: unknown): SessionExport => ({
  format: 'rolezero-session',
  version: 1,
  name: 'damaged',
  createdAt: 1,
  random: [1, 2, 3, 4],
  records: [
    { table: 'messages', key: 'Zero/0000000000', value: { id: 'm', content: 'hello' } },
    { table, key, value },
  ],
});

describe('an exported session that is imported', () => {
  it('is accepted when any release exported it', async () => {
    expect(recorded.length).toBeGreaterThan(250);
    for (const document of recorded) {
      const storage = memoryStorage();
      await storage.import(document, 'again', checkSessionRecord);
      expect(await storage.list()).toHaveLength(1);
    }
  });

  it('continues from the state of a role that an earlier release stored', async () => {
    const name = names.find((each) => each.endsWith('alone-interrupted-3.json')) ?? '';
    const document = read(name);
    expect(document.records.find(({ table }) => table === 'roles')?.value).toMatchObject({ version: 1 });
    const storage = memoryStorage();
    await storage.import(document, undefined, checkSessionRecord);
    const role = document.records.find(({ table }) => table === 'roles')?.key ?? '';
    const session = await Session.open({
      name: document.name,
      storage,
      roles: [new RoleZero({ name: role, model: scriptedModel([]) })],
      askUser: null,
      emit: () => {},
    });
    expect(session.resumable).toBe(true);
    await session.close();
  });

  const state = initialState();
  it.each<[string, Table, string, unknown, string, string]>([
    [
      'a state of a role without a version',
      'roles',
      'Zero',
      { phase: 'idle' },
      'invalid',
      'it has no version',
    ],
    [
      'a damaged state',
      'roles',
      'Zero',
      { ...state, stepsTaken: 'x' },
      'invalid',
      'its stepsTaken is not a number',
    ],
    [
      'a forged plan',
      'roles',
      'Zero',
      { ...state, plan: { tasks: 1 } },
      'invalid',
      'its plan.goal is not a text',
    ],
    [
      'a state of a newer release',
      'roles',
      'Zero',
      { ...state, version: 3 },
      'storage-version',
      'Update this page',
    ],
    [
      'a message without an id',
      'messages',
      'Zero/0000000001',
      { content: 'x' },
      'invalid',
      'its id is not a text',
    ],
    [
      'a message whose cause is not a name',
      'messages',
      'Zero/0000000001',
      { id: 'n', content: 'x', causeBy: {} },
      'invalid',
      'its causeBy is not a text',
    ],
    ['a text in place of a message', 'inbox', 'Zero/0000000001', 'x', 'invalid', 'it is not an object'],
    [
      'a file without content',
      'files',
      '/a',
      { type: 'file', modifiedAt: 1 },
      'invalid',
      'its content is not a text',
    ],
    [
      'a file outside of the workspace',
      'files',
      'a',
      { type: 'file' },
      'invalid',
      'it is not stored under a path',
    ],
    [
      'a turn without a speaker',
      'turns',
      'Zero/0000000000',
      { role: 'x' },
      'invalid',
      'its role is not one of user, assistant',
    ],
    [
      'a question without words',
      'questions',
      'q',
      { question: {} },
      'invalid',
      'its question.text is not a text',
    ],
    [
      'a delivery without a message',
      'deliveries',
      '0',
      { trace: {} },
      'invalid',
      'its trace.message is not an object',
    ],
    ['a change of nothing', 'history', '1', { number: 1 }, 'invalid', 'its changes is not a list'],
  ])('is rejected as a whole with %s, and says why', async (_what, table, key, value, code, why) => {
    const storage = memoryStorage();
    const error = await errorOf(
      storage.import(documentWith(table, key, value), undefined, checkSessionRecord),
    );
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(why)]);
    expect(await storage.list()).toEqual([]);
  });
});
