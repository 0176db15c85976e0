import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { AgentEvent } from '../../../src/core/events.js';
import type { Question } from '../../../src/core/human.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { Engineer } from '../../../src/team/engineer.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { bind, counting, dyingAt } from './storages.js';

const reply = (content: string) => ['RoleZero.reply_to_human', { content }] as const;
const end = ['end', {}] as const;
const finish = ['Plan.finish_current_task', {}] as const;
const publish = (content: string, send_to: string) =>
  ['TeamLeader.publish_team_message', { content, send_to }] as const;

/** The replies of each role, step by step. */
const STEPS: Record<string, string[]> = {
  Mike: [
    commands(
      ['Plan.append_task', { task_id: '1', dependent_task_ids: [], instruction: 'write', assignee: 'Alex' }],
      [
        'Plan.append_task',
        { task_id: '2', dependent_task_ids: ['1'], instruction: 'read', assignee: 'Rita' },
      ],
      publish('Write /page.html, please.', 'Alex'),
      reply('Alex writes the page.'),
    ),
    commands(finish, publish('Read /page.html, please.', 'Rita')),
    commands(finish, reply('The page is written and read.'), end),
  ],
  Alex: [
    commands(['Engineer.write_new_code', { path: '/page.html', file_description: 'a page' }]),
    commands(['Editor.append_file', { path: '/page.html', content: '<!-- by Alex -->' }]),
    commands(reply('There is a page.'), end),
  ],
  Rita: [commands(['Editor.read', { path: '/page.html' }]), commands(reply('It is fine.'), end)],
};

/** A model whose replies depend on the conversation alone, so an interrupted run gets the same replies again. */
function model(role: string): ChatModel {
  const steps = STEPS[role] ?? [];
  return {
    id: role,
    contextWindow: 100_000,
    async *chat({ purpose, messages }) {
      const texts = messages.filter(({ content }) => steps.includes(content as string)).length;
      const replies: Record<string, string> = {
        classify: 'Response Category: TASK',
        language: 'English',
        think: steps[texts] ?? 'out of steps',
        other: '```html\n<h1>Hi</h1>\n```',
      };
      yield { type: 'text-delta', text: replies[purpose] ?? `${purpose} of ${role}.` };
      yield { type: 'usage', promptTokens: 90, completionTokens: 10, costUsd: 0.01 };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

class Reviewer extends RoleZero {
  static override readonly id = 'Reviewer';
}

type Options = Partial<Pick<SessionOptions, 'askUser' | 'budget' | 'chat' | 'emit' | 'name'>>;

function open(storage: Storage, options: Options = {}): Promise<Session> {
  return Session.open({
    storage,
    name: 's',
    takeOver: true,
    leader: new TeamLeader({ callPlan: 'classic', model: model('Mike') }),
    roles: [
      new Engineer({ callPlan: 'classic', model: model('Alex'), tools: editor() }),
      new Reviewer({
        callPlan: 'classic',
        name: 'Rita',
        profile: 'Reviewer',
        model: model('Rita'),
        tools: editor(),
      }),
    ],
    askUser: async () => null,
    emit: () => {},
    now: () => 0,
    ...options,
  });
}

/** The state that must not depend on interruptions; ids are numbered in order of appearance. */
async function remains(session: Session): Promise<unknown> {
  const ids = new Map<string, number>();
  const named = (id: string): string => {
    if (!ids.has(id)) ids.set(id, ids.size);
    return `#${ids.get(id)}`;
  };
  const files: Record<string, string> = {};
  for (const { path, type } of await session.files.list())
    if (type === 'file') files[path] = await session.files.read(path);
  const texts = {
    messages: session.environment.roleNames.map((name) => session.messages(name)),
    inspection: session.inspect(),
    history: session.environment.history.get().map((message) => message.toData()),
  };
  return {
    ...(JSON.parse(JSON.stringify(texts).replace(/[0-9a-f]{32}/g, named)) as object),
    plans: session.environment.roleNames.map((name) => session.plan(name)),
    result: session.lastRun,
    files,
  };
}

async function whole(storage: Storage, options: Options = {}): Promise<Session> {
  const session = await open(storage, options);
  await (
    await session.send('a page, please')
  ).result;
  return session;
}

describe('a team in a session', () => {
  // The run was over in memory but not in the store: the page received `done`, and there was nothing to resume.
  it.each([
    ['one of its commits is rejected', false],
    ['the user stops it during a commit', true],
  ])('can be resumed at once, and reports the failure, when %s', async (_when, stops) => {
    const counted = counting(memoryStorage());
    const undisturbed = await whole(counted.storage);
    const expected = await remains(undisturbed);
    for (let point = 2; point <= counted.count(); point++) {
      const storage = memoryStorage();
      let commits = 0;
      const session = await open({
        ...bind(storage),
        open: async (name, options) => {
          const store = await storage.open(name, options);
          const commit = store.commit.bind(store);
          store.commit = async (writes, random) => {
            commits += 1;
            if (commits !== point) return commit(writes, random);
            if (stops) session.stop();
            throw new RoleZeroError('storage-full', 'The disk is full.');
          };
          return store;
        },
      });
      expect((await (await session.send('a page, please')).result).status, `commit ${point}`).toBe('failed');
      expect(session.lastRun?.status, `commit ${point}`).toBe('failed');
      expect(session.resumable, `commit ${point}`).toBe(true);
      expect((await (await session.resume()).result).status, `commit ${point}`).toBe('done');
      expect(await remains(session), `commit ${point}`).toEqual(expected);
      await session.close();
    }
  });

  // Call ids were derived from the run: the first command of every role had the same one, and a keyed tool dropped
  // all but one of them.
  it('assigns a unique id to every command of a run', async () => {
    const events: AgentEvent[] = [];
    await (await whole(memoryStorage(), { emit: (event) => events.push(event) })).close();
    const ids = events.flatMap((event) => (event.type === 'command-end' ? [event.callId] : []));
    expect(ids.length).toBeGreaterThan(8);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('ends the same wherever it was killed: messages, plans, files, and who received what', async () => {
    const counted = counting(memoryStorage());
    const expected = await remains(await whole(counted.storage));
    expect(expected).toMatchObject({
      result: { status: 'done', summary: 'The page is written and read.', error: null },
      files: { '/page.html': '<h1>Hi</h1>\n<!-- by Alex -->\n' },
      inspection: { deadLetters: [], messages: { length: 5 } },
    });
    for (let point = 1; point <= counted.count(); point++) {
      for (const moment of ['before', 'after'] as const) {
        const storage = memoryStorage();
        const dying = dyingAt(storage, point, moment);
        const first = await open(dying.storage);
        void first.send('a page, please').catch(() => {});
        await dying.died;
        const second = await open(storage);
        if (second.resumable) await (await second.resume()).result;
        else if (second.lastRun === null) {
          expect([point, moment]).toEqual([1, 'before']); // Only a request that was never accepted is lost.
          await (
            await second.send('a page, please')
          ).result;
        }
        expect(await remains(second), `killed ${moment} commit ${point} of ${counted.count()}`).toEqual(
          expected,
        );
      }
    }
  });

  it('keeps the recipient of a direct chat, also after a reload', async () => {
    const storage = memoryStorage();
    const first = await open(storage);
    const run = await first.send('how is it?', { to: 'Rita' });
    first.stop();
    expect((await run.result).status).toBe('stopped');
    await first.close();
    const second = await open(storage);
    expect((await (await second.resume()).result).status).toBe('done');
    expect(second.messages('Mike').map(({ content }) => content.slice(0, 45))).toEqual([
      '[Message] from User to Rita: how is it?',
      '[Message] from Rita(Reviewer) to User: I have',
    ]);
    expect(second.lastRun).toEqual({
      status: 'done',
      summary: 'summary of Rita.',
      error: null,
      failedCommands: 1, // there is no page to read
    });
  });

  it('abandons an interrupted run when the user sends another request', async () => {
    const storage = memoryStorage();
    const first = await open(storage, { chat: 'private' });
    const run = await first.send('how is it?', { to: 'Rita' });
    first.stop();
    await run.result;
    expect(first.resumable).toBe(true);
    const other = await first.send('and you?', { to: 'Alex' });
    expect((await other.result).status).toBe('done');
    await first.close();
    const second = await open(storage, { chat: 'private' });
    expect(second.resumable).toBe(false);
    expect(second.lastRun).toEqual({ status: 'done', summary: 'summary of Alex.', error: null });
  });

  it('drops the direct answer when the user sends another request', async () => {
    const session = await open(memoryStorage());
    const run = await session.send('how is it?', { to: 'Rita' });
    session.stop();
    await run.result;
    const other = await session.send('a page, please');
    // Rita's answer went to the leader; otherwise the run could not have ended like this.
    expect(await other.result).toEqual({
      status: 'done',
      summary: 'The page is written and read.',
      error: null,
    });
  });

  it('accepts a message while it works: it joins the run and is answered in its turn', async () => {
    const rita = scriptedModel({ classify: 'Response Category: QUICK', quick: 'All is well.' });
    const mike = scriptedModel({ think: [commands(reply('Nothing to do.'), end)] });
    const replies: string[] = [];
    const session = await Session.open({
      storage: memoryStorage(),
      name: 's',
      leader: new TeamLeader({ model: mike }),
      roles: [new Reviewer({ name: 'Rita', model: rita })],
      askUser: async () => null,
      emit: (event) => {
        if (event.type === 'human-reply') replies.push(`${event.role}: ${event.text}`);
      },
    });
    const run = await session.send('a page, please');
    const joined = await session.send('how is it?', { to: 'Rita' });
    expect(joined.id).toBe(run.id);
    expect(await run.result).toEqual({ status: 'done', summary: 'Nothing to do.', error: null });
    expect(replies).toEqual(['Mike: Nothing to do.', 'Rita: All is well.']);
    expect(
      session.inspect().messages.map(({ message, reactions }) => [message.content, reactions[0]?.reacts]),
    ).toEqual([
      ['a page, please', true],
      ['how is it?', false],
      ['All is well.', false],
    ]);
  });

  it('continues in the same run when a question is answered while another role still works', async () => {
    const ann = scriptedModel({
      think: [
        commands(['RoleZero.ask_human', { question: 'Which color?' }]),
        commands(reply('Blue it is.'), end),
      ],
    });
    const leader = scriptedModel({
      think: [
        commands(publish('Paint.', 'Ann'), publish('Wait for it.', 'Bob')),
        ...Array<string>(2).fill(commands(end)),
      ],
    });
    const bob = scriptedModel({ think: [commands(reply('I am here.'), end)] });
    const answers: Promise<void>[] = [];
    const session: Session = await Session.open({
      storage: memoryStorage(),
      name: 's',
      leader: new TeamLeader({ model: leader }),
      roles: [new Reviewer({ name: 'Ann', model: ann }), new Reviewer({ name: 'Bob', model: bob })],
      askUser: async () => null,
      emit: (event) => {
        if (event.type === 'human-reply' && event.role === 'Bob')
          answers.push(session.answer(session.waiting?.id ?? '', 'blue'));
      },
    });
    const run = await session.send('paint it');
    expect((await run.result).status).toBe('done');
    expect([answers.length, session.waiting, session.resumable]).toEqual([1, null, false]);
    expect([...ann.leftovers(), ...bob.leftovers(), ...leader.leftovers()]).toEqual([]);
  });

  it('rejects an unknown name, and does not change', async () => {
    const session = await open(memoryStorage());
    await expect(session.send('hi', { to: 'Carol' })).rejects.toMatchObject({ code: 'not-found' });
    expect(() => session.messages('Carol')).toThrow('The roles are Mike, Alex, Rita.');
    expect(() => session.plan('Carol')).toThrow('The roles are Mike, Alex, Rita.');
    expect([session.resumable, session.inspect()]).toEqual([false, { messages: [], deadLetters: [] }]);
  });

  it('separates roles whose names have a common prefix, slashes included', async () => {
    const storage = memoryStorage();
    const names = ['QA', 'QA/1', 'QA/0000000001'];
    const openThese = () =>
      Session.open({
        storage,
        name: 's',
        roles: names.map((name) => new RoleZero({ name, model: model('Rita'), tools: editor() })),
        askUser: null,
        emit: () => {},
      });
    const first = await openThese();
    for (const to of names) await (await first.send(`hello ${to}`, { to })).result;
    await first.close();
    const second = await openThese();
    for (const name of names) {
      const own = second.messages(name).filter(({ sentFrom }) => sentFrom === 'User');
      expect(own.map(({ content }) => content)).toEqual([`hello ${name}`]);
    }
  });
});

describe('storing and restoring a team ', () => {
  it('A-271 restores classes, memories and watch sets, also in another storage', async () => {
    const session = await whole(memoryStorage());
    const document = JSON.parse(JSON.stringify(await session.export())) as unknown;
    const elsewhere = memoryStorage();
    await elsewhere.import(document);
    const restored = await open(elsewhere);
    const [before, after] = [session.environment.roles, restored.environment.roles];
    expect(after.map((role) => role.constructor)).toEqual([TeamLeader, Engineer, Reviewer]);
    expect(after.map((role) => role.agent.fixed.watch)).toEqual(before.map((role) => role.agent.fixed.watch));
    for (const [index, role] of before.entries()) {
      const memory = after[index]?.agent.memory.get() ?? [];
      expect(memory.length).toBe(role.agent.memory.count());
      expect(role.agent.memory.get().every((message, place) => memory[place]?.equals(message))).toBe(true);
    }
    expect(await remains(restored)).toEqual(await remains(session));
  });

  it('A-271 reports missing data as not found, and advises to start again', async () => {
    await expect(memoryStorage().export('nothing')).rejects.toMatchObject({
      code: 'not-found',
      message: "There is no session 'nothing'. Connect under that name to begin a new one.",
    });
  });

  it('A-276 stores only the state of a role, and nothing that belongs to the program', async () => {
    const session = await whole(memoryStorage());
    const { records } = await session.export();
    const roles = records.filter(({ table }) => table === 'roles');
    expect(roles.map(({ key }) => key)).toEqual(['Alex', 'Mike', 'Rita']);
    for (const { value } of roles) {
      const fields = Object.keys(value as object).filter((name) => name !== 'seenFiles'); // of roles that read files
      expect(fields.sort()).toEqual(
        [
          'earlierGoals',
          'lastResult',
          'modelMs',
          'notes',
          'parts',
          'phase',
          'plan',
          'question',
          'request',
          'respondLanguage',
          'sent',
          'stepsTaken',
          'actionIndex',
          'turn',
          'unread',
          'usage',
          'version',
          'workedOn',
          'workingMemory',
        ].sort(),
      );
    }
  });

  it('A-273 keeps the spent budget', async () => {
    const session = await whole(memoryStorage());
    const spent = session.usage();
    expect(spent).toMatchObject({ calls: 15, promptTokens: 1350, completionTokens: 150 });
    const elsewhere = memoryStorage();
    await elsewhere.import(await session.export());
    const restored = await open(elsewhere, { budget: { tokens: 1500 } });
    expect(restored.usage()).toEqual(spent);
    expect(await (await restored.send('more')).result).toMatchObject({
      status: 'exhausted',
      error: { code: 'budget' },
    });
    expect(restored.usage()).toEqual(spent);
  });
});

describe('the budget of a team', () => {
  it('A-274 stops it by name when the money of all roles is spent; a larger one continues to the same end', async () => {
    const expected = await remains(await whole(memoryStorage()));
    const storage = memoryStorage();
    const events: AgentEvent[] = [];
    const poor = await open(storage, { budget: { usd: 0.06 }, emit: (event) => events.push(event) });
    const result = await (await poor.send('a page, please')).result;
    expect(result).toMatchObject({
      status: 'exhausted',
      error: {
        code: 'budget',
        message: expect.stringContaining('The budget of this session is spent: 600 tokens, $0.06') as string,
      },
    });
    expect(result.summary).toContain('Not finished: task 1 (Alex): write; task 2 (Rita): read.');
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'exhausted', error: { code: 'budget' } });
    expect([poor.usage().calls, poor.resumable]).toEqual([6, true]);
    await poor.close();

    const reopened = await open(storage, { budget: { usd: 0.06 } });
    expect(reopened.lastRun).toEqual(result);
    expect(await (await reopened.resume()).result).toEqual(result); // No model call was made.
    await reopened.close();

    const rich = await open(storage, { budget: { usd: 10 } });
    expect((await (await rich.resume()).result).status).toBe('done');
    expect(await remains(rich)).toEqual(expected);
  });

  it('asks before it is spent and at its end, and remembers the approvals after a reload', async () => {
    const storage = memoryStorage();
    const asked: string[] = [];
    const answering = (answers: string[]) => ({
      budget: { calls: 5 },
      askUser: async ({ text }: Question) => {
        asked.push(text);
        return answers.shift() ?? null;
      },
    });
    const first = await open(storage, answering(['yes', 'no']));
    expect((await (await first.send('a page, please')).result).status).toBe('exhausted');
    expect([first.usage().calls, first.waiting]).toEqual([5, null]);
    await first.close();
    const second = await open(storage, answering(['yes']));
    expect((await (await second.resume()).result).status).toBe('exhausted');
    expect([second.usage().calls, second.waiting]).toEqual([10, null]);
    expect(asked).toEqual([
      '80 % of the budget of this session is spent: 4 calls of 5 calls. Shall I continue?',
      'The budget of this session is spent: 5 calls of 5 calls. Shall I continue and spend as much again?',
      'The budget of this session is spent: 5 calls of 5 calls. Shall I continue and spend as much again?',
      '80 % of the budget of this session is spent: 9 calls of 10 calls. Shall I continue?',
      'The budget of this session is spent: 10 calls of 10 calls. Shall I continue and spend as much again?',
    ]);
  });

  it('goes back for all roles, and does the same work again', async () => {
    const storage = memoryStorage();
    const session = await open(storage);
    const seen = async () => ({
      messages: session.environment.roleNames.map((role) => session.messages(role).map(({ id }) => id)),
      inspection: session.inspect(),
      plan: session.plan(),
      files: await session.files.list(),
      lastRun: session.lastRun,
    });
    const before = await seen();
    const run = await session.send('Build a page.', { id: 'request' });
    expect((await run.result).status).toBe('done');
    const after = await seen();
    expect(after.messages.every(({ length }) => length > 0)).toBe(true);
    const { branch } = await session.rewind('request');
    expect(await seen()).toEqual(before);
    await session.branches.open(branch ?? '');
    expect(await seen()).toEqual(after);
    const again = await session.regenerate('request');
    expect((await again.result).status).toBe('done');
    expect((await seen()).files.map(({ path }) => path)).toEqual(['/page.html']);
    expect(session.messages('Rita').length).toBe(after.messages[2]?.length);
    await session.close();
  });
});
