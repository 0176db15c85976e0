import { describe, expect, it } from 'vitest';
import { chooseFaults, FAULTS } from '../../chaos/simulation/faults.js';
import { Dice } from '../../chaos/simulation/dice.js';
import { JOBS } from '../../chaos/simulation/jobs.js';
import { Platform } from '../../chaos/simulation/platform.js';
import { runSchedules, tellFailure } from '../../chaos/simulation/run-schedules.js';
import { Simulator } from '../../chaos/simulation/simulate.js';
import { sized } from '../../size.js';

/** `npm run test:chaos` runs any number. */
const SCHEDULES = sized(10_000);

describe('the core in a simulated world', () => {
  it(
    'ends as if nothing had happened despite crashes, full disks, takeovers, broken streams and clock jumps',
    { timeout: 1_800_000 }, // The duration depends on the machine.
    async () => {
      const { failures, struck, schedules, seconds } = await runSchedules(1, SCHEDULES);
      console.log(
        `simulated core: ${schedules} schedules, ${failures.length} violations, ${Math.round(seconds)} s, ${JSON.stringify(struck)}`,
      );
      expect(failures.map(tellFailure)).toEqual([]);
      expect(schedules).toBe(SCHEDULES);
      for (const kind of FAULTS) expect(struck[kind], kind).toBeGreaterThan(0);
    },
  );

  it('runs the same schedule again from its seed', async () => {
    const platform = new Platform();
    platform.take();
    try {
      const seeds = [3, 17, 40];
      const first = [];
      for (const seed of seeds) first.push(await new Simulator(platform).run(seed));
      const again = [];
      for (const seed of seeds) again.push(await new Simulator(platform).run(seed));
      expect(again).toEqual(first);
    } finally {
      platform.giveBack();
    }
  });

  it('plans one to four faults, the earliest first, and all kinds of them over many seeds', () => {
    const plans = Array.from({ length: 300 }, (_, seed) => chooseFaults(new Dice(seed), 50));
    for (const faults of plans) {
      expect(faults.length).toBeGreaterThanOrEqual(1);
      expect(faults.length).toBeLessThanOrEqual(4);
      expect(faults.map(({ at }) => at)).toEqual(
        faults.map(({ at }) => at).sort((one, other) => one - other),
      );
    }
    expect(new Set(plans.flat().map(({ kind }) => kind))).toEqual(new Set(FAULTS));
  });

  it('detects a broken store that forgets an acknowledged commit', async () => {
    const platform = new Platform();
    platform.take();
    try {
      const simulator = new Simulator(platform, JOBS, (storage) => ({
        ...storage,
        open: async (name, options) => {
          const store = await storage.open(name, options);
          const commit = store.commit.bind(store);
          let count = 0;
          store.commit = async (writes, random) => {
            count += 1;
            await commit(count === 3 ? [] : writes, random);
          };
          return store;
        },
      }));
      const found = [];
      for (let seed = 1; seed <= 10; seed++) found.push(...(await simulator.run(seed)).violations);
      expect(found.length).toBeGreaterThan(0);
    } finally {
      platform.giveBack();
    }
  });
});
