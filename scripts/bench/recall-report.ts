import type { Recalls, SetRecall, SetResult } from './conversation-recall.js';
import type { NoteResult } from './note-recall.js';
import type { ToolResult } from './tool-recall.js';

/** The results of `npm run bench:recall`. */
export interface RecallResult {
  /** ISO date of the measurement. */
  date?: string;
  /** By name of the set. */
  sets?: Record<string, SetResult>;
  tools?: ToolResult;
  /** Of the chats with an assistant. */
  notes?: NoteResult;
}

/** Minimum number of questions at which a set or category below BM25 is reported. With fewer, a difference can be chance. */
const ENOUGH = 30;

const SETS =
  'The sets are friends (`locomo-dev`, half of LoCoMo), meetings (`qmsum-dev`, a part of QMSum), and chats with an assistant (`assistant-chats`). Only the chats are part of the repository, in `test/bench/assistant-chats`.';

const METRIC = `Recall@10 is the share of the evidence turns of a question among the first 10 recalled turns, averaged over questions. The rows of sessions count the sessions with evidence instead. In “user only”, only the messages of one speaker are stored: of the one who says most, apart from the assistant. A question then has the evidence among them. The embedder is the Universal Sentence Encoder. BM25 is plain Okapi BM25 (k1 1.5, b 0.75) over text and speaker. It uses stems without stop words, or plain words. With fewer than ${ENOUGH} questions, a difference can be chance.`;

const FITTED =
  'The four weights of the ranking are round numbers. `npm run bench:ranking -- SET SET...` fits them to the mean recall of turns and sessions, with one set left out. The table shows turns and sessions of the set that was left out, without an embedder (2026-11-27, up to 400 questions per set and store):';

/** Output of `fit-ranking.ts`; update it together with the weights. */
const LEFT_OUT = `| set | turns, fitted on the other sets | turns, weights of the library | sessions, fitted on the other sets | sessions, weights of the library |
|---|--:|--:|--:|--:|
| locomo-dev | 75.1 % | 74.8 % | 90.7 % | 91.6 % |
| locomo-dev, user only | 75.6 % | 75.0 % | 86.6 % | 86.9 % |
| qmsum-dev | 41.2 % | 41.6 % | 90.4 % | 90.4 % |
| qmsum-dev, user only | 45.5 % | 43.1 % | 75.7 % | 75.7 % |
| assistant-chats | 65.3 % | 67.1 % | 90.2 % | 90.2 % |
| assistant-chats, user only | 71.4 % | 70.4 % | 81.1 % | 81.1 % |`;

const TABLE_HEAD =
  '| set | category | questions | ours | without an embedder | BM25 | BM25, plain words |\n|---|---|--:|--:|--:|--:|--:|';

/** Returns the rows of a set in Markdown: the whole set, its categories, and its sessions. */
function setRows(
  name: string,
  { questions, recallAt10, sessionRecallAt10, categories, userOnly }: SetResult,
): string[] {
  const row = (label: string, count: number, { ours, withoutEmbedder, bm25, plain }: Recalls): string =>
    `| ${[name, label, count, ...[ours, withoutEmbedder, bm25, plain].map(percent)].join(' | ')} |`;
  return [
    row('all', questions, recallAt10),
    ...Object.entries(categories).map(([category, recalls]) => row(category, recalls.questions, recalls)),
    row('all, sessions', questions, sessionRecallAt10),
    row('user only', userOnly.questions, userOnly.recallAt10),
    row('user only, sessions', userOnly.questions, userOnly.sessionRecallAt10),
  ];
}

/** Returns the table of all sets in Markdown. */
export function setTable(sets: Record<string, SetResult>): string {
  return [TABLE_HEAD, ...Object.entries(sets).flatMap(([name, set]) => setRows(name, set))].join('\n');
}

/** Returns a line for the set and for each category with enough questions where the library is below BM25, with or without an embedder. */
export function belowBm25(name: string, { userOnly, categories, ...both }: SetResult): string[] {
  const whole = (
    label: string,
    { questions, recallAt10, sessionRecallAt10 }: Omit<SetRecall, 'categories'>,
  ) =>
    [
      [label, { questions, ...recallAt10 }],
      [`${label}, sessions`, { questions, ...sessionRecallAt10 }],
    ] as [string, { questions: number } & Recalls][];
  const all = [...whole('all', both), ...whole('user only', userOnly), ...Object.entries(categories)];
  return all
    .filter(([, { questions: count }]) => count >= ENOUGH)
    .filter(([, { ours, withoutEmbedder, bm25 }]) => Math.min(ours, withoutEmbedder) < bm25)
    .map(([category]) => `Below BM25: ${name}, ${category}.`);
}

/** Returns the part of `docs/benchmarks.md` about recall. */
export function recallSection(recall: RecallResult | null): string[] {
  const { date, sets, tools, notes } = recall ?? {};
  return [
    ...(sets === undefined
      ? []
      : [
          `Recall of turns in long conversations, by \`npm run bench:recall -- SET... --tools FILE --queries FILE --json docs/benchmarks/recall.json\`${date === undefined ? '' : ` on ${date}`}. ${SETS}`,
          METRIC,
          setTable(sets),
          'A choice by a model (`useLlmRanker`) or by `rerank` picks 5 of the first 15 memories. The table shows the recall of the best possible choice; no real choice was measured.',
          choiceTable(sets),
          FITTED,
          LEFT_OUT,
        ]),
    ...(notes === undefined ? [] : [notesText(notes), noteTable(notes)]),
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

function notesText({ questions, taken, characters }: NoteResult): string {
  return `What standing notes add for the ${questions} questions about chats with an assistant, without an embedder (\`--notes test/bench/assistant-chats\`). A script, not a model, takes ${taken} notes per chat, from the turns alone. The table shows which share of the evidence is in the context. The columns are the 5 turns that are recalled by default (${characters.turns} characters), the notes, both (${characters.both.toLocaleString('en')} characters), and turns of that length alone. The last row is what notes are for: the user's instructions in the context of a question about something else. Whether an answer becomes right is not measured.`;
}

/** Returns the table of `NoteResult` in Markdown. */
export function noteTable({ questions, categories, standing, ...all }: NoteResult): string {
  const row = (
    name: string,
    count: number,
    { turns, notes, both, sameLength }: Omit<typeof standing, 'questions'>,
  ) => `| ${[name, count, percent(turns), percent(notes), percent(both), percent(sameLength)].join(' | ')} |`;
  return [
    '| category | questions | 5 turns | notes | 5 turns and notes | turns of the same length |\n|---|--:|--:|--:|--:|--:|',
    row('all', questions, all),
    ...Object.entries(categories).map(([name, { questions: count, ...shares }]) => row(name, count, shares)),
    row('instructions, when something else is asked', standing.questions, standing),
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
