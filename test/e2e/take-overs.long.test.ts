import { expect, it } from 'vitest';
import { percentile, runTakeOvers } from '../chaos/take-overs/run-take-overs.js';
import { sized } from '../size.js';

const TAKE_OVERS = sized(200);
/** Pages in the back/forward cache. */
const CACHED = sized(2);

/** `npm run test:chaos -- --take-overs 10000` runs any number. */
it(
  'four workers take a session over again and again: no stale writes, no lost commits, and a page in the back/forward cache blocks no one',
  { timeout: 1_800_000 },
  async () => {
    const { took, left, commits, owners, stale, lost, refusals, files } = await runTakeOvers({
      takeOvers: TAKE_OVERS,
      cached: CACHED,
    });
    expect({ owners, stale, lost }).toEqual({ owners: TAKE_OVERS, stale: 0, lost: 0 });
    expect(refusals).toEqual({ 'session-fenced': TAKE_OVERS }); // Each owner was notified of its loss once.
    expect(commits).toBeGreaterThanOrEqual(TAKE_OVERS);
    expect(files).toBeLessThan(25); // No one holds a file open that is to be removed.
    expect([took.length, left.length]).toEqual([TAKE_OVERS, CACHED]);
    console.log(
      `handover: p50 ${percentile(took, 0.5).toFixed(0)} ms, p95 ${percentile(took, 0.95).toFixed(0)} ms`,
    );
  },
);
