import { openDB } from 'idb';
import { afterEach, describe, expect, it } from 'vitest';
import { connect, sessions, type AgentEvent, type Session } from 'rolezero';
import { loseSecondCopy } from './lost-sessions.js';

const open: Session[] = [];

async function visit(name: string): Promise<{ session: Session; warnings: () => string[] }> {
  const worker = () => new Worker(new URL('./damaged.worker.ts', import.meta.url), { type: 'module' });
  const session = await connect(worker, { session: name });
  open.push(session);
  const events: AgentEvent[] = [];
  session.on((event) => events.push(event));
  return { session, warnings: () => events.flatMap(({ ...event }) => ('code' in event ? event.code : [])) };
}

afterEach(async () => {
  const visits = open.splice(0);
  for (const session of visits) await session.close();
  for (const name of new Set(visits.map((session) => session.name))) await sessions.remove(name);
});

/** Replaces all rows of these tables without using the library. Returns the tables that had some. */
async function damage(session: string, tables: readonly string[]): Promise<string[]> {
  const database = await openDB('rolezero');
  const damaged = new Set<string>();
  for (const table of tables)
    for (const key of await database.getAllKeys(
      'records',
      IDBKeyRange.bound([session, table], [session, table, []]),
    )) {
      const [, , place] = key as [string, string, string];
      await database.put('records', { session, table, key: place, value: [1] });
      damaged.add(table);
    }
  database.close();
  return [...damaged];
}

async function seen(session: Session): Promise<unknown> {
  return {
    messages: await session.messages(),
    files: await session.files.readAll(),
    history: await session.files.history(),
    plan: await session.plan(),
    steps: await session.steps(),
    notes: await session.notes.list(),
    memories: await session.memory.list(),
  };
}

const TABLES = [
  'roles',
  'messages',
  'turns',
  'steps',
  'memories',
  'notes',
  'files',
  'history',
  'contents',
  'texts',
];

describe('a session whose rows other code or a disk has damaged', { tags: 'storage-api' }, () => {
  it('is restored from its replica, notes included, and reported', async () => {
    const first = await visit('damaged-1');
    await first.session.notes.write({ text: 'The user likes blue.', kind: 'fact' });
    await first.session.send('Build it, please.').result();
    const expected = await seen(first.session);
    expect(expected).toMatchObject({ notes: [{}], plan: { tasks: [{}] } });
    await first.session.close();
    expect(await damage('damaged-1', TABLES)).toEqual(TABLES);
    const { session, warnings } = await visit('damaged-1');
    expect(await seen(session)).toEqual(expected);
    await expect.poll(warnings).toContain('storage-restored');
    expect(new Set(warnings())).toEqual(new Set(['storage-restored']));
    await session.files.write('/more.txt', 'It works.');
  });

  it('opens without notes that no replica has, and reports them', async () => {
    const first = await visit('damaged-2');
    await first.session.notes.write({ text: 'The user likes blue.', kind: 'fact' });
    await first.session.files.write('/a.txt', 'kept');
    await first.session.close();
    await damage('damaged-2', ['notes']);
    await loseSecondCopy('damaged-2');
    const { session, warnings } = await visit('damaged-2');
    expect(await session.notes.list()).toEqual([]);
    expect(await session.files.read('/a.txt')).toBe('kept');
    await expect.poll(warnings).toContain('storage-corrupt');
  });
});
