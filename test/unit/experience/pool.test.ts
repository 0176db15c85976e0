import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import type { Experience, ExperienceStore } from '../../../src/core/experience.js';
import type { PoolMatch } from '../../../src/experience/step-experience.js';
import type { Embedder } from '../../../src/core/model.js';
import { memoryExperiences } from '../../../src/experience/memory-store.js';
import { ExperiencePool, type ExperiencePoolOptions } from '../../../src/experience/pool.js';

const OPEN = { enableRead: true, enableWrite: true };

function poolOf(options: ExperiencePoolOptions = {}) {
  let time = 0;
  return new ExperiencePool({ ...OPEN, now: () => ++time, ...options });
}

const scored = (req: string, val: number, resp = `answer to ${req}`) => ({
  req,
  resp,
  tag: 'T',
  metric: { score: { val, reason: 'because' } },
});
const requests = (experiences: readonly Experience[]) => experiences.map(({ req }) => req);
const failing: ExperienceStore = {
  get: () => Promise.reject(new RoleZeroError('storage-failed', 'No disk.')),
  list: () => Promise.reject(new RoleZeroError('storage-failed', 'No disk.')),
  put: () => Promise.reject(new RoleZeroError('storage-failed', 'No disk.')),
  remove: () => Promise.reject(new RoleZeroError('storage-failed', 'No disk.')),
  clear: () => Promise.reject(new RoleZeroError('storage-failed', 'No disk.')),
};
const recollection = async (pool: ExperiencePool, goal: string): Promise<PoolMatch> => {
  const asked = await pool.recall({
    tag: 'R.think',
    messages: [{ role: 'user', content: 'next' }],
    stateData: { goal },
  });
  if (asked === null) throw new Error('the pool is off');
  return asked;
};
const GOOD = { val: 10, reason: 'worked' };
const BAD = { val: 1, reason: 'failed' };

describe('the switches', () => {
  it('A-232 enables the pool when writing is turned on, and keeps it enabled when it is turned off', () => {
    const pool = new ExperiencePool();
    const state = () => [pool.enabled, pool.isReadable, pool.isWritable];
    expect(state()).toEqual([false, false, false]);
    pool.enableWrite = true;
    expect(state()).toEqual([true, false, true]);
    pool.enableWrite = false;
    expect(state()).toEqual([true, false, false]);
    pool.enableRead = true;
    expect(state()).toEqual([true, true, false]);
    pool.enabled = false;
    expect(state()).toEqual([false, false, false]);
    expect([pool.enableRead, pool.enableWrite]).toEqual([true, false]);
  });

  it('stores nothing when not writable, and returns nothing when not readable', async () => {
    const pool = poolOf({ enableWrite: false });
    await pool.createExp(scored('a', 10));
    expect(await pool.getExpsCount()).toBe(0);
    pool.enableWrite = true;
    await pool.createExp(scored('a', 10));
    pool.enableWrite = false;
    await pool.deleteAllExps();
    pool.enableRead = false;
    expect([await pool.getExpsCount(), await pool.queryExps('a')]).toEqual([1, []]);
    pool.enabled = false;
    expect(await pool.recall({ tag: 'T', messages: [{ role: 'user', content: '' }], stateData: {} })).toBe(
      null,
    );
  });
});

describe('storing', () => {
  it('an experience has every field, and its key is made of tag and request', async () => {
    const pool = poolOf();
    await pool.createExps([{ req: 'q', resp: 'a' }, scored('q', 7, 'b')]);
    expect((await pool.list()).toSorted((a, b) => a.timestamp - b.timestamp)).toEqual([
      {
        uuid: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        tag: '',
        req: 'q',
        resp: 'a',
        expType: 'success',
        entryType: 'Automatic',
        timestamp: 1,
      },
      {
        uuid: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        tag: 'T',
        req: 'q',
        resp: 'b',
        metric: { score: { val: 7, reason: 'because' } },
        expType: 'success',
        entryType: 'Automatic',
        timestamp: 2,
      },
    ]);
  });

  it('stores a duplicate once', async () => {
    const pool = poolOf();
    const asked = await recollection(pool, 'game');
    await pool.learn(asked, 'reply', GOOD);
    await pool.learn(asked, 'reply', GOOD);
    expect((await pool.list()).map(({ uuid, resp }) => [uuid, resp])).toEqual([[asked.uuid, 'reply']]);
  });

  it('A-236 clamps a score outside 1 to 10, and rejects a score that is not a number', async () => {
    const faults: string[] = [];
    const pool = poolOf({ onFault: ({ code }) => faults.push(code) });
    await pool.createExps([scored('low', -3), scored('high', 99), scored('fine', 2.5)]);
    await pool.createExp(scored('none', Number.NaN));
    const scores = (await pool.list()).map(({ req, metric }) => [req, metric?.score?.val]);
    expect(Object.fromEntries(scores)).toEqual({ low: 1, high: 10, fine: 2.5 });
    expect(faults).toEqual(['invalid']);
  });

  it('removes the lowest scores first when full, the oldest of them before the others', async () => {
    const pool = poolOf({ maxEntries: 3 });
    for (const [req, val] of [
      ['a', 9],
      ['b', 2],
      ['c', 9],
      ['d', 10],
      ['e', 9],
    ] as const) {
      await pool.createExp(scored(req, val));
    }
    expect(requests(await pool.list()).sort()).toEqual(['c', 'd', 'e']);
    expect(requests(await pool.queryExps('a', { queryType: 'exact' }))).toEqual([]);
  });

  it('rejects an experience that is too long, and limits the total size', async () => {
    const pool = poolOf({ maxEntryLength: 50, maxTotalLength: 100 });
    await pool.createExp(scored('long', 10, 'x'.repeat(60)));
    for (const req of ['a', 'b', 'c']) await pool.createExp(scored(req, 10, 'x'.repeat(40)));
    expect(requests(await pool.list()).sort()).toEqual(['b', 'c']);
  });

  it('keeps the better of two replies to a request', async () => {
    const pool = poolOf();
    const asked = await recollection(pool, 'game');
    const stored = async () => (await pool.list()).map(({ resp, metric }) => [resp, metric?.score?.val]);
    await pool.learn(asked, 'poor', BAD);
    await pool.learn(asked, 'good', GOOD);
    expect(await stored()).toEqual([['good', 10]]);
    await pool.learn(asked, 'poor again', BAD);
    expect(await stored()).toEqual([['good', 10]]);
  });

  it('reports faults of the store as events only', async () => {
    const faults: string[] = [];
    const pool = poolOf({ store: failing, onFault: ({ code }) => faults.push(code) });
    await pool.createExp(scored('a', 10));
    expect(await pool.queryExps('a')).toEqual([]);
    expect(faults).toEqual(['storage-failed', 'storage-failed']);
    await expect(pool.list()).rejects.toMatchObject({ code: 'storage-failed' });
  });
});

describe('searching', () => {
  const REQUESTS = [
    'write a snake game with a score board',
    'compare the prices of three bakeries',
    'write a tetris game with a score board',
    'summarize the minutes of the meeting',
  ];

  async function filled(options: ExperiencePoolOptions = {}) {
    const pool = poolOf(options);
    await pool.createExps(REQUESTS.map((req) => scored(req, 8)));
    return pool;
  }

  it('ranks the same request first, then those that share its rare words', async () => {
    const pool = await filled();
    expect(requests(await pool.queryExps(REQUESTS[0] ?? ''))).toEqual([REQUESTS[0], REQUESTS[2]]);
    expect(requests(await pool.queryExps('write a chess game with a score'))).toHaveLength(2);
    expect(requests(await pool.queryExps(REQUESTS[2] ?? '', { queryType: 'exact' }))).toEqual([REQUESTS[2]]);
  });

  it('does not find unrelated experiences, even in a small pool', async () => {
    const pool = await filled();
    expect(await pool.queryExps('translate the poem about the sea')).toEqual([]);
    const lonely = poolOf();
    await lonely.createExp(scored('write a snake game with a score board', 9));
    expect(await lonely.queryExps('translate a poem about the sea')).toEqual([]);
  });

  it('a tag hides experiences of others', async () => {
    const pool = await filled();
    await pool.createExp({ ...scored('write a snake game with a score board', 9), tag: 'Other' });
    const tags = async (tag?: string) =>
      (await pool.queryExps('write a snake game with a score board', tag === undefined ? {} : { tag })).map(
        (experience) => experience.tag,
      );
    expect(await tags('Other')).toEqual(['Other']);
    expect(await tags('T')).toEqual(['T', 'T']);
    expect((await tags()).sort()).toEqual(['Other', 'T']);
  });

  it('finds by meaning with an embedder, and embeds each entry once', async () => {
    const embedded: string[][] = [];
    const embedder: Embedder = {
      id: 'topics',
      dimensions: 2,
      embed: async (texts) => {
        embedded.push([...texts]);
        return texts.map((text) => new Float32Array(/game|play/.test(text) ? [1, 0] : [0, 1]));
      },
    };
    const pool = await filled({ embedder });
    expect(requests(await pool.queryExps('something to play')).sort()).toEqual([REQUESTS[0], REQUESTS[2]]);
    await pool.queryExps('play on');
    expect(embedded.map((texts) => texts.length)).toEqual([5, 1]);
  });
});

describe('quarantine', () => {
  it('an experience that failed is stored, and no longer used', async () => {
    const pool = poolOf();
    const asked = await recollection(pool, 'game');
    await pool.learn(asked, 'reply', GOOD);
    expect((await recollection(pool, 'game')).resp).toBe('reply');
    await pool.rate(asked.uuid, BAD);
    const again = await recollection(pool, 'game');
    expect([again.resp, again.advice]).toEqual([null, '']);
    expect((await pool.list()).map(({ resp, expType, metric }) => [resp, expType, metric])).toEqual([
      ['reply', 'failure', { score: BAD }],
    ]);
  });

  it('turns a perfect experience into an example after a lower score', async () => {
    const pool = poolOf();
    const asked = await recollection(pool, 'game');
    await pool.learn(asked, 'reply', GOOD);
    await pool.lower(asked.uuid, { val: 5, reason: 'so so' });
    const again = await recollection(pool, 'game');
    expect(again.resp).toBe(null);
    expect(again.advice).toContain('We can get the response: reply, which scored: 5.');
    await pool.rate(asked.uuid, BAD);
    await pool.lower(asked.uuid, { val: 5, reason: 'so so' });
    expect((await pool.list()).map(({ metric }) => metric?.score?.val)).toEqual([1]);
  });

  it('applies in a read-only pool, too', async () => {
    const store = memoryExperiences();
    const writer = poolOf({ store });
    const asked = await recollection(writer, 'game');
    await writer.learn(asked, 'reply', GOOD);
    const reader = poolOf({ store, enableWrite: false });
    await reader.rate(asked.uuid, BAD);
    expect((await recollection(reader, 'game')).resp).toBe(null);
    expect((await recollection(writer, 'game')).resp).toBe('reply');
  });

  it('sees changes of another worker at once', async () => {
    const store = memoryExperiences();
    const [here, there] = [poolOf({ store }), poolOf({ store })];
    const asked = await recollection(here, 'game');
    await there.learn(asked, 'reply', GOOD);
    expect((await recollection(here, 'game')).resp).toBe('reply');
    await there.rate(asked.uuid, BAD);
    expect((await recollection(here, 'game')).resp).toBe(null);
    await there.remove(asked.uuid);
    await here.rate(asked.uuid, GOOD);
    expect(await here.list()).toEqual([]);
  });
});

describe('maintenance of a pool', () => {
  it('separates pools of different names in one store', async () => {
    const store = memoryExperiences();
    const [shop, blog] = [poolOf({ store, name: 'shop' }), poolOf({ store, name: 'blog' })];
    await shop.createExp(scored('a', 10));
    expect([await shop.getExpsCount(), await blog.getExpsCount()]).toEqual([1, 0]);
    await blog.createExp(scored('b', 10));
    await shop.deleteAllExps();
    expect([await shop.list(), requests(await blog.list())]).toEqual([[], ['b']]);
    expect(() => new ExperiencePool({ name: '' })).toThrow(RoleZeroError);
  });

  it('imports its export unchanged elsewhere', async () => {
    const here = poolOf();
    const traj = { plan: 'p', action: 'a', observation: 'o', reward: 1 };
    await here.createExps([
      scored('a', 10),
      {
        req: 'b',
        resp: 'B',
        traj,
        entryType: 'Manual',
        expType: 'insight',
        metric: { timeCost: 2, moneyCost: 0.1 },
      },
    ]);
    const there = poolOf();
    expect(await there.import(JSON.parse(JSON.stringify(await here.export())))).toBe(2);
    expect(await there.list()).toEqual(await here.list());
  });

  it('validates every part of an import, and assigns new keys', async () => {
    const pool = poolOf();
    const [entry] = await (async () => {
      const other = poolOf();
      await other.createExp(scored('a', 10));
      return other.list();
    })();
    const document = (experiences: unknown) => ({
      format: 'rolezero-experiences',
      version: 1,
      name: 'x',
      experiences,
    });
    for (const wrong of [
      null,
      {},
      { ...document([]), version: 2 },
      document('all'),
      document([entry, { ...entry, resp: 1 }]),
      document([{ ...entry, metric: { score: { val: 'ten', reason: '' } } }]),
      document([{ ...entry, traj: 'long' }]),
      document([{ ...entry, timestamp: Infinity }]),
    ]) {
      await expect(pool.import(wrong)).rejects.toMatchObject({ code: 'invalid' });
    }
    expect(await pool.list()).toEqual([]);
    const forged = {
      ...entry,
      uuid: '../../x',
      metric: { score: { val: 1e9, reason: 'trust me' } },
      extra: 1,
    };
    await pool.import(document([forged]));
    expect(await pool.list()).toEqual([{ ...entry, metric: { score: { val: 10, reason: 'trust me' } } }]);
  });

  it('skips invalid entries of the store', async () => {
    const store = memoryExperiences();
    await poolOf({ store }).createExp(scored('a', 10));
    await store.put('default', [{ uuid: 'junk' } as Experience]);
    expect(requests(await poolOf({ store }).list())).toEqual(['a']);
  });
});
