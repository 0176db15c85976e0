import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../../../src/core/define-tool.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { ChatRequest } from '../../../src/core/model.js';
import type { SessionExport, SessionStore, Storage, Table } from '../../../src/core/store.js';
import type { ToolSource } from '../../../src/core/tool-source.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { skills } from '../../../src/tools/skills/index.js';
import { bind } from './storages.js';

/** More messages than a run reads before its first call of the model. */
const REPLIES = 140;

const READ_AND_ADD = [
  commands(['Editor.read', { path: '/a.txt' }], ['Editor.append_file', { path: '/a.txt', content: 'two' }]),
  commands(['end', {}]),
];

function options(
  storage: Storage,
  think: readonly string[],
  more: Partial<SessionOptions> = {},
): SessionOptions {
  const model = { ...scriptedModel({ think: [...think] }), contextWindow: 1_000_000 };
  const role = new RoleZero({
    name: 'Zero',
    model,
    tools: [...editor()],
    language: 'English',
    summarize: false,
    maxSteps: 1_000,
    maxMessages: 20,
  });
  return { storage, name: 'game', roles: [role], askUser: null, emit: () => {}, now: () => 1e12, ...more };
}

let document: Promise<SessionExport> | null = null;

/** A long session with a file, whose role has nothing to do and knows the file; equal at every call. */
async function long(): Promise<Storage> {
  const storage = memoryStorage({ now: () => 1e12 });
  await storage.import(await (document ??= makeLong()));
  return storage;
}

async function makeLong(): Promise<SessionExport> {
  const storage = memoryStorage({ now: () => 1e12 });
  const replies = Array.from({ length: REPLIES }, (_, number) =>
    commands(['RoleZero.reply_to_human', { content: `number ${number}` }]),
  );
  const write = commands(['Editor.write', { path: '/a.txt', content: 'one\n' }]);
  const session = await Session.open(options(storage, [write, ...replies, commands(['end', {}])]));
  expect(await (await session.send('Count.')).result).toMatchObject({ status: 'done' });
  await session.close();
  return storage.export('game');
}

/** Holds back complete reads of a table until it is released. */
function gated(storage: Storage, tables: readonly Table[]) {
  const gates = new Map(
    tables.map((table) => {
      let open = (): void => {};
      const opened = new Promise<void>((resolve) => (open = resolve));
      return [table, { open, opened }] as const;
    }),
  );
  const gatedStorage: Storage = {
    ...bind(storage),
    async open(name, given) {
      const store = await storage.open(name, given);
      const load: SessionStore['load'] = store.load.bind(store);
      store.load = async (table, range, newest) => {
        if (newest === undefined) await gates.get(table)?.opened;
        return load(table, range, newest);
      };
      return store;
    },
  };
  return {
    storage: gatedStorage,
    release: (...wanted: Table[]) => {
      for (const table of wanted.length === 0 ? tables : wanted) gates.get(table)?.open();
    },
  };
}

const BEHIND: readonly Table[] = ['messages', 'files', 'history'];

/** Lets everything run that does not wait for a gate. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setTimeout(resolve));
}

const boil = defineTool({
  name: 'Tea.boil',
  description: 'Boils water.',
  input: z.object({}),
  effect: 'pure',
  run: () => Promise.resolve('It boils.'),
});

/** What is left of a session, as it is stored. */
async function stored(storage: Storage) {
  const { records } = await storage.export('game');
  return records.filter(({ table }) => table !== 'checkpoints');
}

/** Sends a request in a session that was just opened, and returns everything that it led to. */
async function worked(
  storage: Storage,
  open: typeof Session.open,
  during: (
    session: Session,
    requests: readonly ChatRequest[],
    events: readonly AgentEvent[],
  ) => Promise<void>,
  isLoading = false,
) {
  const requests: ChatRequest[] = [];
  const events: AgentEvent[] = [];
  const session = await open(
    options(storage, READ_AND_ADD, {
      onRequest: (request) => requests.push(request),
      emit: (event) => events.push(event),
    }),
  );
  const loading = isLoading ? session.loaded() : Promise.resolve();
  const { result } = await session.send('Go on.', { id: 'go-on' });
  await during(session, requests, events);
  const [{ status }] = await Promise.all([result, loading]);
  await session.loaded();
  const outcome = {
    status,
    prompts: requests.map(({ messages }) => messages),
    messages: session.messages(),
    file: await session.files.read('/a.txt'),
    history: await session.files.history(),
  };
  await session.close();
  return { ...outcome, records: await stored(storage) };
}

describe('a new request in a long session', () => {
  it('asks the model before older messages and files are read, and runs commands after that', async () => {
    const { storage, release } = gated(await long(), BEHIND);
    const early = await worked(storage, Session.begin, async (session, requests, events) => {
      await quiet();
      expect(requests).toHaveLength(1);
      expect(session.messages().length).toBeLessThan(REPLIES);
      release('messages');
      await quiet();
      expect(events.filter(({ type }) => type === 'command-start')).toEqual([]);
      release();
    });
    expect(early).toMatchObject({ status: 'done', file: 'one\ntwo\n' });
    expect(early.messages.length).toBeGreaterThan(REPLIES);
    expect(early).toEqual(await worked(await long(), Session.open, async () => {}));
  });

  it('asks the model while the session is being read', async () => {
    const { storage, release } = gated(await long(), BEHIND);
    const asked = async (_: Session, requests: readonly ChatRequest[]): Promise<void> => {
      await quiet();
      expect(requests).toHaveLength(1);
      release();
    };
    const early = await worked(storage, Session.begin, asked, true);
    expect(early).toEqual(await worked(await long(), Session.open, async () => {}));
  });

  it('waits for the files when the user has changed some since the last prompt', async () => {
    const source = await long();
    const before = await Session.open(options(source, []));
    await before.files.write('/new.txt', 'by the user');
    await before.close();
    const { storage, release } = gated(source, BEHIND);
    const { prompts } = await worked(storage, Session.begin, async (_, requests) => {
      await quiet();
      expect(requests).toEqual([]);
      release();
    });
    expect(JSON.stringify(prompts[0]?.at(-1))).toContain('/new.txt');
  });

  it('waits for the files when they may have skills', async () => {
    const source = await long();
    const before = await Session.open(options(source, []));
    const skill = '---\nname: tea\ndescription: How to make tea.\n---\nBoil water.\n';
    await before.files.write('/skills/tea/SKILL.md', skill);
    await before.close();
    const { storage, release } = gated(source, BEHIND);
    const requests: ChatRequest[] = [];
    const model = { ...scriptedModel({ think: [commands(['end', {}])] }), contextWindow: 1_000_000 };
    const role = new RoleZero({ name: 'Zero', model, tools: [...editor(), skills()], language: 'English' });
    const session = await Session.begin(
      options(storage, [], { roles: [role], onRequest: (request) => requests.push(request) }),
    );
    const { result } = await session.send('Make tea.', { id: 'tea' });
    await quiet();
    expect(requests).toEqual([]);
    release();
    expect(await result).toMatchObject({ status: 'done' });
    expect(JSON.stringify(requests[0])).toContain('- tea: How to make tea.');
    await session.close();
  });

  it('does not wait for the files for tools that need none, such as those of an MCP server', async () => {
    const { storage, release } = gated(await long(), BEHIND);
    const requests: ChatRequest[] = [];
    const model = { ...scriptedModel({ think: [commands(['end', {}])] }), contextWindow: 1_000_000 };
    const other: ToolSource = {
      group: 'Tea',
      current: () => Promise.resolve({ tools: [boil], untrusted: null, notice: null }),
    };
    const role = new RoleZero({ name: 'Zero', model, tools: [...editor(), other], language: 'English' });
    const session = await Session.begin(
      options(storage, [], { roles: [role], onRequest: (request) => requests.push(request) }),
    );
    const { result } = await session.send('Make tea.', { id: 'tea' });
    await quiet();
    expect(JSON.stringify(requests[0])).toContain('Tea.boil');
    release();
    expect(await result).toMatchObject({ status: 'done' });
    await session.close();
  });

  it('stores the same as in a session that is read first, whatever is called while the rest is read', async () => {
    const calls: Record<string, (session: Session) => Promise<unknown>> = {
      'read a file': (session) => session.files.read('/a.txt'),
      'look at a file': (session) => session.files.stat('/a.txt'),
      'list the files': async (session) => {
        await session.filesLoaded();
        return session.files.list();
      },
      'read messages': (session) => session.newest({ last: 3 }),
      'read all messages': async (session) => (await session.newest()).length,
      'read steps': (session) => session.steps({ last: 2 }),
    };
    const names = Object.keys(calls);
    const whole = await worked(await long(), Session.open, async () => {});
    for (let seed = 1; seed <= 12; seed++) {
      let state = seed;
      const roll = (sides: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return (state >>> 8) % sides;
      };
      const { storage, release } = gated(await long(), BEHIND);
      const closed = [...BEHIND];
      const schedule = async (session: Session): Promise<void> => {
        const pending: Promise<unknown>[] = [];
        for (let turn = 0; turn < 8; turn++) {
          if (roll(3) === 0) release(...closed.splice(roll(closed.length), 1));
          pending.push(calls[names[roll(names.length)] ?? '']?.(session) ?? Promise.resolve());
          for (let wait = roll(12); wait > 0; wait--) await new Promise((resolve) => setTimeout(resolve));
        }
        release();
        await Promise.all(pending);
      };
      const early = await worked(storage, Session.begin, schedule, seed % 3 === 0);
      expect(early, `seed ${seed}`).toEqual(whole);
    }
  });

  it('loses nothing when its worker dies or another one takes over while the rest is read', async () => {
    for (const moment of ['before the reply', 'after the reply', 'in a command']) {
      const source = await long();
      const { storage, release } = gated(source, BEHIND);
      const requests: ChatRequest[] = [];
      const session = await Session.begin(
        options(storage, READ_AND_ADD, { onRequest: (request) => requests.push(request) }),
      );
      const { result } = await session.send('Go on.', { id: 'go-on' });
      if (moment !== 'before the reply') await quiet();
      if (moment === 'in a command') release();
      const next = await Session.open(options(source, READ_AND_ADD, { takeOver: true }));
      release();
      expect(await result, moment).toMatchObject({ status: 'failed', error: { code: 'session-fenced' } });
      await session.close();
      const contents = next.messages().map(({ content }) => content);
      for (let number = 0; number < REPLIES; number++)
        expect(contents.some((content) => content.includes(`number ${number}`))).toBe(true);
      expect(next.resumable, moment).toBe(true);
      expect(await (await next.resume()).result, moment).toMatchObject({ status: 'done' });
      expect(await next.files.read('/a.txt'), moment).toBe('one\ntwo\n');
      await next.close();
    }
  });

  it('fails when the rest of the session cannot be read', async () => {
    const source = await long();
    const store = await source.open('game');
    await store.commit([{ table: 'messages', key: 'Zero/0000000003', value: 'rubbish' }], store.random);
    await store.close();
    const session = await Session.begin(options(source, READ_AND_ADD));
    const { result } = await session.send('Go on.', { id: 'go-on' });
    expect(await result).toMatchObject({ status: 'failed', error: { code: 'storage-corrupt' } });
    await session.close();
  });
});

describe('a file of a session that is not read yet', () => {
  it('is read without the list of files', async () => {
    const { storage, release } = gated(await long(), BEHIND);
    const session = await Session.begin(options(storage, []));
    expect(await session.files.read('/a.txt')).toBe('one\n');
    expect(await session.files.stat('a.txt')).toMatchObject({ path: '/a.txt', size: 4 });
    const missing = session.files.read('/b.txt');
    release();
    await expect(missing).rejects.toMatchObject({ code: 'not-found' });
    await session.close();
  });

  it('is read as it is after a change that was stored meanwhile', async () => {
    const content = 'x'.repeat(5_000);
    const source = await long();
    const before = await Session.open(options(source, []));
    await before.files.write('/long.txt', content);
    await before.files.forgetHistory();
    await before.close();
    let replace: (() => Promise<void>) | null = null;
    const storage: Storage = {
      ...bind(source),
      async open(name, given) {
        const store = await source.open(name, given);
        const read: SessionStore['read'] = store.read.bind(store);
        store.read = async (table, keys) => {
          if (table === 'contents' && replace !== null) {
            const change = replace;
            replace = null;
            await change();
          }
          return read(table, keys);
        };
        return store;
      },
    };
    const session = await Session.begin(options(storage, []));
    replace = async () => {
      await session.loaded();
      await session.files.remove('/long.txt');
      await session.files.write('/long.txt', 'short');
      await session.files.forgetHistory(0);
    };
    expect(await session.files.read('/long.txt')).toMatch(/^(?:short|x{5000})$/);
    expect(await session.files.read('/long.txt')).toBe('short');
    await session.close();
  });
});
