import { sideBySide } from '../../threads/side-by-side.js';
import { FAULTS } from './faults.js';
import { noneStruck, type Seeds, type Summary } from './run-seeds.js';
import type { Simulated } from './simulate.js';

/** Schedules per request of a thread. */
const AT_ONCE = 2_500;

/**
 * Runs the schedules of the seeds from `first` on, on all processors. A schedule follows from its seed alone,
 * whichever thread runs it.
 */
export async function runSchedules(first: number, count: number): Promise<Summary> {
  const from = performance.now();
  const parts: Seeds[] = [];
  for (let done = 0; done < count; done += AT_ONCE)
    parts.push({ first: first + done, count: Math.min(AT_ONCE, count - done) });
  const summaries = await sideBySide<Summary>(new URL('./schedules.thread.ts', import.meta.url), parts);
  const struck = noneStruck();
  for (const summary of summaries) for (const kind of FAULTS) struck[kind] += summary.struck[kind];
  return {
    schedules: summaries.reduce((total, { schedules }) => total + schedules, 0),
    struck,
    failures: summaries.flatMap(({ failures }) => failures),
    seconds: (performance.now() - from) / 1000,
  };
}

/** The data needed to reproduce one failure. */
export function tellFailure({ seed, job, planned, struck, violations }: Simulated): string {
  return [
    `seed ${seed}: the job "${job}" with ${planned.join(', ')} (struck: ${struck.join(', ') || 'nothing'})`,
    ...violations.map((violation) => `  ${violation}`),
    `  again: npm run test:chaos -- --seed ${seed}`,
  ].join('\n');
}
