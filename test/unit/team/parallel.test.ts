import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { ChatModel } from '../../../src/core/model.js';
import { RoleZeroError } from '../../../src/core/error.js';
import type { Storage } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { commands } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';
import { counting, dyingAt } from '../session/storages.js';

const NAMES = ['Ann', 'Bob', 'Cid'];
const reply = (content: string) => ['RoleZero.reply_to_human', { content }] as const;
const end = ['end', {}] as const;
const publish = (content: string, send_to: string) =>
  ['TeamLeader.publish_team_message', { content, send_to }] as const;

const LEADER = [
  commands(...NAMES.map((name) => publish(`Write /${name}.txt and sign /all.txt.`, name))),
  commands(end),
  commands(end),
  commands(reply('All three are done.'), end),
];
const stepsOf = (name: string) => [
  commands(['Editor.write', { path: `/${name}.txt`, content: `${name} was here\n` }]),
  commands(['Editor.append_file', { path: '/all.txt', content: `${name}\n` }]),
  commands(reply(`${name} is done.`), end),
];

/** Starts when the model is called; the reply arrives when it resolves. */
type Latency = (role: string, call: number) => Promise<unknown>;

/** A model whose replies depend on the conversation alone. */
function model(role: string, latency: Latency, parallel = true): ChatModel {
  const steps = role === 'Mike' ? LEADER : stepsOf(role);
  let calls = 0;
  return {
    id: role,
    contextWindow: 100_000,
    supports: { parallel },
    async *chat({ messages, purpose, signal }) {
      const given = messages.filter(({ content }) => steps.includes(content as string)).length;
      await latency(role, calls++);
      signal.throwIfAborted();
      const words = role === 'Mike' ? 'All three are done.' : `${role} is done.`;
      yield { type: 'text-delta', text: purpose === 'think' ? (steps[given] ?? commands(end)) : words };
      yield { type: 'usage', promptTokens: 90, completionTokens: 10 };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

interface Setup extends Partial<Pick<SessionOptions, 'emit' | 'roles'>> {
  latency?: Latency;
  parallel?: boolean;
}

function open(
  storage: Storage,
  { latency = async () => {}, parallel, ...options }: Setup = {},
): Promise<Session> {
  const role = (name: string) =>
    new RoleZero({ name, model: model(name, latency, parallel), tools: editor() });
  return Session.open({
    storage,
    name: 's',
    takeOver: true,
    leader: new TeamLeader({ model: model('Mike', latency, parallel) }),
    roles: NAMES.map(role),
    askUser: async () => null,
    emit: () => {},
    now: () => 0,
    ...options,
  });
}

/** A session with an empty /all.txt. All of them have the same random numbers. */
async function begun(): Promise<Storage> {
  const storage = memoryStorage();
  await storage.import(await document);
  return storage;
}

const document = (async () => {
  const storage = memoryStorage();
  const session = await open(storage);
  await session.files.write('/all.txt', '');
  await session.close();
  return storage.export('s');
})();

/** Everything that a user or a later run could notice, ids included. */
async function remains(session: Session): Promise<unknown> {
  const files: Record<string, string> = {};
  for (const { path, type } of await session.files.list())
    if (type === 'file') files[path] = await session.files.read(path);
  return {
    messages: session.environment.roleNames.map((name) => session.messages(name)),
    inspection: session.inspect(),
    result: session.lastRun,
    files,
  };
}

async function whole(storage: Storage, setup: Setup = {}): Promise<Session> {
  const session = await open(storage, setup);
  await (
    await session.send('three files, please', { id: 'request' })
  ).result;
  return session;
}

/**
 * The same with ids numbered in order of appearance, because a resumed run has an id of its own, and without what the model had seen of the
 * files: a call that is made again shows what other roles have changed since.
 */
async function lasting(session: Session): Promise<unknown> {
  const ids = new Map<string, number>();
  const number = (id: string): string => {
    if (!ids.has(id)) ids.set(id, ids.size);
    return `#${ids.get(id)}`;
  };
  const text = JSON.stringify(await remains(session)).replace(/[0-9a-f]{32}/g, number);
  return JSON.parse(text, (key, value: unknown) => (key === 'view' ? undefined : value));
}

/** Answers the calls in progress together, and counts how often. */
function waves(): { latency: Latency; count: () => number; most: () => number } {
  const waiting: (() => void)[] = [];
  let count = 0;
  let most = 0;
  const answer = async () => {
    for (let quiet = 0, size = 0; quiet < 20; quiet++) {
      await new Promise((resolve) => setTimeout(resolve));
      if (waiting.length !== size) quiet = 0;
      size = waiting.length;
    }
    count += 1;
    most = Math.max(most, waiting.length);
    for (const go of waiting.splice(0)) go();
  };
  return {
    latency: () =>
      new Promise<void>((resolve) => {
        if (waiting.push(resolve) === 1) void answer();
      }),
    count: () => count,
    most: () => most,
  };
}

describe('roles of a team whose models can be called at the same time', () => {
  it('work at the same time: three of them need hardly more rounds of calls than one', async () => {
    const together = waves();
    const session = await whole(await begun(), { latency: together.latency });
    expect(session.lastRun).toMatchObject({ status: 'done', summary: 'All three are done.' });
    expect(together.most()).toBe(NAMES.length);

    const alone = waves();
    await whole(await begun(), { latency: alone.latency, parallel: false });
    expect(alone.most()).toBe(1);
    const work = (rounds: number) => rounds - LEADER.length;
    expect(work(together.count())).toBeLessThanOrEqual(Math.ceil(work(alone.count()) / NAMES.length) + 1);
  });

  it('do everything in the same order, however long the models take', async () => {
    const expected = await remains(await whole(await begun()));
    expect(expected).toMatchObject({
      result: { status: 'done', summary: 'All three are done.' },
      files: { '/all.txt': 'Ann\nBob\nCid\n', '/Bob.txt': 'Bob was here\n' },
    });
    for (let seed = 1; seed <= 10; seed++) {
      let state = seed;
      const latency = async () => {
        state = (state * 48_271) % 2_147_483_647;
        await new Promise((resolve) => setTimeout(resolve, state % 7));
      };
      expect(await remains(await whole(await begun(), { latency })), `seed ${seed}`).toEqual(expected);
    }
  });

  it('end the same wherever they were killed: messages and their order, files, and who received what', async () => {
    const counted = counting(await begun());
    const expected = await lasting(await whole(counted.storage));
    for (let point = 1; point <= counted.count(); point += 3) {
      for (const moment of ['before', 'after'] as const) {
        const storage = await begun();
        const dying = dyingAt(storage, point, moment);
        const first = await open(dying.storage);
        void first.send('three files, please', { id: 'request' }).catch(() => {});
        await dying.died;
        const second = await open(storage);
        if (second.resumable) await (await second.resume()).result;
        else if (second.lastRun === null) {
          expect([point, moment]).toEqual([1, 'before']); // only a request that was never accepted is lost
          await (
            await second.send('three files, please', { id: 'request' })
          ).result;
        }
        expect(await lasting(second), `killed ${moment} commit ${point} of ${counted.count()}`).toEqual(
          expected,
        );
      }
    }
  });

  it('are stopped when one of them fails, and continue together when the run is resumed', async () => {
    let isBroken = true;
    const stopped: string[] = [];
    const failing = (name: string): ChatModel => {
      const inner = model(name, async () => {});
      return {
        ...inner,
        async *chat(request) {
          const steps = stepsOf(name);
          const done = request.messages.filter(({ content }) => steps.includes(content as string)).length;
          if (isBroken && name === 'Bob' && done === 1)
            throw new RoleZeroError('model-request', 'The key is wrong.');
          if (isBroken && done === (name === 'Ann' ? 2 : 1)) {
            await new Promise<void>((resolve) => {
              request.signal.addEventListener('abort', () => resolve());
            });
            stopped.push(name);
            request.signal.throwIfAborted();
          }
          yield* inner.chat(request);
        },
      };
    };
    const events: AgentEvent[] = [];
    const session = await open(await begun(), {
      roles: NAMES.map((name) => new RoleZero({ name, model: failing(name), tools: editor() })),
      emit: (event) => events.push(event),
    });
    const result = await (await session.send('three files, please', { id: 'request' })).result;
    expect(result).toMatchObject({ status: 'failed', error: { code: 'model-request' } });
    expect(stopped.sort()).toEqual(['Ann', 'Cid']);
    expect(session.resumable).toBe(true);
    isBroken = false;
    expect((await (await session.resume()).result).status).toBe('done');
    expect(await session.files.read('/all.txt')).toBe('Ann\nBob\nCid\n');
  });

  it('are stopped together by the user', async () => {
    const calls: string[] = [];
    const session: Session = await open(await begun(), {
      latency: async (role, call) => {
        if (role === 'Mike' || call === 0) return;
        calls.push(role);
        if (calls.length === NAMES.length) session.stop();
        await new Promise((resolve) => setTimeout(resolve, 50));
      },
    });
    expect((await (await session.send('three files, please', { id: 'request' })).result).status).toBe(
      'stopped',
    );
    expect(calls.sort()).toEqual(NAMES);
    expect((await (await session.resume()).result).status).toBe('done');
  });
});
