import { amount, goalTable, type Goal } from './goal-table.js';
import type { Sample } from './samples.js';
import type { StartTimes, Starts } from './starts.js';
import type { Compared } from './versions.js';
import type { WorkFigures } from './work.js';

/** The results of `npm run bench:sessions`. */
export interface SessionsResult {
  machine: string;
  browser: string;
  date: string;
  /** Load average of the machine at the start. */
  load: number;
  starts: Starts;
  work: Compared<WorkFigures>;
  shell: Compared<ShellTimes>;
}

/** The command lines whose ratio is a goal. */
export const RG = 'rg -c needle /src | wc -l';
export const GREP = 'grep -rc needle /src | grep -vc :0$';

/** By command line: ms in the terminal, and in the interpreter alone; null where that was not measured. */
export type ShellTimes = Record<string, { terminal: Sample; alone: Sample | null }>;

/** A large session may take this much longer to its first call of the model than a new one: this many times, and ms. */
const CALL = { times: 1.5, ms: 60 };

const GOALS = {
  read: 2, // × the same read in a small session
  thought: 2, // ms
  onDisk: 1.3, // × its rows in a bare transaction
  team: 1.3, // × one member
  stored: 15, // MB after the long job
  heap: 1, // MB that 4,000 steps add
  rg: 2, // × grep
  shell: 2, // × the interpreter alone
} as const;

/** Why a goal is missed. Update it together with the figures. */
const HOLDS =
  'Why a goal is missed. *A step on disk*: beside its rows, the row of the writer is read first, and the step is appended to the log of the replica. *Bytes*: 26 MB are the database, which keeps overwritten rows until the browser compacts it. In two of eleven runs it had done so, with 14.5 and 17.6 MB in all. *Heap*: each message stays in memory, because the rules about addresses and private data read all of them. So do the 1,667 files of 2 kB, and their former contents. *`rg` and `grep -r`*: each file comes from another thread, which takes 23 µs. That thread checks and records each read, so none can be sent ahead. `rg` took 1.6 to 2.1 times as long as `grep` in four runs, and `grep -r` 2.4 to 2.9 times as long as alone. *A new session* starts later than before. The script of the worker has grown from 310 to 475 kB before compression. Loading it takes 10 to 20 ms more, and running it 1 to 5.';

/** The section of `docs/benchmarks.md` about sessions; empty before it was measured. */
export function sessionsSection(result: SessionsResult | null): string[] {
  if (result === null) return [];
  const { machine, browser, date, load, starts, work, shell } = result;
  return [
    '## Sessions',
    `By \`npm run bench:sessions\` on ${date} in ${browser} on ${machine}, load average ${load.toFixed(1)}. “Before” is another checkout of this repository, measured in turns in the same run.`,
    goalTable([...startGoals(starts), ...workGoals(work), ...shellGoals(shell)]),
    HOLDS,
    startTable(starts),
    'A step on disk calls a tool. A bare transaction has the same rows, and is as strict. Each member of the team makes four calls of 100 ms. The long job writes a file of 2 kB, changes a line of it, and reads it, in turns, in a window of 128,000 tokens. Its bytes are those that the browser counts.',
    workTable(work),
    'Command lines over 5,000 files of 11 kB and one of 5.7 MB, in milliseconds. “Alone” is the interpreter of the terminal with its own files, without a worker of its own, limits, and changes that can be dropped.',
    shellTable(shell),
  ];
}

/** The figure of this version and, if it was measured, of the other one. */
function figures<Figures>(
  { now, before }: Compared<Figures>,
  of: (figures: Figures) => number,
): Pick<Goal, 'value' | 'before'> {
  return { value: of(now), before: before === null ? undefined : of(before) };
}

/** Goals of the first model call and the first read. */
export function startGoals({ largeMessages, ...starts }: Starts): Goal[] {
  return [
    {
      what: `first byte of the first model call after \`connect\`, a session of ${amount(largeMessages)} messages and 9,901 files`,
      ...figures<StartTimes>(starts, ({ largeCall }) => largeCall.median),
      goal: CALL.times * starts.now.newCall.median + CALL.ms,
      unit: 'ms',
      most: true,
    },
    {
      what: '`connect` to a first file, a session of 260 MB, relative to one of a single file',
      ...figures<StartTimes>(starts, ({ hugeRead, smallRead }) => hugeRead.median / smallRead.median),
      goal: GOALS.read,
      unit: '×',
      most: true,
    },
  ];
}

function workGoals(work: Compared<WorkFigures>): Goal[] {
  const [first] = work.now.long;
  const last = work.now.long.at(-1);
  const atMost = (what: string, goal: number, unit: string, of: (figures: WorkFigures) => number): Goal => ({
    what,
    goal,
    unit,
    most: true,
    ...figures(work, of),
  });
  return [
    atMost(
      '`thought-delta` on the page, after its word from the model',
      GOALS.thought,
      'ms',
      ({ thought }) => thought.median,
    ),
    atMost(
      'a step on disk, relative to its rows in a bare transaction',
      GOALS.onDisk,
      '×',
      ({ step, bareRows }) => step.median / bareRows.median,
    ),
    atMost(
      'three members of a team, relative to one',
      GOALS.team,
      '×',
      ({ teamOfThree, teamOfOne }) => teamOfThree.median / teamOfOne.median,
    ),
    atMost(
      `bytes on disk after ${amount(last?.steps ?? NaN)} steps`,
      GOALS.stored,
      'MB',
      ({ long }) => (long.at(-1)?.bytes ?? NaN) / 1e6,
    ),
    {
      ...atMost(
        `heap of the worker after ${amount(last?.steps ?? NaN)} steps, beyond that after ${amount(first?.steps ?? NaN)}`,
        GOALS.heap,
        'MB',
        grownHeap,
      ),
    },
  ];
}

/** Megabytes that the heap of a long job grows from its first figure to its last. */
function grownHeap({ long }: WorkFigures): number {
  return (long.at(-1)?.heap ?? NaN) - (long[0]?.heap ?? NaN);
}

function shellGoals(shell: Compared<ShellTimes>): Goal[] {
  const ratio = (times: ShellTimes): number =>
    (times[RG]?.terminal.median ?? NaN) / (times[GREP]?.terminal.median ?? NaN);
  const slowest = (times: ShellTimes): number =>
    Math.max(
      ...Object.values(times).map(({ terminal, alone }) =>
        alone === null ? 0 : terminal.median / alone.median,
      ),
    );
  return [
    {
      what: '`rg -c` of a word in 5,000 files, relative to `grep`',
      ...figures(shell, ratio),
      goal: GOALS.rg,
      unit: '×',
      most: true,
    },
    {
      what: 'the slowest of the command lines below, relative to the interpreter alone',
      ...figures(shell, slowest),
      goal: GOALS.shell,
      unit: '×',
      most: true,
    },
  ];
}

function startTable({ now, before }: Starts): string {
  const row = (what: string, name: keyof StartTimes): string => {
    const cells = [before, now].flatMap((times) =>
      times === null ? ['—', '—'] : [median(times[name]), amount(times[name].best)],
    );
    return `| ${what} | ${cells.join(' | ')} |`;
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

function workTable(work: Compared<WorkFigures>): string {
  const row = (what: string, of: (figures: WorkFigures) => number): string => {
    const { value, before } = figures(work, of);
    return `| ${what} | ${before === undefined ? '—' : amount(Number(before))} | ${amount(value ?? NaN)} |`;
  };
  return [
    '| | before | now |',
    '|---|--:|--:|',
    row('a step on disk, ms', ({ step }) => step.median),
    row('… its rows in a bare transaction, ms', ({ bareRows }) => bareRows.median),
    row('a team of one member, ms', ({ teamOfOne }) => teamOfOne.median),
    row('… of three, ms', ({ teamOfThree }) => teamOfThree.median),
    ...work.now.long.flatMap(({ steps }, index) => [
      row(`a job of ${amount(steps)} steps: heap of the worker, MB`, ({ long }) => long[index]?.heap ?? NaN),
      row('… bytes on disk, MB', ({ long }) => (long[index]?.bytes ?? NaN) / 1e6),
    ]),
  ].join('\n');
}

function shellTable({ now, before }: Compared<ShellTimes>): string {
  const cells = (times: ShellTimes | null, line: string): string[] => {
    const { terminal, alone } = times?.[line] ?? { terminal: null, alone: null };
    return [terminal === null ? '—' : median(terminal), alone === null ? '—' : median(alone)];
  };
  return [
    '| | before | alone | now | alone |',
    '|---|--:|--:|--:|--:|',
    ...Object.keys(now).map(
      (line) =>
        `| \`${line.replaceAll('|', '\\|')}\` | ${[...cells(before, line), ...cells(now, line)].join(' | ')} |`,
    ),
  ].join('\n');
}

function median(sample: Sample): string {
  return amount(sample.median);
}
