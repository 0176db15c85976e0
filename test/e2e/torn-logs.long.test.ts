/** @module-tag nightly */
import { expect, it } from 'vitest';
import { percentile } from '../chaos/take-overs/run-take-overs.js';
import { runTornLogs } from '../chaos/torn-log/run-torn-logs.js';
import { sized } from '../size.js';

const STARTS = sized(20);
/** Starts without a repair. */
const CONTROLS = sized(2);

/** `npm run test:chaos -- --torn-logs 1000` runs more of them. */
it(
  'repairs truncated LevelDB logs at every start; without repair the browser discards the databases',
  { timeout: 1_800_000 },
  async () => {
    const reported: string[] = [];
    const { starts, repaired, controls, wiped, took } = await runTornLogs({
      starts: STARTS,
      controls: CONTROLS,
      tell: (line) => reported.push(line),
    });
    expect({ starts, repaired }, reported.join('\n')).toEqual({ starts: STARTS, repaired: STARTS });
    expect({ controls, wiped }).toEqual({ controls: CONTROLS, wiped: CONTROLS });
    console.log(
      `repair: p50 ${percentile(took, 0.5).toFixed(0)} ms, p95 ${percentile(took, 0.95).toFixed(0)} ms`,
    );
  },
);
