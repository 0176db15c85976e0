/** Repetitions of one measurement. */
export interface Sample {
  median: number;
  best: number;
  worst: number;
  p95: number;
  count: number;
  /** Of several launches of the browser: from the lowest of their medians to the highest. Missing in figures of earlier runs. */
  noise?: number;
}

/** What several launches of the browser came to: their middle, and how far they lie apart. */
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

/** What a figure may differ by in another run: how far its launches lie apart, and at least a twentieth. */
export function noiseOf({ median, best, worst, noise = worst - best }: Sample): number {
  return Math.max(noise, median * LEAST_NOISE);
}

/** Three launches that happen to be alike say little. */
const LEAST_NOISE = 0.05;

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
