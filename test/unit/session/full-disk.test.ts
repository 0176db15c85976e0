import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import type { AgentEvent } from '../../../src/core/events.js';
import { UserMessage } from '../../../src/core/message.js';
import type { SessionPosition, Storage } from '../../../src/core/store.js';
import { Session } from '../../../src/session/session.js';
import { storageWith } from '../../../src/storage/indexed-db-storage.js';
import { commands, scriptedModel } from '../../../src/testing/scripted-model.js';
import { JournalDisk, SimulatedJournals } from '../../chaos/storage/simulated-journals.js';
import { fillDisk } from '../storage/fill-disk.js';

if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

const makeRoom = (): void => void vi.restoreAllMocks();

afterEach(() => {
  makeRoom();
  vi.useRealTimers();
});

let opened = 0;

/** The sessions of one database, whose pages are opened one after the other. */
function place() {
  const databaseName = `full-disk-${++opened}`;
  const disk = new JournalDisk();
  const newStorage = (): Storage =>
    storageWith({
      databaseName,
      waitMs: 0,
      openMs: 5000,
      transactionMs: 30_000,
      now: Date.now,
      journals: new SimulatedJournals(disk, () => true),
    });
  const open = async (name = 's', known: SessionPosition[] = []) => {
    const events: AgentEvent[] = [];
    const session = await Session.open({
      name,
      storage: newStorage(),
      known,
      roles: [
        new RoleZero({
          name: 'Zero',
          model: scriptedModel({ think: [commands(['end', {}])] }),
          longTermMemory: longTermMemory({ maxMessages: 1 }),
        }),
      ],
      askUser: () => Promise.resolve('yes'),
      emit: (event) => events.push(event),
    });
    return { session, events, warnings: () => events.filter(({ type }) => type === 'warning') };
  };
  return { open, newStorage, disk };
}

const item = (id: string) => ({
  ...{ id, role: '', project: '', createdAt: 1 },
  message: new UserMessage(`note ${id}`, { id }).toData(),
});

/** A session with three files, a history and three memories, closed. */
async function stored({ open }: ReturnType<typeof place>): Promise<void> {
  const { session } = await open();
  for (const path of ['/a', '/b', '/c']) await session.files.write(path, path.repeat(100));
  await session.memory.import({ format: 'rolezero-memory', version: 1, items: ['m1', 'm2', 'm3'].map(item) });
  await session.close();
}

const full = {
  code: 'storage-full',
  message: expect.stringContaining("Session 's' is read-only until there is room") as string,
};

describe('a session opened on a full disk', () => {
  it('can be read, says what to call, and rejects changes with the same words', async () => {
    const at = place();
    await stored(at);
    fillDisk();
    const { session, warnings } = await at.open();
    expect(session.isReadOnly).toBe(true);
    expect(await session.files.read('/a')).toBe('/a'.repeat(100));
    expect((await session.memory.list()).map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
    expect((await session.export()).records.length).toBeGreaterThan(0);
    expect(warnings()).toMatchObject([full]);
    expect(warnings()[0]).toHaveProperty(
      'message',
      expect.stringMatching(
        /call memory\.archive\(\), memory\.forget\(\), files\.forgetHistory\(\) or files\.remove\(\) of an open session, or sessions\.remove\(\)/u,
      ),
    );
    await expect(session.files.write('/d', 'd')).rejects.toMatchObject(full);
    await expect(session.send('hello')).rejects.toMatchObject(full);
    await expect(session.memory.change('m1', { pinned: true })).rejects.toMatchObject(full);
    expect((await session.files.list()).map(({ path }) => path)).toEqual(['/a', '/b', '/c']);
    await session.close();
  });

  it('frees files, history and memories for good, without leaving them in the replica', async () => {
    const at = place();
    await stored(at);
    fillDisk();
    const { session, events } = await at.open();
    expect(await session.memory.forget(['m1', 'm2'])).toBe(true);
    await session.files.forgetHistory(1);
    await session.files.remove('/a');
    expect(events).toContainEqual({ type: 'file-changed', path: '/a', change: 'removed', by: 'user' });
    const left = async (of: Session): Promise<unknown> => [
      (await of.files.list()).map(({ path }) => path),
      (await of.memory.list()).map(({ id }) => id),
      (await of.files.history()).length,
    ];
    expect(await left(session)).toEqual([['/b', '/c'], ['m3'], 1]);
    expect([...(at.disk.folders.get('s')?.values() ?? [])].map(({ bytes }) => bytes)).toEqual([]);
    await session.close();
    makeRoom();
    const { session: again, warnings } = await at.open();
    expect(await left(again)).toEqual([['/b', '/c'], ['m3'], 1]);
    expect(warnings()).toEqual([]);
    await again.close();
  });

  it('becomes writable with the next call once there is room, and reports it', async () => {
    const at = place();
    await stored(at);
    fillDisk();
    const { session, events } = await at.open();
    await expect(session.files.write('/d', 'd')).rejects.toMatchObject(full);
    makeRoom();
    await session.files.write('/d', 'd');
    expect([session.isReadOnly, events.filter(({ type }) => type === 'session-held').length]).toEqual([
      false,
      1,
    ]);
    expect((await (await session.send('go')).result).status).toBe('done');
    await session.close();
    const { session: again } = await at.open();
    expect((await again.files.list()).map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/d']);
    await again.close();
  });

  it('becomes writable without a call', async () => {
    const at = place();
    await stored(at);
    fillDisk();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { session, events } = await at.open();
    makeRoom();
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain('session-held'));
    expect(session.isReadOnly).toBe(false);
    await session.close();
  });

  it('is removed as a whole when it is closed', async () => {
    const at = place();
    await stored(at);
    fillDisk();
    const { session } = await at.open();
    await session.close();
    await at.newStorage().remove('s');
    expect(await at.newStorage().list()).toEqual([]);
  });

  it('rejects a new session, and says how to get room', async () => {
    const at = place();
    await stored(at);
    fillDisk();
    await expect(at.open('new')).rejects.toMatchObject({
      code: 'storage-full',
      message: expect.stringContaining('Remove other sessions with sessions.remove()') as string,
    });
  });
});

it('removes a file for good when the disk becomes full in an open session', async () => {
  const at = place();
  await stored(at);
  const { session } = await at.open();
  fillDisk();
  await session.files.remove('/a');
  expect((await session.files.list()).map(({ path }) => path)).toEqual(['/b', '/c']);
  makeRoom();
  await session.close();
  const { session: again } = await at.open();
  expect((await again.files.list()).map(({ path }) => path)).toEqual(['/b', '/c']);
  await again.close();
});
