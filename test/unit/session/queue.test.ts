import { describe, expect, it } from 'vitest';
import { Engineer } from '../../../src/team/engineer.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { ChatModel, ChatRequest } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { bind, dyingAt } from './storages.js';

const write = commands(['Editor.write', { path: '/a', content: 'a' }]);
const finish = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);

/** A model that waits at its first call until it may go on, and whose replies depend on the conversation alone. */
function held(steps: readonly string[] = [write, finish], category: 'TASK' | 'QUICK' = 'TASK') {
  const requests: ChatRequest[] = [];
  let reach: () => void = () => {};
  let release: () => void = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const model: ChatModel = {
    ...scriptedModel([]),
    contextWindow: 128_000,
    async *chat(request) {
      const { purpose, messages, signal } = request;
      if (purpose === 'think' || purpose === 'quick') {
        requests.push(request);
        if (requests.length === 1) {
          reach();
          const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
          await Promise.race([released, stopped]);
          signal.throwIfAborted();
        }
      }
      const done = messages.filter(({ content }) => steps.includes(String(content))).length;
      const text =
        purpose === 'think'
          ? (steps[done] ?? finish)
          : purpose === 'classify'
            ? `Response Category: ${category}`
            : 'summary';
      yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const said = () =>
    requests.map(({ messages }) => messages.map(({ content }) => String(content)).join('\n'));
  return { model, requests, reached, release, said };
}

/** What the model reads in its last call, and never before it. */
const lastPrompt = ({ said }: ReturnType<typeof held>): string => said().at(-1) ?? '';

async function open(
  model: ChatModel,
  storage: Storage = memoryStorage(),
  options: Partial<SessionOptions> = {},
) {
  const events: AgentEvent[] = [];
  const session = await Session.open({
    storage,
    name: 's',
    takeOver: true,
    roles: [new RoleZero({ model, tools: editor(), preset: 'full', summarize: false })],
    askUser: null,
    emit: (event) => events.push(event),
    ...options,
  });
  const changes = () =>
    events.flatMap((event) => (event.type === 'queue-changed' ? [[event.change, ...event.messageIds]] : []));
  return { session, events, changes, storage };
}

/** A run that is held in its first step, and a request that waits meanwhile. */
async function waiting(storage?: Storage) {
  const script = held();
  const opened = await open(script.model, storage);
  const run = await opened.session.send('go', { id: 'first' });
  await script.reached;
  await opened.session.send('and this', { id: 'second' });
  return { ...opened, script, run };
}

/** A storage whose commits fail that write a text; with an empty one, all of them. */
function failing() {
  const inner = memoryStorage();
  let failed: string | null = null;
  const storage: Storage = {
    ...bind(inner),
    async open(name, options) {
      const store = await inner.open(name, options);
      const commit = store.commit.bind(store);
      store.commit = (writes, ...rest) => {
        const isFull = failed !== null && JSON.stringify(writes).includes(failed);
        return isFull ? Promise.reject(new Error('full')) : commit(writes, ...rest);
      };
      return store;
    },
  };
  return { storage, fail: (text: string | null) => (failed = text) };
}

/** The tables with a row that mentions a text, as the export has them. */
async function stored(session: Session, text: string): Promise<string[]> {
  const { records } = await session.export();
  const found = records.filter((record) => JSON.stringify(record).includes(text));
  return [...new Set(found.map(({ table }) => table))].sort();
}

describe('a request that is sent during a run', () => {
  it('waits until a role reads it between two steps', async () => {
    const { session, script, run, changes } = await waiting();
    expect(session.queued).toEqual([{ messageId: 'second', content: 'and this', role: 'Zero' }]);
    expect(changes()).toEqual([['waiting', 'second']]);
    script.release();
    expect((await run.result).status).toBe('done');
    expect(session.queued).toEqual([]);
    expect(changes()).toEqual([
      ['waiting', 'second'],
      ['read', 'second'],
    ]);
    expect(lastPrompt(script)).toContain('and this');
  });

  it('is not the request that started the run', async () => {
    const script = held();
    const { session, changes } = await open(script.model);
    const sent = session.send('go', { id: 'first' });
    const run = await sent;
    expect(session.queued).toEqual([]);
    await expect(session.withdraw('first')).rejects.toMatchObject({ code: 'not-found' });
    script.release();
    await run.result;
    expect(changes()).toEqual([]);
  });

  it('is withdrawn with everything that was stored for it', async () => {
    const { session, script, run, changes, storage } = await waiting();
    expect(await stored(session, 'and this')).toEqual(['deliveries', 'inbox']);
    await session.withdraw('second');
    expect(session.queued).toEqual([]);
    expect(await stored(session, 'and this')).toEqual([]);
    expect(session.hasMessage('second')).toBe(false);
    expect(session.inspect().messages.map(({ message }) => message.id)).toEqual(['first']);
    script.release();
    expect((await run.result).status).toBe('done');
    expect(script.said().join('\n')).not.toContain('and this');
    expect(changes().at(-1)).toEqual(['withdrawn', 'second']);
    await session.close();
    const again = await open(script.model, storage);
    expect(again.session.queued).toEqual([]);
    expect(again.session.messages().some(({ id }) => id === 'second')).toBe(false);
    expect(again.session.resumable).toBe(false);
  });

  it('is revised in place', async () => {
    const { session, script, run, changes } = await waiting();
    await session.send('a third one', { id: 'third' });
    await session.revise('second', 'other words');
    expect(session.queued.map(({ messageId, content }) => [messageId, content])).toEqual([
      ['second', 'other words'],
      ['third', 'a third one'],
    ]);
    expect(await stored(session, 'and this')).toEqual([]);
    expect(changes().at(-1)).toEqual(['revised', 'second']);
    script.release();
    await run.result;
    expect(session.hasMessage('second')).toBe(true);
    expect(lastPrompt(script)).toMatch(/other words[^]*a third one/);
    expect(script.said().join('\n')).not.toContain('and this');
    expect(session.inspect().messages.map(({ message }) => message.content)).toContain('other words');
  });

  it('keeps its files when it is revised or withdrawn', async () => {
    const { session, script, run } = await waiting();
    const note = 'Attached files:\n- /uploads/a.txt (text, 1 byte)';
    const files = [{ path: '/uploads/a.txt', content: 'a' }];
    const attached = { note, images: [], untrusted: [], files };
    await session.send('read it', { id: 'third', attached });
    expect(session.queued.at(-1)?.content).toBe('read it');
    await session.revise('third', 'read it twice');
    expect(session.queued.at(-1)?.content).toBe('read it twice');
    script.release();
    await run.result;
    expect(lastPrompt(script)).toContain(`read it twice\n\n${note}`);
    expect(await session.files.read('/uploads/a.txt')).toBe('a');
  });

  it('rejects a change from the moment in which a role reads it', async () => {
    const rejections: Promise<unknown>[] = [];
    const script = held();
    const { session } = await open(script.model, memoryStorage(), {
      emit: (event) => {
        if (event.type !== 'queue-changed' || event.change !== 'read') return;
        for (const change of [session.withdraw('second'), session.revise('second', 'other')])
          rejections.push(change.catch((error: unknown) => error));
      },
    });
    const run = await session.send('go');
    await script.reached;
    await session.send('and this', { id: 'second' });
    script.release();
    expect((await run.result).status).toBe('done');
    const conflict = { code: 'conflict' };
    expect(await Promise.all(rejections)).toMatchObject([conflict, conflict]);
    expect(lastPrompt(script)).toContain('and this');
    await expect(session.withdraw('second')).rejects.toMatchObject(conflict);
    await expect(session.withdraw('nothing')).rejects.toMatchObject({ code: 'not-found' });
    await expect(session.revise('second', ' ')).rejects.toMatchObject({ code: 'invalid' });
  });

  it('waits after a reload, where it can be changed', async () => {
    const { session, run, storage } = await waiting();
    session.stop();
    expect((await run.result).status).toBe('stopped');
    expect(session.queued).toHaveLength(1);
    await session.close();
    const last = held();
    last.release();
    const { session: again } = await open(last.model, storage);
    expect(again.queued).toMatchObject([{ messageId: 'second' }]);
    await again.revise('second', 'later words');
    expect((await (await again.resume()).result).status).toBe('done');
    expect(lastPrompt(last)).toContain('later words');
  });

  it('waits again when the step that has read it cannot be stored', async () => {
    const { storage, fail } = failing();
    const { session, script, run, changes } = await waiting(storage);
    fail('"and this"');
    script.release();
    expect((await run.result).status).toBe('failed');
    fail(null);
    expect(session.queued).toMatchObject([{ messageId: 'second', content: 'and this' }]);
    expect(changes().map(([change]) => change)).toEqual(['waiting', 'read', 'waiting']);
    expect((await (await session.resume()).result).status).toBe('done');
    expect(lastPrompt(script)).toContain('and this');
  });

  it('keeps a run alive whose last request is revised while the run ends', async () => {
    let hold: Promise<void> | null = null;
    const inner = memoryStorage();
    const slow: Storage = {
      ...bind(inner),
      async open(name, options) {
        const store = await inner.open(name, options);
        const commit = store.commit.bind(store);
        store.commit = async (writes, ...rest) => {
          if (writes.some(({ value }) => JSON.stringify(value ?? '').includes('other words'))) await hold;
          return commit(writes, ...rest);
        };
        return store;
      },
    };
    const script = held([], 'QUICK');
    const { session, events } = await open(script.model, slow, {
      roles: [new RoleZero({ model: script.model, callPlan: 'classic' })],
    });
    const run = await session.send('go');
    await script.reached;
    await session.send('and this', { id: 'second' });
    let go: () => void = () => {};
    hold = new Promise((resolve) => (go = resolve));
    const revising = session.revise('second', 'other words');
    script.release();
    await expect
      .poll(() => events.some((event) => event.type === 'phase' && event.phase === 'ended'))
      .toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20)); // the role has nothing to do
    go();
    await revising;
    expect((await run.result).status).toBe('done');
    expect(session.queued).toEqual([]);
    expect(lastPrompt(script)).toContain('other words');
  });

  it.each(['withdraw', 'revise'] as const)(
    'still waits as it was when %s cannot be stored',
    async (method) => {
      const { storage, fail } = failing();
      const { session, script, run } = await waiting(storage);
      fail('');
      await expect(session[method]('second', 'other words')).rejects.toThrow('full');
      fail(null);
      expect(session.queued).toMatchObject([{ messageId: 'second', content: 'and this' }]);
      script.release();
      expect((await run.result).status).toBe('done');
      expect(lastPrompt(script)).toContain('and this');
    },
  );

  it.each([
    ['withdraw', 'before'],
    ['withdraw', 'after'],
    ['revise', 'before'],
    ['revise', 'after'],
  ] as const)(
    'is changed as a whole or not at all when the tab is killed: %s, %s the commit',
    async (method, moment) => {
      const storage = memoryStorage();
      const { session } = await waiting(storage);
      await session.close();
      const { storage: dying, died } = dyingAt(storage, 1, moment);
      const { session: second } = await open(held().model, dying);
      void second[method]('second', 'other words');
      await died;
      const last = held();
      last.release();
      const { session: third } = await open(last.model, storage);
      const expected = moment === 'before' ? ['and this'] : method === 'revise' ? ['other words'] : [];
      expect(third.queued.map(({ content }) => content)).toEqual(expected);
      expect((await (await third.resume()).result).status).toBe('done');
      for (const words of ['and this', 'other words'])
        expect(lastPrompt(last).includes(words)).toBe(expected.includes(words));
    },
  );

  it('does not come back with an earlier state when it was withdrawn', async () => {
    const storage = memoryStorage();
    const { session, run } = await waiting(storage);
    session.stop();
    await run.result;
    // A request that starts a run while another one waits: the state before it has that one.
    const third = await session.send('third', { id: 'third' });
    expect(session.queued).toMatchObject([{ messageId: 'second' }]);
    await session.withdraw('second');
    session.stop();
    await third.result;
    await session.rewind('third');
    expect(session.queued).toEqual([]);
    expect(session.environment.roles[0]?.agent.inbox.has('second')).toBe(false);
    await session.close();
    expect((await open(held().model, storage)).session.queued).toEqual([]);
  });

  it('goes with the run when the request that started it is taken back', async () => {
    const { session, run } = await waiting();
    session.stop();
    await run.result;
    const { branch } = await session.rewind('first');
    expect(session.queued).toEqual([]);
    await session.branches.open(branch ?? '');
    expect(session.queued).toMatchObject([{ messageId: 'second', content: 'and this' }]);
  });

  it('is exported and imported', async () => {
    const { session, run } = await waiting();
    session.stop();
    await run.result;
    const document = await session.export();
    const other = memoryStorage();
    await other.import(document, 's');
    const { session: again } = await open(held().model, other);
    await again.withdraw('second');
    expect(again.queued).toEqual([]);
  });
});

describe('a request to a team that is sent during a run', () => {
  const teamOf = (leaderModel: ChatModel, engineerModel: ChatModel, chat: 'public' | 'private') => ({
    leader: new TeamLeader({ model: leaderModel, summarize: false }),
    roles: [new Engineer({ model: engineerModel, summarize: false })],
    chat,
  });

  it.each(['public', 'private'] as const)(
    'is withdrawn from all inboxes, and revised in all (%s)',
    async (chat) => {
      const leader = held([finish]);
      const engineer = held([finish]);
      engineer.release();
      const { session, changes } = await open(
        leader.model,
        memoryStorage(),
        teamOf(leader.model, engineer.model, chat),
      );
      const run = await session.send('go');
      await leader.reached;
      await session.send('for all', { id: 'second' });
      await session.send('for Alex', { id: 'third', to: 'Alex' });
      expect(session.queued).toEqual([
        { messageId: 'second', content: 'for all', role: 'Mike' },
        { messageId: 'third', content: 'for Alex', role: 'Alex' },
      ]);
      const holders = (id: string) =>
        session.environment.roles.filter(({ agent }) => agent.inbox.has(id)).map(({ name }) => name);
      expect(holders('second')).toEqual(chat === 'public' ? ['Mike', 'Alex'] : ['Mike']);
      expect(holders('third')).toEqual(chat === 'public' ? ['Mike', 'Alex'] : ['Alex']);
      await session.withdraw('third');
      expect(holders('third')).toEqual([]);
      expect(await stored(session, 'for Alex')).toEqual([]);
      expect(await stored(session, 'direct/Alex')).toEqual([]);
      await session.revise('second', 'for everyone');
      leader.release();
      expect((await run.result).status).toBe('done');
      expect(session.queued).toEqual([]);
      expect(lastPrompt(leader)).toContain('[Message] from User to Mike: for everyone');
      expect(`${leader.said().join('')}${engineer.said().join('')}`).not.toMatch(/for all|for Alex/);
      expect(changes().filter(([change]) => change === 'read')).toEqual([['read', 'second']]);
    },
  );

  it('cannot be changed once one of its recipients has read it', async () => {
    const leader = held([finish]);
    const engineer = held([finish]);
    const options = teamOf(leader.model, engineer.model, 'public');
    const { session } = await open(leader.model, memoryStorage(), options);
    const run = await session.send('go', { to: 'Alex' });
    await engineer.reached;
    await session.send('for all', { id: 'second' });
    expect(session.queued).toHaveLength(1);
    engineer.release();
    await leader.reached; // Alex has read all messages, and the leader begins
    expect(session.queued).toEqual([]);
    await expect(session.withdraw('second')).rejects.toMatchObject({ code: 'conflict' });
    leader.release();
    await run.result;
  });
});
