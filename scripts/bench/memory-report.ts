import { recallSection, type RecallResult } from './recall-report.js';
import type { Row } from './worker/measure.js';

/** The results of `npm run bench:memory`. */
export interface MemoryResult {
  machine: string;
  browser: string;
  date: string;
  /** Load average of the machine at the start. */
  load: number;
  /** Versions of the other libraries. */
  versions: Record<string, string>;
  /** Bytes per second. */
  bandwidth: { javascript: number; kernel: number };
  longTerm: Row[];
  vectors: Row[];
  lexical: Row[];
  /** When the parts that this run did not measure were measured. */
  earlier?: Pick<MemoryResult, 'browser' | 'date' | 'load'>;
}

/** Adds the rows that a run did not measure from an earlier result. */
export function withEarlier(result: MemoryResult, former: MemoryResult): MemoryResult {
  const isPartial = [result.longTerm, result.vectors, result.lexical].some((rows) => rows.length === 0);
  if (!isPartial) return result;
  const rows = (of: 'longTerm' | 'vectors' | 'lexical') => (result[of].length > 0 ? result[of] : former[of]);
  const { browser, date, load } = former.earlier ?? former;
  const [longTerm, vectors, lexical] = [rows('longTerm'), rows('vectors'), rows('lexical')];
  return { ...result, longTerm, vectors, lexical, earlier: { browser, date, load } };
}

/** Names of rows with goals. */
const OURS = {
  vectors: 'rolezero/memory/vectors',
  plain: 'the same without WebAssembly',
  lexical: 'rolezero (core)',
  words: 'words alone',
  both: 'words and meaning',
};
const PEERS = {
  orama: '@orama/orama',
  minisearch: 'minisearch',
  hnsw: 'hnswlib-wasm (M 16, efC 100, ef 400)',
};

const DIMENSIONS = 384;

/** The reason why a goal is not met, from profiles. Update it together with them. */
const HOLDS =
  'Why some goals are missed. *The first recall* reads the word index, about 30 MB for 100,000 memories, from one file, and indexes the newest memories, which are in no chunk yet. Vectors load in the background; until then, queries use words. *A query* collects two hundred candidates by words and two hundred by meaning, ranks them with their neighbors, and reads ten rows. A third of its time is waiting for these rows. *Loading* words, there from a database, depends on their bytes.';

interface Goal {
  what: string;
  /** Null where it was not measured. */
  value: number | null;
  goal: number;
  unit: string;
  most: boolean;
}

/** The section of `docs/benchmarks.md` about memory. */
export function memorySection(memory: MemoryResult | null, recall: RecallResult | null): string[] {
  const goals = goalTable([...(memory === null ? [] : speedGoals(memory)), ...recallGoals(recall)]);
  if (memory === null)
    return ['## Memory', 'Not measured here yet: `npm run bench:memory -- --docs`.', ...goals];
  return [
    '## Memory',
    `By \`npm run bench:memory -- --docs\`, one measurement after the other in one worker of ${memory.browser} on ${memory.machine}; ${memory.date}, load average ${memory.load.toFixed(1)} at the start. The worker reads ${gigabytes(memory.bandwidth.javascript)} in JavaScript; the kernel compares ${gigabytes(memory.bandwidth.kernel)} of bytes.${earlierPart(memory)}`,
    ...goals,
    HOLDS,
    'Long-term memory in the database of a session, with the word index in a file. “Load” is the time from a closed database to the first ten recalled memories, in a new worker. Figures are medians of five visits:',
    '<!-- plot: recall -->',
    mainTable(memory.longTerm),
    `The 10 nearest of vectors with ${DIMENSIONS} numbers; recall is the share of an exact search's results:`,
    '<!-- plot: vectors -->',
    mainTable(memory.vectors),
    'The 10 best of messages of about 40 words; recall is how often the message that the query comes from is among them:',
    '<!-- plot: words -->',
    mainTable(memory.lexical),
    versionsOf(memory),
    ...recallSection(recall),
  ];
}

function earlierPart({ earlier }: MemoryResult): string {
  if (earlier === undefined) return '';
  const { browser, date, load } = earlier;
  return ` The figures of parts that it did not measure are of ${date}, ${browser}, load average ${load.toFixed(1)}.`;
}

/** Speed goals at the largest measured size. */
function speedGoals({ longTerm, vectors, lexical }: MemoryResult): Goal[] {
  const size = Math.max(0, ...[...longTerm, ...vectors, ...lexical].map((row) => row.size));
  const at = (rows: readonly Row[], what: string) =>
    rows.find((row) => row.what === what && row.size === size);
  const [scan, plain] = [at(vectors, OURS.vectors), at(vectors, OURS.plain)];
  const [words, minisearch] = [at(lexical, OURS.lexical), at(lexical, PEERS.minisearch)];
  const both = at(longTerm, OURS.both);
  const built = vectors.filter(({ what, build }) => what === PEERS.hnsw && build !== null).at(-1);
  const ours = vectors.find((row) => row.what === OURS.vectors && row.size === built?.size);
  const bytes = scan?.bytes ?? null;
  const atMost = (what: string, value: number | null | undefined, goal: number, unit: string): Goal => ({
    what: `${what}, ${size.toLocaleString('en')}`,
    value: value ?? null,
    goal,
    unit,
    most: true,
  });
  const atLeast = (...of: Parameters<typeof atMost>): Goal => ({ ...atMost(...of), most: false });
  return [
    atMost('first recall after opening', both?.load, 120, 'ms'),
    atMost('a query by words and meaning, its 10 memories read, p50', both?.p50, 3, 'ms'),
    atMost('10 of the vectors, p50', scan?.p50, 1.5, 'ms'),
    atLeast('… their recall', scan?.recall, 0.99, ''),
    atLeast('… speed relative to Orama', ratio(at(vectors, PEERS.orama)?.p50, scan?.p50), 60, '×'),
    atMost(
      '… adding one more',
      scan?.addOne === undefined || scan.addOne === null ? null : 1000 * scan.addOne,
      20,
      'µs',
    ),
    atMost('… bytes per number', bytes === null ? null : bytes / (size * DIMENSIONS), 1.3, ''),
    atMost('… without WebAssembly', ratio(plain?.p50, scan?.p50), 6, '×'),
    ...(built === undefined
      ? []
      : [
          {
            ...atLeast('', ratio(built.build, ours?.build), 200, '×'),
            what: `… build time relative to hnswlib, ${built.size.toLocaleString('en')}`,
          },
        ]),
    atMost('10 by words, p50', words?.p50, 0.5, 'ms'),
    atMost('… loaded', words?.load, 200, 'ms'),
    atLeast('… speed relative to minisearch', ratio(minisearch?.p50, words?.p50), 8, '×'),
    atLeast('… load time relative to minisearch', ratio(minisearch?.load, words?.load), 15, '×'),
    atLeast('… recall relative to minisearch', ratio(words?.recall, minisearch?.recall), 1, '×'),
  ];
}

/** Goals of recall in percent, per set of `docs/benchmarks/recall.json`. */
const RECALL_GOALS: Record<string, { ours: number; withoutEmbedder: number }> = {
  'locomo-dev': { ours: 82, withoutEmbedder: 79 },
  'qmsum-dev': { ours: 48, withoutEmbedder: 42 },
};

function recallGoals(recall: RecallResult | null): Goal[] {
  const { sets = {}, tools } = recall ?? {};
  const percent = (what: string, share: number | undefined, goal: number | undefined): Goal[] =>
    share === undefined || goal === undefined
      ? []
      : [{ what, value: 100 * share, goal, unit: '%', most: false }];
  return [
    ...Object.entries(sets).flatMap(([name, { recallAt10 }]) => [
      ...percent(
        `turns among the first 10, ${name}, with an embedder`,
        recallAt10.ours,
        RECALL_GOALS[name]?.ours,
      ),
      ...percent('… without one', recallAt10.withoutEmbedder, RECALL_GOALS[name]?.withoutEmbedder),
    ]),
    ...percent('tools among the first 5, known domains', tools?.in, 92),
    ...percent('… other domains', tools?.out, 92),
  ];
}

function goalTable(goals: readonly Goal[]): string[] {
  if (goals.length === 0) return [];
  const lines = goals.map(({ what, value, goal, unit, most }) => {
    const wanted = `${most ? '≤' : '≥'} ${amount(goal)} ${unit}`.trim();
    if (value === null || !Number.isFinite(value)) return `| ${what} | ${wanted} | not measured | |`;
    const met = most ? value <= goal : value >= goal;
    const distance = met ? 'yes' : `${amount(most ? value / goal : goal / value)} × away`;
    return `| ${what} | ${wanted} | ${`${amount(value)} ${unit}`.trim()} | ${distance} |`;
  });
  return [['| | goal | measured | met |', '|---|--:|--:|---|', ...lines].join('\n')];
}

/** The rows of the two largest sizes. */
function mainTable(rows: readonly Row[]): string {
  const sizes = [...new Set(rows.map(({ size }) => size))].toSorted((a, b) => b - a).slice(0, 2);
  return [
    '| size | what | p50 ms | p95 ms | recall | load ms | |',
    '|--:|---|--:|--:|--:|--:|---|',
    ...rows
      .filter(({ size }) => sizes.includes(size))
      .map(
        ({ size, what, p50, p95, recall, load, note }) =>
          `| ${size.toLocaleString('en')} | ${what} | ${some(p50, amount)} | ${some(p95, amount)} | ${some(recall, (share) => share.toFixed(3))} | ${some(load, amount)} | ${note} |`,
      ),
  ].join('\n');
}

function versionsOf({ versions }: MemoryResult): string {
  return `Versions: ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}.`;
}

function ratio(one: number | null | undefined, other: number | null | undefined): number | null {
  return one == null || other == null ? null : one / other;
}

function some(value: number | null, format: (value: number) => string): string {
  return value === null ? '' : format(value);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB/s`;
}

/** Three significant digits, with thousands separators. */
export function amount(value: number): string {
  if (!Number.isFinite(value)) return '';
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
