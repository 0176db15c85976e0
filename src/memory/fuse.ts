/** How much the first places count more than the next ones; the usual value. */
const DAMPING = 60;

/**
 * One ranking out of several, by place alone (reciprocal rank fusion): scores of different kinds cannot be compared, places can. A
 * ranking counts as much as its weight.
 */
export function fuse(rankings: readonly { ranking: readonly number[]; weight: number }[]): number[] {
  const scores = new Map<number, number>();
  for (const { ranking, weight } of rankings) {
    for (const [place, document] of ranking.entries()) {
      scores.set(document, (scores.get(document) ?? 0) + weight / (DAMPING + place + 1));
    }
  }
  return [...scores]
    .sort(([one, score], [other, otherScore]) => otherScore - score || other - one)
    .map(([document]) => document);
}
