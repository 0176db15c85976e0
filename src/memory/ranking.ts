import { TopScores, type Scored } from './top-scores.js';
/** Metadata of a memory that ranking uses in addition to its match. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  at: number;
  /** True when the user or another role wrote it, rather than the role itself or a command result. */
  fromOthers: boolean;
  /** Number of search terms of its content. */
  length: number;
  /** Passage (stretch of conversation) that it belongs to. Messages of one conversation share a number. */
  passage: number;
}

/** Weights of the parts of a score. The best match by words has the score 1. */
export interface RankingWeights {
  /**
   * Weight of each kind of evidence other than words and time: meaning, the match of the preceding message, substance, and that the message
   * is not from the role itself.
   */
  evidence: number;
  /** Bonus for a time that the query names. */
  time: number;
  /** Factor per step away from a matching neighbor. The message after a match is the first step, the message before it the second one. */
  decay: number;
  /** Share of the results for the best matches that are not near the others: several conversations may answer a question. */
  elsewhere: number;
}

/**
 * One weight for all evidence is nearly as good as one for each, and applies to kinds of conversation that it was not measured on; see
 * `npm run bench:ranking`.
 */
export const WEIGHTS: RankingWeights = { evidence: 0.5, time: 1, decay: 0.6, elsewhere: 0.3 };

/** Maximum distance of a neighbor. */
const REACH = 4;
/** Matches per result that are searched for some elsewhere. */
const SPREAD = 10;
/** Number of terms from which a message gets the whole bonus for substance. "Okay" contains nothing to recall. */
const SUBSTANTIAL = 12;
/** Meaning scores fall with the rank: rank 0 scores 1, rank `HALF` one half. Independent of the embedder's range of cosines. */
const HALF = 3;
/** Bonus of the newest memory found; older ones get proportionally less. It decides between equal matches. */
const RECENCY = 0.05;

/**
 * Returns the best `limit` memories for a query, best first. Combines matches by words and by meaning (both sorted best first) with
 * neighboring memories, time, and a little recency. The last places are for the best matches that are not near the others.
 *
 * Skips memories without circumstances. With `own`, a memory must match without its neighbors, and all places are for the best ones.
 */
export function rankInContext(
  found: { lexical: readonly Scored[]; semantic: readonly Scored[] },
  times: readonly NamedTime[],
  circumstances: (document: number) => Circumstances | undefined,
  { limit, own, weights = WEIGHTS }: { limit: number; own: boolean; weights?: RankingWeights },
): number[] {
  const fits = fused(found.lexical, found.semantic, weights.evidence);
  const { candidates, fit } = withNeighbors(fits, own ? 0 : REACH);
  const known: (Circumstances | undefined)[] = [];
  for (const document of candidates) known.push(circumstances(document));
  const scores = withMatchesNearby(candidates, known, fit, weights);
  const best = new TopScores(limit);
  const matches = new TopScores(SPREAD * limit);
  for (let place = 0; place < candidates.length; place++) {
    const about = known[place];
    let score = scores[place] ?? 0;
    if (about === undefined || score === 0) continue; // with score 0, an adjacent number that belongs to another passage
    score += weights.evidence * (SUBSTANCE[Math.min(about.length, SUBSTANTIAL)] ?? 1);
    if (times.some((time) => isWithin(about.at, time))) score += weights.time;
    if (about.fromOthers) score += weights.evidence;
    score += (RECENCY * (place + 1)) / candidates.length;
    best.offer(candidates[place] ?? 0, score);
    if ((fit[place] ?? 0) > 0) matches.offer(candidates[place] ?? 0, score);
  }
  const ranked = best.take().map(({ document }) => document);
  if (own) return ranked;
  const isNear = (one: number, other: number) =>
    Math.abs(one - other) <= REACH && circumstances(one)?.passage === circumstances(other)?.passage;
  return withMatchesElsewhere(ranked, matches.take(), isNear, Math.floor(weights.elsewhere * limit));
}

/** Replaces the last `places` of the ranked documents by the best matches that are not near the others, as far as there are such matches. */
function withMatchesElsewhere(
  ranked: readonly number[],
  matches: readonly Scored[],
  isNear: (one: number, other: number) => boolean,
  places: number,
): number[] {
  const chosen = ranked.slice(0, Math.max(0, ranked.length - places));
  for (const { document } of matches) {
    if (chosen.length === ranked.length) break;
    if (!chosen.some((other) => isNear(document, other))) chosen.push(document);
  }
  const others = ranked.filter((document) => !chosen.includes(document));
  return [...chosen, ...others.slice(0, ranked.length - chosen.length)];
}

/** Returns the matches, each increased by those of its neighbors in the same passage. */
function withMatchesNearby(
  candidates: Float64Array,
  known: readonly (Circumstances | undefined)[],
  fit: Float64Array,
  { evidence, decay }: RankingWeights,
): Float64Array {
  const scores = Float64Array.from(fit);
  const byStep = Float64Array.from({ length: REACH + 2 }, (_, step) => evidence * decay ** (step - 1));
  for (let place = 0; place < candidates.length; place++) {
    const match = fit[place] ?? 0;
    if (match === 0) continue; // most candidates are neighbors only
    for (const step of [1, -1]) {
      for (let at = place + step; at >= 0 && at < candidates.length; at += step) {
        const distance = Math.abs((candidates[at] ?? 0) - (candidates[place] ?? 0));
        if (distance > REACH) break;
        if (known[at]?.passage !== known[place]?.passage) continue;
        const weight = byStep[step === 1 ? distance : distance + 1] ?? 0;
        scores[at] = (scores[at] ?? 0) + weight * match;
      }
    }
  }
  return scores;
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

/** Returns the documents and their neighbors up to `reach` away in ascending order, each with its fit: 0 for those that are neighbors only. */
function withNeighbors(
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

/** A day, month, or year named in a query. Parts that are not named are null. Months count from 0. */
export interface NamedTime {
  year: number | null;
  month: number | null;
  day: number | null;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})`;
/** Matches forms such as 8 May 2023 · May 8, 2023 · May 2023 · in May · 2023-05-08 · in 2023. */
const TIMES = [
  new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b\\.?,?(?: (?<year>\\d{4}))?`, 'gi'),
  new RegExp(`\\b${MONTH}\\b\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (?<year>\\d{4}))?`, 'gi'),
  new RegExp(`\\b${MONTH}\\b\\.?,? (?<year>\\d{4})\\b`, 'gi'),
  new RegExp(`\\b(?:in|of|during|since|last|this|early|late|mid) ${MONTH}\\b`, 'gi'),
  /\b(?<year>\d{4})-(?<number>\d{2})-(?<day>\d{2})\b/g,
  /\b(?:in|of|during|since) (?<year>(?:19|20)\d{2})\b/gi,
];

/** Returns the times that a query names in English or as an ISO date. Text matched by one pattern is not matched by later ones. */
export function timesIn(query: string): NamedTime[] {
  const times: NamedTime[] = [];
  let rest = query;
  for (const form of TIMES) {
    rest = rest.replace(form, (text: string, ...found: unknown[]) => {
      const groups = (found.at(-1) ?? {}) as Record<string, string | undefined>;
      const name = new RegExp(`\\b${MONTH}\\b`, 'i').exec(text)?.[1]?.slice(0, 3).toLowerCase();
      const month = MONTHS.findIndex((full) => full.slice(0, 3) === name);
      const numbered = groups['number'] === undefined ? null : Number(groups['number']) - 1;
      const number = (digits: string | undefined) => (digits === undefined ? null : Number(digits));
      times.push({
        year: number(groups['year']),
        month: month < 0 ? numbered : month,
        day: number(groups['day']),
      });
      return ' '.repeat(text.length);
    });
  }
  return times;
}

/** Returns true when a moment (milliseconds since 1970, read as UTC) is within a named time. */
export function isWithin(moment: number, { year, month, day }: NamedTime): boolean {
  const date = new Date(moment);
  return (
    (year === null || date.getUTCFullYear() === year) &&
    (month === null || date.getUTCMonth() === month) &&
    (day === null || date.getUTCDate() === day)
  );
}
