import type { DemoTimes } from './demo.js';
import type { LoopRow } from './loops.js';
import { amount, memorySection, type MemoryResult, type RecallResult } from './memory-report.js';
import type { PageTimes } from './pages.js';
import { noiseOf, type Sample } from './samples.js';

/** What one run of `npm run bench` found. */
export interface Measured {
  machine: string;
  browser: string;
  date: string;
  /** Of the machine as it began: how many wanted a core. */
  load: number;
  /** Of the browser; missing in figures of earlier runs, which had one. */
  launches?: number;
  /** In each launch. */
  rounds: number;
  loops: LoopRow[];
  page: PageTimes;
  /** Missing in figures of earlier runs. */
  demo?: DemoTimes;
}

/** What the other benchmarks have left in `docs/benchmarks`; null where they have not been run. */
export interface Elsewhere {
  memory: MemoryResult | null;
  recall: RecallResult | null;
  files: { machine: string; rows: { task: string; who: string; median: number }[] } | null;
  prompt: { steps: number; rows: Record<string, string | number>[] } | null;
  /** `size-budget.json`: what a test holds them to. */
  sizes: { lines: Record<string, number> };
}

const GOALS = {
  perStep: 30, // µs
  growth: 1.2, // the last fifth to the first
  commit: 5, // ms
  firstEvent: 50,
  tokensPerSecond: 50_000,
  gap: 8,
  stop: 50,
  resume: 150,
};

/** Bytes of gzip that a line of an application's code was to bring along. */
const SIZE_GOALS = {
  "import { connect } from 'rolezero'": 4_000,
  "import { RoleZero, serve } from 'rolezero/worker'": 60_000,
  "import { openai } from 'rolezero/providers/openai'": 6_000,
};

/** Why a goal is not met, as profiles say; to be stored in step with them. */
const HOLDS = `What holds the distance. *A step*: no part of it stands out. Of its time garbage is 12 %; the rest is spread over reading, checking and comparing the command, the messages, the turns, the trace and the events that it leaves, the policy, the stage of the files, and the forty awaits between them. A loop that does less is faster, as the table says. *The first event* comes soon after \`connect\`: half of that is the browser starting a worker and compiling its script, most of the rest a chain in which each waits for the one before: the lock, the second copy, the row that says who writes, and for the event the strict commit of the message and its copy. The database is opened meanwhile; what is in it and in the copy may change as long as another tab holds the lock. *A long session* shows its newest messages after \`connect\` and one more call; the rest is read behind. *The page* is kept from other tasks by what its machine does besides, for it gets at most one batch of tokens in eight milliseconds.`;

const SIZES_HOLD =
  'What holds the distance. *The worker*: of 307 kB before zipping the roles with their commands and prompts are 118, zod/mini 57 (21 of them write JSON Schemas), storage with its second copy 30, files 25, sessions 17, the end of the wire 13, the repair of JSON and teams 8 each, the plan 6, Comlink 4, idb 3 and the counting of tokens 2. Parts cannot be loaded later: workers of Vite up to 7 are one file. *The page*: of 21 kB before zipping the session with its restarts, take-overs and the back/forward cache is 7, Comlink 4, the start and the loss of a worker 3, runs, models and tools of the page, and the checks of what its worker says 1 each. *The provider*: of 22 kB what went wrong and what to do about it are 6, the reading of the stream another 6 (3 of them eventsource-parser), patience and the body of a request 3.';

/** `docs/benchmarks.md`: what was measured, beside whom, on what, and how far it is from the goals. */
export function reportOf(measured: Measured, elsewhere: Elsewhere): string {
  const { machine, browser, date, load, launches = 1, rounds } = measured;
  return [
    '# Benchmarks',
    `Made by \`npm run bench\` of ${date} in ${browser} on ${machine}, contenders in turns. As it began ${load.toFixed(1)} tasks wanted a core. Read ratios; times are this machine's.`,
    noise(launches, rounds),
    ...busy(measured),
    '## Goals',
    goals(measured),
    HOLDS,
    '## A step of the loop',
    'A scripted model that answers at once with one call of one tool that answers at once; each library in a worker of its own, bundled and minified as its users would. Microseconds from one call of the model to the next, the median of all steps of a work. “Growth” is what a step of the last fifth of the longest work took to one of its first: 1 is a loop whose steps do not get slower.',
    loopTable(measured.loops),
    versions(measured.loops),
    '“Kept on disk” is IndexedDB, two strict transactions a step: the reply, which was paid for, and what the command did. “Kept in memory” is the memory store of each; nothing of it survives the tab.',
    '## A page and its worker',
    pageTable(measured.page),
    ...demoSection(measured.demo),
    ...sizesSection(elsewhere.sizes),
    ...memorySection(elsewhere.memory, elsewhere.recall),
    ...filesSection(elsewhere.files),
    ...promptSection(elsewhere.prompt),
    '',
  ].join('\n\n');
}

/** What the figures are, and what of them is noise. */
function noise(launches: number, rounds: number): string {
  if (launches === 1)
    return `Figures are medians of ${rounds} rounds in one launch of the browser, and ± is what its best and its worst round lie apart. Another launch may differ by more.`;
  return `The browser was launched ${launches} times, each time with an empty profile, and each launch measured everything, ${rounds === 1 ? 'one round' : `${rounds} rounds`} of it. A figure is the middle of the launches’ medians, and ± is its noise: what the lowest and the highest of them lie apart, and at least a twentieth. Two runs agree where their figures are no further apart than both noises together, which holds for all but one in seventy of the same. \`npm run bench -- --against docs/benchmarks/run.json\` measures again and says which do not.`;
}

function demoSection(demo: DemoTimes | undefined): string[] {
  if (demo === undefined) return [];
  const row = (what: string, sample: Sample): string => `| ${what} | ${withNoise(sample)} |`;
  return [
    '## The demo',
    'As built for its visitors, visited before; milliseconds from the beginning of the navigation.',
    [
      '| | ms |',
      '|---|--:|',
      row('a request can be typed', demo.interactive),
      row(`the end of a session of ${amount(demo.messages)} messages is on screen`, demo.longSession),
    ].join('\n'),
  ];
}

function sizesSection({ lines }: Elsewhere['sizes']): string[] {
  const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  return [
    '## Sizes',
    'Minified and zipped, with all that comes along. A test holds the package to `size-budget.json`, which lists every entry; these have a goal:',
    [
      '| | goal | held to | |',
      '|---|--:|--:|---|',
      ...Object.entries(SIZE_GOALS).map(([line, goal]) => {
        const held = lines[line] ?? NaN;
        const distance = held <= goal ? 'met' : `${amount(held / goal)} × away`;
        return `| \`${line}\` | ${kB(goal)} | ${kB(held)} | ${distance} |`;
      }),
    ].join('\n'),
    SIZES_HOLD,
  ];
}

/** What figures of a machine with other work are good for. */
function busy({ load, machine }: Measured): string[] {
  const cores = Number(/(\d+) cores/.exec(machine)?.[1] ?? 1);
  if (load <= cores * 1.5) return [];
  return [
    `**The machine was busy with other work**: ${load.toFixed(0)} tasks for ${cores} cores. What takes longer than a slice of time (some milliseconds) waited for its turn, and is many times what it is on a quiet machine; goals that are missed here are to be measured again there. Single steps below a millisecond are nearer to the truth, as their median leaves the waits out.`,
  ];
}

function goals({ loops, page }: Measured): string {
  const ours = loops.find(({ name, variant }) => name === 'rolezero' && variant === 'not kept');
  const longest = ours?.times.at(-1);
  const line = (what: string, value: number, goal: number, unit: string, most = true): string => {
    const met = most ? value <= goal : value >= goal;
    const distance = most ? value / goal : goal / value;
    return `| ${what} | ${most ? '≤' : '≥'} ${amount(goal)} ${unit} | ${amount(value)} ${unit} | ${met ? 'yes' : `${amount(distance)} × away`} |`;
  };
  return [
    '| | goal | measured | met |',
    '|---|--:|--:|---|',
    ...(longest === undefined
      ? []
      : [
          line(
            `a step, nothing kept, ${amount(longest.reached)} steps`,
            longest.perStep.median,
            GOALS.perStep,
            'µs',
          ),
          line('its growth', longest.growth.median, GOALS.growth, '×'),
        ]),
    line('a commit of a command, strict, p50', page.commit.median, GOALS.commit, 'ms'),
    line('first event after `connect`', page.firstEvent.median, GOALS.firstEvent, 'ms'),
    line(
      'tokens a second from the model to the page',
      page.tokensPerSecond.median,
      GOALS.tokensPerSecond,
      '',
      false,
    ),
    line('the page kept from other tasks meanwhile', page.longestGap.median, GOALS.gap, 'ms'),
    line('stop, p95', page.stop.p95, GOALS.stop, 'ms'),
    line(
      `a session of ${amount(page.resumed)} messages, to the first of them`,
      page.resume.median,
      GOALS.resume,
      'ms',
    ),
  ].join('\n');
}

function loopTable(rows: readonly LoopRow[]): string {
  const counts = [...new Set(rows.flatMap(({ times }) => times.map(({ steps }) => steps)))].sort(
    (a, b) => a - b,
  );
  const base = (steps: number): number =>
    rows[0]?.times.find((time) => time.steps === steps)?.perStep.median ?? NaN;
  const cell = (row: LoopRow, steps: number): string => {
    const time = row.times.find((each) => each.steps === steps);
    if (time === undefined) return '';
    const reached = time.reached < steps ? ` (after ${time.reached} steps its time was up)` : '';
    return `${withNoise(time.perStep)}${reached}, ${amount(time.perStep.median / base(steps))} ×`;
  };
  const growth = ({ times }: LoopRow): string => {
    const longest = times.at(-1);
    return longest === undefined ? '' : amount(longest.growth.median);
  };
  return [
    `| | | ${counts.map((steps) => `${amount(steps)} steps`).join(' | ')} | growth |`,
    `|---|---|${counts.map(() => '--:|').join('')}--:|`,
    ...rows.map((row) =>
      row.note === ''
        ? `| ${row.name} | ${row.variant} | ${counts.map((steps) => cell(row, steps)).join(' | ')} | ${growth(row)} |`
        : `| ${row.name} | ${row.note} | ${counts.map(() => '').join(' | ')} | |`,
    ),
  ].join('\n');
}

function versions(rows: readonly LoopRow[]): string {
  const named = new Map(
    rows.filter(({ version }) => version !== '').map(({ name, version }) => [name, version]),
  );
  return `Versions: ${[...named].map(([name, version]) => `${name} ${version}`).join(', ')}.`;
}

function pageTable(page: PageTimes): string {
  const line = (what: string, sample: Sample): string =>
    `| ${what} | ${withNoise(sample)} | ${amount(sample.p95)} | ${amount(sample.best)} | ${amount(sample.worst)} | ${sample.count} |`;
  return [
    '| | median | p95 | best | worst | times |',
    '|---|--:|--:|--:|--:|--:|',
    line('`connect`, its script in the cache, ms', page.connected),
    line('… and to the first event of a run, ms', page.firstEvent),
    line('tokens a second from the model to the page, of 50,000', page.tokensPerSecond),
    line('meanwhile: the longest the page kept other tasks waiting, ms', page.longestGap),
    line('meanwhile: tasks the browser calls long (50 ms and more)', page.longTasks),
    line('`stop` to the end of the run, ms', page.stop),
    line('a commit of what a command did: 4 records, journal, fence; strict, ms', page.commit),
    line('for comparison: a bare put of as many bytes, strict, ms', page.barePut),
    line(
      `\`connect\` to the newest 50 of the ${amount(page.resumed)} messages of a session, in a new page, ms`,
      page.resume,
    ),
    ...(page.resumeWhole === undefined ? [] : [line('… and to all of them, ms', page.resumeWhole)]),
  ].join('\n');
}

function filesSection(files: Elsewhere['files']): string[] {
  if (files === null) return ['## Files', 'Not measured here yet: `npm run bench:files`.'];
  const tasks = [...new Set(files.rows.map(({ task }) => task))];
  return [
    '## Files',
    `By \`npm run bench:files\`, ${files.machine}. Milliseconds, and the ratio to the first of each task.`,
    [
      '| | | ms | ratio |',
      '|---|---|--:|--:|',
      ...tasks.flatMap((task) => {
        const rows = files.rows.filter((row) => row.task === task);
        return rows.map(
          ({ who, median }, index) =>
            `| ${index === 0 ? task : ''} | ${who} | ${amount(median)} | ${amount(median / (rows[0]?.median ?? NaN))} |`,
        );
      }),
    ].join('\n'),
  ];
}

function promptSection(prompt: Elsewhere['prompt']): string[] {
  if (prompt === null) return ['## Prompts', 'Not measured here yet: `npm run bench:prompt`.'];
  const titles = Object.keys(prompt.rows[0] ?? {});
  return [
    '## Prompts',
    `What the prompts of a scripted task of ${prompt.steps} steps cost an engine, in tokens, by \`npm run bench:prompt\`; these are counted, not timed.`,
    [
      `| ${titles.join(' | ')} |`,
      `|${titles.map(() => '--:|').join('')}`,
      ...prompt.rows.map((row) => `| ${titles.map((title) => row[title] ?? '').join(' | ')} |`),
    ].join('\n'),
  ];
}

function withNoise(sample: Sample): string {
  return `${amount(sample.median)} ± ${amount(noiseOf(sample))}`;
}
