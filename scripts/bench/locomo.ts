import type { Embedder } from '../../src/core/model.js';
import { LexicalIndex } from '../../src/memory/lexical-index.js';
import { LongTermMemory } from '../../src/memory/long-term-memory.js';
import { MemoryLongTermStore } from '../../src/memory/memory-long-term-store.js';
import { termsOf } from '../../src/memory/terms.js';
import { contentOf, memoryOf, type Conversation } from './conversations.js';

export interface LocomoResult {
  questions: number;
  turnRecallAt10: number;
  byCategory: Record<string, number>;
  sessionRecallAt10: number;
  lexicalTurnRecallAt10: number;
  withoutEmbedderTurnRecallAt10: number;
}

const FOUND = 10;

/** Returns for each question the ids of the recalled turns, best first. */
type Search = (question: string) => Promise<string[]>;

/** The share of answering turns among the first ten recalled ones, on average. */
export async function measureLocomo(
  conversations: readonly Conversation[],
  embedder: Embedder,
): Promise<LocomoResult> {
  const turns: Answer[] = [];
  const without: Answer[] = [];
  const lexical: Answer[] = [];
  for (const conversation of conversations) {
    turns.push(...(await answers(conversation, await recalling(conversation, embedder))));
    without.push(...(await answers(conversation, await recalling(conversation))));
    lexical.push(...(await answers(conversation, byWordsAlone(conversation))));
  }
  const categories = [...new Set(turns.map(({ category }) => category))].sort();
  return {
    questions: turns.length,
    turnRecallAt10: mean(turns.map(({ turnRecall }) => turnRecall)),
    byCategory: Object.fromEntries(
      categories.map((category) => [
        category,
        mean(turns.filter((answer) => answer.category === category).map(({ turnRecall }) => turnRecall)),
      ]),
    ),
    sessionRecallAt10: mean(turns.map(({ sessionRecall }) => sessionRecall)),
    lexicalTurnRecallAt10: mean(lexical.map(({ turnRecall }) => turnRecall)),
    withoutEmbedderTurnRecallAt10: mean(without.map(({ turnRecall }) => turnRecall)),
  };
}

interface Answer {
  category: string;
  turnRecall: number;
  sessionRecall: number;
}

async function answers({ turns, questions }: Conversation, search: Search): Promise<Answer[]> {
  const sessions = new Map(turns.map(({ id, session }) => [id, session]));
  const answered = questions.filter(({ evidence }) => evidence.length > 0);
  const result: Answer[] = [];
  for (const { question, category, evidence } of answered) {
    const found = new Set((await search(question)).slice(0, FOUND));
    const foundSessions = new Set([...found].map((id) => sessions.get(id)));
    const wanted = [...new Set(evidence.map((id) => sessions.get(id)))];
    result.push({
      category: String(category),
      turnRecall: mean(evidence.map((id) => (found.has(id) ? 1 : 0))),
      sessionRecall: mean(wanted.map((session) => (foundSessions.has(session) ? 1 : 0))),
    });
  }
  return result;
}

/** The library's long-term memory as a role uses it. */
async function recalling({ turns }: Conversation, embedder?: Embedder): Promise<Search> {
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
  return async (question) => (await memory.recallFor(question, FOUND)).map(({ id }) => id);
}

/** The baseline: BM25 over text and speaker, with stemmed words. */
function byWordsAlone({ turns }: Conversation): Search {
  const index = new LexicalIndex();
  for (const [place, turn] of turns.entries())
    index.add(place, termsOf(`${turn.speaker}: ${contentOf(turn)}`));
  return async (question) =>
    index.search(termsOf(question), FOUND).flatMap(({ document }) => turns[document]?.id ?? []);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
