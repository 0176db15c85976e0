import type { Recalls, SetResult } from './conversation-recall.js';
import type { ToolResult } from './tool-recall.js';

/** The results of `npm run bench:recall`. */
export interface RecallResult {
  /** ISO date of the measurement. */
  date?: string;
  /** By name of the set. */
  sets?: Record<string, SetResult>;
  tools?: ToolResult;
}

/** Minimum number of questions at which a set or category below BM25 is reported. With fewer, a difference can be chance. */
const ENOUGH = 30;

const TABLE_HEAD =
  '| set | category | questions | ours | without an embedder | BM25 |\n|---|---|--:|--:|--:|--:|';

/** Returns the rows of a set in Markdown: the whole set, its categories, and its sessions. */
function setRows(
  name: string,
  { questions, recallAt10, sessionRecallAt10, categories }: SetResult,
): string[] {
  const row = (label: string, count: number, { ours, withoutEmbedder, bm25 }: Recalls): string =>
    `| ${[name, label, count, percent(ours), percent(withoutEmbedder), percent(bm25)].join(' | ')} |`;
  return [
    row('all', questions, recallAt10),
    ...Object.entries(categories).map(([category, recalls]) => row(category, recalls.questions, recalls)),
    row('all, sessions', questions, sessionRecallAt10),
  ];
}

/** Returns the table of all sets in Markdown. */
export function setTable(sets: Record<string, SetResult>): string {
  return [TABLE_HEAD, ...Object.entries(sets).flatMap(([name, set]) => setRows(name, set))].join('\n');
}

/** Returns a line for the set and for each category with enough questions where the library is below BM25, with or without an embedder. */
export function belowBm25(name: string, { questions, recallAt10, categories }: SetResult): string[] {
  const all: [string, { questions: number } & Recalls][] = [
    ['all', { questions, ...recallAt10 }],
    ...Object.entries(categories),
  ];
  return all
    .filter(([, { questions: count }]) => count >= ENOUGH)
    .filter(([, { ours, withoutEmbedder, bm25 }]) => Math.min(ours, withoutEmbedder) < bm25)
    .map(([category]) => `Below BM25: ${name}, ${category}.`);
}

/** Returns the part of `docs/benchmarks.md` about recall. */
export function recallSection(recall: RecallResult | null): string[] {
  const { date, sets, tools } = recall ?? {};
  return [
    ...(sets === undefined
      ? []
      : [
          `Recall of turns in long conversations, by \`npm run bench:recall -- ${Object.keys(sets).join(' ')} --tools FILE --queries FILE --json docs/benchmarks/recall.json\`${date === undefined ? '' : ` on ${date}`}. Recall@10 is the share of the evidence turns of a question among the first 10 recalled turns, averaged over questions; “sessions” counts the sessions that contain them. The embedder is the Universal Sentence Encoder. BM25 uses the same terms. A set or category with ${ENOUGH} questions or more must not be below BM25; with fewer, a difference can be chance.`,
          setTable(sets),
          'A choice by a model (`useLlmRanker`) or by `rerank` picks 5 of the first 15. The table shows what it can gain at most and what it costs: one call per request. A scripted model measures the prompt; the quality of a real one is not measured here.',
          choiceTable(sets),
        ]),
    ...(tools === undefined ? [] : ['Recall of tools, for requests of Seal-Tools:', toolTable(tools)]),
  ];
}

/** Returns the table of `ChoiceResult` in Markdown. */
function choiceTable(sets: Record<string, SetResult>): string {
  return [
    '| set | first 5, no choice | best choice of 5 among 15 | prompt tokens of a choice |\n|---|--:|--:|--:|',
    ...Object.entries(sets).map(
      ([name, { choice }]) =>
        `| ${name} | ${percent(choice.recallAt5)} | ${percent(choice.bestOf15)} | ${choice.promptTokens.toLocaleString('en')} |`,
    ),
  ].join('\n');
}

/** Returns the table of tools in Markdown. */
export function toolTable(tools: ToolResult): string {
  return [
    '| tools among the first 5 | ours | BM25 |\n|---|--:|--:|',
    `| known domains | ${percent(tools.in)} | ${percent(tools.lexicalIn)} |`,
    `| other domains | ${percent(tools.out)} | ${percent(tools.lexicalOut)} |`,
  ].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
