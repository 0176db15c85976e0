import { expect, it } from 'vitest';
import { percentile, runTakeOvers } from '../chaos/take-overs/run-take-overs.js';

/** Two hundred in CI; `npm run test:chaos -- --take-overs 10000` runs more. */
it(
  'four workers take a session over two hundred times: no stale writes, no lost commits, and a page in the back/forward cache blocks no one',
  { timeout: 120_000 },
  async () => {
    const { took, left, commits, owners, stale, lost, refusals, files } = await runTakeOvers({
      takeOvers: 200,
      cached: 2,
    });
    expect({ owners, stale, lost }).toEqual({ owners: 200, stale: 0, lost: 0 });
    expect(refusals).toEqual({ 'session-fenced': 200 }); // Each owner was notified of its loss once.
    expect(commits).toBeGreaterThanOrEqual(200);
    expect(files).toBeLessThan(25); // No one holds a file open that is to be removed.
    expect([took.length, left.length]).toEqual([200, 2]);
    console.log(
      `handover: p50 ${percentile(took, 0.5).toFixed(0)} ms, p95 ${percentile(took, 0.95).toFixed(0)} ms`,
    );
  },
);
