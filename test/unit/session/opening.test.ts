import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { ChatRequest } from '../../../src/core/model.js';
import type { SessionStore, Storage, Table } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel, type Script } from '../../../src/testing/index.js';
import { bind } from './storages.js';

const say = (content: string) => commands(['RoleZero.reply_to_human', { content }]);

function options(storage: Storage, script: Script = [], name = 'Zero'): SessionOptions {
  const roles = [new RoleZero({ name, model: scriptedModel(script) })];
  return { storage, name: 'game', roles, askUser: async () => null, emit: () => {}, now: () => 1e12 };
}

/** A session whose role replied this often, with a question at the end. */
async function made(replies: number, name = 'Zero'): Promise<Storage> {
  const storage = memoryStorage();
  const answers = Array.from({ length: replies }, (_, number) => say(`number ${number}`));
  const think = [...answers, commands(['RoleZero.ask_human', { question: 'On?' }])];
  const session = await Session.open(options(storage, { think }, name));
  await (
    await session.send('count')
  ).result;
  await session.close();
  return storage;
}

/** Adds an unreadable record to a session. */
async function damaged(storage: Storage, table: Table): Promise<Storage> {
  const store = await storage.open('game');
  await store.commit([{ table, key: 'Zero/0000000000', value: 'rubbish' }], store.random);
  await store.close();
  return storage;
}

/** Counts the records that are read. */
function counted(storage: Storage): { storage: Storage; read: () => number } {
  let read = 0;
  return {
    read: () => read,
    storage: {
      ...bind(storage),
      async open(name, given) {
        const store = await storage.open(name, given);
        const load: SessionStore['load'] = store.load.bind(store);
        store.load = async (...wanted) => {
          const rows = await load(...wanted);
          read += rows.length;
          return rows;
        };
        return store;
      },
    },
  };
}

/** Holds back what is read of these tables, except their last rows, until it is released. */
function gated(storage: Storage, tables: readonly Table[]): { storage: Storage; release: () => void } {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    release,
    storage: {
      ...bind(storage),
      async open(name, given) {
        const store = await storage.open(name, given);
        const load: SessionStore['load'] = store.load.bind(store);
        store.load = async (table, range, newest) => {
          if (tables.includes(table) && newest === undefined) await released;
          return load(table, range, newest);
        };
        return store;
      },
    },
  };
}

describe('opening a session', () => {
  it('provides its state and the end of its conversation before the rest is read', async () => {
    const counts: number[] = [];
    for (const replies of [4, 16]) {
      const { storage, read } = counted(await made(replies));
      const session = await Session.begin(options(storage));
      const newest = await session.newest({ last: 3 });
      const { waiting, resumable, lastRun } = session;
      counts.push(read());
      await session.loaded();
      expect(newest).toHaveLength(3);
      expect(newest).toEqual(session.messages().slice(-3));
      expect(newest).toEqual(await session.newest({ last: 3 }));
      expect({ waiting, resumable, lastRun }).toEqual({
        waiting: session.waiting,
        resumable: session.resumable,
        lastRun: session.lastRun,
      });
      expect([waiting?.text, resumable, lastRun?.status]).toEqual(['On?', true, 'waiting']);
      await session.close();
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it('starts a run before its messages and files are read, and reads them before its first step', async () => {
    const asked = async (open: typeof Session.open, given: Storage, release: () => void) => {
      const events: AgentEvent[] = [];
      const requests: ChatRequest[] = [];
      const session = await open({
        ...options(given, { think: [commands(['end', {}])] }),
        emit: (event) => events.push(event),
        onRequest: (request) => requests.push(request),
      });
      const { result } = await session.send('Go on.', { id: 'message' });
      const before = events.map(({ type }) => type);
      const [wasSent, calls] = [session.hasMessage('message'), requests.length];
      release();
      const { status } = await result;
      const prompts = requests.map(({ messages }) => messages);
      const remembered = session.messages().map(({ content }) => content);
      await session.close();
      return { before, wasSent, calls, outcome: { status, prompts, remembered } };
    };
    const { storage, release } = gated(await made(4), ['messages', 'turns', 'files', 'history']);
    const early = await asked(Session.begin, storage, release);
    expect(early).toMatchObject({
      before: ['run-start'],
      wasSent: true,
      calls: 0,
      outcome: { status: 'done' },
    });
    const whole = await asked(Session.open, await made(4), () => {});
    expect(early.outcome).toEqual(whole.outcome);
  });

  it('ends a run as failed when the rest of the session cannot be read', async () => {
    const storage = await damaged(await made(1), 'turns');
    const session = await Session.begin(options(storage));
    const { result } = await session.send('Go on.');
    expect(await result).toMatchObject({ status: 'failed', error: { code: 'storage-corrupt' } });
    await session.close();
  });

  it('stops a run whose session is still being read', async () => {
    const { storage, release } = gated(await made(2), ['messages']);
    const session = await Session.begin(options(storage));
    const { result } = await session.resume();
    session.stop();
    release();
    expect(await result).toMatchObject({ status: 'stopped' });
    expect(session.resumable).toBe(true);
    await session.close();
  });

  it('reads its files without its messages, also for a request that brings files', async () => {
    const stored = await made(1);
    const whole = await Session.open(options(stored));
    await whole.files.write('/a.txt', 'one');
    await whole.close();
    const { storage, release } = gated(stored, ['messages', 'turns']);
    const session = await Session.begin(options(storage));
    await session.filesLoaded();
    expect(await session.files.read('/a.txt')).toBe('one');
    const files = [{ path: '/a.txt', content: 'two' }];
    const attached = { note: 'A file.', images: [], untrusted: [], files };
    await expect(session.send('Read it.', { attached })).rejects.toMatchObject({ code: 'conflict' });
    release();
    await session.close();
  });

  it('returns its messages in pages, newest first', async () => {
    const session = await Session.begin(options(await made(9)));
    const pages = [await session.newest({ last: 4 })];
    for (;;) {
      const before = pages[0]?.[0]?.id ?? '';
      const older = await session.newest({ last: 4, before });
      if (older.length === 0) break;
      pages.unshift(older);
    }
    expect(pages.flat()).toEqual(session.messages());
    expect(pages.length).toBeGreaterThan(2);
    expect(await session.newest({ last: 0 })).toEqual([]);
    expect(await session.newest()).toEqual(session.messages());
    expect(session.messages({ before: pages[0]?.[2]?.id ?? '' })).toEqual(session.messages().slice(0, 2));
    expect(session.messages({ last: 1_000 })).toEqual(session.messages());
    await session.close();
  });

  it('returns only the newest steps', async () => {
    const { storage, read } = counted(await made(9));
    const session = await Session.begin(options(storage));
    await session.loaded();
    const all = await session.steps();
    expect(all.map(({ step }) => step)).toEqual([...all.keys()]);
    const before = read();
    expect(await session.steps({ last: 3 })).toEqual(all.slice(-3));
    expect(read() - before).toBe(3);
    expect(await session.steps({ last: 0 })).toEqual([]);
    expect(await session.steps({ last: 1_000, role: 'Zero' })).toEqual(all);
    await expect(session.steps({ last: -1 })).rejects.toMatchObject({ code: 'invalid' });
    await expect(session.steps({ last: 1, role: 'Carol' })).rejects.toMatchObject({ code: 'not-found' });
    await session.close();
  });

  it('rejects an invalid number of messages, and names an unknown one', async () => {
    const session = await Session.begin(options(await made(1)));
    for (const last of [-1, 0.5, NaN])
      await expect(session.newest({ last })).rejects.toMatchObject({ code: 'invalid' });
    await expect(session.newest({ last: 1, role: 'Carol' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(session.newest({ last: 1, before: 'x' })).rejects.toMatchObject({ code: 'not-found' });
    await session.close();
  });

  it('distinguishes its messages from those of a role with the same name prefix', async () => {
    const storage = await made(2, 'Zero/1');
    const session = await Session.begin(options(storage));
    expect(await session.newest({ last: 5 })).toEqual([]);
    await session.close();
  });

  it('reports unreadable data in every call that needs it', async () => {
    const storage = await damaged(await made(2), 'messages');
    const session = await Session.begin(options(storage));
    expect(await session.newest({ last: 1 })).toHaveLength(1);
    await expect(session.loaded()).rejects.toMatchObject({ code: 'storage-corrupt' });
    await expect(session.newest()).rejects.toMatchObject({ code: 'storage-corrupt' });
    await session.close();
    await expect(Session.open(options(storage))).rejects.toMatchObject({ code: 'storage-corrupt' });
    const again = storage.open('game'); // A failed opening releases the session.
    await expect(again).resolves.toMatchObject({ name: 'game' });
  });

  it('rejects a role whose state a newer release stored, and says what to do', async () => {
    const storage = await made(1);
    const store = await storage.open('game');
    const [role] = await store.load('roles');
    const newer = { ...(role?.value as object), version: 99 };
    await store.commit([{ table: 'roles', key: role?.key ?? '', value: newer }], store.random);
    await store.close();
    await expect(Session.open(options(storage))).rejects.toMatchObject({
      code: 'storage-version',
      message: expect.stringMatching(/has version 99.* Update this page; nothing was changed\.$/) as string,
    });
  });
});
