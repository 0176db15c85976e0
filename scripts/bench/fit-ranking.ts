import {
  rankInContext,
  timesIn,
  WEIGHTS,
  type NamedTime,
  type RankingWeights,
} from '../../src/memory/ranking.js';
import { memoryTerms, termsOfMemory } from '../../src/memory/find-memories.js';
import { LexicalIndex } from '../../src/memory/lexical-index.js';
import { memoryEntry } from '../../src/memory/memory-item.js';
import { MemoryList } from '../../src/memory/memory-list.js';
import type { Scored } from '../../src/memory/top-scores.js';
import { exactVectors, unitVector } from '../../src/memory/vector-index.js';
import { cachedEmbedder, type CachedEmbedder } from './cached-embedder.js';
import { mean, ofUser, recallOf } from './conversation-recall.js';
import { contentOf, memoryOf, readConversations, type Conversation } from './conversations.js';
import { sentenceEncoder } from './sentence-encoder.js';

const USAGE = `npm run bench:ranking -- SET SET...

Fits the ranking weights of src/memory/ranking.ts on sets of conversations (see npm run bench:recall -- --help), and prints:
  - for each set, its recall@10 of turns and sessions with weights fitted on the other sets only (leave one set out)
  - the weights fitted on all sets, and their recall@10

Every set counts the same, whatever its number of questions, and with all messages as with those of one user. Each weight starts at 0.5 and moves in steps of 0.1. A step away from the start
costs 0.1 points of recall, so that a weight moves only where the data agree.`;

const FOUND = 10;
const CANDIDATES = 200;
const START = 0.5;
const STEP = 0.1;
const MOST = 1.5;
/** Points of recall that a step away from the start costs. */
const COST = 0.1;
/** Maximum number of passes over all weights. */
const PASSES = 4;
/** Maximum number of questions per set; of a larger set, questions at equal distances. */
const QUESTIONS = 400;

/** A question with everything that ranking needs, except for the weights. */
interface Question {
  evidence: number[];
  /** Session of each memory. */
  sessions: readonly number[];
  lexical: Scored[];
  semantic: Scored[];
  times: readonly NamedTime[];
  list: MemoryList;
}

/** Recall in percent of the turns and the sessions of one set. */
interface Shares {
  turns: number;
  sessions: number;
}

/** Recall of one set, with and without the embedder. */
interface Score {
  ours: Shares;
  withoutEmbedder: Shares;
}

type Evaluate = (weights: RankingWeights) => Score[];

/** Fits the weights and prints them. Returns the exit code. */
export async function main(paths: readonly string[]): Promise<number> {
  if (paths.length < 2) {
    console.log(USAGE);
    return 1;
  }
  const embedder = cachedEmbedder(await sentenceEncoder());
  const sets: Question[][] = [];
  for (const path of paths) {
    for (const store of [(conversation: Conversation) => conversation, ofUser]) {
      const questions: Question[] = [];
      for (const conversation of readConversations(path))
        questions.push(...(await questionsOf(store(conversation), embedder)));
      sets.push(sample(questions));
    }
    embedder.save();
  }
  const names = paths.flatMap((path) => [path, `${path}, user only`]);
  const evaluate = evaluation(sets);
  console.log('Weights now:');
  print(names, evaluate(WEIGHTS));
  for (const [left, path] of paths.entries()) {
    const isLeft = (at: number) => Math.floor(at / 2) === left;
    const weights = fit(evaluate, (scores) => scores.filter((_, at) => !isLeft(at)));
    console.log(`Without ${path}: ${JSON.stringify(weights)}`);
    print(
      names.filter((_, at) => isLeft(at)),
      evaluate(weights).filter((_, at) => isLeft(at)),
    );
  }
  const weights = fit(evaluate, (scores) => scores);
  console.log(`All sets: ${JSON.stringify(weights)}`);
  print(names, evaluate(weights));
  return 0;
}

/** Searches the conversation once for each question, by words and by meaning. */
async function questionsOf(
  { turns, questions }: Conversation,
  embedder: CachedEmbedder,
): Promise<Question[]> {
  const signal = new AbortController().signal;
  const list = new MemoryList();
  const words = new LexicalIndex();
  const vectors = exactVectors(embedder.dimensions);
  const embedded = await embedder.embed(
    turns.map((turn) => `${turn.speaker}: ${contentOf(turn)}`),
    signal,
  );
  for (const [number, turn] of turns.entries()) {
    const memory = memoryOf(turn, number);
    const { terms, length } = termsOfMemory(memory);
    list.put(memoryEntry(memory, '', length));
    words.add(number, terms);
    vectors.add(number, unitVector(embedded[number], embedder));
  }
  const numbers = new Map(turns.map(({ id }, number) => [id, number]));
  const answered = questions.filter(({ evidence }) => evidence.length > 0);
  const asked = await embedder.embed(
    answered.map(({ question }) => question),
    signal,
  );
  return answered.map(({ question, evidence }, place) => ({
    evidence: evidence.map((id) => numbers.get(id) ?? -1),
    sessions: turns.map(({ session }) => session),
    lexical: words.search(memoryTerms(question), CANDIDATES),
    semantic: vectors.search(unitVector(asked[place], embedder), CANDIDATES),
    times: timesIn(question),
    list,
  }));
}

function sample(questions: readonly Question[]): Question[] {
  const step = Math.max(1, questions.length / QUESTIONS);
  const count = Math.min(questions.length, QUESTIONS);
  return Array.from({ length: count }, (_, place) => questions[Math.floor(place * step)]).filter(
    (question) => question !== undefined,
  );
}

/** Returns a function that measures weights on every set. Remembers the results. */
function evaluation(sets: readonly (readonly Question[])[]): Evaluate {
  const known = new Map<string, Score[]>();
  return (weights) => {
    const key = JSON.stringify(weights);
    const scores =
      known.get(key) ??
      sets.map((questions) => ({
        ours: sharesOf(questions.map((question) => recallAt10(question, weights, true))),
        withoutEmbedder: sharesOf(questions.map((question) => recallAt10(question, weights, false))),
      }));
    known.set(key, scores);
    return scores;
  };
}

function sharesOf(recalls: readonly Shares[]): Shares {
  return {
    turns: 100 * mean(recalls.map(({ turns }) => turns)),
    sessions: 100 * mean(recalls.map(({ sessions }) => sessions)),
  };
}

function recallAt10(question: Question, weights: RankingWeights, withEmbedder: boolean): Shares {
  const { evidence, sessions, lexical, semantic, times, list } = question;
  const best = rankInContext(
    { lexical, semantic: withEmbedder ? semantic : [] },
    times,
    (number) => list.circumstances(number),
    { limit: FOUND, own: false, weights },
  );
  const wanted = [...new Set(evidence.map((number) => sessions[number]))];
  return {
    turns: recallOf(evidence, new Set(best)),
    sessions: recallOf(wanted, new Set(best.map((number) => sessions[number]))),
  };
}

/** Changes one weight at a time, as long as the chosen scores improve by more than the cost. Deterministic. */
function fit(evaluate: Evaluate, choose: (scores: readonly Score[]) => readonly Score[]): RankingWeights {
  const names = Object.keys(WEIGHTS) as (keyof RankingWeights)[];
  let weights = Object.fromEntries(names.map((name) => [name, START])) as unknown as RankingWeights;
  const valueOf = (tried: RankingWeights): number =>
    mean(
      choose(evaluate(tried)).flatMap(({ ours, withoutEmbedder }) =>
        [ours, withoutEmbedder].flatMap(({ turns, sessions }) => [turns, sessions]),
      ),
    ) -
    COST * names.reduce((sum, name) => sum + Math.abs(tried[name] - START) / STEP, 0);
  let best = valueOf(weights);
  for (let pass = 0; pass < PASSES; pass++) {
    const before = best;
    for (const name of names) {
      for (const steps of [-3, -1, 1, 3]) {
        const value = Number((weights[name] + steps * STEP).toFixed(2));
        if (value < 0 || value > MOST) continue;
        const tried = { ...weights, [name]: value };
        const result = valueOf(tried);
        if (result > best) [best, weights] = [result, tried];
      }
    }
    if (best === before) break;
  }
  return weights;
}

function print(names: readonly string[], scores: readonly Score[]): void {
  for (const [place, name] of names.entries()) {
    const text = ({ turns, sessions }: Shares = { turns: 0, sessions: 0 }) =>
      `${turns.toFixed(1)} % of turns and ${sessions.toFixed(1)} % of sessions`;
    const { ours, withoutEmbedder } = scores[place] ?? {};
    console.log(`  ${name}: ${text(ours)} with, ${text(withoutEmbedder)} without the embedder`);
  }
}
