import type { ModelPhase, ProgressChunk } from '../../core/model.js';

export function progressChunk(phase: ModelPhase, loaded: number, total: number, text: string): ProgressChunk {
  return { type: 'progress', phase, loaded, total, text };
}

/** Tokens of a prompt that have been read. */
export interface PromptProgress {
  /** Tokens of the prompt. */
  total: number;
  /** Tokens read, with those in the cache. */
  processed: number;
}

const MIN_PIECE = 8;
const MAX_PIECE = 512;

/** Returns how many tokens to read at a time: about one second of them, so that progress and a stop take effect soon. */
export function pieceSize(tokensPerSecond: number): number {
  const size = 2 ** Math.round(Math.log2(Math.max(1, tokensPerSecond)));
  return Math.min(MAX_PIECE, Math.max(MIN_PIECE, size));
}

/**
 * Returns a function that reports the progress of one prompt, with the time left at the speed since its first call; null for a prompt that is
 * read.
 */
export function readingProgress(
  now: () => number = () => performance.now(),
): (read: PromptProgress) => ProgressChunk | null {
  let first: { at: number; processed: number } | null = null;
  return ({ total, processed }) => {
    first ??= { at: now(), processed };
    if (processed >= total) return null;
    const done = processed - first.processed;
    const secondsLeft = done > 0 ? (((now() - first.at) / 1000) * (total - processed)) / done : null;
    const left = secondsLeft === null ? '' : `, about ${formatRemaining(secondsLeft)} left`;
    const text = `Reading the prompt, ${processed} of ${total} tokens${left}.`;
    return { type: 'progress', phase: 'reading', loaded: processed, total, text };
  };
}

function formatRemaining(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.round(seconds / 60)} min`;
}

/** Milliseconds that the measurement takes at most. */
const MEASURED_MS = 200;
const VALUES = 1 << 14;
/**
 * Bytes of a model file that llama.cpp in WebAssembly works through per multiplication of this loop. Fitted to wllama 3.8 with Qwen2.5
 * 1.5B (Q4_K_M, 1.12 GB): 1.94 tokens per second and thread where the loop makes 0.62e9 multiplications.
 */
const BYTES_PER_MULTIPLICATION = 3.5;

/**
 * Estimates how many tokens of a prompt a model on the processor reads per second, from the size of its file. Measures this machine for a
 * fifth of a second; the real speed may be half or twice as high.
 *
 * @param bytes Size of the quantized model file.
 * @param threads Number of threads that the engine uses. By default, those that `threadsHere` returns.
 */
export function readingSpeed(
  bytes: number,
  threads: number = threadsHere(),
  multiplications: number = multiplicationsPerSecond(),
): number {
  return (BYTES_PER_MULTIPLICATION * multiplications * threads) / bytes;
}

/** Returns the number of threads that WebAssembly can use here: all cores that the browser names, or one without shared memory. */
export function threadsHere(): number {
  const { crossOriginIsolated, navigator } = globalThis as Partial<typeof globalThis>;
  return crossOriginIsolated === true ? Math.max(1, navigator?.hardwareConcurrency ?? 1) : 1;
}

/** The best of several rounds: other work on the machine makes rounds slower, nothing makes them faster. */
function multiplicationsPerSecond(): number {
  const one = Int8Array.from({ length: VALUES }, (_, at) => at * 7);
  const other = Int8Array.from({ length: VALUES }, (_, at) => at * 13);
  const start = performance.now();
  let best = 0;
  for (let sum = 0, now = start; now - start < MEASURED_MS;) {
    const before = now;
    for (let round = 0; round < 40; round++) sum = (sum + dotProduct(one, other)) | 0;
    now = performance.now();
    if (now > before && sum !== 0.5) best = Math.max(best, (40 * VALUES * 1000) / (now - before)); // `sum`: the loop is not optimized away
  }
  return best;
}

function dotProduct(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < VALUES; at++) sum = (sum + (one[at] ?? 0) * (other[at] ?? 0)) | 0;
  return sum;
}

/** Returns the number of megabytes, rounded up. */
export function wholeMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
