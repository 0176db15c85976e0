import { amount, goalTable, type Goal } from './goal-table.js';
import type { Sample } from './samples.js';
import type { StartTimes, Starts } from './starts.js';

/** The results of `npm run bench:storage`. */
export interface StorageResult {
  machine: string;
  browser: string;
  date: string;
  /** Load average of the machine at the start. */
  load: number;
  starts: Starts;
}

/** A large session may take this much longer to its first call of the model than a new one: this many times, and ms. */
const CALL = { times: 1.5, ms: 60 };
/** The first read in a large session may take this many times as long as in a small one. */
const READ = 2;

/** Goals of the first model call and the first read; the figures before come from the same run. */
export function startGoals({ now, before, largeMessages }: Starts): Goal[] {
  const call = (times: StartTimes | null): number | undefined => times?.largeCall.median;
  const read = (times: StartTimes | null): number | undefined =>
    times === null ? undefined : times.hugeRead.median / times.smallRead.median;
  return [
    {
      what: `first byte of the first model call after \`connect\`, a session of ${amount(largeMessages)} messages and 9,901 files`,
      value: call(now) ?? null,
      goal: CALL.times * now.newCall.median + CALL.ms,
      unit: 'ms',
      most: true,
      before: call(before),
    },
    {
      what: '`connect` to a first file, a session of 260 MB, relative to one of a single file',
      value: read(now) ?? null,
      goal: READ,
      unit: '×',
      most: true,
      before: read(before),
    },
  ];
}

/** The section of `docs/benchmarks.md` about stored sessions; empty before it was measured. */
export function storageSection(result: StorageResult | null): string[] {
  if (result === null) return [];
  const { machine, browser, date, load, starts } = result;
  return [
    '## Stored sessions',
    `By \`npm run bench:storage\` on ${date} in ${browser} on ${machine}, load average ${load.toFixed(1)}. “Before” is another checkout of this repository, measured in turns in the same run.`,
    goalTable(startGoals(starts)),
    startTable(starts),
  ];
}

function startTable({ now, before }: Starts): string {
  const row = (what: string, name: keyof StartTimes): string => {
    const figures = [before, now].flatMap((times) =>
      times === null ? ['—', '—'] : [median(times[name]), best(times[name])],
    );
    return `| ${what} | ${figures.join(' | ')} |`;
  };
  return [
    '| ms | before, median | best | now, median | best |',
    '|---|--:|--:|--:|--:|',
    row('`connect` to the first byte of the model call, a new session', 'newCall'),
    row('… a session that was visited before', 'visitedCall'),
    row('… the large session', 'largeCall'),
    row('`connect` to a file of 50 kB, the only one of its session', 'smallRead'),
    row('… one of 5,200 files, 260 MB', 'hugeRead'),
  ].join('\n');
}

function median(sample: Sample): string {
  return amount(sample.median);
}

function best(sample: Sample): string {
  return amount(sample.best);
}
