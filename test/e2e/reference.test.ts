import { expect, it } from 'vitest';
import { runKills } from '../chaos/kills/run-kills.js';

/** In a CI the worker at every 20th point, the browser at every 100th; `npm run test:chaos` has them all. */
it(
  'a run of fifty steps ends the same, with no effect twice and none lost, whatever is killed under it',
  { timeout: 600_000 },
  async () => {
    const said: string[] = [];
    const figures = await runKills({
      every: 20,
      browser: 100,
      tab: 200,
      tell: (line) => said.push(line),
    });
    expect(Number(/(\d+) persistence points/.exec(said[0] ?? '')?.[1])).toBeGreaterThanOrEqual(375);
    expect(figures.map(({ fault }) => fault)).toEqual([
      'worker terminate',
      'reload',
      'tab crash',
      'browser SIGKILL',
    ]);
    for (const { fault, tried, identical, duplicates, lost } of figures) {
      expect({ fault, identical, duplicates, lost }, said.join('\n')).toEqual({
        fault,
        identical: tried,
        duplicates: 0,
        lost: 0,
      });
      expect(tried, fault).toBeGreaterThan(0);
    }
  },
);
