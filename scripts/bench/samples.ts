/** Repetitions of one measurement. */
export interface Sample {
  median: number;
  best: number;
  worst: number;
  p95: number;
  count: number;
  /**
   * For several launches of the browser: from the lowest of their medians to the highest. Missing in figures of
   * earlier runs.
   */
  noise?: number;
}

/** Joins several launches of the browser: their median, and the distance between them. */
export function overLaunches(launches: readonly Sample[]): Sample {
  const medians = launches.map(({ median }) => median);
  return {
    median: sample(medians).median,
    best: Math.min(...launches.map(({ best }) => best)),
    worst: Math.max(...launches.map(({ worst }) => worst)),
    p95: sample(launches.map(({ p95 }) => p95)).median,
    count: launches.reduce((sum, { count }) => sum + count, 0),
    noise: Math.max(...medians) - Math.min(...medians),
  };
}

/** The expected difference to another run: the distance between the launches, at least a twentieth. */
export function noiseOf({ median, best, worst, noise = worst - best }: Sample): number {
  return Math.max(noise, median * LEAST_NOISE);
}

/** Three launches may be equal by chance. */
const LEAST_NOISE = 0.05;

export function sample(values: readonly number[]): Sample {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: (quantile(sorted, 0.5) + quantile([...sorted].reverse(), 0.5)) / 2, // The middle two of an even number.
    best: sorted[0] ?? NaN,
    worst: sorted.at(-1) ?? NaN,
    p95: quantile(sorted, 0.95),
    count: sorted.length,
  };
}

/** The first of the sorted values that this share of them does not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
