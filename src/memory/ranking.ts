import { Best, type Scored } from './best.js';
import { isWithin, type NamedTime } from './cues.js';

/** What ranking knows of a memory besides how well it fits. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  at: number;
  /** Who said it; empty when nobody in particular. */
  speaker: string;
  /** Whether a person or another role said it, and not the role itself nor the world. */
  told: boolean;
  /** Whether it only asks: the answer is worth more. */
  asks: boolean;
  /** How many telling words it has. */
  length: number;
  /** Which stretch of conversation it belongs to: what was said in one go has the same number. */
  passage: number;
}

/** What a query says besides its subject. */
export interface Cues {
  speakers: ReadonlySet<string>;
  times: readonly NamedTime[];
}

/*
 * The weights. They were found by learning on half of the LoCoMo conversations, each conversation left out in turn, and then rounded;
 * the ranking hardly changes when they are moved by a fifth. The best fit by words counts 1.
 */
/** Being the best by meaning. */
const MEANING = 0.6;
/** What a neighbour's fit is worth: an answer often shares no word with what it answers. By distance, the one before first. */
const NEIGHBOURS: readonly { distance: number; weight: number }[] = [
  { distance: -1, weight: 0.4 },
  { distance: -2, weight: 0.3 },
  { distance: 1, weight: 0.2 },
  { distance: 2, weight: 0.1 },
];
/** How far away a neighbour is at most. */
const REACH = Math.max(...NEIGHBOURS.map(({ distance }) => Math.abs(distance)));
/** The mean fit of the best few of its passage. */
const PASSAGE = 1.1;
const BEST_OF_PASSAGE = 3;
/** Said by somebody the query names. */
const SPEAKER = 0.33;
/** From a time the query names. */
const TIME = 0.3;
const ASKING = -0.25;
/** Told by somebody, where the role's own words and what its commands gave are there as well: often they only repeat it. */
const TOLD = 0.6;
/** For each e-fold of words: a message of some length has more to tell than a short one; beyond, it is only longer. */
const LENGTH = 0.25;
/** Words that every message is taken to have, so that one more counts little, and the most that count. */
const LEAST_LENGTH = 3;
const MOST_LENGTH = 30;
/** Being the newest of all that are found. */
const RECENCY = 0.05;

/**
 * The best `limit` memories for a query, best first: by shared words and by meaning (both best first), by what was said around them, by
 * who said it and when, and a little by age. What has no circumstances is passed over. With `own` a memory must fit by itself; else those
 * that only stand next to one that fits are found, too.
 */
export function rankInContext(
  found: { lexical: readonly Scored[]; semantic: readonly Scored[] },
  cues: Cues,
  circumstances: (document: number) => Circumstances | undefined,
  { limit, own }: { limit: number; own: boolean },
): Scored[] {
  const fits = fused(found.lexical, found.semantic);
  const candidates = own ? Float64Array.from(fits.keys()).sort() : withNeighbours(fits);
  const known = Array.from(candidates, circumstances);
  const fit = Float64Array.from(candidates, (document) => fits.get(document) ?? 0);
  const passages = passageFits(fit, known);
  const best = new Best(limit);
  for (let place = 0; place < candidates.length; place++) {
    const about = known[place];
    if (about === undefined) continue;
    let score = fit[place] ?? 0;
    for (const { distance, weight } of NEIGHBOURS) {
      const near = placeOf(candidates, place, distance);
      if (near !== null && known[near]?.passage === about.passage) score += weight * (fit[near] ?? 0);
    }
    if (score === 0) continue; // a neighbour by number that belongs to another conversation
    score += PASSAGE * (passages.get(about.passage) ?? 0);
    score += LENGTH * Math.log(LEAST_LENGTH + Math.min(about.length, MOST_LENGTH));
    if (cues.speakers.has(about.speaker)) score += SPEAKER;
    if (cues.times.some((time) => isWithin(about.at, time))) score += TIME;
    if (about.asks) score += ASKING;
    if (about.told) score += TOLD;
    score += (RECENCY * (place + 1)) / candidates.length;
    best.offer(candidates[place] ?? 0, score);
  }
  return best.take();
}

/** How well each document fits by itself: by words as a share of the best; by meaning between the worst that was found and the best. */
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

/** Of each passage the mean of its best few fits. */
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

/** The documents and those beside them, in order. */
function withNeighbours(fits: ReadonlyMap<number, number>): Float64Array {
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

/** The place of the document at this distance from the one in a place; null when it is not there. */
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
