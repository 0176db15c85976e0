import { expect, it } from 'vitest';
import { percentile } from '../chaos/take-overs/run-take-overs.js';
import { runTornLogs } from '../chaos/torn-log/run-torn-logs.js';

/** `npm run test:chaos -- --torn-logs 1000` runs more of them. */
it(
  'repairs truncated LevelDB logs at every one of 50 starts; without repair the browser discards the databases',
  { timeout: 900_000 },
  async () => {
    const reported: string[] = [];
    const { starts, repaired, controls, wiped, took } = await runTornLogs({
      starts: 50,
      controls: 3,
      tell: (line) => reported.push(line),
    });
    expect({ starts, repaired }, reported.join('\n')).toEqual({ starts: 50, repaired: 50 });
    expect({ controls, wiped }).toEqual({ controls: 3, wiped: 3 });
    console.log(
      `repair: p50 ${percentile(took, 0.5).toFixed(0)} ms, p95 ${percentile(took, 0.95).toFixed(0)} ms`,
    );
  },
);
