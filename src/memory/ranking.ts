import { TopScores, type Scored } from './top-scores.js';
import { isWithin, type NamedTime } from './cues.js';

/** Metadata of a memory that ranking uses in addition to its match. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  at: number;
  /** Name of the speaker; empty when there is none. */
  speaker: string;
  /** True when the user or another role wrote it, rather than the role itself or a command result. */
  fromOthers: boolean;
  /** Number of search terms. */
  length: number;
  /** Passage (stretch of conversation) that it belongs to. Messages of one conversation share a number. */
  passage: number;
}

/** Cues in a query other than its words: named speakers and times. */
export interface Cues {
  speakers: ReadonlySet<string>;
  times: readonly NamedTime[];
}

/** Weights of the parts of a score. The best match by words has the score 1. */
export interface RankingWeights {
  /** Score of the best match by meaning. */
  meaning: number;
  /** Weight of the match of the preceding message. An answer often shares no word with its question. */
  before: number;
  /** Weight of the match of the following message. */
  after: number;
  /** Factor per further step away from the message. */
  decay: number;
  /** Weight of the mean of the best matches in the same passage. */
  passage: number;
  /** Bonus of a message with `SUBSTANTIAL` terms or more. "Okay" contains nothing to recall. */
  substance: number;
  /** Bonus for a speaker that the query names. */
  speaker: number;
  /** Bonus for a time that the query names. */
  time: number;
  /** Bonus for messages from the user or another role. The role's own words and command results often only repeat them. */
  fromOthers: number;
}

/**
 * Weights fitted by `npm run bench:ranking` on conversations of friends, meetings, and chats with an assistant; see the benchmarks for
 * how well they apply to a kind of conversation that they were not fitted on.
 */
export const WEIGHTS: RankingWeights = {
  meaning: 0.5,
  before: 0.6,
  after: 0.4,
  decay: 0.65, // 0.6 and 0.7 are equally good
  passage: 0.5,
  substance: 0.9,
  speaker: 0.4,
  time: 0.7,
  fromOthers: 0.5,
};

/** Meaning scores fall with the rank: rank 0 scores 1, rank `HALF` scores one half. Independent of the embedder's range of cosines. */
const HALF = 3;
/** Maximum distance of a neighbor. */
const REACH = 4;
/** Number of best matches of a passage that count. */
const BEST_OF_PASSAGE = 3;
/** Number of terms from which a message gets the whole bonus for substance. */
const SUBSTANTIAL = 12;
/** Bonus of the newest memory found; older ones get proportionally less. It decides between equal matches. */
const RECENCY = 0.05;

/**
 * Returns the best `limit` memories for a query, best first. Combines matches by words and by meaning (both sorted best first) with
 * neighboring memories, speaker, time, and a little recency.
 *
 * Skips memories without circumstances. With `own`, a memory must match by itself; otherwise, neighbors of a match are returned too.
 */
export function rankInContext(
  found: { lexical: readonly Scored[]; semantic: readonly Scored[] },
  cues: Cues,
  circumstances: (document: number) => Circumstances | undefined,
  { limit, own, weights = WEIGHTS }: { limit: number; own: boolean; weights?: RankingWeights },
): Scored[] {
  const fits = fused(found.lexical, found.semantic, weights.meaning);
  const { candidates, fit } = inOrder(fits, own ? 0 : REACH);
  const known: (Circumstances | undefined)[] = [];
  for (const document of candidates) known.push(circumstances(document));
  const passages = passageFits(fit, known);
  const scores = withMatchesNearby(candidates, known, fit, weights);
  const best = new TopScores(limit);
  for (let place = 0; place < candidates.length; place++) {
    const about = known[place];
    let score = scores[place] ?? 0;
    if (about === undefined || score === 0) continue; // with score 0, an adjacent number that belongs to another passage
    score += weights.passage * (passages.get(about.passage) ?? 0);
    score += weights.substance * (SUBSTANCE[Math.min(about.length, SUBSTANTIAL)] ?? 1);
    if (cues.speakers.has(about.speaker)) score += weights.speaker;
    if (cues.times.some((time) => isWithin(about.at, time))) score += weights.time;
    if (about.fromOthers) score += weights.fromOthers;
    score += (RECENCY * (place + 1)) / candidates.length;
    best.offer(candidates[place] ?? 0, score);
  }
  return best.take();
}

/** Returns the matches, each increased by those of its neighbors in the same passage. */
function withMatchesNearby(
  candidates: Float64Array,
  known: readonly (Circumstances | undefined)[],
  fit: Float64Array,
  { before, after, decay }: RankingWeights,
): Float64Array {
  const scores = Float64Array.from(fit);
  const share = { before: weightsByDistance(before, decay), after: weightsByDistance(after, decay) };
  for (let place = 0; place < candidates.length; place++) {
    const match = fit[place] ?? 0;
    if (match === 0) continue; // most candidates are neighbors only
    for (const [step, byDistance] of [[1, share.before] as const, [-1, share.after] as const]) {
      for (let at = place + step; at >= 0 && at < candidates.length; at += step) {
        const distance = Math.abs((candidates[at] ?? 0) - (candidates[place] ?? 0));
        if (distance > REACH) break;
        if (known[at]?.passage !== known[place]?.passage) continue;
        scores[at] = (scores[at] ?? 0) + (byDistance[distance] ?? 0) * match;
      }
    }
  }
  return scores;
}

/** Returns the weight of a neighbor's match by its distance, from 0 to `REACH`. */
function weightsByDistance(first: number, decay: number): Float64Array {
  return Float64Array.from({ length: REACH + 1 }, (_, distance) => first * decay ** (distance - 1));
}

/** By number of terms: 0 for a message without terms, up to 1 for one with `SUBSTANTIAL` terms or more. */
const SUBSTANCE = Float64Array.from(
  { length: SUBSTANTIAL + 1 },
  (_, terms) => Math.log1p(terms) / Math.log1p(SUBSTANTIAL),
);

/** Returns the score of each document without its neighbors. Word scores are relative to the best one; meaning scores depend on the rank alone. */
function fused(
  lexical: readonly Scored[],
  semantic: readonly Scored[],
  meaning: number,
): Map<number, number> {
  const fits = new Map<number, number>();
  const most = lexical[0]?.score ?? 0;
  for (const { document, score } of lexical) if (score > 0) fits.set(document, score / most);
  for (const [rank, { document, score }] of semantic.entries()) {
    if (score <= 0) break;
    fits.set(document, (fits.get(document) ?? 0) + (meaning * HALF) / (HALF + rank));
  }
  return fits;
}

/** Returns the mean of the best matches of each passage. */
function passageFits(
  fits: Float64Array,
  known: readonly (Circumstances | undefined)[],
): ReadonlyMap<number, number> {
  const lists = new Map<number, number[]>();
  for (let place = 0; place < fits.length; place++) {
    const about = known[place];
    const fit = fits[place] ?? 0;
    if (about === undefined || fit === 0) continue;
    const list = lists.get(about.passage);
    if (list === undefined) lists.set(about.passage, [fit]);
    else list.push(fit);
  }
  const means = new Map<number, number>();
  for (const [passage, list] of lists) {
    const best = list.sort((one, other) => other - one).slice(0, BEST_OF_PASSAGE);
    means.set(passage, best.reduce((sum, fit) => sum + fit, 0) / BEST_OF_PASSAGE);
  }
  return means;
}

/** Returns the documents and their neighbors up to `reach` away in ascending order, each with its fit: 0 for those that are neighbors only. */
function inOrder(
  fits: ReadonlyMap<number, number>,
  reach: number,
): { candidates: Float64Array; fit: Float64Array } {
  const documents = Float64Array.from(fits.keys()).sort();
  const candidates = new Float64Array((2 * reach + 1) * documents.length);
  const fit = new Float64Array(candidates.length);
  let count = 0;
  let last = -Infinity;
  for (const document of documents) {
    for (let near = Math.max(document - reach, last + 1); near <= document + reach; near++)
      candidates[count++] = last = near;
    fit[count - 1 - reach] = fits.get(document) ?? 0; // its last neighbor is the last candidate
  }
  return { candidates: candidates.subarray(0, count), fit: fit.subarray(0, count) };
}
