/** Repetitions of one measurement. */
export interface Sample {
  median: number;
  best: number;
  worst: number;
  p95: number;
  count: number;
}

export function sample(values: readonly number[]): Sample {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: (quantile(sorted, 0.5) + quantile([...sorted].reverse(), 0.5)) / 2, // of an even number the middle two
    best: sorted[0] ?? NaN,
    worst: sorted.at(-1) ?? NaN,
    p95: quantile(sorted, 0.95),
    count: sorted.length,
  };
}

/** Of sorted values: the first that so large a share of them does not go beyond. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
