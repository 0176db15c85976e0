import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { AgentEvent, StepTrace } from '../../../src/core/events.js';
import type { ChatModel } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { defineTool } from '../../../src/core/define-tool.js';
import type { Replay, Tool } from '../../../src/core/tool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { terminal } from '../../../src/tools/terminal/node.js';
import { bind, counting, dyingAt } from './storages.js';

/** A store whose n-th commit fails once, as with a full disk. */
function failingAt(storage: Storage, point: number): Storage {
  let count = 0;
  return {
    ...bind(storage),
    async open(name, options) {
      const store = await storage.open(name, options);
      const commit = store.commit.bind(store);
      store.commit = async (writes, random) => {
        count += 1;
        if (count === point) throw new RoleZeroError('storage-full', 'The disk is full.');
        return commit(writes, random);
      };
      return store;
    },
  };
}

/** Replies depend on the conversation alone, like those of a real model at temperature 0. */
const STEPS = [
  commands(
    ['Plan.append_task', { task_id: '1', dependent_task_ids: [], instruction: 'write', assignee: 'Zero' }],
    ['Plan.append_task', { task_id: '2', dependent_task_ids: ['1'], instruction: 'mail', assignee: 'Zero' }],
  ),
  commands(
    ['Editor.write', { path: '/a.txt', content: 'one\n' }],
    ['Editor.append_file', { path: '/a.txt', content: 'two' }],
  ),
  'I append repaired to /a.txt with Editor.append_file.', // Unreadable: repaired below.
  commands(['RoleZero.ask_human', { question: 'Which color?' }]),
  commands(['Editor.append_file', { path: '/a.txt', content: 'three' }]),
  commands(['Editor.append_file', { path: '/a.txt', content: 'three' }]), // A repetition.
  commands(
    ['Terminal.run_command', { cmd: 'N=2; sort /a.txt | head -1 >> /n.txt; echo $N >> /n.txt' }],
    ['Terminal.run_command', { cmd: 'echo $N > /job.txt', daemon: true }],
    ['Terminal.get_stdout_output', { wait_seconds: 10 }],
  ),
  commands(['Mail.send', { to: 'ann' }], ['Plan.finish_current_task', {}]),
  commands(['Guarded.write', { path: '/b.txt' }]),
  commands(['Foo.bar', {}]),
  commands(['Editor.read', { path: '/a.txt' }], ['end', {}]),
];

/** In the merged plan, the run ends without an `end` command: the plan is done and the user has a reply. */
const MERGED_STEPS = [
  ...STEPS.slice(0, -1),
  commands(['Plan.finish_current_task', {}], ['RoleZero.reply_to_human', { content: 'All is written.' }]),
];

function model(merged: boolean): ChatModel & { calls: number } {
  const self = {
    id: 'by conversation',
    supports: { jsonSchema: merged },
    contextWindow: 100_000,
    calls: 0,
    async *chat({ purpose, messages }: Parameters<ChatModel['chat']>[0]) {
      self.calls += 1;
      yield {
        type: 'text-delta' as const,
        text: reply(
          merged ? MERGED_STEPS : STEPS,
          purpose,
          messages.map(({ content }) => content as string),
        ),
      };
      yield { type: 'finish' as const, reason: 'stop' as const };
    },
  };
  return self;
}

function reply(steps: readonly string[], purpose: string, contents: readonly string[]): string {
  switch (purpose) {
    case 'classify':
      return 'Response Category: TASK';
    case 'language':
      return 'English';
    case 'repair':
      return commands(['Editor.append_file', { path: '/a.txt', content: 'repaired' }]);
    case 'regenerate':
      return commands(['Editor.append_file', { path: '/a.txt', content: 'four' }]);
    case 'think':
      return steps[contents.filter((content) => steps.includes(content)).length] ?? 'out of steps';
    default:
      return `${purpose}.`;
  }
}

function tools(mailed: string[], replay: Replay): Tool[] {
  const common = {
    name: 'Mail.send',
    description: 'Send a mail.',
    input: z.object({ to: z.string() }),
    effect: 'egress-write' as const,
    trusted: true,
    run: ({ to }: { to: string }, { callId }: { callId: string }) => {
      if (!mailed.includes(callId)) mailed.push(callId); // The receiver drops the second one with the same key.
      return `sent to ${to}`;
    },
    reconcile: async (callId: string) => (mailed.includes(callId) ? { output: 'sent to ann' } : null),
  };
  return [
    ...editor(),
    ...terminal(),
    replay === 'unsafe'
      ? defineTool({ ...common, replay, onAmbiguous: 'ask' })
      : defineTool({ ...common, replay: replay }),
    defineTool({
      name: 'Guarded.write',
      description: 'Write with approval.',
      input: z.object({ path: z.string() }),
      run: async ({ path }, { files }) => files.write(path, 'guarded'),
    }),
  ];
}

const ANSWERS: Record<string, string> = { 'Which color?': 'blue', 'May Zero use “Guarded: write”?': 'yes' };

interface World {
  storage: Storage;
  mailed: string[];
  replay: Replay;
  merged: boolean;
  events: AgentEvent[];
  asked: string[];
}

async function open(world: World, storage = world.storage): Promise<Session> {
  return Session.open({
    storage,
    name: 's',
    takeOver: true,
    roles: [
      new RoleZero({
        model: model(world.merged),
        callPlan: world.merged ? 'merged' : 'classic',
        summarize: true,
        tools: tools(world.mailed, world.replay),
        policy: [{ tool: 'Guarded.*', do: 'ask' }],
      }),
    ],
    askUser: async ({ text }) => {
      world.asked.push(text);
      return ANSWERS[text] ?? 'yes';
    },
    emit: (event) => world.events.push(event),
    now: () => 0,
  });
}

/** The state that must not depend on interruptions; ids are numbered in order of appearance. */
async function remains(session: Session): Promise<unknown> {
  const ids = new Map<string, number>();
  const anonymous = (text: string): string =>
    text.replace(/[0-9a-f]{32}/g, (id) => {
      if (!ids.has(id)) ids.set(id, ids.size);
      return `#${ids.get(id)}`;
    });
  const files: Record<string, string> = {};
  for (const { path, type } of await session.files.list())
    if (type === 'file') files[path] = await session.files.read(path);
  return {
    messages: JSON.parse(anonymous(JSON.stringify(session.messages()))) as unknown,
    plan: session.plan(),
    steps: JSON.parse(anonymous(JSON.stringify((await session.steps()).map(uninterrupted)))) as unknown,
    files,
  };
}

/** A step without a question that only an interruption causes: whether a command may be run again. */
function uninterrupted({ answers, ...step }: StepTrace): StepTrace {
  const others = Object.entries(answers).filter(([key]) => !key.startsWith('again:'));
  return { ...step, answers: Object.fromEntries(others) };
}

function world(replay: Replay, merged = false): World {
  return { storage: memoryStorage(), mailed: [], replay, merged, events: [], asked: [] };
}

async function finish(session: Session, where: string): Promise<void> {
  const run = session.resumable ? await session.resume() : null;
  const result = run === null ? session.lastRun : await run.result;
  expect(result, where).toMatchObject({ status: 'done', summary: 'summary.' });
}

describe.each<[Replay, string]>([
  ['keyed', 'classic'],
  ['reconcile', 'classic'],
  ['unsafe', 'classic'],
  ['keyed', 'merged'],
])('a crash at every commit, with a %s external tool, in the %s call plan', (replay, callPlan) => {
  const fresh = (): World => world(replay, callPlan === 'merged');
  it('ends with the same messages, plan and files, and no effect twice', async () => {
    const reference = fresh();
    const counted = counting(reference.storage);
    const whole = await open(reference, counted.storage);
    expect(await (await whole.send('make it')).result).toMatchObject({ status: 'done' });
    const expected = await remains(whole);
    expect(expected).toMatchObject({
      files: {
        '/a.txt': 'one\ntwo\nrepaired\nthree\nfour\n',
        '/b.txt': 'guarded',
        '/n.txt': 'four\n2\n',
        '/job.txt': '2\n',
      },
    });
    expect(reference.mailed).toHaveLength(1);
    expect(counted.count()).toBeGreaterThan(28);

    for (let point = 1; point <= counted.count(); point++) {
      for (const moment of ['before', 'after'] as const) {
        const each = fresh();
        const dying = dyingAt(each.storage, point, moment);
        const first = await open(each, dying.storage);
        void first.send('make it').catch(() => {});
        await dying.died;
        const second = await open(each);
        if (second.messages().length === 0 && !second.resumable) {
          expect([point, moment]).toEqual([1, 'before']); // Only a request that was never accepted is lost.
          expect(await (await second.send('make it')).result).toMatchObject({ status: 'done' });
        } else {
          await finish(second, `killed ${moment} commit ${point} of ${counted.count()}`);
        }
        expect(await remains(second), `killed ${moment} commit ${point}`).toEqual(expected);
        expect(each.mailed, `killed ${moment} commit ${point}`).toHaveLength(1);
        await second.close();
      }
    }
  });
});

/** The outcome of an undisturbed run, and the number of its commits. */
async function undisturbed(): Promise<{ expected: unknown; commits: number }> {
  const reference = world('keyed');
  const counted = counting(reference.storage);
  const whole = await open(reference, counted.storage);
  const run = await whole.send('make it');
  await run.result;
  return { expected: await remains(whole), commits: counted.count() };
}

describe('a commit that fails', () => {
  it('ends the run with an error, and continues once there is space', async () => {
    const { expected, commits } = await undisturbed();
    for (let point = 1; point <= commits; point++) {
      const each = world('keyed');
      const session = await open(each, failingAt(each.storage, point));
      if (point === 1) {
        await expect(session.send('make it')).rejects.toMatchObject({ code: 'storage-full' }); // It was not accepted.
        expect(await (await session.send('make it')).result).toMatchObject({ status: 'done' });
      } else {
        const failed = await (await session.send('make it')).result;
        expect(failed, `commit ${point} failed`).toMatchObject({
          status: 'failed',
          error: { code: 'storage-full' },
        });
        expect(await (await session.resume()).result, `commit ${point} failed`).toMatchObject({
          status: 'done',
        });
      }
      expect(await remains(session), `commit ${point} failed`).toEqual(expected);
      expect(each.mailed).toHaveLength(1);
      await session.close();
    }
  });
});

describe('a stop', () => {
  it('at any commit, the run can be resumed to the same end', async () => {
    const { expected, commits } = await undisturbed();
    for (let point = 2; point < commits; point++) {
      const each = world('keyed');
      let session: Session | null = null;
      const stopping = counting(each.storage);
      session = await open(each, {
        ...bind(stopping.storage),
        open: async (name, options) => {
          const store = await stopping.storage.open(name, options);
          const commit = store.commit.bind(store);
          store.commit = async (writes, random) => {
            await commit(writes, random);
            if (stopping.count() === point) session?.stop();
          };
          return store;
        },
      });
      const stopped = await (await session.send('make it')).result;
      if (stopped.status === 'done') {
        expect(point, 'only the last commits leave nothing to stop').toBeGreaterThan(commits - 3);
      } else {
        expect(stopped.status, `stopped at commit ${point}`).toBe('stopped');
        expect((await (await session.resume()).result).status, `stopped at commit ${point}`).toBe('done');
      }
      expect(await remains(session), `stopped at commit ${point}`).toEqual(expected);
      expect(each.mailed).toHaveLength(1);
      await session.close();
    }
  });
});

it('a question to the user survives the crash and is answered once', async () => {
  const each = world('keyed');
  const session = await open(each);
  await (
    await session.send('make it')
  ).result;
  expect(each.asked).toEqual(['Which color?', 'May Zero use “Guarded: write”?']);
});

// The answer to the first question was restored after the second crash, and the command was run without asking.
it('asks before each time an unsafe command is run again, not only before the first', async () => {
  const each = world('unsafe');
  const tried: string[] = [];
  const visit = async (): Promise<Session> =>
    Session.open({
      storage: each.storage,
      name: 's',
      takeOver: true,
      roles: [
        new RoleZero({
          model: model(true),
          tools: [
            ...tools([], 'keyed').filter(({ name }) => name !== 'Mail.send'),
            defineTool({
              name: 'Mail.send',
              description: 'Send a mail.',
              input: z.object({ to: z.string() }),
              effect: 'egress-write',
              trusted: true,
              replay: 'unsafe',
              onAmbiguous: 'ask',
              run: ({ to }) => {
                tried.push(to);
                return tried.length < 3 ? new Promise<never>(() => {}) : 'sent';
              },
            }),
          ],
        }),
      ],
      askUser: async ({ text }) => {
        each.asked.push(text);
        return ANSWERS[text] ?? 'yes';
      },
      emit: () => {},
      now: () => 0,
    });
  const first = await visit();
  await first.send('make it');
  await expect.poll(() => tried.length).toBe(1);
  await (await visit()).resume();
  await expect.poll(() => tried.length).toBe(2);
  const third = await visit();
  expect((await (await third.resume()).result).status).toBe('done');
  expect(each.asked.filter((text) => text.includes('Run it again?'))).toHaveLength(2);
  expect(tried).toHaveLength(3);
});
