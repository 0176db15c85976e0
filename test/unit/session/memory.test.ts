import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import { UserMessage } from '../../../src/core/message.js';
import type { Storage } from '../../../src/core/store.js';
import type { LongTermMemoryOptions } from '../../../src/memory/long-term-memory-options.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { answering } from './answering.js';
import { counting, dyingAt } from './storages.js';

interface World {
  storage: Storage;
  events: AgentEvent[];
  memory?: LongTermMemoryOptions;
  names?: string[];
}

const world = (more: Partial<World> = {}): World => ({ storage: memoryStorage(), events: [], ...more });

async function open({ storage, events, memory, names = ['Zero'] }: World): Promise<Session> {
  return Session.open({
    storage,
    name: 's',
    takeOver: true,
    roles: names.map(
      (name) =>
        new RoleZero({
          callPlan: 'classic',
          name,
          model: answering(),
          longTermMemory: longTermMemory({ maxMessages: 3, ...memory }),
        }),
    ),
    askUser: async () => null,
    emit: (event) => events.push(event),
    now: () => 0,
  });
}

const SENT = ['The key is under the mat.', 'Count the sheep.', 'Where is the key?'];

async function say(session: Session, requests: readonly string[], to?: string): Promise<void> {
  for (const request of requests) {
    await (
      await session.send(request, to === undefined ? {} : { to })
    ).result;
  }
}

/** The memories by role; ids are numbered in order of appearance. */
async function remains(session: Session): Promise<unknown> {
  const ids: string[] = [];
  const text = JSON.stringify([await session.memory.list(), session.messages()]);
  return JSON.parse(
    text.replace(/[0-9a-f]{32}/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `#${ids.indexOf(id)}`;
    }),
  ) as unknown;
}

async function rows(storage: Storage, table: string): Promise<string[]> {
  const { records } = await storage.export('s');
  return records
    .filter((record) => record.table === table)
    .map(({ value }) => {
      const { message, content } = value as { message?: { content: string }; content?: string };
      return message?.content ?? content ?? '';
    });
}

/** Calls a method of an object with private fields, or returns its property. */
function bound(of: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(of, key, of);
  return typeof value === 'function' ? (value.bind(of) as unknown) : value;
}

describe('the memory of a session', () => {
  it('is searched, listed and exported, and is the same after a reload', async () => {
    const each = world();
    const session = await open(each);
    await say(session, SENT);
    const listed = await session.memory.list();
    expect(listed[0]).toMatchObject({ role: 'Zero', project: '', message: { content: SENT[0] } });
    expect([...listed.map(({ message }) => message), ...session.messages()]).toHaveLength(9);
    expect(
      (await session.memory.search('sheep', { limit: 1 })).map(({ message }) => message.content),
    ).toEqual(['Count the sheep.']);
    expect((await session.memory.list({ limit: 2, role: 'Zero' })).map(({ id }) => id)).toEqual(
      listed.slice(-2).map(({ id }) => id),
    );
    expect(await session.memory.list({ limit: 0 })).toEqual([]);
    const exported = await session.memory.export();
    expect(exported).toEqual({ format: 'rolezero-memory', version: 1, session: 's', items: listed });
    expect(JSON.parse(JSON.stringify(exported))).toEqual(exported);
    await session.close();

    const again = await open(each);
    expect(await again.memory.list()).toEqual(listed);
    expect(
      (await again.memory.search('the key', { limit: 1 })).map(({ message }) => message.content),
    ).toEqual([SENT[0]]);
    expect(each.events.filter(({ type }) => type === 'warning')).toEqual([]);
  });

  it('is listed in pages in the order of arrival, with the memories of two roles interleaved', async () => {
    const session = await open(world({ names: ['Ann', 'Bob'] }));
    const item = (id: string, createdAt: number) => ({
      id,
      role: '',
      project: '',
      createdAt,
      message: new UserMessage(`note ${id}`, { id }).toData(),
    });
    const all = ['Ann0', 'Bob0', 'Ann1', 'Ann2', 'Bob1', 'Ann3', 'Bob2', 'Ann4'];
    const times = [5, 9, 1, 1, 8, 3, 2, 7]; // a clock that goes back and forth
    for (const [at, id] of all.entries()) {
      const items = [item(id, times[at] ?? 0)];
      await session.memory.import({ format: 'rolezero-memory', version: 1, items }, { role: id.slice(0, 3) });
    }
    const ids = async (query: Parameters<typeof session.memory.list>[0]) =>
      (await session.memory.list(query)).map(({ id }) => id);
    expect(await ids({})).toEqual(all);
    const pages: string[][] = [];
    for (
      let page = await ids({ limit: 3 });
      page.length > 0;
      page = await ids({ limit: 3, before: page[0] ?? '' })
    )
      pages.unshift(page);
    expect(pages).toEqual([all.slice(0, 2), all.slice(2, 5), all.slice(5)]);
    expect(await ids({ role: 'Bob', before: 'Bob2' })).toEqual(['Bob0', 'Bob1']);
    await expect(session.memory.list({ before: 'Carl' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('does not warn of vectors that were not loaded because the session is closed', async () => {
    const each = world({
      memory: {
        embedder: { id: 'e', dimensions: 1, embed: async (texts) => texts.map(() => Float32Array.of(1)) },
      },
    });
    const session = await open(each);
    const items = Array.from({ length: 300 }, (_, at) => ({
      id: `m${at}`,
      role: '',
      project: '',
      createdAt: at,
      message: new UserMessage(`note ${at}`, { id: `m${at}` }).toData(),
    }));
    await session.memory.import({ format: 'rolezero-memory', version: 1, items });
    await say(session, ['Note 7?']); // Embeds all and stores the vectors.
    await session.close();
    let reads = 0;
    let fail = (): void => {};
    const closed = new Promise<never>(
      (_, reject) => (fail = () => reject(new Error('The store is closed.'))),
    );
    const slow: Storage = {
      ...each.storage,
      open: async (...args) => {
        const store = await each.storage.open(...args);
        const load: typeof store.load = (table, ...of) => {
          if (table !== 'vectors') return store.load(table, ...of);
          reads++;
          return closed;
        };
        return new Proxy(store, { get: (of, key) => (key === 'load' ? load : bound(of, key)) });
      },
    };
    const again = await open({ ...each, storage: slow });
    await vi.waitFor(() => expect(reads).toBe(1)); // After the opening.
    await again.close();
    fail();
    await new Promise((resolve) => setTimeout(resolve));
    expect(each.events.filter(({ type }) => type === 'warning')).toEqual([]);
  });

  it('is part of an export that is imported under another name', async () => {
    const each = world();
    const session = await open(each);
    await say(session, SENT);
    const listed = await session.memory.list();
    const other = memoryStorage();
    await other.import(JSON.parse(JSON.stringify(await session.export())), 's');
    expect(await (await open({ ...each, storage: other })).memory.list()).toEqual(listed);
  });

  it('forgets permanently: no row, no search result, nothing after a reload', async () => {
    const each = world();
    const session = await open(each);
    await say(session, SENT);
    const [item] = await session.memory.search('under the mat', { limit: 1 });
    expect(await rows(each.storage, 'memories')).toContain(SENT[0]);
    expect(await session.memory.forget(item?.id ?? '')).toBe(true);
    expect(await rows(each.storage, 'memories')).not.toContain(SENT[0]);
    expect(await rows(each.storage, 'messages')).not.toContain(SENT[0]);
    expect(await session.memory.forget(item?.id ?? '')).toBe(false);
    const found = async (where: Session) =>
      (await where.memory.search('mat', { limit: 50 })).filter(({ id }) => id === item?.id);
    expect(await found(session)).toEqual([]);
    await say(session, ['Once more.']);
    await session.close();
    const again = await open(each);
    expect([await found(again), (await rows(each.storage, 'memories')).includes(SENT[0] ?? '')]).toEqual([
      [],
      false,
    ]);
  });

  it('forgets messages that are still in the window, too', async () => {
    const each = world();
    const session = await open(each);
    await say(session, SENT.slice(0, 1));
    const [first, ...others] = session.messages();
    expect(first?.content).toBe(SENT[0]);
    expect(await session.memory.forget(first?.id ?? '')).toBe(true);
    expect(session.messages()).toEqual(others);
    await session.close();
    expect((await open(each)).messages()).toEqual(others);
  });

  it('forgets a message that is moving to long-term memory but not stored yet', async () => {
    const each = world({ memory: { maxMessages: 1 } });
    const session = await open(each);
    await say(session, SENT.slice(0, 1));
    const before = session.messages().map(({ id }) => id);
    const forgotten: Promise<boolean>[] = [];
    each.events.push = (...events) => {
      const asks = events.some((event) => event.type === 'phase' && event.phase === 'classifying');
      if (asks) forgotten.push(session.memory.forget(before[0] ?? ''));
      return 0;
    };
    await say(session, ['Count the sheep.']);
    expect(await Promise.all(forgotten)).toEqual([true]);
    const left = [
      ...(await session.memory.list()).map(({ id }) => id),
      ...session.messages().map(({ id }) => id),
    ];
    expect(left).not.toContain(before[0]);
    await session.close();
    const again = await open({ ...each, events: [] });
    expect((await again.memory.list()).map(({ id }) => id)).not.toContain(before[0]);
    expect(again.messages().map(({ id }) => id)).not.toContain(before[0]);
  });

  it('R-061 is separate for each role, and searched together or alone', async () => {
    const each = world({ names: ['Ann', 'Bob'] });
    const session = await open(each);
    await say(session, ['The key is red.', 'a', 'b'], 'Ann');
    await say(session, ['The key is blue.', 'a', 'b'], 'Bob');
    const found = async (role?: string) =>
      (await session.memory.search('key', { limit: 2, ...(role === undefined ? {} : { role }) })).map(
        ({ role, message }) => [role, message.content],
      );
    expect(await found('Ann')).toEqual([['Ann', 'The key is red.']]);
    expect(await found('Bob')).toEqual([['Bob', 'The key is blue.']]);
    expect(await found()).toEqual([
      ['Ann', 'The key is red.'],
      ['Bob', 'The key is blue.'],
    ]);
    for (const attempt of [
      () => session.memory.search('key', { role: 'Eve' }),
      () => session.memory.list({ role: 'Eve' }),
      () => session.memory.forget('x', { role: 'Eve' }),
      () => session.memory.export({ role: 'Eve' }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  it('moves messages when a role gets a smaller window', async () => {
    const each = world({ memory: { maxMessages: 100 } });
    const first = await open(each);
    await say(first, SENT);
    const all = first.messages();
    await first.close();
    for (let visit = 0; visit < 2; visit++) {
      const session = await open({ ...each, memory: { maxMessages: 2 } });
      const older = (await session.memory.list()).map(({ message }) => message);
      expect([...older, ...session.messages()]).toEqual(all);
      expect(session.messages().length).toBeLessThan(5);
      await session.close();
    }
  });
});

describe('a crash at every commit', () => {
  it('stores every message once, as without a crash', async () => {
    const reference = world();
    const counted = counting(reference.storage);
    const whole = await open({ ...reference, storage: counted.storage });
    await say(whole, SENT);
    const expected = await remains(whole);
    const recalled = (events: readonly AgentEvent[]) =>
      events.filter(({ type }) => type === 'memory-recalled').length;
    expect(recalled(reference.events)).toBeGreaterThan(0);
    expect(counted.count()).toBeGreaterThan(15);

    for (let point = 1; point <= counted.count(); point++) {
      for (const moment of ['before', 'after'] as const) {
        const where = `killed ${moment} commit ${point} of ${counted.count()}`;
        const each = world();
        const dying = dyingAt(each.storage, point, moment);
        const first = await open({ ...each, storage: dying.storage });
        void say(first, SENT).catch(() => {});
        await dying.died;
        const second = await open(each);
        const stored = [...(await rows(each.storage, 'memories')), ...(await rows(each.storage, 'messages'))];
        expect((await second.memory.list()).length + second.messages().length, where).toBe(stored.length);
        if (second.resumable) {
          await (
            await second.resume()
          ).result;
        }
        const items = await second.memory.list();
        const heard = [...items.map(({ message }) => message), ...second.messages()].map(
          ({ content }) => content,
        );
        await say(
          second,
          SENT.filter((request) => !heard.includes(request)),
        );
        expect(await remains(second), where).toEqual(expected);
        await second.close();
      }
    }
  }, 60_000);
});

describe('users own the memory of a session:', () => {
  it('changes and pins are searchable at once and after a reload', async () => {
    const each = world();
    const session = await open(each);
    await say(session, SENT);
    const [first] = await session.memory.list({ limit: 100 });
    if (first === undefined) throw new Error('a memory was expected');
    const content = 'The key is in the blue pot.';
    expect(await session.memory.change(first.id, { content, pinned: true })).toEqual({
      ...first,
      message: { ...first.message, content },
      pinned: true,
    });
    expect(await session.memory.change('nobody', { content })).toBeNull();
    await expect(session.memory.change(first.id, { content: ' ' })).rejects.toMatchObject({
      code: 'invalid',
    });
    await session.close();

    const again = await open(each);
    expect((await again.memory.list({ limit: 100 }))[0]).toMatchObject({
      pinned: true,
      message: { content },
    });
    expect((await again.memory.search('blue pot')).map(({ id }) => id)).toEqual([first.id]);
    expect(await again.memory.search('mat')).toEqual([]); // The old words are removed from the index.
    expect(await rows(each.storage, 'memories')).not.toContain(SENT[0]);
    expect(await again.memory.change(first.id, { pinned: false })).not.toHaveProperty('pinned');
  });

  it('is empty without long-term memory, and an import says which option is missing', async () => {
    const session = await Session.open({
      storage: memoryStorage(),
      name: 's',
      takeOver: true,
      roles: [new RoleZero({ model: answering() })],
      askUser: async () => null,
      emit: () => {},
    });
    const exported = { format: 'rolezero-memory', version: 1, session: 's', items: [] };
    expect(await session.memory.list()).toEqual([]);
    expect(await session.memory.search('mat')).toEqual([]);
    expect(await session.memory.change('id', { pinned: true })).toBe(null);
    expect(await session.memory.export()).toEqual(exported);
    await expect(session.memory.import(exported)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('option `longTermMemory: longTermMemory()`') as string,
    });
    await expect(session.memory.list({ role: 'Carl' })).rejects.toMatchObject({ code: 'not-found' });
    await session.close();
  });

  it('imports the export of another session once, and stores it', async () => {
    const session = await open(world());
    await say(session, SENT);
    const exported = await session.memory.export();
    const other = world();
    const second = await open(other);
    expect(await second.memory.import(JSON.parse(JSON.stringify(exported)))).toBe(exported.items.length);
    expect(await second.memory.import(exported)).toBe(0);
    const untrusted = ['imported memories'];
    expect(await second.memory.list()).toEqual(exported.items.map((item) => ({ ...item, untrusted })));
    await second.close();
    const again = await open(other);
    expect((await again.memory.search('sheep', { limit: 1 })).map(({ message }) => message.content)).toEqual([
      'Count the sheep.',
    ]);
    await again.close();
  });

  it.each<[string, unknown]>([
    ['something else', { format: 'rolezero-session', version: 1, items: [] }],
    ['another version', { format: 'rolezero-memory', version: 2, items: [] }],
    ['a damaged item', { format: 'rolezero-memory', version: 1, items: [{ id: 'a' }] }],
    ['nothing', null],
  ])('rejects %s on import', async (_what, document) => {
    const session = await open(world());
    await expect(session.memory.import(document)).rejects.toMatchObject({ code: 'invalid' });
    expect(await session.memory.list()).toEqual([]);
  });
});
