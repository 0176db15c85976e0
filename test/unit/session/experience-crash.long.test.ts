import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/events.js';
import type { Storage } from '../../../src/core/store.js';
import { memoryExperiences } from '../../../src/experience/memory-store.js';
import { ExperiencePool } from '../../../src/experience/pool.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands, scriptedModel } from '../../../src/testing/index.js';
import { editor } from '../../../src/tools/index.js';

const THOUGHTS = [
  commands(['Editor.write', { path: '/a.txt', content: 'one\n' }]),
  commands(['Editor.append_file', { path: '/a.txt', content: 'two' }], ['Editor.read', { path: '/a.txt' }]),
  commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]),
];

/** Storage and model never reply after the `point`-th commit, as when the worker is killed. */
function killedAfter(
  storage: Storage,
  point: number,
): { storage: Storage; killed: Promise<void>; count(): number } {
  let count = 0;
  let kill: () => void = () => {};
  const killed = new Promise<void>((resolve) => (kill = resolve));
  const open: Storage['open'] = async (name, options) => {
    const store = await storage.open(name, options);
    const commit = store.commit.bind(store);
    store.commit = async (writes, random) => {
      count += 1;
      if (count <= point) await commit(writes, random);
      if (count < point) return;
      kill();
      await new Promise<never>(() => {});
    };
    return store;
  };
  return { storage: Object.assign(Object.create(storage) as Storage, { open }), killed, count: () => count };
}

interface World {
  storage: Storage;
  pool: ExperiencePool;
  events: AgentEvent[];
}

function world(pool: ExperiencePool): World {
  return { storage: memoryStorage(), pool, events: [] };
}

async function open({ pool, events }: World, storage: Storage, thoughts: readonly string[]) {
  const model = scriptedModel({ think: thoughts });
  const session = await Session.open({
    storage,
    name: 's',
    takeOver: true,
    roles: [new RoleZero({ model, tools: editor(), experiencePool: pool })],
    askUser: async () => null,
    emit: (event) => events.push(event),
    now: () => 0,
  });
  return { session, model };
}

async function remains(session: Session) {
  return {
    file: await session.files.read('/a.txt'),
    contents: session.messages().map(({ content }) => content),
    result: session.lastRun,
  };
}

const openPool = () =>
  new ExperiencePool({ store: memoryExperiences(), enableRead: true, enableWrite: true, now: () => 0 });
const stored = async (pool: ExperiencePool) =>
  (await pool.list()).map(({ resp, metric }) => [resp, metric?.score?.val]);

describe('a kill after any commit', () => {
  it('a run from experience: repeats the rest, makes no call, does not change the pool', async () => {
    const pool = openPool();
    const first = world(pool);
    const counted = killedAfter(first.storage, Infinity);
    const { session } = await open(first, counted.storage, THOUGHTS);
    await (
      await session.send('make it')
    ).result;
    const [expected, learned] = [await remains(session), await pool.export()];
    expect(learned.experiences).toHaveLength(3);

    for (let point = 1; point < counted.count(); point++) {
      const each = world(pool);
      const dying = killedAfter(each.storage, point);
      const { session: killed } = await open(each, dying.storage, []);
      void killed.send('make it').catch(() => {});
      await dying.killed;
      const { session: next, model } = await open(each, each.storage, []);
      if (next.resumable) await (await next.resume()).result;
      expect(await remains(next), `killed after commit ${point}`).toEqual(expected);
      expect(model.requests.filter(({ purpose }) => purpose === 'think')).toEqual([]);
      expect(await pool.export(), `killed after commit ${point}`).toEqual(learned);
      await next.close();
    }
  });

  it('a run that learns: ends the same, and stores each experience once', async () => {
    const reference = world(openPool());
    const counted = killedAfter(reference.storage, Infinity);
    const { session } = await open(reference, counted.storage, THOUGHTS);
    await (
      await session.send('make it')
    ).result;
    const [expected, all] = [await remains(session), await stored(reference.pool)];

    for (let point = 1; point < counted.count(); point++) {
      const each = world(openPool());
      const dying = killedAfter(each.storage, point);
      const { session: killed, model } = await open(each, dying.storage, THOUGHTS);
      void killed.send('make it').catch(() => {});
      await dying.killed;
      const asked = model.requests.filter(({ purpose }) => purpose === 'think').length;
      const { session: next } = await open(each, each.storage, THOUGHTS.slice(asked));
      if (next.resumable) await (await next.resume()).result;
      expect(await remains(next), `killed after commit ${point}`).toEqual(expected);
      // At most the interrupted step is missing: its request was not stored.
      const learned = await stored(each.pool);
      expect(all, `killed after commit ${point}`).toEqual(expect.arrayContaining(learned));
      expect(learned.length, `killed after commit ${point}`).toBeGreaterThanOrEqual(all.length - 1);
      expect(
        each.events.filter((event) => event.type === 'warning' && event.code !== 'session-fenced'),
      ).toEqual([]);
      await next.close();
    }
  });
});
