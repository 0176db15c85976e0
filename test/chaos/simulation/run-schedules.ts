import { FAULTS, type FaultKind } from './faults.js';
import { Platform } from './platform.js';
import { Simulator, type Simulated } from './simulate.js';

/** What many schedules came to. */
export interface Summary {
  schedules: number;
  /** How often each fault struck. */
  struck: Record<FaultKind, number>;
  failures: Simulated[];
  seconds: number;
}

/** Runs the schedules of the seeds from `first` on; stops after `most` failures. */
export async function runSchedules(
  first: number,
  count: number,
  { most = 10, seconds = Infinity }: { most?: number; seconds?: number } = {},
): Promise<Summary> {
  const platform = new Platform();
  const simulator = new Simulator(platform);
  const struck = Object.fromEntries(FAULTS.map((kind) => [kind, 0])) as Summary['struck'];
  const failures: Simulated[] = [];
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  platform.take();
  const from = performance.now();
  const elapsed = (): number => (performance.now() - from) / 1000;
  let schedules = 0;
  try {
    for (; schedules < count && failures.length < most && elapsed() < seconds; schedules++) {
      const result = await simulator.run(first + schedules);
      for (const kind of result.struck) struck[kind] += 1;
      for (const reason of unhandled.splice(0))
        result.violations.push(`nobody caught: ${reason instanceof Error ? reason.message : String(reason)}`);
      if (result.violations.length > 0) failures.push(result);
    }
  } finally {
    platform.giveBack();
    process.off('unhandledRejection', onUnhandled);
  }
  return { schedules, struck, failures, seconds: elapsed() };
}

/** What is needed to see one failure again. */
export function tellFailure({ seed, job, planned, struck, violations }: Simulated): string {
  return [
    `seed ${seed}: the job "${job}" with ${planned.join(', ')} (struck: ${struck.join(', ') || 'nothing'})`,
    ...violations.map((violation) => `  ${violation}`),
    `  again: npm run test:chaos -- --seed ${seed}`,
  ].join('\n');
}
