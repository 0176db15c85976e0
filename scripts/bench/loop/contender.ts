/** The next reply of the scripted model: the step number for its tool call, or null to end the run. */
export type Next = () => number | null;

/** One turn from request to end. Its model calls `next` for every reply and replies at once. */
export type Loop = (next: Next) => Promise<void>;

export interface LoopOrder {
  variant: string;
  steps: number;
  /** In ms, the time limit of a run, after which the model ends it. */
  limit: number;
}

export interface LoopTime {
  /** Steps completed within the limit. */
  steps: number;
  /** Microseconds between two model calls: the median, which excludes disturbances by other processes. */
  perStep: number;
  /** The mean of the same, with all pauses. */
  mean: number;
  /** Duration of a step in the last fifth relative to the first. */
  growth: number;
}

/** Runs the loops of one library in this worker on request. */
export function serveLoops(variants: Readonly<Record<string, Loop>>): void {
  const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;
  scope.addEventListener('message', ({ data }: MessageEvent<LoopOrder>) => {
    void measured(variants[data.variant], data).then(
      (time) => scope.postMessage({ time }),
      (error: unknown) =>
        scope.postMessage({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  scope.postMessage({ variants: Object.keys(variants) });
}

async function measured(loop: Loop | undefined, { variant, steps, limit }: LoopOrder): Promise<LoopTime> {
  if (loop === undefined) throw new Error(`There is no variant ${variant}.`);
  const calls: number[] = [];
  await loop(() => {
    const now = performance.now();
    const begun = calls[0] ?? now;
    const taken = calls.push(now) - 1;
    return taken >= steps || now - begun > limit ? null : taken + 1;
  });
  const taken = calls.length - 1;
  if (taken < 1) throw new Error(`It took ${taken} steps.`);
  const fifth = Math.max(1, Math.floor(taken / 5));
  return {
    steps: taken,
    perStep: typical(calls),
    mean: (((calls.at(-1) ?? 0) - (calls[0] ?? 0)) / taken) * 1_000,
    growth: typical(calls.slice(-fifth - 1)) / typical(calls.slice(0, fifth + 1)),
  };
}

/** Steps that are timed together where one is shorter than the clock resolution of five microseconds. */
const TOGETHER = 10;
const TOO_SHORT = 50;

/** The median step in microseconds. */
function typical(calls: readonly number[]): number {
  const one = median(calls, 1);
  return one >= TOO_SHORT || calls.length <= TOGETHER ? one : median(calls, TOGETHER);
}

function median(calls: readonly number[], together: number): number {
  const spans: number[] = [];
  for (let at = together; at < calls.length; at += together)
    spans.push((((calls[at] ?? 0) - (calls[at - together] ?? 0)) / together) * 1_000);
  spans.sort((a, b) => a - b);
  return spans[Math.floor(spans.length / 2)] ?? NaN;
}
