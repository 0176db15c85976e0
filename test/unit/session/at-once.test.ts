import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { SessionStore, Storage, Table } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import type { AskUser } from '../../../src/session/user-questions.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { bind } from './storages.js';

const ask = commands(['RoleZero.ask_human', { question: 'which?' }]);
const finish = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

type Commit = SessionStore['commit'];

/** A storage whose commits go through a function. */
function committing(through: (commit: Commit, ...args: Parameters<Commit>) => Promise<void>): Storage {
  const storage = memoryStorage();
  return {
    ...bind(storage),
    async open(name, options) {
      const store = await storage.open(name, options);
      const commit = store.commit.bind(store);
      store.commit = (...args) => through(commit, ...args);
      return store;
    },
  };
}

/** A storage that calls a function between reading rows and returning them. */
function loading(storage: Storage, read: (table: Table) => Promise<void>): Storage {
  return {
    ...bind(storage),
    async open(...args) {
      const store = await storage.open(...args);
      const load = store.load.bind(store);
      store.load = async (table, ...range) => {
        const rows = await load(table, ...range);
        await read(table);
        return rows;
      };
      return store;
    },
  };
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

interface Options {
  think: readonly string[];
  storage?: Storage;
  askUser?: AskUser;
  onRequest?: () => void;
  emit?: (event: AgentEvent) => void;
}

function open(options: Options) {
  const {
    think,
    storage = memoryStorage(),
    askUser = async () => null,
    onRequest,
    emit = () => {},
  } = options;
  const roles = [new RoleZero({ model: scriptedModel({ think }), tools: editor(), summarize: false })];
  return Session.open({
    storage,
    name: 's',
    roles,
    askUser,
    emit,
    ...(onRequest && { onRequest }),
  });
}

const done = async (run: ReturnType<Session['send']>) => (await (await run).result).status;
const contents = (session: Session) => session.messages().map(({ content }) => content);

describe('calls of a session at the same time', () => {
  it('accept only the first of two answers', async () => {
    const session = await open({ think: [ask, finish] });
    expect(await done(session.send('go'))).toBe('waiting');
    const id = session.waiting?.id ?? '';
    const [first, second] = await Promise.allSettled([session.answer(id, 'red'), session.answer(id, 'blue')]);
    expect(first).toEqual({ status: 'fulfilled', value: undefined });
    expect(second).toMatchObject({
      status: 'rejected',
      reason: { code: 'not-found' },
    });
    expect(await done(session.resume())).toBe('done');
    expect(contents(session)).toContain('Command RoleZero.ask_human executed:Human response: red');
  });

  it('accept an answer only once while the answer of the page is stored', async () => {
    const late: { answer?: Promise<unknown> } = {};
    const session = await open({
      think: [ask, finish],
      storage: committing(async (commit, writes, ...rest) => {
        const isAnswer = writes.some(({ table, value }) => table === 'approvals' && value !== undefined);
        if (isAnswer)
          late.answer ??= session.answer(session.waiting?.id ?? '', 'blue').catch((error: unknown) => error);
        await commit(writes, ...rest);
      }),
      askUser: async () => 'red',
    });
    expect(await done(session.send('go'))).toBe('done');
    expect(contents(session)).toContain('Command RoleZero.ask_human executed:Human response: red');
    expect(await late.answer).toMatchObject({ code: 'not-found' });
  });

  it('keep a file that is written while an answer that could not be stored is given again', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let isFull = true;
    const storage = committing(async (commit, writes, ...rest) => {
      if (writes.some(({ table, key }) => table === 'files' && key === '/late.txt')) await held;
      if (isFull && writes.some(({ table }) => table === 'approvals'))
        throw new RoleZeroError('storage-full', 'The disk is full.', {});
      await commit(writes, ...rest);
    });
    const reading = loading(storage, async (table) => {
      if (table !== 'files' || isFull) return;
      release();
      await nextTask(); // the file is stored by then
    });
    const session = await open({ think: [ask, finish], storage: reading });
    expect(await done(session.send('go'))).toBe('waiting');
    const id = session.waiting?.id ?? '';
    const written = session.files.write('/late.txt', 'late');
    await nextTask();
    const refused = session.answer(id, 'red').catch((error: unknown) => error);
    await nextTask();
    isFull = false;
    const answered = session.answer(id, 'red').catch((error: unknown) => error);
    await nextTask();
    release();
    await Promise.all([written, refused, answered]);
    expect(await session.files.read('/late.txt')).toBe('late');
  });

  it('do not disturb a run when a request at its start cannot be stored', async () => {
    let refuse: () => void = () => {};
    const refused = new Promise<never>((_resolve, reject) => {
      refuse = () => reject(new RoleZeroError('storage-full', 'The disk is full.', {}));
    });
    const session = await open({
      think: [ask, finish],
      storage: committing((commit, ...args) =>
        JSON.stringify(args[0]).includes('second') ? refused : commit(...args),
      ),
      onRequest: () => refuse(),
    });
    const first = session.send('first');
    await expect(session.send('second')).rejects.toMatchObject({
      code: 'storage-full',
    });
    expect(await done(first)).toBe('waiting');
    await session.answer(session.waiting?.id ?? '', 'red');
    expect(await done(session.resume())).toBe('done');
    expect(contents(session)).toEqual(expect.arrayContaining(['first']));
    expect(contents(session)).not.toContain('second');
  });

  it('keep a file that is added to a directory while its creation is undone', async () => {
    const late: { write?: Promise<void> } = {};
    const storage = committing(async (commit, writes, ...rest) => {
      if (writes.some(({ key, value }) => key === '/d' && value === undefined)) {
        late.write = session.files.write('/d/second.txt', '2');
        await nextTask(); // it is stored first, unless it waits
      }
      await commit(writes, ...rest);
    });
    const session = await open({ think: [finish], storage });
    await session.files.write('/d/first.txt', '1');
    const [entry] = await session.files.history();
    await session.files.undo(entry?.id ?? '');
    await late.write;
    const paths = async ({ files }: Session): Promise<string[]> =>
      (await files.list()).map(({ path }) => path);
    expect(await paths(session)).toEqual(['/d', '/d/second.txt']);
    await session.close();
    expect(await paths(await open({ think: [finish], storage }))).toEqual(['/d', '/d/second.txt']);
  });

  describe('change files while a command of the agent is stored', () => {
    /** Stores a command that writes a file. Another change is made as soon as its commit has begun. Returns the files before and after a reload. */
    async function overlapping(agentWrites: string, change: (session: Session) => Promise<unknown>) {
      const late: { change?: Promise<unknown> } = {};
      const storage = committing(async (commit, writes, ...rest) => {
        if (
          late.change === undefined &&
          writes.some(({ table, key }) => table === 'files' && key === agentWrites)
        ) {
          late.change = change(session).catch((error: unknown) => error);
          await nextTask(); // its changes are known by then, unless it waits
        }
        await commit(writes, ...rest);
      });
      const write = commands(['Editor.write', { path: agentWrites, content: 'agent' }]);
      const session = await open({ think: [write, finish], storage, askUser: async () => 'yes' });
      await session.files.write('/d/old.txt', 'user');
      expect(await done(session.send('go'))).toBe('done');
      const changed = await late.change;
      const paths = async ({ files }: Session) => (await files.list()).map(({ path }) => path);
      const before = await paths(session);
      await session.close();
      return { changed, before, after: await paths(await open({ think: [finish], storage })) };
    }

    it('and remove the directory of its file', async () => {
      expect(await overlapping('/d/new.txt', ({ files }) => files.remove('/d'))).toEqual({
        changed: undefined,
        before: [],
        after: [],
      });
    });

    it('and write below its file', async () => {
      expect(await overlapping('/x', ({ files }) => files.write('/x/y.txt', 'user'))).toEqual({
        changed: expect.objectContaining({ code: 'invalid' }) as unknown,
        before: ['/d', '/d/old.txt', '/x'],
        after: ['/d', '/d/old.txt', '/x'],
      });
    });
  });

  it('keep a file that is written while the session is read again after a failed run', async () => {
    const late: { write?: Promise<void> } = {};
    const opening = loading(memoryStorage(), async (table) => {
      if (requests === 0 || table !== 'files') return;
      late.write ??= session.files.write('/late.txt', 'late');
      await nextTask(); // it is stored by then, unless it waits
    });
    let requests = 0;
    const session = await open({ think: [], storage: opening, onRequest: () => (requests += 1) });
    expect(await done(session.send('go'))).toBe('failed');
    await late.write;
    expect(await session.files.read('/late.txt')).toBe('late');
  });

  it('store the earlier content of a file again after a change of it by the user was rejected', async () => {
    const late: { write?: Promise<unknown> } = {};
    const storage = committing(async (commit, writes, ...rest) => {
      if (writes.some(({ key, value }) => key === '/a.txt' && isText(value, 'two')))
        throw new RoleZeroError('storage-full', 'The disk is full.', {});
      await commit(writes, ...rest);
    });
    const isText = (value: unknown, text: string) =>
      (value as { content?: unknown } | undefined)?.content === text;
    const write = (path: string, content: string) => commands(['Editor.write', { path, content }]);
    const session = await open({
      think: [write('/b.txt', 'b'), write('/a.txt', 'three'), write('/a.txt', 'three'), finish],
      storage,
      askUser: async () => 'yes',
      emit: ({ type }) => {
        if (type === 'command-end')
          late.write ??= session.files.write('/a.txt', 'two').catch((error: unknown) => error);
      },
    });
    await session.files.write('/a.txt', 'one');
    expect(await done(session.send('go'))).toBe('done');
    expect(await late.write).toMatchObject({ code: 'storage-full' });
    const entries = await session.files.history();
    expect(entries.map(({ by, paths }) => [by, ...paths])).toEqual([
      ['user', '/a.txt'],
      ['agent', '/b.txt'],
      ['agent', '/a.txt'],
    ]);
    await session.files.undo(entries.at(-1)?.id ?? '');
    expect(await session.files.read('/a.txt')).toBe('one');
  });

  it('show only the stored history of files after a change was rejected', async () => {
    const storage = committing(async (commit, writes, ...rest) => {
      if (writes.some(({ key }) => key === '/b.txt'))
        throw new RoleZeroError('storage-full', 'The disk is full.', {});
      await commit(writes, ...rest);
    });
    const session = await open({ think: [], storage });
    await session.files.write('/a.txt', 'a');
    const before = await session.files.history();
    await expect(session.files.write('/b.txt', 'b')).rejects.toMatchObject({ code: 'storage-full' });
    expect(await session.files.history()).toEqual(before);
  });

  it('start no run when the session is closed while the request is stored', async () => {
    let requests = 0;
    const left: { closing?: Promise<void> } = {};
    const storage = committing(async (commit, ...args) => {
      await commit(...args);
      left.closing ??= session.close();
    });
    const session = await open({
      think: [finish],
      storage,
      onRequest: () => (requests += 1),
    });
    await expect(session.send('go')).rejects.toMatchObject({ code: 'aborted' });
    await left.closing;
    expect([requests, session.running]).toEqual([0, null]);
    const again = await open({
      think: [finish],
      storage: { ...storage, open: storage.open },
    });
    expect(again.resumable).toBe(true);
  });

  it('start no run when the session is closed while interrupted work is resumed', async () => {
    let requests = 0;
    const storage = memoryStorage();
    const session = await open({ think: [ask], storage, onRequest: () => (requests += 1) });
    expect(await done(session.send('go'))).toBe('waiting');
    await session.answer(session.waiting?.id ?? '', 'red');
    const before = requests;
    const resumed = session.resume();
    const closing = session.close();
    await expect(resumed).rejects.toMatchObject({ code: 'aborted' });
    await closing;
    expect([requests, session.running]).toEqual([before, null]);
    const again = await open({ think: [finish], storage });
    expect(await done(again.resume())).toBe('done');
  });

  it('end with the same result after a reload when one role waits and another one fails', async () => {
    const storage = memoryStorage();
    const late: { run?: ReturnType<Session['send']> } = {};
    const visit = (): Promise<Session> => {
      const model = scriptedModel({ think: [ask] });
      const failing: typeof model = {
        ...model,
        async *chat() {
          yield* [];
          throw new RoleZeroError('model-request', 'The server failed.', {});
        },
      };
      return Session.open({
        storage,
        name: 's',
        roles: [new RoleZero({ model }), new RoleZero({ name: 'Ann', model: failing })],
        askUser: async () => null,
        emit: () => {},
        onRequest: () => void (late.run ??= session.send('fail', { to: 'Ann' })),
      });
    };
    const session = await visit();
    expect(await done(session.send('ask'))).toBe('failed');
    await late.run;
    const before = session.lastRun;
    await session.close();
    expect((await visit()).lastRun).toEqual(before);
  });
});
