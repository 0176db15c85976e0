import { expect, it } from 'vitest';
import { runKills } from '../chaos/kills/run-kills.js';
import { sized, spaced } from '../size.js';

/** Interval of the points at which the worker is killed. */
const EVERY = spaced(4);

/** `npm run test:chaos` kills at every point. */
it(
  'a run of fifty steps ends the same after every kill, with no effect repeated and none lost',
  { timeout: 2_400_000 },
  async () => {
    const answers: string[] = [];
    const figures = await runKills({
      every: EVERY,
      browser: 0,
      browserKills: sized(10, 3),
      tab: spaced(130),
      kills: 40,
      tell: (line) => answers.push(line),
    });
    const points = Number(/(\d+) persistence points/.exec(answers[0] ?? '')?.[1]);
    console.log(`the reference run of ${points} points: ${JSON.stringify(figures)}`);
    expect(points).toBeGreaterThanOrEqual(375);
    expect(figures[0]?.tried).toBeGreaterThanOrEqual(Math.floor(points / EVERY));
    expect(figures.map(({ fault }) => fault)).toEqual([
      'worker terminate',
      'reload',
      'tab crash',
      'browser SIGKILL',
    ]);
    for (const { fault, tried, identical, duplicates, lost } of figures) {
      expect({ fault, identical, duplicates, lost }, answers.join('\n')).toEqual({
        fault,
        identical: tried,
        duplicates: 0,
        lost: 0,
      });
      expect(tried, fault).toBeGreaterThan(0);
    }
  },
);
