import { expect, it } from 'vitest';
import { percentile, runTakeOvers } from '../chaos/take-overs/run-take-overs.js';

/** In a CI two hundred; `npm run test:chaos -- --take-overs 10000` has them all. */
it(
  'four workers rob each other of a session two hundred times: nobody writes behind another, and none waits for what was left in the cache',
  { timeout: 120_000 },
  async () => {
    const { took, left, commits, owners, stale, lost, refusals, files } = await runTakeOvers({
      takeOvers: 200,
      cached: 2,
    });
    expect({ owners, stale, lost }).toEqual({ owners: 200, stale: 0, lost: 0 });
    expect(refusals).toEqual({ 'session-fenced': 200 }); // each owner received its loss once
    expect(commits).toBeGreaterThanOrEqual(200);
    expect(files).toBeLessThan(25); // nobody holds one open that is to be cleared away
    expect([took.length, left.length]).toEqual([200, 2]);
    console.log(
      `hand-over: p50 ${percentile(took, 0.5).toFixed(0)} ms, p95 ${percentile(took, 0.95).toFixed(0)} ms`,
    );
  },
);
