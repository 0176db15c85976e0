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
  /** True when it only asks a question. The answer is more useful. */
  asks: boolean;
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

/*
 * Ranking weights. They were learned on half of the LoCoMo conversations with leave-one-out cross-validation, then rounded. Changes of 20%
 * hardly affect the ranking. The best match by words has the score 1.
 */
/** Score of the best match by meaning. */
const MEANING = 0.6;
/** Weight of a neighbor's match by distance; an answer often shares no word with its question. The preceding message counts most. */
const NEIGHBORS: readonly { distance: number; weight: number }[] = [
  { distance: -1, weight: 0.4 },
  { distance: -2, weight: 0.3 },
  { distance: 1, weight: 0.2 },
  { distance: 2, weight: 0.1 },
];
/** Maximum distance of a neighbor. */
const REACH = Math.max(...NEIGHBORS.map(({ distance }) => Math.abs(distance)));
/** Weight of the mean of the best matches in the same passage. */
const PASSAGE = 1.1;
const BEST_OF_PASSAGE = 3;
/** Bonus for a speaker that the query names. */
const SPEAKER = 0.33;
/** Bonus for a time that the query names. */
const TIME = 0.3;
const ASKING = -0.25;
/** Bonus for messages from the user or another role. The role's own words and command results often only repeat them. */
const FROM_OTHERS = 0.6;
/** Weight per e-fold of words. Longer messages contain more, up to `MOST_LENGTH`. */
const LENGTH = 0.25;
/** Words added to each message so that single words count little, and the maximum number of words that count. */
const LEAST_LENGTH = 3;
const MOST_LENGTH = 30;
/** Bonus of the newest memory found; older ones get proportionally less. */
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
  { limit, own }: { limit: number; own: boolean },
): Scored[] {
  const fits = fused(found.lexical, found.semantic);
  const candidates = own ? Float64Array.from(fits.keys()).sort() : withNeighbors(fits);
  const known = Array.from(candidates, circumstances);
  const fit = Float64Array.from(candidates, (document) => fits.get(document) ?? 0);
  const passages = passageFits(fit, known);
  const best = new TopScores(limit);
  for (let place = 0; place < candidates.length; place++) {
    const about = known[place];
    if (about === undefined) continue;
    let score = fit[place] ?? 0;
    for (const { distance, weight } of NEIGHBORS) {
      const near = placeOf(candidates, place, distance);
      if (near !== null && known[near]?.passage === about.passage) score += weight * (fit[near] ?? 0);
    }
    if (score === 0) continue; // an adjacent number that belongs to another passage
    score += PASSAGE * (passages.get(about.passage) ?? 0);
    score += LENGTH * Math.log(LEAST_LENGTH + Math.min(about.length, MOST_LENGTH));
    if (cues.speakers.has(about.speaker)) score += SPEAKER;
    if (cues.times.some((time) => isWithin(about.at, time))) score += TIME;
    if (about.asks) score += ASKING;
    if (about.fromOthers) score += FROM_OTHERS;
    score += (RECENCY * (place + 1)) / candidates.length;
    best.offer(candidates[place] ?? 0, score);
  }
  return best.take();
}

/** Returns the score of each document by itself. Word scores are relative to the best one; meaning scores are scaled from worst to best. */
function fused(lexical: readonly Scored[], semantic: readonly Scored[]): Map<number, number> {
  const fits = new Map<number, number>();
  const most = lexical[0]?.score ?? 0;
  for (const { document, score } of lexical) if (score > 0) fits.set(document, score / most);
  const top = semantic[0]?.score ?? 0;
  const least = Math.max(0, semantic.at(-1)?.score ?? 0);
  for (const { document, score } of semantic) {
    if (score <= 0) continue;
    const share = top === least ? 1 : (score - least) / (top - least);
    fits.set(document, (fits.get(document) ?? 0) + MEANING * share);
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

/** Returns the documents and their neighbors in ascending order. */
function withNeighbors(fits: ReadonlyMap<number, number>): Float64Array {
  const documents = Float64Array.from(fits.keys()).sort();
  const candidates = new Float64Array((2 * REACH + 1) * documents.length);
  let count = 0;
  let last = -Infinity;
  for (const document of documents) {
    for (let near = Math.max(document - REACH, last + 1); near <= document + REACH; near++)
      candidates[count++] = last = near;
  }
  return candidates.subarray(0, count);
}

/** Returns the index of the document at this distance from the one at `place`, or null when it is not in the list. */
function placeOf(documents: Float64Array, place: number, distance: number): number | null {
  const document = (documents[place] ?? 0) + distance;
  const step = Math.sign(distance);
  for (let at = place + step; at >= 0 && at < documents.length; at += step) {
    const there = documents[at] ?? 0;
    if (there === document) return at;
    if (step * (there - document) > 0) return null;
  }
  return null;
}
