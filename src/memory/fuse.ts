/** A document and how well it fits; more is better, and negative is no fit at all. */
export interface Scored {
  document: number;
  score: number;
}

/**
 * One ranking out of several: scores of different kinds become shares of the best of their kind, and count as much as their weight. Best
 * first; of equal ones the higher number.
 */
export function fuse(rankings: readonly { found: readonly Scored[]; weight: number }[]): number[] {
  const total = new Map<number, number>();
  for (const { found, weight } of rankings) {
    const best = found.reduce((most, { score }) => Math.max(most, score), 0);
    for (const { document, score } of found) {
      const share = best === 0 ? 0 : Math.max(0, score) / best;
      total.set(document, (total.get(document) ?? 0) + weight * share);
    }
  }
  return byScore([...total].map(([document, score]) => ({ document, score }))).map(
    ({ document }) => document,
  );
}

/** Best first; of equal ones the higher number. */
export function byScore(found: Scored[]): Scored[] {
  return found.sort((one, other) => other.score - one.score || other.document - one.document);
}
