import type { Embedder } from '../../src/core/model.js';
import { estimateTokens } from '../../src/core/token-estimate.js';
import { LexicalIndex } from '../../src/memory/lexical-index.js';
import { chooseMemories } from '../../src/memory/llm-ranker.js';
import { LongTermMemory } from '../../src/memory/long-term-memory.js';
import { MemoryLongTermStore } from '../../src/memory/memory-long-term-store.js';
import { termsOf, wordsOf } from '../../src/memory/words.js';
import { contentOf, isAssistant, memoryOf, type Conversation } from './conversations.js';

/** Recall of the library, of the library without an embedder, and of BM25 with its terms and with plain words. Shares from 0 to 1. */
export interface Recalls {
  ours: number;
  withoutEmbedder: number;
  bm25: number;
  plain: number;
}

/** Recall of the questions about one set of memories. */
export interface SetRecall {
  questions: number;
  /** Share of the evidence turns of a question among the first ten recalled turns, averaged over questions. */
  recallAt10: Recalls;
  /** The same for the sessions that contain the evidence. */
  sessionRecallAt10: Recalls;
  categories: Record<string, { questions: number } & Recalls>;
}

/** Result of one set of conversations. */
export interface SetResult extends SetRecall {
  /** The same where only the messages of one user are stored. */
  userOnly: SetRecall;
  choice: ChoiceResult;
}

/** What a choice by a model (`useLlmRanker`) costs, and what it can gain at most. The quality of a model is not measured. */
interface ChoiceResult {
  /** Recall among the first 5 without a choice. */
  recallAt5: number;
  /** Recall of the best possible choice of 5 among the first 15. */
  bestOf15: number;
  /** Estimated prompt tokens of the one call per question. */
  promptTokens: number;
}

/** Number of recalled turns. */
const FOUND = 10;
/** Number of memories that a model chooses, and of those it chooses from: the defaults of the library. */
const CHOSEN = 5;
const CHOICE = 15;

/** Returns for each question the ids of the recalled turns, best first. */
type Search = (question: string) => Promise<string[]>;

/** Measures the recall of one set, with all messages and with those of one user. Skips questions without evidence. */
export async function measureSet(
  conversations: readonly Conversation[],
  embedder: Embedder,
): Promise<SetResult> {
  const choices: ChoiceResult[] = [];
  for (const conversation of conversations)
    choices.push(...(await choicesOf(conversation, await memoryWith(conversation, embedder))));
  return {
    ...(await recallOfSet(conversations, embedder)),
    userOnly: await recallOfSet(conversations.map(ofUser), embedder),
    choice: {
      recallAt5: mean(choices.map(({ recallAt5 }) => recallAt5)),
      bestOf15: mean(choices.map(({ bestOf15 }) => bestOf15)),
      promptTokens: Math.round(mean(choices.map(({ promptTokens }) => promptTokens))),
    },
  };
}

/** Returns the conversation with the messages of one user only: the speaker who says most, apart from the assistant. */
export function ofUser(conversation: Conversation): Conversation {
  const counts = new Map<string, number>();
  for (const { speaker } of conversation.turns)
    if (!isAssistant(speaker)) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  const [[user] = ['']] = [...counts].sort(([, one], [, other]) => other - one);
  const turns = conversation.turns.filter(({ speaker }) => speaker === user);
  const ids = new Set(turns.map(({ id }) => id));
  const questions = conversation.questions.map((question) => ({
    ...question,
    evidence: question.evidence.filter((id) => ids.has(id)),
  }));
  return { ...conversation, turns, questions };
}

async function recallOfSet(conversations: readonly Conversation[], embedder: Embedder): Promise<SetRecall> {
  const answers: Record<keyof Recalls, Answer[]> = { ours: [], withoutEmbedder: [], bm25: [], plain: [] };
  for (const conversation of conversations) {
    const searches: Record<keyof Recalls, Search> = {
      ours: recalling(await memoryWith(conversation, embedder)),
      withoutEmbedder: recalling(await memoryWith(conversation)),
      bm25: byWordsAlone(conversation, termsOf),
      plain: byWordsAlone(conversation, wordsOf),
    };
    for (const name of Object.keys(searches) as (keyof Recalls)[])
      answers[name].push(...(await answersOf(conversation, searches[name])));
  }
  const recalls = (value: (answer: Answer) => number, category?: string): Recalls => {
    const share = (list: readonly Answer[]) =>
      mean(list.filter((answer) => category === undefined || answer.category === category).map(value));
    return {
      ours: share(answers.ours),
      withoutEmbedder: share(answers.withoutEmbedder),
      bm25: share(answers.bm25),
      plain: share(answers.plain),
    };
  };
  const names = answers.ours.map(({ category }) => category);
  return {
    questions: names.length,
    recallAt10: recalls(({ turnRecall }) => turnRecall),
    sessionRecallAt10: recalls(({ sessionRecall }) => sessionRecall),
    categories: Object.fromEntries(
      [...new Set(names)].sort().map((category) => [
        category,
        {
          questions: names.filter((name) => name === category).length,
          ...recalls(({ turnRecall }) => turnRecall, category),
        },
      ]),
    ),
  };
}

interface Answer {
  category: string;
  turnRecall: number;
  sessionRecall: number;
}

async function answersOf({ turns, questions }: Conversation, search: Search): Promise<Answer[]> {
  const sessions = new Map(turns.map(({ id, session }) => [id, session]));
  const answered = questions.filter(({ evidence }) => evidence.length > 0);
  const result: Answer[] = [];
  for (const { question, category, evidence } of answered) {
    const found = new Set((await search(question)).slice(0, FOUND));
    const foundSessions = new Set([...found].map((id) => sessions.get(id)));
    const wanted = [...new Set(evidence.map((id) => sessions.get(id)))];
    result.push({
      category: String(category),
      turnRecall: recallOf(evidence, found),
      sessionRecall: mean(wanted.map((session) => (foundSessions.has(session) ? 1 : 0))),
    });
  }
  return result;
}

/** Returns the share of the evidence that was found. */
export function recallOf<Item>(evidence: readonly Item[], found: ReadonlySet<Item>): number {
  return mean(evidence.map((item) => (found.has(item) ? 1 : 0)));
}

/** Offers 15 memories per question to a scripted model, as `useLlmRanker` does, and reads the prompt. */
async function choicesOf({ questions }: Conversation, memory: LongTermMemory): Promise<ChoiceResult[]> {
  const results: ChoiceResult[] = [];
  for (const { question, evidence } of questions.filter((asked) => asked.evidence.length > 0)) {
    const found = await memory.recallFor(question, CHOICE);
    const ids = new Set(found.map(({ id }) => id));
    let promptTokens = 0;
    await chooseMemories(question, found, CHOSEN, async (prompt) => {
      promptTokens += estimateTokens(prompt);
      return '';
    });
    results.push({
      recallAt5: recallOf(evidence, new Set([...ids].slice(0, CHOSEN))),
      bestOf15: Math.min(CHOSEN, evidence.filter((id) => ids.has(id)).length) / evidence.length,
      promptTokens,
    });
  }
  return results;
}

/** The library's long-term memory as a role uses it. */
export async function memoryWith({ turns }: Conversation, embedder?: Embedder): Promise<LongTermMemory> {
  const store = new MemoryLongTermStore();
  for (const item of turns.map(memoryOf)) store.put(item);
  const memory = new LongTermMemory({
    store,
    ...(embedder === undefined ? {} : { embedder }),
    warn: (message, error) => {
      throw new Error(message, { cause: error }); // A benchmark must not continue without the embedder.
    },
  });
  await memory.restore();
  await memory.embedAll();
  return memory;
}

function recalling(memory: LongTermMemory): Search {
  return async (question) => (await memory.recallFor(question, FOUND)).map(({ id }) => id);
}

/** The baseline: BM25 over text and speaker, with the given words. */
function byWordsAlone({ turns }: Conversation, split: (text: string) => string[]): Search {
  const index = new LexicalIndex();
  for (const [place, turn] of turns.entries()) index.add(place, split(`${turn.speaker}: ${contentOf(turn)}`));
  return async (question) =>
    index.search(split(question), FOUND).flatMap(({ document }) => turns[document]?.id ?? []);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
