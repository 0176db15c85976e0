import { bytesSection, type BytesResult } from './bytes-report.js';
import type { DemoTimes } from './demo.js';
import { amount, goalTable, type Goal } from './goal-table.js';
import { gpuSection, type GpuFigures } from './gpu-report.js';
import type { LoopRow } from './loops.js';
import { memorySection, type MemoryResult } from './memory-report.js';
import type { RecallResult } from './recall-report.js';
import type { PageTimes } from './pages.js';
import { programsSection, type ProgramTimes } from './programs-report.js';
import { noiseOf, type Sample } from './samples.js';
import { sessionsSection, startGoals, type SessionsResult } from './sessions-report.js';
import type { ComparedFigure } from '../../test/bench/prompt-cost.js';

/** The results of `npm run bench`. */
export interface Measured {
  machine: string;
  browser: string;
  date: string;
  /** Load average of the machine at the start. */
  load: number;
  /** Launches of the browser; missing in figures of earlier runs, which had one. */
  launches?: number;
  /** Rounds per launch. */
  rounds: number;
  loops: LoopRow[];
  page: PageTimes;
  /** Missing in figures of earlier runs. */
  demo?: DemoTimes;
}

/** Results of the other benchmarks in `docs/benchmarks`; null where they have not been run. */
export interface Elsewhere {
  memory: MemoryResult | null;
  recall: RecallResult | null;
  gpu: GpuFigures | null;
  files: { machine: string; peers: string[]; rows: { task: string; who: string; median: number }[] } | null;
  prompt: {
    steps: number;
    rows: Record<string, string | number>[];
    /** Longer tasks, beside a plain loop of tool calls. */
    long: Record<string, string | number>[];
    /** Figures that were measured for another checkout, too. */
    compared: ComparedFigure[];
  } | null;
  bytes: BytesResult | null;
  /** Bytes of gzip by import statement. */
  sizes: Record<string, number> | null;
  programs: ProgramTimes | null;
  sessions: SessionsResult | null;
}

/** Name of the loop of another checkout among the compared libraries. */
export const FORMER = 'rolezero, before';

/** Goals of the loop and of the page. */
const GOALS = {
  perStep: 30, // µs
  growth: 1.2, // the last fifth relative to the first
  commit: 5, // ms
  firstEvent: 50, // ms
  firstEventOfVisited: 50, // ms
  firstEventOfLarge: 200, // ms
  listed: 300, // ms
  tokensPerSecond: 50_000,
  gap: 8, // ms
  stop: 50, // ms
  resume: 150, // ms
} as const;

/** Goal and size on 2026-11-26, in bytes of gzip, of an import in an application. */
const SIZE_GOALS = {
  "import { connect } from 'rolezero'": { goal: 9_000, before: 13_500 },
  "import { RoleZero, serve } from 'rolezero/worker'": { goal: 90_000, before: 114_900 },
  "import { openai } from 'rolezero/providers/openai'": { goal: 9_000, before: 12_900 },
};

/** Goal in percent, with the figures of 2026-11-23 by window. */
const PROMPT_GOALS = {
  goal: 10,
  before: new Map([
    [4_096, 9.6],
    [8_192, 6.7],
    [16_384, 4.7],
    [32_768, 2.1],
    [131_072, 2.1],
  ]),
};

/** Prompt tokens of GPT-4o and calls of `twentyCommands` in `test/bench/fifty-steps.ts`; before: 2026-11-23, with the classic call plan. */
const TWENTY_COMMANDS = { tokens: 64_782, calls: 21, before: { tokens: 99_293, calls: 25 } };

/** Says what the column “before” contains. */
const BEFORE =
  'In tables of goals, “before” is an earlier version. Its bytes and tokens are of 2026-11-23, its sizes of 2026-11-26; they do not depend on the machine. Its times are of the same run: of the loop, the version of 2026-11-23; of sessions, that of 2026-11-26. “—” means that it was not measured.';

/** The reason why a goal is not met, from profiles. Update it together with them. */
const HOLDS =
  'Why a goal is missed. *A step*: no single part dominates. Garbage collection takes 10 %; the rest is spread over parsing, checks, messages, events, files, and forty awaits. The version of 2026-11-23 does less in a step. Once all is compiled, it takes 40 µs beside 67 (six rounds, only the two of them). *First events and the list* met their goals on 26 November. The bare loop then took 0.75 µs, and 1.4 in this run: the machine was slower. The script of the worker has grown, too; see [Sessions](#sessions).';

const SIZES_HOLD =
  'Why the goals are missed. *The worker*: of 475 kB before compression, roles with their commands, prompts, rules and parts take 267. Storage with its replica takes 47, files 40, sessions 39, the core 37, and the protocol 21. No module takes more than 3 %: prompts 14, the category of requests 10, and the next step of a small model 9. Checks of claims, native calls, rules for small models and branches came after the goal was set. Parts such as undo, branches and team are in it, whether an application uses them or not. Workers of Vite up to 7 are one file, so no part can load later. *The page*: of 38 kB, the session and its events take 23, shared checks 6, the protocol 4, and Comlink 4. *The provider*: of 42 kB, the catalogue of models takes 5, errors with their advice 7, reading a reply 7, and the stream of events 3.';

/** `docs/benchmarks.md`: figures, compared libraries, machine, and distances from the goals. */
export function reportOf(measured: Measured, elsewhere: Elsewhere): string {
  const { machine, browser, date, load, launches = 1, rounds } = measured;
  return [
    '# Benchmarks',
    `Made by \`npm run bench\` on ${date} in ${browser} on ${machine}, contenders in turns. Load average ${load.toFixed(1)} at the start. Times depend on the machine, so compare ratios. [All figures](https://github.com/rolezero/rolezero/tree/main/docs/benchmarks) are stored as JSON.`,
    noise(launches, rounds),
    ...busy(measured),
    BEFORE,
    '## Goals',
    'By `npm run bench`.',
    goalTable(goals(measured, elsewhere.sessions ?? null)),
    HOLDS,
    '## A step of the loop',
    'A scripted model replies at once with a call of a tool that returns at once. Each library runs in its own worker, bundled and minified. Figures are microseconds between two model calls, the median of all steps of a run. “Growth” compares a step in the last fifth of the longest run with one in the first fifth.',
    '<!-- plot: steps -->', // shown on the documentation site
    loopTable(measured.loops),
    versions(measured.loops),
    '“Stored on disk” is IndexedDB with strict transactions, and a replica. “Stored in memory” does not survive the tab.',
    '## A page and its worker',
    pageTable(measured.page),
    ...demoSection(measured.demo),
    ...sizesSection(elsewhere.sizes),
    ...memorySection(elsewhere.memory, elsewhere.recall),
    ...gpuSection(elsewhere.gpu),
    ...filesSection(elsewhere.files),
    ...programsSection(elsewhere.programs),
    ...sessionsSection(elsewhere.sessions ?? null),
    ...bytesSection(elsewhere.bytes),
    ...promptSection(elsewhere.prompt),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Explains the figures and their noise. */
function noise(launches: number, rounds: number): string {
  if (launches === 1)
    return `Figures are medians of ${rounds} rounds in one launch of the browser; ± is the distance between the best and the worst round. Another launch may differ by more.`;
  return `The browser was launched ${launches} times with an empty profile, and each launch measured everything in ${rounds === 1 ? 'one round' : `${rounds} rounds`}. A figure is the median of the launches’ medians. Its noise ± is the distance between the lowest and the highest of them, at least a twentieth. \`npm run bench -- --against docs/benchmarks/run.json\` measures again and lists the figures that differ by more than both noises.`;
}

function demoSection(demo: DemoTimes | undefined): string[] {
  if (demo === undefined) return [];
  const row = (what: string, sample: Sample): string => `| ${what} | ${withNoise(sample)} |`;
  return [
    '## The demo',
    'The production build for returning visitors; milliseconds from the start of the navigation.',
    [
      '| | ms |',
      '|---|--:|',
      row('a request can be typed', demo.interactive),
      row(`the end of a session of ${amount(demo.messages)} messages is on screen`, demo.longSession),
    ].join('\n'),
  ];
}

function sizesSection(sizes: Elsewhere['sizes']): string[] {
  const goals = Object.entries(SIZE_GOALS).map(([line, { goal, before }]): Goal => ({
    what: `\`${line}\``,
    value: sizes?.[line] === undefined ? null : kilobytes(sizes[line]),
    goal: kilobytes(goal),
    unit: 'kB',
    most: true,
    before: kilobytes(before),
  }));
  return [
    '## Sizes',
    'By `npm test -- test/package/sizes.test.ts`: minified and gzipped, with all dependencies. `STORE_SIZES=docs/benchmarks/sizes.json` before it stores the figures. A goal is what we work towards; the limits, beyond which the test fails, are in `size-budget.json`. These entries have a goal:',
    goalTable(goals, (value) => value.toFixed(1)),
    SIZES_HOLD,
  ];
}

function kilobytes(bytes: number): number {
  return bytes / 1000;
}

/** Explains what figures of a busy machine are worth. */
function busy({ load, machine }: Measured): string[] {
  const cores = Number(/(\d+) cores/.exec(machine)?.[1] ?? 1);
  if (load <= cores * 1.5) return [];
  return [
    `**The machine was busy**: load average ${load.toFixed(0)} on ${cores} cores. Anything longer than a time slice (a few milliseconds) waited for the processor and took many times longer than on an idle machine. Repeat missed goals on an idle machine. Single steps below a millisecond are closer to reality, as their median excludes the waits.`,
  ];
}

function goals({ loops, page }: Measured, sessions: SessionsResult | null): Goal[] {
  const ours = loops.find(({ name, variant }) => name === 'rolezero' && variant === 'not stored');
  const longest = ours?.times.at(-1);
  const former = loops.find(({ name }) => name === FORMER);
  const atMost = (what: string, sample: Sample | undefined, goal: number, unit: string): Goal => ({
    what,
    value: sample?.median ?? null,
    goal,
    unit,
    most: true,
  });
  return [
    {
      ...atMost(
        `a step, nothing stored, ${amount(longest?.reached ?? NaN)} steps`,
        longest?.perStep,
        GOALS.perStep,
        'µs',
      ),
      before: former?.times.at(-1)?.perStep.median,
    },
    atMost('its growth', longest?.growth, GOALS.growth, '×'),
    atMost('a commit of a command, strict, p50', page.commit, GOALS.commit, 'ms'),
    atMost('first event after `connect`, a new session', page.firstEvent, GOALS.firstEvent, 'ms'),
    atMost('… a session that was visited before', page.returned, GOALS.firstEventOfVisited, 'ms'),
    ...(sessions === null
      ? [atMost(`… ${large(page)}`, page.returnedToLarge, GOALS.firstEventOfLarge, 'ms')]
      : startGoals(sessions.starts)),
    atMost('the list of its files after `connect`', page.listed, GOALS.listed, 'ms'),
    {
      ...atMost(
        'tokens per second from the model to the page',
        page.tokensPerSecond,
        GOALS.tokensPerSecond,
        '',
      ),
      most: false,
    },
    atMost('longest block of the page meanwhile', page.longestGap, GOALS.gap, 'ms'),
    { ...atMost('stop, p95', page.stop, GOALS.stop, 'ms'), value: page.stop.p95 },
    atMost(
      `a session of ${amount(page.resumed)} messages, to the first of them`,
      page.resume,
      GOALS.resume,
      'ms',
    ),
  ];
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
    const reached = time.reached < steps ? ` (stopped by the time limit after ${time.reached} steps)` : '';
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
    `| ${what} | ${withNoise(sample)} | ${amount(sample.p95)} |`;
  return [
    '| | median | p95 |',
    '|---|--:|--:|',
    line('`connect`, its script in the cache, ms', page.connected),
    line('… and to the first event of a run, ms', page.firstEvent),
    ...(page.returned === undefined
      ? []
      : [line('the same in a session that was visited before, ms', page.returned)]),
    ...(page.returnedToLarge === undefined ? [] : [line(`… ${large(page)}, ms`, page.returnedToLarge)]),
    ...(page.listed === undefined ? [] : [line('`connect` to the list of its files, ms', page.listed)]),
    line('tokens per second from the model to the page, of 50,000', page.tokensPerSecond),
    line('meanwhile: longest block of other tasks of the page, ms', page.longestGap),
    line("meanwhile: long tasks by the browser's definition (50 ms and more)", page.longTasks),
    line('`stop` to the end of the run, ms', page.stop),
    line('a commit of a command: 4 records, journal, fence; strict, ms', page.commit),
    line('for comparison: a bare put of the same number of bytes, strict, ms', page.barePut),
    line(
      `\`connect\` to the newest 50 of the ${amount(page.resumed)} messages of a session, in a new page, ms`,
      page.resume,
    ),
    ...(page.resumeWhole === undefined ? [] : [line('… and to all of them, ms', page.resumeWhole)]),
  ].join('\n');
}

function large({ largeMessages = 0, largeFiles = 0 }: PageTimes): string {
  return `one with ${amount(largeMessages)} messages and ${amount(largeFiles)} files`;
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
    'Figures of rolezero include work that the others do not do: a stage that can be dropped, checks of names, sizes and checksums, and the history for undo. Only whole sessions and lightning-fs include IndexedDB. Opening a session lists its files, and reads no other contents.',
    `Versions: ${files.peers.join(', ')}.`,
  ];
}

function promptSection(prompt: Elsewhere['prompt']): string[] {
  if (prompt === null) return ['## Prompts', 'Not measured here yet: `npm run bench:prompt`.'];
  const goals = prompt.rows.map((row): Goal => ({
    what: `read, of what it reads of MetaGPT's prompts, window of ${amount(Number(row['window']))}`,
    value: (100 * Number(row['prefill'])) / Number(row["original's prefill"]),
    goal: PROMPT_GOALS.goal,
    unit: '%',
    most: true,
    before: PROMPT_GOALS.before.get(Number(row['window'])),
  }));
  const { tokens, calls, before } = TWENTY_COMMANDS;
  return [
    '## Prompts',
    `The prompts of a scripted task of ${prompt.steps} steps, in tokens, counted by \`npm run bench:prompt\`. An engine in the browser spends most of its time on reading prompts. It reads only what differs from the previous prompt: “read”. MetaGPT rewrites its prompts at each step.`,
    goalTable(goals),
    table(
      prompt.rows.map((row) => ({
        window: row['window'] ?? '',
        calls: row['calls'] ?? '',
        compactions: row['compactions'] ?? '',
        'prompt tokens': row['prompt tokens'] ?? '',
        read: row['prefill'] ?? '',
        "read of MetaGPT's": row["original's prefill"] ?? '',
        "MetaGPT's, any prefix reused": row["original's, engine keeps any prefix"] ?? '',
        'ours there': row['ours there'] ?? '',
      })),
    ),
    'Longer tasks of the same kind in a window of 131,072 tokens, beside a plain loop of tool calls, which only adds calls and results and has no limit. Servers bill a fraction of what repeats the prompt before. A conversation is compacted when 80 % of this window is full.',
    table(prompt.long),
    'The same tasks and others by `npm run bench:prompt -- --before PATH`, beside the version of 2026-11-26 in the same run. That version compacted at 200 messages: its prompts were shorter, and it forgot details of a window that was mostly empty.',
    goalTable(
      prompt.compared.map(({ before, ...figure }): Goal => ({ ...figure, before: before ?? undefined })),
    ),
    'By `npm test -- test/unit/agent/prompt-cost.test.ts`, a task of twenty commands: ten files are written, and each is read. The test counts the calls, and estimates the tokens; those below are of the tokenizer of GPT-4o.',
    [
      '| | before | measured |',
      '|---|--:|--:|',
      `| prompt tokens | ${amount(before.tokens)} | ${amount(tokens)} |`,
      `| calls | ${before.calls} | ${calls} |`,
    ].join('\n'),
  ];
}

/** A table of rows with the same columns. Texts are on the left, figures on the right. */
function table(rows: readonly Record<string, string | number>[]): string {
  const [first = {}] = rows;
  const titles = Object.keys(first);
  return [
    `| ${titles.join(' | ')} |`,
    `|${titles.map((title) => (/^[a-z]/i.test(String(first[title])) ? '--|' : '--:|')).join('')}`,
    ...rows.map((row) => `| ${titles.map((title) => row[title] ?? '').join(' | ')} |`),
  ].join('\n');
}

function withNoise(sample: Sample): string {
  return `${amount(sample.median)} ± ${amount(noiseOf(sample))}`;
}
