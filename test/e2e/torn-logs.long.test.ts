import { expect, it } from 'vitest';
import { percentile } from '../chaos/take-overs/run-take-overs.js';
import { runTornLogs } from '../chaos/torn-log/run-torn-logs.js';

/** `npm run test:chaos -- --torn-logs 1000` has more of them. */
it(
  'logs of LevelDB that are torn at a kill are healed at every one of 200 starts; where nobody mends, the browser throws the databases away',
  { timeout: 900_000 },
  async () => {
    const told: string[] = [];
    const { starts, healed, controls, wiped, took } = await runTornLogs({
      starts: 200,
      controls: 10,
      tell: (line) => told.push(line),
    });
    expect({ starts, healed }, told.join('\n')).toEqual({ starts: 200, healed: 200 });
    expect({ controls, wiped }).toEqual({ controls: 10, wiped: 10 });
    console.log(
      `mending: p50 ${percentile(took, 0.5).toFixed(0)} ms, p95 ${percentile(took, 0.95).toFixed(0)} ms`,
    );
  },
);
