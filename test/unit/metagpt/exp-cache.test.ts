import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../src/core/error.js';
import { expCache } from '../../../src/metagpt/exp-cache.js';
import { ExperiencePool } from '../../../src/experience/pool.js';
import { llmScorer, readScore, type ExperienceScorer } from '../../../src/metagpt/scorer.js';
import { scriptedModel } from '../../../src/testing/scripted-model.js';

const scoring = (val: number): ExperienceScorer => ({ evaluate: async () => ({ val, reason: 'judged' }) });

/** A function cached by a pool, and the arguments it was called with. */
function answering(reply = 'answer') {
  const calls: unknown[] = [];
  const answer = ({ req }: { req: string }) => {
    calls.push(req);
    return `${reply} ${calls.length}`;
  };
  return { calls, answer };
}

describe('a call through the experience cache ', () => {
  it('A-226 calls the function directly while the pool is off', async () => {
    const { calls, answer } = answering();
    const untouched = () => {
      throw new Error('the pool was asked');
    };
    const pool = { enabled: false, isWritable: true, queryExps: untouched, createExp: untouched };
    expect(await expCache(answer, { pool })({ req: 'q' })).toBe('answer 1');
    expect(calls).toEqual(['q']);
  });

  it('A-227 calls the function with the experiences and stores request, response, tag and score', async () => {
    const { calls, answer } = answering();
    const pool = new ExperiencePool({ enableWrite: true, now: () => 7 });
    const built: unknown[] = [];
    const contextBuilder = {
      build: (req: string, experiences: readonly unknown[]) => {
        built.push(experiences);
        return `${req} in context`;
      },
    };
    expect(await expCache(answer, { pool, scorer: scoring(8), contextBuilder })({ req: 'q' })).toBe(
      'answer 1',
    );
    expect([calls, built]).toEqual([['q in context'], [[]]]);
    expect(await pool.list()).toEqual([
      {
        uuid: expect.any(String) as string,
        tag: 'answer',
        req: 'q',
        resp: 'answer 1',
        metric: { score: { val: 8, reason: 'judged' } },
        expType: 'success',
        entryType: 'Automatic',
        timestamp: 7,
      },
    ]);
  });

  it('returns a perfect experience instead of a call, and adds others to the request', async () => {
    const { calls, answer } = answering();
    const pool = new ExperiencePool({ enableRead: true, enableWrite: true });
    const cached = expCache(answer, { pool, scorer: scoring(10) });
    expect([await cached({ req: 'the red house' }), await cached({ req: 'the red house' })]).toEqual([
      'answer 1',
      'answer 1',
    ]);
    await cached({ req: 'the old red house' });
    expect(calls).toEqual([
      'the red house',
      '# Past Experience\n1. Given the request: the red house, We can get the response: answer 1, which scored: 10.\n\n# Request\nthe old red house',
    ]);
  });

  it('calls again when the score is less than perfect', async () => {
    const { calls, answer } = answering();
    const pool = new ExperiencePool({ enableRead: true, enableWrite: true });
    const cached = expCache(answer, { pool, scorer: scoring(9) });
    await cached({ req: 'q' });
    expect(await cached({ req: 'q' })).toBe('answer 2');
    expect(calls).toHaveLength(2);
  });

  it('A-229 calls the function when the perfect experience is empty', async () => {
    const { calls, answer } = answering();
    const pool = new ExperiencePool({ enableRead: true, enableWrite: true });
    await pool.createExp({ req: 'q', resp: '', tag: 'answer', metric: { score: { val: 10, reason: '' } } });
    const cached = expCache(answer, { pool, scorer: scoring(10) });
    expect([await cached({ req: 'q' }), await cached({ req: 'q' })]).toEqual(['answer 1', 'answer 1']);
    expect(calls).toHaveLength(1);
  });

  it('A-230 rejects a missing req, whether the pool is on or off', async () => {
    const { calls, answer } = answering();
    for (const pool of [new ExperiencePool(), new ExperiencePool({ enableRead: true })]) {
      const cached = expCache(answer, { pool }) as (args?: object) => Promise<string>;
      await expect(cached({ request: 'q' })).rejects.toMatchObject({ code: 'invalid' });
      await expect(cached()).rejects.toThrow(RoleZeroError);
    }
    expect(calls).toEqual([]);
  });

  it('A-230 uses Class.method as the tag for methods, the function name otherwise', async () => {
    const pool = new ExperiencePool({ enableWrite: true });
    async function summarize({ req }: { req: string }) {
      return req;
    }
    class Writer {
      summarize = expCache(summarize, { pool });
    }
    class Poet extends Writer {
      static readonly id = 'Poet';
    }
    await expCache(summarize, { pool })({ req: '1' });
    await new Writer().summarize({ req: '2' });
    await new Poet().summarize({ req: '3' });
    await expCache(summarize, { pool, tag: 'mine' })({ req: '4' });
    const tags = (await pool.list()).map(({ req, tag }) => [req, tag]);
    expect(Object.fromEntries(tags)).toEqual({
      1: 'summarize',
      2: 'Writer.summarize',
      3: 'Poet.summarize',
      4: 'mine',
    });
  });

  it('passes on an error of the function and stores nothing', async () => {
    const pool = new ExperiencePool({ enableRead: true, enableWrite: true });
    const cached = expCache(
      ({ req }: { req: string }): string => {
        throw new Error(`no ${req}`);
      },
      { pool },
    );
    await expect(cached({ req: 'q' })).rejects.toThrow('no q');
    expect(await pool.list()).toEqual([]);
  });
});

describe('the scorer', () => {
  const verdict = '```json\n{"val":9,"reason":"Clear and complete."}\n```';

  it('A-235 reads a fenced verdict', async () => {
    const model = scriptedModel({ score: [`I think:\n${verdict}`] });
    expect(await llmScorer(model).evaluate('the request', 'the reply')).toEqual({
      val: 9,
      reason: 'Clear and complete.',
    });
    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['score']);
    expect(model.requests[0]?.messages[0]?.content).toContain('the request');
    expect(model.requests[0]?.messages[0]?.content).toContain('the reply');
  });

  it('A-235 ignores an unreadable verdict, and stores nothing', async () => {
    const { answer } = answering();
    for (const reply of [
      'Very good!',
      '```json\n{"val": "many"}\n```',
      '{"reason": "x"}',
      '[9]',
      '{"val": ',
    ]) {
      const pool = new ExperiencePool({ enableWrite: true });
      const scorer = llmScorer(scriptedModel({ score: reply }));
      await expect(scorer.evaluate('q', 'a')).rejects.toMatchObject({ code: 'invalid' });
      expect(await expCache(answer, { pool, scorer })({ req: 'q' })).toMatch(/^answer/);
      expect(await pool.list()).toEqual([]);
    }
  });

  it('A-236 clamps scores outside 1 to 10', () => {
    expect([readScore('{"val": 0, "reason": "a"}'), readScore('{"val": "42", "reason": "b"}')]).toEqual([
      { val: 1, reason: 'a' },
      { val: 10, reason: 'b' },
    ]);
  });
});
