import type { DemoTimes } from './demo.js';
import type { LoopRow } from './loops.js';
import { amount, memorySection, type MemoryResult } from './memory-report.js';
import type { RecallResult } from './recall-report.js';
import type { PageTimes } from './pages.js';
import { noiseOf, type Sample } from './samples.js';

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
  files: { machine: string; rows: { task: string; who: string; median: number }[] } | null;
  prompt: { steps: number; rows: Record<string, string | number>[] } | null;
  bytes: { rows: Record<string, string | number>[] } | null;
  /** `size-budget.json`: the limits that a test enforces. */
  sizes: { lines: Record<string, number> };
}

const GOALS = {
  perStep: 30, // µs
  growth: 1.2, // Growth: the last fifth relative to the first.
  commit: 5, // ms
  firstEvent: 50,
  tokensPerSecond: 50_000,
  gap: 8,
  stop: 50,
  resume: 150,
};

/** Goal in bytes of gzip for an import in an application. */
const SIZE_GOALS = {
  "import { connect } from 'rolezero'": 4_000,
  "import { RoleZero, serve } from 'rolezero/worker'": 80_000,
  "import { openai } from 'rolezero/providers/openai'": 6_000,
};

/** The reason why a goal is not met, from profiles. Update it together with them. */
const HOLDS = `Why some goals are missed. *A step*: no single part dominates. Garbage collection takes 12 %. The rest is spread: the command is parsed, validated and compared, then come messages, turns, trace, events, policy, the stage of the files, and forty awaits. A loop that does less is faster, as the table shows. *The first event* follows \`connect\`: half of that time is the browser starting a worker and compiling its script. Most of the rest is a sequence: the lock, the replica, the row of the writer, and the strict commit of the message with its replica. The database opens in parallel; its content and the replica may change while another tab holds the lock. *A long session* shows its newest messages after \`connect\` and one more call; the rest is read in the background. *The page* receives at most one batch of tokens in eight milliseconds; longer blocks come from other load of the machine.`;

const SIZES_HOLD =
  'Why some goals are missed. *The worker*: of 317 kB before compression, roles with their commands and prompts take 140, of which 10 are the words that classify requests. Storage with its replica takes 39, the core with its checks of arguments 27, files 25, sessions 22, the worker side of the protocol 19. JSON repair and teams take 8 each, the plan and SHA-256 6 each, Comlink 4, idb 3 and token counting 2. Parts cannot be loaded later: workers of Vite up to 7 are one file. *The page*: of 21 kB before compression, the session with its restarts, takeovers and the back/forward cache takes 7, and Comlink 4. Starting and losing a worker takes 3; runs, models and tools of the page, and validation of worker messages 1 each. *The provider*: of 22 kB, errors with their advice take 6, reading the stream another 6 (3 for eventsource-parser), retries and the request body 3.';

/** `docs/benchmarks.md`: figures, compared libraries, machine, and distances from the goals. */
export function reportOf(measured: Measured, elsewhere: Elsewhere): string {
  const { machine, browser, date, load, launches = 1, rounds } = measured;
  return [
    '# Benchmarks',
    `Made by \`npm run bench\` on ${date} in ${browser} on ${machine}, contenders in turns. The load average was ${load.toFixed(1)} at the start. Compare ratios: times depend on the machine.`,
    noise(launches, rounds),
    ...busy(measured),
    '## Goals',
    goals(measured),
    HOLDS,
    '## A step of the loop',
    'A scripted model replies at once with a call of a tool that returns at once. Each library runs in its own worker, bundled and minified as in an application. Figures are microseconds between two model calls, the median of all steps of a run. “Growth” is the duration of a step in the last fifth of the longest run relative to the first: 1 means that steps do not get slower.',
    '<!-- plot: steps -->', // shown on the documentation site
    loopTable(measured.loops),
    versions(measured.loops),
    '“Stored on disk” is IndexedDB with strict transactions, and a replica. “Stored in memory” is the memory store of each library, which does not survive the tab.',
    '## A page and its worker',
    pageTable(measured.page),
    ...demoSection(measured.demo),
    ...sizesSection(elsewhere.sizes),
    ...memorySection(elsewhere.memory, elsewhere.recall),
    ...filesSection(elsewhere.files),
    ...bytesSection(elsewhere.bytes),
    ...promptSection(elsewhere.prompt),
    '',
  ].join('\n\n');
}

/** Explains the figures and their noise. */
function noise(launches: number, rounds: number): string {
  if (launches === 1)
    return `Figures are medians of ${rounds} rounds in one launch of the browser; ± is the distance between the best and the worst round. Another launch may differ by more.`;
  return `The browser was launched ${launches} times with an empty profile, and each launch measured everything in ${rounds === 1 ? 'one round' : `${rounds} rounds`}. A figure is the median of the launches’ medians. Its noise ± is the distance between the lowest and the highest of them, at least a twentieth. Two runs agree where their figures differ by no more than the sum of both noises. That holds for all but one in seventy pairs of equal code. \`npm run bench -- --against docs/benchmarks/run.json\` measures again and lists the figures that do not agree.`;
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

function sizesSection({ lines }: Elsewhere['sizes']): string[] {
  const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  return [
    '## Sizes',
    'Minified and gzipped, with all dependencies. A test enforces the limits of `size-budget.json`, which lists every entry; these have a goal:',
    [
      '| | goal | limit | |',
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

/** Explains what figures of a busy machine are worth. */
function busy({ load, machine }: Measured): string[] {
  const cores = Number(/(\d+) cores/.exec(machine)?.[1] ?? 1);
  if (load <= cores * 1.5) return [];
  return [
    `**The machine was busy**: load average ${load.toFixed(0)} on ${cores} cores. Anything longer than a time slice (a few milliseconds) waited for the processor and took many times longer than on an idle machine. Repeat missed goals on an idle machine. Single steps below a millisecond are closer to reality, as their median excludes the waits.`,
  ];
}

function goals({ loops, page }: Measured): string {
  const ours = loops.find(({ name, variant }) => name === 'rolezero' && variant === 'not stored');
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
            `a step, nothing stored, ${amount(longest.reached)} steps`,
            longest.perStep.median,
            GOALS.perStep,
            'µs',
          ),
          line('its growth', longest.growth.median, GOALS.growth, '×'),
        ]),
    line('a commit of a command, strict, p50', page.commit.median, GOALS.commit, 'ms'),
    line('first event after `connect`', page.firstEvent.median, GOALS.firstEvent, 'ms'),
    line(
      'tokens per second from the model to the page',
      page.tokensPerSecond.median,
      GOALS.tokensPerSecond,
      '',
      false,
    ),
    line('longest block of the page meanwhile', page.longestGap.median, GOALS.gap, 'ms'),
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
    `| ${what} | ${withNoise(sample)} | ${amount(sample.p95)} | ${amount(sample.best)} | ${amount(sample.worst)} | ${sample.count} |`;
  return [
    '| | median | p95 | best | worst | times |',
    '|---|--:|--:|--:|--:|--:|',
    line('`connect`, its script in the cache, ms', page.connected),
    line('… and to the first event of a run, ms', page.firstEvent),
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
  return [
    '## Prompts',
    `The cost of the prompts of a scripted task of ${prompt.steps} steps, in tokens, by \`npm run bench:prompt\`; these are counted, not timed.`,
    table(prompt.rows),
    'A task of twenty commands (ten files are written, and each is read) takes 64,782 prompt tokens of GPT-4o in 21 calls. Before the shorter prompts and the call plan of November 2026, it took 99,293 in 25.',
  ];
}

function bytesSection(bytes: Elsewhere['bytes']): string[] {
  if (bytes === null) return ['## Bytes', 'Not measured here yet: `npm run bench:bytes`.'];
  return [
    '## Bytes',
    'What a step of a role with the Editor writes, by `npm run bench:bytes`; these are counted, not timed. The goals are at most 4 × of the content in the database and 3 × in the replica. A step that replaces text also stores the former text, for undo and history.',
    table(bytes.rows),
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
