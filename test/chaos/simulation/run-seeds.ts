import { FAULTS, type FaultKind } from './faults.js';
import { Platform } from './platform.js';
import { Simulator, type Simulated } from './simulate.js';

/** Schedules of the seeds from `first` on. */
export interface Seeds {
  first: number;
  count: number;
}

/** The results of many schedules. */
export interface Summary {
  schedules: number;
  /** How often each fault struck. */
  struck: Record<FaultKind, number>;
  failures: Simulated[];
  seconds: number;
}

/** Stops collecting after this many failures. */
const MOST_FAILURES = 10;

/** Runs the schedules of some seeds in this thread, one after the other. */
export async function runSeeds({ first, count }: Seeds): Promise<Summary> {
  const platform = new Platform();
  const simulator = new Simulator(platform);
  const struck = noneStruck();
  const failures: Simulated[] = [];
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  platform.take();
  const from = performance.now();
  let schedules = 0;
  try {
    for (; schedules < count && failures.length < MOST_FAILURES; schedules++) {
      const result = await simulator.run(first + schedules);
      for (const kind of result.struck) struck[kind] += 1;
      for (const reason of unhandled.splice(0))
        result.violations.push(`uncaught: ${reason instanceof Error ? reason.message : String(reason)}`);
      if (result.violations.length > 0) failures.push(result);
    }
  } finally {
    platform.giveBack();
    process.off('unhandledRejection', onUnhandled);
  }
  return { schedules, struck, failures, seconds: (performance.now() - from) / 1000 };
}

export function noneStruck(): Summary['struck'] {
  return Object.fromEntries(FAULTS.map((kind) => [kind, 0])) as Summary['struck'];
}
