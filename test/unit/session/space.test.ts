import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { MemoryExport } from '../../../src/core/long-term.js';
import type { StorageUsage } from '../../../src/core/space.js';
import type { Storage } from '../../../src/core/store.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { answering } from './answering.js';
import { bind } from './storages.js';

/** A storage with a configurable estimate, which rejects commits while `full` is set. */
class Disk {
  usage: StorageUsage | null = { usage: 0, quota: 1_000 };
  full = false;
  readonly storage: Storage;

  constructor(inner = memoryStorage()) {
    this.storage = {
      ...bind(inner),
      usage: async () => this.usage,
      open: async (name, options) => {
        const store = await inner.open(name, options);
        const commit = store.commit.bind(store);
        store.commit = async (...args) => {
          if (this.full) throw new RoleZeroError('storage-full', 'The disk is full.');
          return commit(...args);
        };
        return store;
      },
    };
  }
}

async function open(disk: Disk, requests: readonly string[] = []) {
  const events: AgentEvent[] = [];
  const session = await Session.open({
    storage: disk.storage,
    name: 's',
    roles: [
      new RoleZero({
        model: answering(),
        longTermMemory: longTermMemory({ maxMessages: 1 }),
      }),
    ],
    askUser: async () => null,
    emit: (event) => events.push(event),
    now: () => 5,
  });
  for (const request of requests) await (await session.send(request)).result;
  const warnings = () => events.filter((event) => event.type === 'warning');
  return { session, warnings };
}

/** Resolves when all pending work is done. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('when the storage is nearly full', () => {
  it('reports it when the session is opened, with the data that can be removed', async () => {
    const disk = new Disk();
    disk.usage = { usage: 950, quota: 1_000 };
    const { session, warnings } = await open(disk);
    await settled();
    expect(warnings()).toEqual([
      {
        type: 'warning',
        code: 'storage-low',
        message: expect.stringContaining('nearly full') as string,
        detail: { session: 's', full: false, ...(await session.space()) },
      },
    ]);
    expect(await session.space()).toEqual({
      storage: { usage: 950, quota: 1_000 },
      memories: { count: 0, characters: 0, oldest: null, pinned: 0 },
      history: { entries: 0, bytes: 0 },
    });
  });

  it('reports it once while it lasts, and again after space was freed', async () => {
    const disk = new Disk();
    const { session, warnings } = await open(disk);
    const write = async (times: number) => {
      for (let time = 0; time < times; time++) await session.files.write('/a.txt', `${time}`);
      await settled();
    };
    await write(70);
    expect(warnings()).toEqual([]);
    disk.usage = { usage: 950, quota: 1_000 };
    await write(200);
    expect(warnings()).toHaveLength(1);
    disk.usage = { usage: 100, quota: 1_000 };
    await write(70);
    disk.usage = { usage: 950, quota: 1_000 };
    await write(70);
    expect(warnings()).toHaveLength(2);
    expect(warnings()[1]?.detail).toMatchObject({
      history: { entries: 384, bytes: 1 * 10 + 2 * 90 + 3 * 100 },
    });
  });

  it('reports nothing with enough space, or without an estimate', async () => {
    for (const usage of [
      { usage: 9_700_000_000, quota: 10_000_000_000 },
      { usage: 899, quota: 1_000 },
      null,
    ]) {
      const disk = new Disk();
      disk.usage = usage;
      const { warnings } = await open(disk);
      await settled();
      expect(warnings()).toEqual([]);
    }
  });

  it('reports once what can be removed when a commit fails, and loses nothing', async () => {
    const disk = new Disk();
    const { session, warnings } = await open(disk, ['The key is under the mat.', 'Count the sheep.']);
    const before = await session.memory.list();
    disk.usage = null;
    disk.full = true;
    for (let time = 0; time < 3; time++)
      await expect(session.files.write('/a.txt', 'a')).rejects.toMatchObject({ code: 'storage-full' });
    await settled();
    expect(warnings().map(({ code, detail }) => [code, detail['full'], detail['memories']])).toEqual([
      [
        'storage-low',
        true,
        {
          count: before.length,
          characters: before.reduce((sum, { message }) => sum + message.content.length, 0),
          oldest: 5,
          pinned: 0,
        },
      ],
    ]);
    disk.full = false;
    await session.files.write('/a.txt', 'a');
    expect(await session.memory.list()).toEqual(before);
  });
});

describe('freeing space', () => {
  const SENT = ['The key is under the mat.', 'Count the sheep.', 'Where is the key?'];

  it('archives the oldest unpinned memories, and removes them only after confirmation', async () => {
    const disk = new Disk();
    const { session } = await open(disk, SENT);
    const all = await session.memory.list();
    const [first, second, third] = all;
    await session.memory.change(first?.id ?? '', { pinned: true });
    const remembered = await session.memory.list();
    const stored: MemoryExport[] = [];
    const archive = (yes: () => boolean | Promise<boolean>) =>
      session.memory.archive({ oldest: 2 }, (document) => {
        stored.push(document);
        return yes();
      });
    const refused = async (): Promise<boolean> => {
      throw new Error('the download was cancelled');
    };
    expect(await archive(() => false)).toBe(0);
    await expect(archive(refused)).rejects.toThrow('cancelled');
    expect(await session.memory.list()).toEqual(remembered);

    expect(await archive(() => true)).toBe(2);
    expect(stored).toEqual(
      Array(3).fill({ format: 'rolezero-memory', version: 1, session: 's', items: [second, third] }),
    );
    expect(await session.memory.list()).toEqual([remembered[0], ...all.slice(3)]);
    expect((await session.space()).memories).toMatchObject({ count: all.length - 3, pinned: 1 });
    const { records } = await session.export();
    const rows = records.filter(({ table }) => table === 'memories');
    expect(rows.map(({ key }) => key)).not.toContain('Zero/0000000001');
    expect(rows).toHaveLength(all.length - 2);

    expect(await session.memory.import(stored.at(-1))).toBe(2);
    expect(await session.memory.list()).toHaveLength(all.length);
    expect(await session.memory.archive({ oldest: 0 }, () => true)).toBe(0);
    await expect(session.memory.archive({ oldest: -1 }, () => true)).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('keeps the memories when the store rejects their removal', async () => {
    const disk = new Disk();
    const { session } = await open(disk, SENT);
    const all = await session.memory.list();
    disk.full = true;
    await expect(session.memory.archive({ oldest: 9 }, () => true)).rejects.toMatchObject({
      code: 'storage-full',
    });
    disk.full = false;
    await session.files.list(); // A look reads nothing again.
    await session.files.write('/a.txt', 'a');
    expect(await session.memory.list()).toEqual(all);
  });

  it('removes the history of file changes except for the newest', async () => {
    const disk = new Disk();
    const { session } = await open(disk);
    for (let time = 0; time < 30; time++) await session.files.write('/a.txt', `${time}`.padStart(100));
    expect((await session.space()).history).toEqual({ entries: 30, bytes: 2_900 });
    expect(await session.files.forgetHistory()).toBe(1_000 - 100);
    expect(await session.files.history()).toHaveLength(20);
    expect(await session.files.forgetHistory(0)).toBe(1_900);
    expect(await session.files.forgetHistory(0)).toBe(0);
    const [newest] = await session.files.history();
    await session.files.undo(newest?.id ?? '');
    expect(await session.files.read('/a.txt')).toBe('28'.padStart(100));
    const { records } = await disk.storage.export('s');
    expect(records.filter(({ table }) => table === 'contents')).toHaveLength(2);
  });
});
