import { amount, goalTable, type Goal } from './goal-table.js';
import type { Recalls, SetRecall } from './conversation-recall.js';
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
  imported: 'words and meaning, first visit after an import',
  missing: 'imported, vectors missing',
};
const PEERS = {
  orama: '@orama/orama',
  minisearch: 'minisearch',
  hnsw: 'hnswlib-wasm (M 16, efC 100, ef 400)',
};

const DIMENSIONS = 384;

/** What takes the time, and why a goal is not met, from profiles. Update it together with them. */
const HOLDS =
  'What takes the time. *The first recall* reads the word index, about 30 MB for 100,000 memories, from one file, and indexes the newest memories, which are in no chunk yet. Unused parts of the file are erased later, not before the first recall. That takes 567 ms in place of 671: medians of 12 visits in turns on 27 November 2026, at load 20. After an import whose vectors are still missing, the first recall reads the stored word index. It read all memories before. With 50,000 in Node, three runs in turns took 9 to 13 s and did not find the memory. They take 0.3 to 1 s and find it. *A query* takes about 1 ms for candidates by words, 1.2 ms for candidates by meaning, and 0.5 ms for their ranking. The ten memories take 0.1 ms from the file; from the database, they took a third of a query. Why a goal can be missed. *Recall*: three of ten places are for matches that are not near the others. That finds more sessions, and fewer turns of one conversation, than the ranking before. A question less is 1 point of `qmsum-dev`. *A query and its first recall*: the machine was slower than on 26 November. The version of that day took 4.7 ms for a query and 226 ms for its first recall. This one took 4.2 and 116, one after the other in the same hour. *Load time*: minisearch loads in 0.8 to 1 s in this browser, and took 1.4 s in the one before.';

/** Goals at the largest size. */
const GOALS = {
  firstRecall: 120, // ms
  query: 3, // ms
  firstRecallAfterImport: 150, // ms
  firstRecallWithoutVectors: 150, // ms
  vectors: 1.5, // ms
  vectorRecall: 0.99,
  toOrama: 60,
  addOne: 20, // µs
  bytesPerNumber: 1.3,
  plain: 6,
  toHnswlib: 200,
  words: 0.5, // ms
  wordsLoaded: 200, // ms
  wordsToMinisearch: 8,
  loadToMinisearch: 15,
  recallToMinisearch: 1,
  toolsOfKnownDomains: 92, // %
  toolsOfOtherDomains: 92, // %
};

/** The section of `docs/benchmarks.md` about memory. */
export function memorySection(memory: MemoryResult | null, recall: RecallResult | null): string[] {
  const goals = goalTable([...(memory === null ? [] : speedGoals(memory)), ...recallGoals(recall)]);
  const byRecall =
    'Turns, sessions and tools are by `npm run bench:recall`, see below. Turns and sessions are the lower figure of those with and without an embedder. Their goals are BM25 + 5 points for turns, and BM25 for sessions. Their “before” is the ranking of 2026-11-25, measured together with the present one.';
  if (memory === null)
    return ['## Memory', 'Not measured here yet: `npm run bench:memory -- --docs`.', byRecall, goals];
  return [
    '## Memory',
    `By \`npm run bench:memory -- --docs\`, one measurement after the other in one worker of ${memory.browser} on ${memory.machine}; ${memory.date}, load average ${memory.load.toFixed(1)} at the start. The worker reads ${gigabytes(memory.bandwidth.javascript)} in JavaScript; the kernel compares ${gigabytes(memory.bandwidth.kernel)} of bytes.${earlierPart(memory)} ${byRecall}`,
    goals,
    HOLDS,
    'Long-term memory in the database of a session, with the word index and copies of the memories in a file. “Load” is the time from a closed database to the first ten recalled memories, in a new worker. Figures are medians of five visits:',
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
  const atMost = (
    what: string,
    value: number | null | undefined,
    goal: number,
    unit: string,
    measured = size,
  ): Goal => ({
    what: `${what}, ${measured.toLocaleString('en')}`,
    value: value ?? null,
    goal,
    unit,
    most: true,
  });
  const atLeast = (...of: Parameters<typeof atMost>): Goal => ({ ...atMost(...of), most: false });
  const fasterThan = (peer: number | null | undefined) => ratio(peer, scan?.p50);
  return [
    atMost('first recall after opening', both?.load, GOALS.firstRecall, 'ms'),
    atMost('… right after an import', at(longTerm, OURS.imported)?.load, GOALS.firstRecallAfterImport, 'ms'),
    atMost(
      '… after an import whose vectors are still missing',
      at(longTerm, OURS.missing)?.load,
      GOALS.firstRecallWithoutVectors,
      'ms',
    ),
    atMost('a query by words and meaning, its 10 memories read, p50', both?.p50, GOALS.query, 'ms'),
    atMost('10 of the vectors, p50', scan?.p50, GOALS.vectors, 'ms'),
    atLeast('… their recall', scan?.recall, GOALS.vectorRecall, ''),
    atLeast('… speed relative to Orama', fasterThan(at(vectors, PEERS.orama)?.p50), GOALS.toOrama, '×'),
    atMost('… adding one more', product(scan?.addOne, 1000), GOALS.addOne, 'µs'),
    atMost('… bytes per number', product(scan?.bytes, 1 / (size * DIMENSIONS)), GOALS.bytesPerNumber, ''),
    atMost('… without WebAssembly', ratio(plain?.p50, scan?.p50), GOALS.plain, '×'),
    ...(built === undefined
      ? []
      : [
          atLeast(
            '… build time relative to hnswlib',
            ratio(built.build, ours?.build),
            GOALS.toHnswlib,
            '×',
            built.size,
          ),
        ]),
    atMost('10 by words, p50', words?.p50, GOALS.words, 'ms'),
    atMost('… loaded', words?.load, GOALS.wordsLoaded, 'ms'),
    atLeast(
      '… speed relative to minisearch',
      ratio(minisearch?.p50, words?.p50),
      GOALS.wordsToMinisearch,
      '×',
    ),
    atLeast(
      '… load time relative to minisearch',
      ratio(minisearch?.load, words?.load),
      GOALS.loadToMinisearch,
      '×',
    ),
    atLeast(
      '… recall relative to minisearch',
      ratio(words?.recall, minisearch?.recall),
      GOALS.recallToMinisearch,
      '×',
    ),
  ];
}

/** Percentage points that the recall of turns has to exceed that of BM25 by; that of sessions only has to reach it. */
const ABOVE_BM25 = { turns: 5, sessions: 0 };
/** Recall in percent with the ranking of 2026-11-25, measured together with the present one: the lower of with and without an embedder. */
const RECALL_BEFORE: Record<string, Record<'both' | 'userOnly', { turns: number; sessions: number }>> = {
  'locomo-dev': { both: { turns: 80.7, sessions: 87.7 }, userOnly: { turns: 76.8, sessions: 83.4 } },
  'qmsum-dev': { both: { turns: 47.9, sessions: 82.3 }, userOnly: { turns: 46, sessions: 69.1 } },
  'assistant-chats': { both: { turns: 72, sessions: 84.2 }, userOnly: { turns: 71.6, sessions: 76.9 } },
};

function recallGoals(recall: RecallResult | null): Goal[] {
  const { sets = {}, tools } = recall ?? {};
  const percent = (
    what: string,
    share: number | undefined,
    goal: Pick<Goal, 'goal' | 'before'> | undefined,
  ): Goal[] =>
    share === undefined || goal === undefined
      ? []
      : [{ what, value: 100 * share, ...goal, unit: '%', most: false }];
  const ofSet = (name: string, store: 'both' | 'userOnly', result: SetRecall): Goal[] => {
    const before = RECALL_BEFORE[name]?.[store];
    const row = (what: 'turns' | 'sessions', { ours, withoutEmbedder, bm25 }: Recalls) =>
      percent(
        `${what} found, ${name}${store === 'both' ? '' : ', user only'}`,
        Math.min(ours, withoutEmbedder),
        { goal: 100 * bm25 + ABOVE_BM25[what], before: before?.[what] },
      );
    return [...row('turns', result.recallAt10), ...row('sessions', result.sessionRecallAt10)];
  };
  return [
    ...Object.entries(sets).flatMap(([name, set]) => [
      ...ofSet(name, 'both', set),
      ...ofSet(name, 'userOnly', set.userOnly),
    ]),
    ...percent('tools among the first 5, known domains', tools?.in, { goal: GOALS.toolsOfKnownDomains }),
    ...percent('… other domains', tools?.out, { goal: GOALS.toolsOfOtherDomains }),
  ];
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

function product(value: number | null | undefined, factor: number): number | null {
  return value == null ? null : value * factor;
}

function some(value: number | null, format: (value: number) => string): string {
  return value === null ? '' : format(value);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB/s`;
}
