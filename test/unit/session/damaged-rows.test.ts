import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { Table } from '../../../src/core/store.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { notes } from '../../../src/notes/index.js';
import { Session } from '../../../src/session/session.js';
import { storageWith } from '../../../src/storage/indexed-db-storage.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { JournalDisk, SimulatedJournals } from '../../chaos/storage/simulated-journals.js';

if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

let made = 0;

/** A session with every kind of row, on a disk of its own. */
async function filled({ hasReplica = true } = {}) {
  const databaseName = `rows-${++made}`;
  const disk = new JournalDisk();
  const events: AgentEvent[] = [];
  const open = (think: string[] = []): Promise<Session> =>
    Session.open({
      name: 's',
      storage: storageWith({
        databaseName,
        waitMs: 0,
        openMs: 5000,
        transactionMs: 30_000,
        now: Date.now,
        journals: hasReplica ? new SimulatedJournals(disk, () => true) : null,
      }),
      roles: [
        new RoleZero({
          model: scriptedModel({ think }),
          tools: editor(),
          notes: notes(),
          longTermMemory: longTermMemory({ maxMessages: 4 }),
          summarize: false,
        }),
      ],
      askUser: null,
      emit: (event) => events.push(event),
    });
  const session = await open([
    commands([
      'Plan.append_task',
      { task_id: '1', dependent_task_ids: [], instruction: 'Build it', assignee: 'Zero' },
    ]),
    commands(['Editor.write', { path: '/long.txt', content: 'A line of the file.\n'.repeat(200) }]),
    commands(['Editor.write', { path: '/short.txt', content: 'short' }]),
    commands(['Editor.append_file', { path: '/short.txt', content: ' and more' }]),
    commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]),
  ]);
  await session.notes.write({ text: 'The user likes blue.', kind: 'fact' });
  await (
    await session.send('Build it, please.')
  ).result;
  await session.close();
  events.length = 0;
  /** Replaces all rows of a table behind the back of the library. Returns their number. */
  const damage = async (table: Table, value: unknown = [1]): Promise<number> => {
    const database = await openDB(databaseName);
    const range = IDBKeyRange.bound(['s', table], ['s', table, []]);
    const keys = (await database.getAllKeys('records', range)) as [string, Table, string][];
    for (const [, , key] of keys) await database.put('records', { session: 's', table, key, value });
    database.close();
    return keys.length;
  };
  const damageSession = async (): Promise<void> => {
    const database = await openDB(databaseName);
    await database.put('sessions', { name: 's', rubbish: true });
    database.close();
  };
  const warnings = () => events.flatMap((event) => (event.type === 'warning' ? [event] : []));
  return { open, damage, damageSession, warnings };
}

/** Everything that users see of a session. */
async function seen(session: Session): Promise<unknown> {
  return {
    messages: session.messages(),
    files: await session.files.readAll(),
    history: await session.files.history(),
    plan: session.plan(),
    steps: await session.steps(),
    notes: await session.notes.list(),
    memories: await session.memory.list(),
    usage: session.usage(),
    lastRun: session.lastRun,
  };
}

const DAMAGES: [Table, value: unknown][] = [
  ['roles', { version: 2, turn: 'none' }],
  ['tools', 'text'],
  ['messages', { content: 'without an id' }],
  ['turns', { role: 'nobody' }],
  ['steps', undefined],
  ['deliveries', {}],
  ['memories', { id: 1 }],
  ['notes', { text: 'without the rest' }],
  ['files', { type: 'file' }],
  ['history', { number: 1 }],
  ['contents', 'another content'],
  ['contents', { no: 'content' }],
  ['texts', null],
];

describe('a session with damaged rows', () => {
  it.each(DAMAGES)('restores %s from the replica, and reports it once (%j)', async (table, value) => {
    const { open, damage, warnings } = await filled();
    const before = await open();
    const expected = await seen(before);
    expect(expected).toMatchObject({ notes: [{}], plan: { tasks: [{}] } });
    await before.close();
    expect(await damage(table, value)).toBeGreaterThan(0);

    const session = await open();
    expect(await seen(session)).toEqual(expected);
    expect(warnings().length).toBeGreaterThan(0);
    for (const { code } of warnings()) expect(code).toBe('storage-restored');
    await session.close();
    const reported = warnings().length;

    const again = await open();
    expect(await seen(again)).toEqual(expected);
    expect(warnings()).toHaveLength(reported);
    await again.close();
  });

  it('restores the row of the session itself', async () => {
    const { open, damageSession, warnings } = await filled();
    const before = await open();
    const expected = await seen(before);
    await before.close();
    await damageSession();
    const session = await open();
    expect(await seen(session)).toEqual(expected);
    expect(warnings()).toMatchObject([{ code: 'storage-restored' }]);
    await session.close();
  });

  it.each<Table>(['notes', 'memories', 'steps', 'contents'])(
    'opens without %s that no replica has, and reports them with what to do',
    async (table) => {
      const { open, damage, warnings } = await filled({ hasReplica: false });
      expect(await damage(table)).toBeGreaterThan(0);
      const session = await open();
      expect(session.messages().length).toBeGreaterThan(0);
      await session.notes.list();
      await session.memory.list();
      await session.steps();
      const content = session.files.read('/long.txt');
      if (table === 'contents') await expect(content).rejects.toMatchObject({ code: 'storage-corrupt' });
      else expect(await content).toContain('A line');
      const reported = warnings().filter(({ message }) => message.includes(`The records: ${table}/`));
      expect(reported).toMatchObject([{ code: 'storage-corrupt' }]);
      expect(reported[0]?.message).toContain('restore an export with sessions.import()');
      await session.close();
    },
  );

  it.each<Table>(['messages', 'files', 'roles', 'texts'])(
    'rejects with storage-corrupt when no replica has its %s',
    async (table) => {
      const { open, damage } = await filled({ hasReplica: false });
      expect(await damage(table)).toBeGreaterThan(0);
      await expect(open()).rejects.toMatchObject({ code: 'storage-corrupt' });
    },
  );
});
